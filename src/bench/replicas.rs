//! What many copies of a scene cost, beside one alone.

use std::time::Instant;

use serde::Serialize;

use super::{Timing, seconds};
use crate::Result;
use crate::gpu::Context;
use crate::scene::{Body, Mass, Scene, Springs, Step};
use crate::world::World;

/// Repeats of every measurement; the median counts.
const REPEATS: usize = 7;
/// Steps of each.
const STEPS: u64 = 32;

/// A cube of 625 tetrahedra that falls on a floor, alone and copied.
#[derive(Clone, Debug, Serialize)]
pub struct ReplicaBench {
    /// Tetrahedra of one copy.
    pub tets: usize,
    /// How many copies.
    pub copies: usize,
    /// A step of one alone [s].
    pub alone: Timing,
    /// A step of all copies [s].
    pub all: Timing,
    /// A step of one of the copies over a step of one alone.
    pub share: f64,
    /// Building the world of copies [s].
    pub build: f64,
    /// Copies that end with the bits of the one alone.
    pub same: usize,
}

/// Measures 10, 100 and 1000 copies.
///
/// # Errors
/// A lost device.
pub fn replicas(context: &Context) -> Result<Vec<ReplicaBench>> {
    let of = |copies: &usize| measure(context, *copies);
    [10, 100, 1000].iter().map(of).collect()
}

fn cube() -> Scene {
    let mut body = Body::lattice("cube", [5; 3], [1.0; 3]);
    body.mass = Mass::Density(1000.0);
    body.kind = Springs::Moduli {
        young: Some(1e5),
        relaxation: Some(0.02),
    }
    .into();
    body.position = [0.0, 0.6, 0.0];
    let mut scene = Scene {
        bodies: vec![body],
        ..Scene::default()
    };
    scene.world.floor = Some(0.0);
    scene.world.step = Step::Fixed(1e-3);
    scene
}

fn measure(context: &Context, copies: usize) -> Result<ReplicaBench> {
    let scene = cube();
    let mut world = World::new(context, &scene)?;
    let alone = steps(&mut world)?;
    let (hash, tets) = (world.state_hash()?, world.model().tets.len());
    let start = Instant::now();
    let mut world = World::new(context, &scene.replicate(copies)?)?;
    let build = start.elapsed().as_secs_f64();
    let all = steps(&mut world)?;
    let mut same = 0;
    for copy in 0..copies {
        same += usize::from(world.replica_hash(copy)? == hash);
    }
    Ok(ReplicaBench {
        tets,
        copies,
        alone,
        all,
        share: all.median / copies as f64 / alone.median,
        build,
        same,
    })
}

/// The time of a step, after a first submission.
fn steps(world: &mut World) -> Result<Timing> {
    let mut run = || {
        world.step(STEPS)?;
        world.wait()
    };
    run()?;
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        *time = seconds(&mut run)?;
    }
    Ok(Timing::new(&mut times).per(STEPS))
}
