//! Neo-Hookean bars come back at one step a frame, undamped and nearly incompressible ones, too.

use pliant::World;
use pliant::internals::reference::force::{elastic_energy, elastic_forces};
use pliant::internals::reference::spectrum::stiffness_spectrum;
use pliant::scene::{Fem, Law};

use crate::bar_support::*;
use crate::implicit_support::*;
use crate::support::*;

fn bar(poisson: f64, relaxation: f64, stretch: [f64; 3], scatter: f64) -> World {
    let fem = Fem { law: Law::NeoHookean, relaxation: Some(relaxation), ..Fem::new(1e5, poisson) };
    let mut body = lattice("bar", [4, 2, 2], [2.0, 1.0, 1.0], 1000.0, fem.into());
    (body.stretch, body.scatter) = (stretch, scatter);
    let mut scene = newton(body, FRAME);
    scene.world.gravity = [0.0; 3];
    world(&scene)
}

#[test]
fn implicit_bars_come_back_from_everything() {
    for (poisson, relaxation) in [(0.3, 0.02), (0.3, 0.0), (0.49, 0.02), (0.49, 0.0)] {
        for (name, stretch, scatter) in STARTS {
            // Nearly incompressible ones may come to rest in a tangle.
            let mixed = scatter > 0.0 || stretch[1] < 0.0;
            // Damped ones come back from what undamped ones come back from: of those the two that are furthest off.
            let milder = relaxation > 0.0 && scatter <= 0.0 && stretch[1] >= 0.0;
            if milder || poisson > 0.4 && mixed {
                continue;
            }
            let mut world = bar(poisson, relaxation, stretch, scatter);
            world.step(160).unwrap();
            let [x, _] = read(&mut world);
            let (off, inverted) = distortion(&world, &x);
            // Undamped, what is left of a rotation stretches the bar.
            let most = if relaxation > 0.0 { 0.01 } else { 0.03 };
            let name = format!("{poisson} {relaxation} {name}");
            assert!(off < most && inverted == 0, "{name}: {off:e}, {inverted}");
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
    let left = longest(&forces);
    let values = stiffness_spectrum(&system, &x, 0);
    assert_eq!(distortion(&world, &x).1, 0);
    // A modulus of 1e5 Pa acts on 0.5 m × 0.5 m with 2.5e4 N.
    assert!(energy > 1e4 && left < 25.0, "{energy:e} {left:e}");
    assert!(values[5].abs() < 1.0 && values[6] > 10.0, "{:?}", &values[..8]);
}
