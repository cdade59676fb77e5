//! What contact costs bodies that touch nobody: the same steps with and without its passes.

use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::scene::{DampingMode, Scene, Step};
use pliant::world::World;
use serde::Serialize;

use crate::bench::kernels::turning_lattice;
use crate::bench::timing::{REPEATS, Timing, seconds, steps};

/// Two lattices that are far apart.
#[derive(Clone, Debug, Serialize)]
pub struct FreeBench {
    /// Cubes along the sides of each.
    pub cubes: u32,
    /// Tetrahedra of both.
    pub tets: usize,
    /// A substep with `contact = true` [s].
    pub with: Timing,
    /// With `contact = false` [s].
    pub without: Timing,
    /// What contact adds, as a share of the substep without it: median of the repeats, whose two halves follow each other.
    pub added: f64,
}

const CUBES: u32 = 40;
const STEPS: u64 = 10;

/// Measures.
///
/// # Errors
/// When the device is lost or has no room.
pub fn measure(context: &Context) -> Result<FreeBench> {
    let mut with = World::new(context, &two_lattices(true))?;
    let mut without = World::new(context, &two_lattices(false))?;
    let (mut times, mut shares) = ([[0.0; REPEATS]; 2], [0.0; REPEATS]);
    for world in [&mut with, &mut without] {
        steps(world, STEPS)?;
    }
    for repeat in 0..REPEATS {
        for (times, world) in times.iter_mut().zip([&mut with, &mut without]) {
            times[repeat] = seconds(|| steps(world, STEPS))?;
        }
        shares[repeat] = times[0][repeat] / times[1][repeat] - 1.0;
    }
    let [with_times, without_times] = &mut times;
    Ok(FreeBench {
        cubes: CUBES,
        tets: with.model().tets.len(),
        with: Timing::new(with_times).per(STEPS),
        without: Timing::new(without_times).per(STEPS),
        added: Timing::new(&mut shares).median,
    })
}

/// Lattices in free flight. With explicit damping a substep is one pass: the cheapest there is.
fn two_lattices(contact: bool) -> Scene {
    let mut scene = Scene::default();
    scene.world.gravity = [0.0; 3];
    scene.world.contact = contact;
    scene.world.step = Step::Fixed(1e-4);
    let side = 0.2 * f64::from(CUBES);
    for (name, x) in [("left", -1.5 * side), ("right", 1.5 * side)] {
        let mut body = turning_lattice(name, CUBES, DampingMode::Explicit);
        body.position = [x, 0.0, 0.0];
        scene.bodies.push(body);
    }
    scene
}
