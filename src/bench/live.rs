//! What a program does to a running world, and what that costs it.

use serde::Serialize;

use super::{Timing, seconds};
use crate::Result;
use crate::gpu::Context;
use crate::scene::{Body, Kind, Mass, Scene, Springs};
use crate::world::World;

/// Repeats of every measurement; the median counts.
const REPEATS: usize = 21;

/// A world of so many bodies of 1000 tetrahedra.
#[derive(Clone, Debug, Serialize)]
pub struct LiveBench {
    /// Bodies, in a tower of layers of 16 that falls on a floor.
    pub bodies: usize,
    /// 1/60 s of simulation [s].
    pub frame: Timing,
    /// A body added in the place of another [s].
    pub add: Timing,
    /// A body taken out [s].
    pub remove: Timing,
    /// Room made for as many bodies again [s].
    pub reserve: f64,
    /// Another Young's modulus of one body in its place ([`World::set_material`]) [s].
    pub material: Timing,
    /// The same by building the world anew ([`World::change`]) [s].
    pub change: f64,
}

/// Measures worlds of 1, 16 and 64 bodies.
///
/// # Errors
/// A lost device.
pub fn live(context: &Context) -> Result<Vec<LiveBench>> {
    let of = |bodies: &usize| measure(context, *bodies);
    [1, 16, 64].iter().map(of).collect()
}

fn material(young: f64) -> Kind {
    Springs::Moduli {
        young: Some(young),
        relaxation: Some(0.02),
    }
    .into()
}

fn body(index: usize) -> Body {
    let mut body = Body::lattice(format!("block {index}"), [5, 8, 5], [0.5, 0.8, 0.5]);
    body.mass = Mass::Density(1000.0);
    body.kind = material(2e5);
    let (layer, place) = (index / 16, index % 16);
    body.position = [
        0.7 * (place % 4) as f64,
        0.41 + 0.85 * layer as f64,
        0.7 * (place / 4) as f64,
    ];
    body
}

fn measure(context: &Context, bodies: usize) -> Result<LiveBench> {
    let mut scene = Scene {
        bodies: (0..bodies).map(body).collect(),
        ..Scene::default()
    };
    scene.world.floor = Some(0.0);
    let mut world = World::new(context, &scene)?;
    let reserve = seconds(|| world.reserve(&scene.bodies[0], bodies))?;
    let [mut frames, mut adds, mut removes, mut materials] = [[0.0; REPEATS]; 4];
    let first = world.body_id(0);
    let mut further = body(bodies.next_multiple_of(16));
    further.position[1] += 1.0;
    for repeat in 0..REPEATS {
        frames[repeat] = seconds(|| {
            world.step_frame()?;
            world.wait()
        })?;
        let mut added = None;
        adds[repeat] = seconds(|| {
            added = Some(world.add(&further)?);
            context.wait()
        })?;
        world.step_frame()?;
        world.wait()?;
        removes[repeat] = seconds(|| {
            added.map_or(Ok(()), |id| world.remove(id))?;
            context.wait()
        })?;
        let young = [1e5, 2e5][repeat % 2];
        materials[repeat] = seconds(|| {
            first.map_or(Ok(()), |id| world.set_material(id, material(young)))?;
            context.wait()
        })?;
    }
    scene = world.scene().clone();
    scene.bodies[0].kind = material(1.5e5);
    let change = seconds(|| world.change(&scene))?;
    Ok(LiveBench {
        bodies,
        frame: Timing::new(&mut frames),
        add: Timing::new(&mut adds),
        remove: Timing::new(&mut removes),
        reserve,
        material: Timing::new(&mut materials),
        change,
    })
}
