//! Areas that are kept, and shells one triangle thick.

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec3;
use pliant::World;
use pliant::mesh::{self, Mesh, Surface, TetMesh};
use pliant::reference::force::{angular_momentum, linear_momentum, undamped_acceleration};
use pliant::reference::spectrum::stiffness_spectrum;
use pliant::reference::{System, areas};
use pliant::report::Measure;
use pliant::scene::{
    Aabb, Body, Constant, DampingMode, Event, Fem, Integrator, Mass, MeshSource, Region, Scene,
    Springs, Step,
};

use crate::support::*;

/// How the squares of a flat sheet are cut in two.
#[derive(Clone, Copy, Debug)]
enum Cut {
    OneWay,
    Alternating,
    /// Rows shifted by halves: nearly equilateral triangles.
    Shifted,
}

/// A flat sheet of `cells` along x and y, centred on the origin, its inner points moved in its plane by up to `jitter`
/// cells.
fn sheet(cells: [u32; 2], size: [f64; 2], cut: Cut, jitter: f64) -> Surface {
    let mut random = Random::new(5);
    let [nx, ny] = cells;
    let step = [size[0] / f64::from(nx), size[1] / f64::from(ny)];
    let mut points = Vec::new();
    for j in 0..=ny {
        for i in 0..=nx {
            let inner = i > 0 && i < nx && j > 0 && j < ny;
            let shift = match cut {
                Cut::Shifted if i > 0 && i < nx => 0.5 * f64::from(j % 2) - 0.25,
                _ => 0.0,
            };
            let moved = if inner {
                jitter * random.vector()
            } else {
                DVec3::ZERO
            };
            points.push(DVec3::new(
                (f64::from(i) + shift + moved.x) * step[0] - 0.5 * size[0],
                (f64::from(j) + moved.y) * step[1] - 0.5 * size[1],
                0.0,
            ));
        }
    }
    let mut triangles = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let at = |a: u32, b: u32| (j + b) * (nx + 1) + i + a;
            let rising = match cut {
                Cut::OneWay => true,
                Cut::Alternating => (i + j) % 2 == 0,
                Cut::Shifted => j % 2 == 1,
            };
            triangles.extend(if rising {
                [
                    [at(0, 0), at(1, 0), at(1, 1)],
                    [at(0, 0), at(1, 1), at(0, 1)],
                ]
            } else {
                [
                    [at(0, 0), at(1, 0), at(0, 1)],
                    [at(1, 0), at(1, 1), at(0, 1)],
                ]
            });
        }
    }
    Surface::new(points, triangles, None).unwrap()
}

/// The closed surface of a cube of `n`³ cells, its points blown up to the unit sphere.
fn ball(n: u32) -> Surface {
    let mesh = TetMesh::lattice([n; 3], DVec3::splat(2.0)).unwrap();
    let used = Surface::new(mesh.points.clone(), mesh.surface_triangles(), None).unwrap();
    let mut ball = used.welded();
    ball.points.iter_mut().for_each(|x| *x = x.normalize());
    ball
}

fn shell(surface: Surface) -> Body {
    let mut body = Body::new("shell", MeshSource::Surface { surface, cells: 1 });
    body.shell = true;
    body.radius = Some(0.005);
    body.mass = Mass::Density(1000.0);
    body.kind = constants(5.0, 0.0, 0.0);
    body
}

fn constants(distance: f64, volume: f64, damping: f64) -> pliant::scene::Kind {
    Springs::Constants {
        distance,
        volume,
        damping,
    }
    .into()
}

/// A sheet one tetrahedron thick.
fn slab() -> Body {
    let mut body = Body::lattice("slab", [6, 6, 1], [0.6, 0.6, 0.05]);
    body.mass = Mass::Density(1000.0);
    body.kind = constants(2.0, 1.0, 0.0);
    body
}

/// Bodies that keep areas: triangle and tetrahedron thick, open and closed.
fn bodies() -> Vec<(&'static str, Body)> {
    let mut bodies = vec![
        (
            "sheet",
            shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.1)),
        ),
        ("ball", shell(ball(3))),
        ("slab", slab()),
    ];
    bodies.iter_mut().for_each(|(_, body)| body.area = 20.0);
    bodies[1].1.scale = [0.3; 3];
    bodies
}

/// Follows the accelerations, at rest again whenever they point back (Cundall 1976), until they vanish: a place of
/// equilibrium in f64.
fn settle(system: &mut System, step: f64, least: f64) -> usize {
    let still = vec![DVec3::ZERO; system.position.len()];
    let mut v = still.clone();
    for iteration in 0..200_000 {
        let a = undamped_acceleration(system, &system.position, &still);
        let largest = a.iter().map(|a| a.length()).fold(0.0, f64::max);
        if largest < least {
            return iteration;
        }
        let power: f64 = (0..a.len())
            .filter(|i| !system.pinned(*i))
            .map(|i| v[i].dot(a[i]) * system.mass(i))
            .sum();
        if power < 0.0 {
            v.clone_from(&still);
        }
        for i in 0..a.len() {
            v[i] += step * a[i];
            system.position[i] += step * v[i];
        }
    }
    panic!("no equilibrium");
}

/// The world at its equilibrium under drag, and the same from the reference.
fn settled(body: Body, gravity: DVec3) -> (World, Vec<DVec3>, System) {
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    scene.world.gravity = gravity.to_array();
    scene.world.drag = 3.0;
    let mut world = world(&scene);
    let mut system = system(&world);
    system.drag = 0.0;
    settle(&mut system, 0.5 * world.stepping().step, 1e-7);
    for _ in 0..60 {
        world.step((1.0 / world.stepping().step) as u64).unwrap();
        if rms(&world.read().unwrap().velocities) < 2e-6 {
            break;
        }
    }
    let found = doubles(&world.read().unwrap().positions);
    (world, found, system)
}

/// Mean relative change of area of the triangles at positions `x`.
fn area_change(world: &World, x: &[DVec3]) -> f64 {
    let model = world.model();
    let change = |corners: &[u32; 3]| {
        let corners = corners.map(|i| i as usize);
        let rest = areas::area(corners, &model.rest_positions);
        (areas::area(corners, x) / rest - 1.0).abs()
    };
    let sum: f64 = model.triangles.iter().map(change).sum();
    sum / model.triangles.len() as f64
}

fn hung_by_its_upper_edge(mut body: Body) -> Body {
    body.pin = vec![Aabb {
        min: [-1.0, 0.199, -1.0],
        max: [1.0, 1.0, 1.0],
    }];
    body
}

/// Hung in its own plane, so that the equilibrium is one that is stable; the same on the device and in f64.
#[test]
fn sheets_keep_their_area_under_load() {
    let of_triangles =
        hung_by_its_upper_edge(shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.1)));
    let of_tetrahedra = hung_by_its_upper_edge(slab());
    let mut by_modulus = of_triangles.clone();
    by_modulus.kind = Springs::Moduli {
        young: 2e4,
        relaxation: 0.0,
    }
    .into();
    for (name, body) in [
        ("triangles", of_triangles),
        ("triangles by modulus", by_modulus),
        ("tetrahedra", of_tetrahedra),
    ] {
        let mut changes = [0.0; 2];
        for (area, change) in [0.0, 100.0].into_iter().zip(&mut changes) {
            let mut body = body.clone();
            body.area = area;
            let (world, found, system) = settled(body, DVec3::NEG_Y * 9.81);
            let apart = found
                .iter()
                .zip(&system.position)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f64::max);
            let moved = found
                .iter()
                .zip(&world.model().positions)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f64::max);
            *change = area_change(&world, &found);
            println!(
                "{name}, k_A {area} J: sags {moved:.3e} m, off the reference by {apart:.1e} m, areas change by {change:.2e}"
            );
            assert!(moved > 1e-3, "{name}: {moved}");
            assert!(apart < 5e-4 * moved, "{name}: {apart:e} of {moved:e} m");
        }
        assert!(changes[1] < 0.2 * changes[0], "{name}: {changes:?}");
    }
}

#[test]
fn estimated_stiffness_counts_areas() {
    for (name, body) in bodies() {
        let omega = |body: &Body| {
            let world = world(&floating(
                body.clone(),
                Integrator::Verlet,
                Step::Fixed(1e-6),
            ));
            let system = system(&world);
            stiffness_spectrum(&system, &system.position, 0)
                .pop()
                .unwrap()
                .sqrt()
        };
        let without = omega(&Body {
            area: 0.0,
            ..body.clone()
        });
        let omega = omega(&body);
        let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(1e-6)));
        let ratio = world.report().unwrap().stiffness[0] / omega;
        println!("{name}: ω {omega:.4e}/s, {without:.4e}/s without areas, estimate {ratio:.4}");
        assert!(omega > 1.2 * without, "{name}");
        assert!((0.95..=1.001).contains(&ratio), "{name}: {ratio}");
    }
}

/// Whether the vibration of a shaken body stays small at a step.
fn stays_small(body: &Body, integrator: Integrator, step: f64) -> bool {
    let mut world = world(&floating(body.clone(), integrator, Step::Fixed(step)));
    let mut system = system(&world);
    let mut random = Random::new(17);
    let shaken = |random: &mut Random| 1e-4 * random.vector();
    system
        .velocity
        .iter_mut()
        .for_each(|v| *v += shaken(&mut random));
    start_from(&world, &mut system);
    let start = rms(&world.read().unwrap().velocities);
    for _ in 0..10 {
        if world.step(300).and_then(|()| world.wait()).is_err() {
            return false;
        }
        if rms(&world.read().unwrap().velocities) > 10.0 * start {
            return false;
        }
    }
    true
}

#[test]
fn bounds_with_areas_hold_from_both_sides() {
    for (name, body) in bodies() {
        let still = world(&floating(
            body.clone(),
            Integrator::Verlet,
            Step::Fixed(1e-6),
        ));
        let system = system(&still);
        let square = stiffness_spectrum(&system, &system.position, 0)
            .pop()
            .unwrap();
        for (integrator, bound) in [
            (Integrator::Verlet, 2.0 / square.sqrt()),
            (Integrator::SymplecticEuler, 2.0 / square.sqrt()),
            (Integrator::Rk4, 8.0_f64.sqrt() / square.sqrt()),
        ] {
            let label = format!("{name} {}", integrator.name());
            assert!(
                stays_small(&body, integrator, 0.95 * bound),
                "{label}: unstable below {bound:e} s"
            );
            assert!(
                !stays_small(&body, integrator, 1.05 * bound),
                "{label}: stable above {bound:e} s"
            );
            let mut scene = floating(body.clone(), integrator, Step::Auto);
            scene.world.fps = 1.0;
            let share = world(&scene).stepping().step / bound;
            println!("{label}: bound {bound:.3e} s, automatic step {share:.3} of it");
            assert!((0.6..0.85).contains(&share), "{label}: {share}");
        }
    }
}

/// A damped body that turns, is stretched and shaken.
fn tumbling(body: &Body, integrator: Integrator, mode: DampingMode) -> Scene {
    let mut body = body.clone();
    body.kind = constants(5.0, 1.0, 0.02);
    body.damping_mode = Some(mode);
    body.angular_velocity = [3.0, 5.0, -2.0];
    body.stretch = [1.1, 0.9, 1.0];
    floating(body, integrator, Step::Auto)
}

#[test]
fn momentum_is_kept_and_energy_falls() {
    for (name, body) in bodies() {
        for integrator in Integrator::ALL {
            for &mode in modes(integrator) {
                let label = format!("{name} {} {}", integrator.name(), mode.name());
                let mut world = World::new(context(), &tumbling(&body, integrator, mode))
                    .unwrap_or_else(|error| panic!("{label}: {error}"));
                let system = system(&world);
                let measured = |world: &mut World| {
                    let snapshot = world.read().unwrap();
                    let (x, v) = (doubles(&snapshot.positions), doubles(&snapshot.velocities));
                    let sum: f64 = (0..v.len()).map(|i| system.mass(i) * v[i].length()).sum();
                    let energy = energies(&system, &snapshot).total();
                    let linear = linear_momentum(&system, &v);
                    (linear, angular_momentum(&system, &x, &v), sum, energy)
                };
                let (p, l, sum, energy) = measured(&mut world);
                world.step(500).unwrap();
                let (p_end, l_end, _, end) = measured(&mut world);
                let drift = [p_end.distance(p) / sum, l_end.distance(l) / l.length()];
                println!(
                    "{label}: drift {:.1e} {:.1e}, energy {:.4} of its start",
                    drift[0],
                    drift[1],
                    end / energy
                );
                assert!(drift[0] < 1e-5, "{label}: linear {:e}", drift[0]);
                if integrator != Integrator::Euler {
                    assert!(drift[1] < 5e-4, "{label}: angular {:e}", drift[1]);
                    assert!(end < energy, "{label}: {energy} J -> {end} J");
                }
            }
        }
    }
}

#[test]
fn runs_repeat_and_resume_bit_for_bit() {
    for (name, body) in bodies() {
        for integrator in Integrator::ALL {
            let mode = *modes(integrator).last().unwrap();
            let scene = tumbling(&body, integrator, mode);
            let mut first = world(&scene);
            first.step(60).unwrap();
            let saved = first.save().unwrap();
            first.step(60).unwrap();
            let wanted = first.state_hash().unwrap();
            let mut resumed = World::resume(context(), &scene, &saved).unwrap();
            resumed.step(60).unwrap();
            assert_eq!(
                resumed.state_hash().unwrap(),
                wanted,
                "{name} {} resumed",
                integrator.name()
            );
            let mut again = world(&scene);
            again.step(120).unwrap();
            assert_eq!(
                again.state_hash().unwrap(),
                wanted,
                "{name} {} again",
                integrator.name()
            );
        }
    }
}

/// Young's modulus of a flat shell pulled along x in its plane, over that of its scene: stress over the strain of its
/// middle half once drag has brought it to rest.
fn measured_young(surface: Surface, size: [f64; 2], longer: f64) -> f64 {
    let (young, strain, thickness) = (1e5, 2e-3, 0.01);
    let mut body = shell(surface);
    body.kind = Springs::Moduli {
        young,
        relaxation: 2e-3,
    }
    .into();
    let end = 0.5 * size[0];
    body.pin = vec![Aabb {
        min: [-1.001 * end, -1.0, -1.0],
        max: [-0.999 * end, 1.0, 1.0],
    }];
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    let first = (young / 1000.0_f64).sqrt() * 0.5 * std::f64::consts::PI / size[0];
    scene.world.drag = 2.0 * first;
    let at_rest = world(&scene);
    let mut ends: Vec<_> = at_rest.model().rest_points.clone();
    ends.retain(|x| x.x > 0.999 * end);
    ends.sort_by(|a, b| a.y.total_cmp(&b.y));
    let force = young * strain * size[1] * thickness / (ends.len() - 1) as f64;
    for (i, point) in ends.iter().enumerate() {
        let share = if i == 0 || i == ends.len() - 1 {
            0.5
        } else {
            1.0
        };
        scene.events.push(Event::LineForce {
            body: "shell".into(),
            point: point.to_array(),
            force: [force * share, 0.0, 0.0],
            from: 0.0,
            to: f64::INFINITY,
        });
    }
    let mut world = world(&scene);
    let time = longer * 20.0 / first;
    world.step((time / world.stepping().step) as u64).unwrap();
    let snapshot = world.read().unwrap();
    let speed = rms(&snapshot.velocities);
    assert!(speed < 1e-3 * strain * end * first, "at rest: {speed} m/s");
    // The slope of the displacement over x in the middle half, by least squares.
    let (mut n, mut x1, mut u1, mut xx, mut xu) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (rest, now) in world.model().rest_points.iter().zip(&snapshot.positions) {
        if rest.x.abs() < 0.501 * end {
            let (x, u) = (rest.x, f64::from(now.x) - rest.x);
            (n, x1, u1, xx, xu) = (n + 1.0, x1 + x, u1 + u, xx + x * x, xu + x * u);
        }
    }
    let stretch = (n * xu - x1 * u1) / (n * xx - x1 * x1);
    strain / stretch
}

/// Exact for equilateral triangles. Squares cut in two are stiff by E along both of their sides; where all diagonals are
/// parallel, shear leaves them their length, and where they alternate, they stiffen the sheet, by a fifth
/// far from its rim.
#[test]
fn young_modulus_of_shells() {
    let mut off = Vec::new();
    for cells in [[8, 2], [12, 4], [24, 8], [12, 8]] {
        for (cut, jitter, wanted, tolerance) in [
            (Cut::OneWay, 0.0, 1.0, 0.03),
            (Cut::Alternating, 0.0, 1.1, 0.1),
            (Cut::Shifted, 0.0, 1.0, 0.03),
            (Cut::Shifted, 0.15, 1.0, 0.1),
        ] {
            let height = if matches!(cut, Cut::Shifted) {
                0.75_f64.sqrt()
            } else {
                1.0
            };
            let size = [
                0.1 * f64::from(cells[0]),
                0.1 * height * f64::from(cells[1]),
            ];
            // Sheets whose diagonals are all parallel bend in their plane, which takes longer to come to rest.
            let longer = if matches!(cut, Cut::OneWay) {
                20.0
            } else {
                1.0
            };
            let ratio = measured_young(sheet(cells, size, cut, jitter), size, longer);
            println!("{cells:?} {cut:?} jitter {jitter}: E/young {ratio:.3}");
            if (ratio - wanted).abs() > tolerance {
                off.push((cells, cut, jitter, ratio));
            }
        }
    }
    assert!(off.is_empty(), "{off:?}");
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pliant-shell-{}-{name}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A glTF file of a surface, its positions as f32 and its indices as u32 in the file itself.
fn gltf(surface: &Surface) -> String {
    use base64::Engine;
    let positions = surface.points.iter().flat_map(|x| x.as_vec3().to_array());
    let mut bytes: Vec<u8> = positions.flat_map(f32::to_le_bytes).collect();
    let (points, split) = (surface.points.len(), bytes.len());
    let indices = surface.triangles.as_flattened();
    bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let (count, rest, all) = (indices.len(), bytes.len() - split, bytes.len());
    let data = base64::prelude::BASE64_STANDARD.encode(&bytes);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{points},"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]}},
{{"bufferView":1,"componentType":5125,"count":{count},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{rest}}}],
"buffers":[{{"byteLength":{all},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
    )
}

#[test]
fn shells_come_from_every_surface_format() {
    let folder = Folder::new("formats");
    for (name, surface, edges, closed) in [
        (
            "open",
            sheet([3, 2], [0.3, 0.2], Cut::OneWay, 0.0),
            23,
            false,
        ),
        ("closed", ball(2), 72, true),
    ] {
        let area: f64 = (0..surface.triangles.len())
            .map(|i| surface.corners(i))
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
            .sum();
        let mut bodies = vec![shell(surface.clone())];
        for extension in ["obj", "ply", "stl", "gltf"] {
            let path = folder.0.join(format!("{name}.{extension}"));
            if extension == "gltf" {
                fs::write(&path, gltf(&surface)).unwrap();
            } else {
                mesh::write(&path, &Mesh::Surface(surface.clone())).unwrap();
            }
            let from_file = Body::from_file("shell", Path::new(&path));
            bodies.push(Body {
                mesh: from_file.mesh,
                ..shell(surface.clone())
            });
        }
        for mut body in bodies {
            body.radius = Some(0.02);
            body.velocity = [0.1, 0.0, 0.0];
            let label = format!("{name} {:?}", body.mesh);
            let mut world = world(&floating(body, Integrator::Verlet, Step::Auto));
            let model = world.model();
            let counts = (model.positions.len(), model.springs.len(), model.tets.len());
            assert_eq!(counts, (surface.points.len(), edges, 0), "{label}");
            assert_eq!(model.triangles.len(), surface.triangles.len(), "{label}");
            assert_eq!(model.skin.bodies[0].closed, closed, "{label}");
            let mass: f64 = model.masses.iter().sum();
            assert!(
                (mass / (1000.0 * 0.04 * area) - 1.0).abs() < 1e-6,
                "{label}: {mass} kg"
            );
            world.step(20).unwrap();
            let snapshot = world.read().unwrap();
            let measure = Measure::new(world.model(), [0.0; 3], &snapshot);
            let body = &measure.bodies[0];
            assert_eq!(
                (body.volume, body.volume_rest, body.inverted_tets),
                (0.0, 0.0, 0)
            );
            assert!(
                (body.kinetic / (0.5 * mass * 0.01) - 1.0).abs() < 1e-3,
                "{label}"
            );
            let [low, high] = body.aabb.map(DVec3::from);
            let moved = DVec3::X * 0.1 * snapshot.time;
            let bounds = surface.bounds();
            assert!(low.distance(bounds.min + moved) < 1e-5, "{label}: {low}");
            assert!(high.distance(bounds.max + moved) < 1e-5, "{label}: {high}");
        }
    }
}

/// Held at two corners and pulled at a third.
#[test]
fn pins_and_line_forces_act_on_shells() {
    let mut body = shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.0));
    body.area = 20.0;
    let corner = |x: f64, y: f64| Aabb {
        min: [x - 1e-3, y - 1e-3, -1.0],
        max: [x + 1e-3, y + 1e-3, 1.0],
    };
    body.pin = vec![corner(-0.25, 0.2), corner(0.25, 0.2)];
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    scene.world.drag = 3.0;
    scene.events.push(Event::LineForce {
        body: "shell".into(),
        point: [0.25, -0.2, 0.0],
        force: [0.0, 0.0, 0.5],
        from: 0.0,
        to: f64::INFINITY,
    });
    let mut world = world(&scene);
    let pinned = world.model().pinned.iter().filter(|pinned| **pinned);
    assert_eq!(pinned.count(), 2);
    world.step((2.0 / world.stepping().step) as u64).unwrap();
    let snapshot = world.read().unwrap();
    let pulled = world.model().nearest(0, DVec3::new(0.25, -0.2, 0.0));
    assert!(
        snapshot.positions[pulled].z > 0.2,
        "{}",
        snapshot.positions[pulled]
    );
    for (i, x) in snapshot.positions.iter().enumerate() {
        if world.model().pinned[i] {
            assert_eq!(*x, world.model().positions[i].as_vec3());
        }
    }
}

#[test]
fn what_shells_cannot_be_is_refused() {
    let flat = || shell(sheet([2, 2], [0.2, 0.2], Cut::OneWay, 0.0));
    let changed = |change: &dyn Fn(&mut Body)| {
        let mut body = flat();
        change(&mut body);
        body
    };
    let everywhere = Region {
        within: Aabb {
            min: [-1.0; 3],
            max: [1.0; 3],
        },
        constants: vec![(Constant::Distance, 3.0)],
    };
    let sliver = Surface::new(
        vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::Y],
        vec![[0, 1, 3], [0, 1, 2]],
        None,
    )
    .unwrap();
    for (want, body) in [
        (
            "is a shell, which cannot carry a skin",
            changed(&|b| b.skin = asset_path("dog.obj")),
        ),
        (
            "is a shell, which kind \"fem\" cannot use",
            changed(&|b| b.kind = Fem::new(1e5, 0.3).into()),
        ),
        (
            "is a shell, without the tetrahedra that region asks for",
            changed(&|b| b.regions = vec![everywhere.clone()]),
        ),
        (
            "is a shell, without the tetrahedra that cell_data asks for",
            changed(&|b| b.cell_data = vec![Constant::Distance]),
        ),
        (
            "a shell needs a surface, and the mesh holds tetrahedra",
            changed(&|b| b.mesh = slab().mesh),
        ),
        (
            "a shell needs a surface, and the mesh holds bare points",
            changed(&|b| b.mesh = MeshSource::Points(vec![DVec3::ZERO, DVec3::X])),
        ),
        (
            "radius is missing, wanted half the shell's thickness [m] beside density",
            changed(&|b| b.radius = None),
        ),
        (
            "triangle 1 (corners [0, 1, 2]) has no area to keep",
            changed(&|b| {
                b.mesh = shell(sliver.clone()).mesh;
                b.mass = Mass::PerPoint(0.1);
                b.area = 1.0;
            }),
        ),
        (
            "radius is a radius, wanted none: a body of tetrahedra",
            Body {
                radius: Some(0.1),
                ..slab()
            },
        ),
    ] {
        let scene = floating(body, Integrator::Verlet, Step::Auto);
        let message = World::new(context(), &scene)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        println!("{message}");
        assert!(message.contains(want), "{message}\nwanted {want}");
        assert!(message.contains("body \""), "{message}");
    }
}

fn asset_path(name: &str) -> Option<PathBuf> {
    Some(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets")
            .join(name),
    )
}
