//! What the tests share.

use std::time::Duration;

use glam::Vec3;
use pliant::query::Ray;
use pliant::scene::{Body, Integrator, Scene};
use pliant::{Context, Result};

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
    let low = block("low", [0.0, 0.2, 0.0]);
    let high = Body { kind: fem(5e4, 0.3, 0.02), ..hung("high", [0.0, 0.6, 0.0]) };
    on_floor([low, high], integrator)
}

/// A block of 0.4 m at a place.
pub fn block(name: &str, position: [f64; 3]) -> Body {
    Body { position, ..lattice(name, [2; 3], [0.4; 3], 500.0, springs(5e4, 0.02)) }
}

/// The same, held at its upper end.
pub fn hung(name: &str, position: [f64; 3]) -> Body {
    Body { pin: vec![within([-1.0, 0.15, -1.0], [1.0; 3])], ..block(name, position) }
}

pub fn buffer(context: &Context, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    context.graphics().unwrap().0.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
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
