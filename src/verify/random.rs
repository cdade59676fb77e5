//! Random inputs.

use glam::{DVec3, Vec3, Vec4};

use crate::gpu::types::Chunk;

/// A generator of uniform numbers (xorshift64, Marsaglia 2003).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Another sequence for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number in [low, high).
    pub fn index(&mut self, low: usize, high: usize) -> usize {
        (self.between(low as f64, high as f64) as usize).min(high - 1)
    }

    /// A vector in the cube [−reach, reach)³.
    pub fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.between(-reach, reach)))
    }

    /// So many numbers in [low, high).
    pub fn numbers(&mut self, count: usize, low: f64, high: f64) -> Vec<f32> {
        (0..count).map(|_| self.between(low, high) as f32).collect()
    }

    /// So many vectors in the cube [−reach, reach)³.
    pub fn vectors(&mut self, count: usize, reach: f64) -> Vec<Vec3> {
        (0..count).map(|_| self.vector(reach).as_vec3()).collect()
    }

    /// The same with a last component `w` each.
    pub fn fields(&mut self, count: usize, reach: f64, w: f32) -> Vec<Vec4> {
        self.vectors(count, reach).into_iter().map(|vector| vector.extend(w)).collect()
    }

    /// A range of fewer than `most` of so many items.
    pub fn range(&mut self, count: usize, most: usize) -> Chunk {
        let first = self.index(0, count);
        let end = (first + self.index(0, most)).min(count);
        Chunk { first: first as u32, end: end as u32 }
    }

    /// A solid's multiplier, with a last component of this size that says by its sign whether it acts.
    pub fn multiplier(&mut self, solid: f32) -> Vec4 {
        let sign = [1.0, -1.0][self.index(0, 2)];
        self.vector(3.0).as_vec3().extend(sign * solid)
    }

    /// Ranges one behind the other, each of up to `most` of so many items.
    pub fn ranges(&mut self, count: usize, most: usize) -> Vec<Chunk> {
        let mut ranges = Vec::new();
        let mut first = 0;
        while first < count {
            let end = (first + self.index(1, most + 1)).min(count);
            ranges.push(Chunk { first: first as u32, end: end as u32 });
            first = end;
        }
        ranges
    }

    /// `N` different whole numbers in [low, high).
    pub fn distinct<const N: usize>(&mut self, low: usize, high: usize) -> [u32; N] {
        loop {
            let mut picked = [(); N].map(|()| self.index(low, high) as u32);
            let chosen = picked;
            picked.sort_unstable();
            if picked.windows(2).all(|pair| pair[0] != pair[1]) {
                return chosen;
            }
        }
    }
}
