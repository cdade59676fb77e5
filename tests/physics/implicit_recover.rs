//! Neo-Hookean bars come back at one step a frame, undamped and nearly incompressible ones, too.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::force::{elastic_energy, elastic_forces};
use pliant::internals::reference::spectrum::stiffness_spectrum;
use pliant::scene::{Fem, Law};

use crate::implicit_support::*;
use crate::support::*;

fn bar(poisson: f64, relaxation: f64, stretch: [f64; 3], scatter: f64) -> World {
    let mut body = lattice(
        "bar",
        [4, 2, 2],
        [2.0, 1.0, 1.0],
        1000.0,
        Fem { law: Law::NeoHookean, relaxation: Some(relaxation), ..Fem::new(1e5, poisson) }.into(),
    );
    (body.stretch, body.scatter) = (stretch, scatter);
    let mut scene = newton(body, FRAME);
    scene.world.gravity = [0.0; 3];
    world(&scene)
}

/// How many tetrahedra are inside out.
fn inverted(world: &World, x: &[DVec3]) -> usize {
    let inverted = |tet: &&pliant::internals::model::Tet| {
        let [a, b, c, d] = tet.corners.map(|i| x[i as usize]);
        (b - a).dot((c - a).cross(d - a)) < 0.0
    };
    world.model().tets.iter().filter(inverted).count()
}

#[test]
fn implicit_bars_come_back_from_everything() {
    let starts: [([f64; 3], f64); 5] = [
        ([3.0, 1.0, 1.0], 0.0),
        ([1.0, 0.2, 1.0], 0.0),
        ([1.0, 0.0, 1.0], 0.0),
        ([1.0, -1.0, 1.0], 0.0),
        ([1.0, 1.0, 1.0], 0.6),
    ];
    for (poisson, relaxation) in [(0.3, 0.02), (0.3, 0.0), (0.49, 0.02), (0.49, 0.0)] {
        for (stretch, scatter) in starts {
            // Nearly incompressible ones may come to rest in a tangle.
            let mixed = scatter > 0.0 || (relaxation <= 0.0 && stretch[1] < 0.0);
            // Damped ones come back from what undamped ones come back from: of those the two that are furthest off.
            let milder = relaxation > 0.0 && scatter <= 0.0 && stretch[1] >= 0.0;
            if milder || poisson > 0.4 && mixed {
                continue;
            }
            let mut world = bar(poisson, relaxation, stretch, scatter);
            world.step(160).unwrap();
            let [x, _] = read(&mut world);
            let model = world.model();
            let edges = model.springs.iter().map(|spring| {
                let [a, b] = spring.points.map(|i| x[i as usize]);
                (a.distance(b) / spring.rest - 1.0).abs()
            });
            let off = edges.fold(0.0, extreme::greatest);
            let inverted = inverted(&world, &x);
            // Undamped, what is left of a rotation stretches the bar.
            let most = if relaxation > 0.0 { 0.01 } else { 0.03 };
            assert!(
                off < most && inverted == 0,
                "{poisson} {relaxation} {stretch:?} {scatter}: {off:e}, {inverted}"
            );
        }
    }
}

/// Where a bar of ν = 0.49 that starts inside out comes to rest in a tangle, no element is inside out, and the energy, far
/// above 0, rises in every direction: nothing that goes downhill would come further.
#[test]
fn a_tangle_is_a_minimum_of_the_energy() {
    let mut world = bar(0.49, 0.0, [1.0, -1.0, 1.0], 0.0);
    let system = system(&world);
    world.step(240).unwrap();
    let [x, _] = read(&mut world);
    let energy = elastic_energy(&system, &x);
    let forces = elastic_forces(&system, &x);
    let left = forces.iter().map(|f| f.length()).fold(0.0, extreme::greatest);
    let values = stiffness_spectrum(&system, &x, 0);
    assert_eq!(inverted(&world, &x), 0);
    // A modulus of 1e5 Pa acts on 0.5 m × 0.5 m with 2.5e4 N.
    assert!(energy > 1e4 && left < 25.0, "{energy:e} {left:e}");
    assert!(values[5].abs() < 1.0 && values[6] > 10.0, "{:?}", &values[..8]);
}
