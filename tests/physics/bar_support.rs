//! Bars that are held at one end, what pulls at the other, and how a body is deformed.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::tets;
use pliant::scene::{Body, Integrator, MeshSource, Scene, Step};

use crate::support::*;

/// A lattice without gravity, held at its lower end along x.
pub fn held(mut body: Body) -> Scene {
    let MeshSource::Lattice { cubes, size } = body.mesh else { panic!("a lattice") };
    let (end, near) = (-0.5 * size[0], 0.01 * size[0] / f64::from(cubes[0]));
    body.pin = vec![within([end - near, -size[1], -size[2]], [end + near, size[1], size[2]])];
    floating(body, Integrator::Verlet, Step::Auto)
}

/// Pulls the free end of a lattice with a force [N], spread over its points by their shares of its area.
pub fn pull(scene: &mut Scene, force: DVec3) {
    let MeshSource::Lattice { cubes: [_, ny, nz], size } = scene.bodies[0].mesh else {
        panic!("a lattice")
    };
    let share = |i: u32, n: u32| if i == 0 || i == n { 0.5 } else { 1.0 };
    let at = |i: u32, n: u32, axis: usize| size[axis] * (f64::from(i) / f64::from(n) - 0.5);
    for (j, k) in (0..=ny).flat_map(|j| (0..=nz).map(move |k| (j, k))) {
        let part = share(j, ny) * share(k, nz) / f64::from(ny * nz);
        let point = [0.5 * size[0], at(j, ny, 1), at(k, nz, 2)];
        let force = (part * force).to_array();
        scene.events.push(line_force(&scene.bodies[0].name, point, force, ALWAYS));
    }
}

/// Where a body comes to rest, by its points' places at the start, under drag that damps its slowest mode of `omega` [1/s]
/// critically, after so many 1/ω.
pub fn settled(scene: &mut Scene, omega: f64, long: f64) -> (World, Vec<DVec3>, Vec<DVec3>) {
    scene.world.drag = 2.0 * omega;
    let mut world = world(scene);
    assert!(world.warnings().is_empty(), "{:?}", world.warnings());
    world.step((long / omega / world.stepping().step) as u64).unwrap();
    let [x, _] = read(&mut world);
    let start = world.model().positions.clone();
    (world, start, x)
}

/// Mean of `value` over the points that start at x.
pub fn layer(start: &[DVec3], x: f64, value: impl Fn(usize) -> f64) -> f64 {
    let near = |i: &usize| (start[*i].x - x).abs() < 1e-6;
    let chosen: Vec<_> = (0..start.len()).filter(near).collect();
    assert!(!chosen.is_empty());
    chosen.iter().map(|i| value(*i)).sum::<f64>() / chosen.len() as f64
}

/// ω [1/s] of the slowest swing along a bar of 1000 kg/m³ that is held at one end.
pub fn slowest(young: f64, length: f64) -> f64 {
    0.5 * std::f64::consts::PI * (young / 1000.0).sqrt() / length
}

/// Each tetrahedron's volume [m³], negative where it is inside out.
pub fn volumes(world: &World, x: &[DVec3]) -> impl Iterator<Item = f64> {
    let tets = world.model().tets.iter();
    tets.map(move |tet| tets::volume(tet.corners.map(|i| i as usize), x))
}

/// The largest relative error of an edge, and how many tetrahedra are inside out.
pub fn distortion(world: &World, x: &[DVec3]) -> (f64, usize) {
    let edges = world.model().springs.iter().map(|spring| {
        let [a, b] = spring.points.map(|i| x[i as usize]);
        (a.distance(b) / spring.rest - 1.0).abs()
    });
    let inverted = volumes(world, x).filter(|volume| *volume < 0.0);
    (edges.fold(0.0, extreme::greatest), inverted.count())
}

/// How bars start that come back from everything: their stretch and their scatter.
pub const STARTS: [(&str, [f64; 3], f64); 5] = [
    ("stretched threefold", [3.0, 1.0, 1.0], 0.0),
    ("squashed to a fifth", [1.0, 0.2, 1.0], 0.0),
    ("flat", [1.0, 0.0, 1.0], 0.0),
    ("turned inside out", [1.0, -1.0, 1.0], 0.0),
    ("scattered", [1.0, 1.0, 1.0], 0.6),
];
