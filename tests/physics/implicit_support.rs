//! Implicit steps: worlds, and the reference's next states.

use pliant::World;
use pliant::internals::extreme;
use pliant::internals::reference::{System, implicit};
use pliant::scene::{Body, Integrator, Scene, Step};

use crate::support::*;

/// 1/60 s
pub const FRAME: f64 = 1.0 / 60.0;

/// A scene with one body and gravity, stepped by Newton's method.
pub fn newton(body: Body, step: f64) -> Scene {
    let mut scene = floating(body, Integrator::ImplicitEuler, Step::Fixed(step));
    scene.world.gravity = [0.0, -9.81, 0.0];
    scene
}

/// Steps the reference from the world's state and the world itself, `steps` times: the largest difference of the velocities that
/// move points, over the largest change of a velocity in a step. At the end of a step velocities get what their bodies lack of
/// angular momentum, which places do not follow.
pub fn off_the_reference(world: &mut World, system: &System, steps: usize) -> f64 {
    let h = f64::from(world.stepping().step as f32);
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        let mut before = system.clone();
        [before.position, before.velocity] = read(world);
        let wanted = implicit::step(&before, h, 1e-12).unwrap();
        world.step(1).unwrap();
        let [x, _] = read(world);
        let change = apart(&before.velocity, &wanted.velocity);
        worst = extreme::greatest(worst, apart(&x, &wanted.position) / (h * change));
    }
    worst
}
