//! What the tests share.

use std::time::Duration;

use glam::Vec3;
use pliant::Result;
use pliant::query::Ray;
use pliant::scene::{Body, Integrator, Mass, Scene};

pub use crate::common::*;

/// Longer than any of these tests takes: what has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Something that a program does, by its name.
pub type Deed<P> = (&'static str, fn(&mut P) -> Result<()>);

/// Deeds of `p`, each with its name.
macro_rules! deeds {
    ($p:ident => $($name:literal => $deed:expr;)*) => {
        &[$(($name, |$p| {
            let done: pliant::Result<_> = $deed;
            done.map(drop)
        })),*]
    };
}
pub(crate) use deeds;

/// In a random order (Fisher, Yates).
pub fn shuffle<T>(things: &mut [T], random: &mut Random) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.index(0, last + 1));
    }
}

/// Two blocks on a floor, one held at its upper end.
pub fn stack(integrator: Integrator) -> Scene {
    let mut low = Body::lattice("low", [2, 2, 2], [0.4, 0.4, 0.4]);
    low.kind = springs(5e4, 0.02);
    low.position = [0.0, 0.2, 0.0];
    let mut high = low.clone();
    high.name = "high".into();
    high.kind = fem(5e4, 0.3, 0.02);
    high.position = [0.0, 0.6, 0.0];
    high.pin = vec![within([-1.0, 0.15, -1.0], [1.0, 1.0, 1.0])];
    let mut scene = scene_of(vec![low, high]);
    for body in &mut scene.bodies {
        body.mass = Mass::Density(500.0);
    }
    scene.world.floor = Some(0.0);
    scene.world.integrator = integrator;
    scene
}

pub fn down() -> Ray {
    Ray { origin: Vec3::new(0.05, 9.0, 0.02), direction: Vec3::NEG_Y }
}

/// Runs a part of a test in a thread of its own, and fails where it hangs.
pub fn ends<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let result = work();
        // Nobody listens where it took too long.
        let _ = done.send(());
        result
    });
    if ended.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
        panic!("{what} hangs");
    }
    thread.join().unwrap_or_else(|_| panic!("{what} panicked"))
}
