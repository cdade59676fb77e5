//! What the tests share.

use std::time::Duration;

use glam::Vec3;
use pliant::query::Ray;
use pliant::scene::{Body, Fem, Integrator, Mass, Scene, Springs};

/// Longer than any of these tests takes: what has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Splitmix64 (Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the numbers below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.word() % count as u64) as usize
    }

    /// In [−1, 1).
    pub fn signed(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// In the cube [−1, 1)³.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// In a random order (Fisher, Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Two blocks on a floor, one held at its upper end.
pub fn stack(integrator: Integrator) -> Scene {
    let mut low = Body::lattice("low", [2, 2, 2], [0.4, 0.4, 0.4]);
    low.kind = Springs::Moduli {
        young: Some(5e4),
        relaxation: Some(0.02),
    }
    .into();
    low.position = [0.0, 0.2, 0.0];
    let mut high = low.clone();
    high.name = "high".into();
    high.kind = Fem {
        relaxation: Some(0.02),
        ..Fem::new(5e4, 0.3)
    }
    .into();
    high.position = [0.0, 0.6, 0.0];
    high.pin = vec![pliant::scene::Aabb {
        min: [-1.0, 0.15, -1.0],
        max: [1.0, 1.0, 1.0],
    }];
    let mut scene = Scene {
        bodies: vec![low, high],
        ..Scene::default()
    };
    for body in &mut scene.bodies {
        body.mass = Mass::Density(500.0);
    }
    scene.world.floor = Some(0.0);
    scene.world.integrator = integrator;
    scene
}

pub fn down() -> Ray {
    Ray {
        origin: Vec3::new(0.05, 9.0, 0.02),
        direction: Vec3::NEG_Y,
    }
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
