//! Shells one triangle thick: their modulus, their files, what may be done with them and what may not.

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::mesh::{self, Mesh, Surface};
use pliant::report::Measure;
use pliant::scene::{Body, Constant, Fem, Integrator, Mass, MeshSource, Region, Step};

use crate::bar_support::{settled, slowest};
use crate::shell_support::*;
use crate::support::*;

/// Young's modulus of a flat shell pulled along x in its plane, over that of its scene: stress over the strain of its
/// middle half once drag has brought it to rest.
fn measured_young(surface: Surface, size: [f64; 2], longer: f64) -> f64 {
    let (young, strain, thickness) = (1e5, 2e-3, 0.01);
    let mut body = shell(surface);
    body.kind = springs(young, 2e-3);
    let end = 0.5 * size[0];
    body.pin = vec![within([-1.001 * end, -1.0, -1.0], [-0.999 * end, 1.0, 1.0])];
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    let first = slowest(young, size[0]);
    let at_rest = world(&scene);
    let mut ends: Vec<_> = at_rest.model().rest_points.clone();
    ends.retain(|x| x.x > 0.999 * end);
    ends.sort_by(|a, b| a.y.total_cmp(&b.y));
    let force = young * strain * size[1] * thickness / (ends.len() - 1) as f64;
    for (i, point) in ends.iter().enumerate() {
        let share = if i == 0 || i == ends.len() - 1 { 0.5 } else { 1.0 };
        let force = [force * share, 0.0, 0.0];
        scene.events.push(line_force("shell", point.to_array(), force, ALWAYS));
    }
    let (mut world, start, x) = settled(&mut scene, first, 20.0 * longer);
    let speed = rms(&world.read().unwrap().velocities);
    assert!(speed < 1e-3 * strain * end * first, "at rest: {speed} m/s");
    // The slope of the displacement over x in the middle half, by least squares.
    let (mut n, mut x1, mut u1, mut xx, mut xu) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (rest, now) in start.iter().zip(&x) {
        if rest.x.abs() < 0.501 * end {
            let (x, u) = (rest.x, now.x - rest.x);
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
            let height = if matches!(cut, Cut::Shifted) { 0.75_f64.sqrt() } else { 1.0 };
            let size = [0.1 * f64::from(cells[0]), 0.1 * height * f64::from(cells[1])];
            // Sheets whose diagonals are all parallel bend in their plane, which takes longer to come to rest.
            let longer = if matches!(cut, Cut::OneWay) { 20.0 } else { 1.0 };
            let ratio = measured_young(sheet(cells, size, cut, jitter), size, longer);
            if (ratio - wanted).abs() > tolerance {
                off.push((cells, cut, jitter, ratio));
            }
        }
    }
    assert!(off.is_empty(), "{off:?}");
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
    let folder = Folder::new("shells");
    for (name, surface, edges, closed) in [
        ("open", sheet([3, 2], [0.3, 0.2], Cut::OneWay, 0.0), 23, false),
        ("closed", ball(2), 72, true),
    ] {
        let mut bodies = vec![shell(surface.clone())];
        for extension in ["obj", "ply", "stl", "gltf"] {
            let path = folder.path(format!("{name}.{extension}"));
            if extension == "gltf" {
                fs::write(&path, gltf(&surface)).unwrap();
            } else {
                mesh::write(&path, &Mesh::Surface(surface.clone())).unwrap();
            }
            let from_file = Body::from_file("shell", Path::new(&path));
            bodies.push(Body { mesh: from_file.mesh, ..shell(surface.clone()) });
        }
        for body in bodies {
            let label = format!("{name} {:?}", body.mesh);
            drifts(body, &surface, edges, closed, &label);
        }
    }
}

/// A shell of a surface, 2 cm thick, has its counts and mass, and flies on with its velocity.
fn drifts(mut body: Body, surface: &Surface, edges: usize, closed: bool, label: &str) {
    body.radius = Some(0.02);
    body.velocity = [0.1, 0.0, 0.0];
    let mut world = world(&floating(body, Integrator::Verlet, Step::Auto));
    let model = world.model();
    let counts = (model.positions.len(), model.springs.len(), model.tets.len());
    assert_eq!(counts, (surface.points.len(), edges, 0), "{label}");
    assert_eq!(model.triangles.len(), surface.triangles.len(), "{label}");
    assert_eq!(model.skin.bodies[0].closed, closed, "{label}");
    let area: f64 = (0..surface.triangles.len())
        .map(|i| surface.corners(i))
        .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
        .sum();
    let mass: f64 = model.masses.iter().sum();
    assert!((mass / (1000.0 * 0.04 * area) - 1.0).abs() < 1e-6, "{label}: {mass} kg");
    world.step(20).unwrap();
    let snapshot = world.read().unwrap();
    let measure = Measure::new(&world, &snapshot).unwrap();
    let body = &measure.bodies[0];
    assert_eq!((body.volume, body.volume_rest, body.inverted_tets), (0.0, 0.0, 0));
    assert!((body.kinetic / (0.5 * mass * 0.01) - 1.0).abs() < 1e-3, "{label}");
    let [low, high] = body.aabb.map(DVec3::from);
    let moved = DVec3::X * 0.1 * snapshot.time;
    let bounds = surface.bounds();
    assert!(low.distance(bounds.min + moved) < 1e-5, "{label}: {low}");
    assert!(high.distance(bounds.max + moved) < 1e-5, "{label}: {high}");
}

/// Held at two corners and pulled at a third.
#[test]
fn pins_and_line_forces_act_on_shells() {
    let mut body = shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.0));
    body.area = 20.0;
    let corner = |x: f64, y: f64| within([x - 1e-3, y - 1e-3, -1.0], [x + 1e-3, y + 1e-3, 1.0]);
    body.pin = vec![corner(-0.25, 0.2), corner(0.25, 0.2)];
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    scene.world.drag = 3.0;
    scene.events.push(line_force("shell", [0.25, -0.2, 0.0], [0.0, 0.0, 0.5], ALWAYS));
    let mut world = world(&scene);
    let pinned = world.model().pinned.iter().filter(|pinned| **pinned);
    assert_eq!(pinned.count(), 2);
    world.step((2.0 / world.stepping().step) as u64).unwrap();
    let snapshot = world.read().unwrap();
    let pulled = world.model().nearest(0, DVec3::new(0.25, -0.2, 0.0));
    assert!(snapshot.positions[pulled].z > 0.2, "{}", snapshot.positions[pulled]);
    for (i, x) in snapshot.positions.iter().enumerate() {
        if world.model().pinned[i] {
            assert_eq!(*x, world.model().positions[i].as_vec3());
        }
    }
}

#[test]
fn what_shells_cannot_be_is_refused() {
    let flat = || shell(sheet([2, 2], [0.2, 0.2], Cut::OneWay, 0.0));
    let everywhere =
        Region { within: within([-1.0; 3], [1.0; 3]), constants: vec![(Constant::Distance, 3.0)] };
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::Y];
    let sliver = Surface::new(points, vec![[0, 1, 3], [0, 1, 2]], None).unwrap();
    let points = MeshSource::Points(vec![DVec3::ZERO, DVec3::X]);
    let kept = Body { mass: Mass::Point(0.1), area: 1.0, ..shell(sliver) };
    #[rustfmt::skip]
    let cases = [
        ("is a shell, which cannot carry a skin", Body { skin: asset_path("dog.obj"), ..flat() }),
        ("is a shell, which kind \"fem\" cannot use", Body { kind: Fem::undamped(1e5, 0.3).into(), ..flat() }),
        ("is a shell, wanted tetrahedra, which region requires", Body { regions: vec![everywhere], ..flat() }),
        ("is a shell, wanted tetrahedra, which cell_data requires",
            Body { cell_data: vec![Constant::Distance], ..flat() }),
        ("a shell needs a surface, but the mesh has tetrahedra", Body { mesh: slab().mesh, ..flat() }),
        ("a shell needs a surface, but the mesh has points only", Body { mesh: points, ..flat() }),
        ("triangle 1 (corners [0, 1, 2]) has no area to keep", kept),
        ("radius is a radius, wanted no such key: a body of tetrahedra", Body { radius: Some(0.1), ..slab() }),
    ];
    for (want, body) in cases {
        let scene = floating(body, Integrator::Verlet, Step::Auto);
        let message = World::new(context(), &scene).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(want), "{message}\nwanted {want}");
        assert!(message.contains("body \""), "{message}");
    }
}

fn asset_path(name: &str) -> Option<PathBuf> {
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name))
}
