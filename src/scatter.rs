//! Random places, the same for the same name and seed.

use glam::DVec3;

use crate::hash::Fnv;

/// The random part of the places that a body's points start from: the same for the same name.
pub struct Scatter {
    reach: f64,
    bits: u64,
}

impl Scatter {
    /// Up to `reach` [m] along each axis; those of seed 0 are the name's alone.
    pub fn new(name: &str, seed: u32, reach: f64) -> Self {
        let mut hash = Fnv::new();
        hash.bytes(name.as_bytes());
        if seed != 0 {
            hash.integer(seed.into());
        }
        Self { reach, bits: hash.finish() | 1 }
    }

    /// That of the next point [m].
    pub fn next(&mut self) -> DVec3 {
        if self.reach == 0.0 {
            return DVec3::ZERO;
        }
        DVec3::from_array([(); 3].map(|()| self.reach * (2.0 * self.uniform() - 1.0)))
    }

    /// A number in [0, 1) (xorshift64; Marsaglia 2003).
    fn uniform(&mut self) -> f64 {
        self.bits ^= self.bits << 13;
        self.bits ^= self.bits >> 7;
        self.bits ^= self.bits << 17;
        (self.bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}
