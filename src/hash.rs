//! FNV-1a (Fowler, Noll, Vo): the fingerprints of scenes, models and states.

/// A running hash.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds an integer.
    pub fn integer(&mut self, x: u64) {
        self.bytes(&x.to_le_bytes());
    }

    /// Adds a number; −0 counts as 0.
    pub fn number(&mut self, x: f64) {
        self.integer((x + 0.0).to_bits());
    }

    /// The hash of all that was added.
    pub fn finish(self) -> u64 {
        self.0
    }
}
