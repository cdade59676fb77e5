//! How the time of a step grows with the bodies in a pile.

use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::scene::{Body, Mass, Scene, Solid, Springs};
use pliant::world::World;
use serde::Serialize;

use crate::bench::timing::{Timing, exponent, steps, time};

/// Small bodies, poured into a box; the more, the wider it is, so that all piles are as high.
#[derive(Clone, Debug, Serialize)]
pub struct PileBench {
    /// By number of bodies.
    pub steps: Vec<PileStep>,
    /// Growth exponent of the time of a substep with the number of bodies: least squares over all, in logarithms.
    pub exponent: f64,
    /// The same between the last two.
    pub exponent_largest: f64,
}

/// A substep of a pile.
#[derive(Clone, Debug, Serialize)]
pub struct PileStep {
    /// Bodies.
    pub bodies: usize,
    /// Tetrahedra of all.
    pub tets: usize,
    /// Mean number of colliding points in the measured steps.
    pub colliding_points: f64,
    /// Time of a substep [s].
    pub substep: Timing,
}

const BODIES: [usize; 5] = [100, 300, 1000, 3000, 10_000];
/// Side of a body [m].
const SIDE: f64 = 0.2;
/// Bodies on top of each other.
const LAYERS: usize = 4;
/// Distance between neighbours before they fall [m].
const SPACING: f64 = 0.25;
/// Simulated time before the measurement [s].
const FALL: f64 = 0.35;

/// Measures.
///
/// # Errors
/// When the device is lost.
pub fn measure(context: &Context) -> Result<PileBench> {
    let piles = BODIES.map(|bodies| measure_pile(context, bodies));
    let piles = piles.into_iter().collect::<Result<Vec<_>>>()?;
    let points: Vec<_> =
        piles.iter().map(|step| [step.bodies as f64, step.substep.median]).collect();
    Ok(PileBench {
        exponent: exponent(&points),
        exponent_largest: exponent(&points[points.len() - 2..]),
        steps: piles,
    })
}

fn measure_pile(context: &Context, bodies: usize) -> Result<PileStep> {
    let mut world = World::new(context, &pile(bodies))?;
    let fall = (FALL / world.stepping().step).round() as u64;
    steps(&mut world, fall)?;
    let before = world.contacts();
    let count = (2000 / bodies as u64).clamp(2, 20);
    let total = time(|| steps(&mut world, count))?;
    let after = world.contacts();
    Ok(PileStep {
        bodies,
        tets: world.model().tets.len(),
        colliding_points: (after.points - before.points) as f64
            / (after.steps - before.steps) as f64,
        substep: total.per(count),
    })
}

/// Bodies in layers above the floor of a box, each a little turned.
pub fn pile(bodies: usize) -> Scene {
    let mut scene = Scene::default();
    scene.world.floor = Some(0.0);
    let across = (1..).find(|n: &usize| LAYERS * n * n >= bodies).unwrap_or(1);
    let width = SPACING * across as f64;
    let wall = |axis: usize, side: f64| {
        let mut position = [0.0; 3];
        position[axis] = side * (0.5 * width + 0.5);
        let mut size = [2.0 * width + 4.0; 3];
        size[axis] = 1.0;
        Solid::cuboid(position, size)
    };
    scene.solids =
        [(0, 1.0), (0, -1.0), (2, 1.0), (2, -1.0)].map(|(axis, side)| wall(axis, side)).into();
    let place = |index: usize| SPACING * (index as f64 + 0.5);
    for index in 0..bodies {
        let [x, y, z] = [index % across, index / across / across, index / across % across];
        let mut body = Body::lattice(format!("{index}"), [2; 3], [SIDE; 3]);
        body.position = [place(x) - 0.5 * width, place(y), place(z) - 0.5 * width];
        // Multiples of three irrational numbers are spread evenly.
        let turn = |irrational: f64| 0.3 * ((index as f64 * irrational).fract() - 0.5);
        body.rotation = [2.0_f64, 3.0, 5.0].map(|root| turn(root.sqrt()));
        body.mass = Mass::Density(500.0);
        body.kind = Springs::Moduli { young: Some(1e5), relaxation: Some(0.005) }.into();
        scene.bodies.push(body);
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::pile;

    #[test]
    fn piles_are_sound_scenes_of_bodies_in_the_box() {
        for bodies in [1, 10, 1000] {
            let scene = pile(bodies);
            scene.check().expect("a sound scene");
            assert_eq!(scene.bodies.len(), bodies);
            let half = 0.125 * (bodies as f64 / 4.0).sqrt().ceil();
            for body in &scene.bodies {
                let [x, y, z] = body.position;
                assert!(x.abs() < half && z.abs() < half && y > 0.1, "{:?}", body.position);
            }
        }
    }
}
