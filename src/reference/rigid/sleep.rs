//! When what is rigid counts as at rest, and which of it hangs together.

use crate::gpu::types::{SLEEP_SPEED, SLEEP_SPIN, SLEEP_TIME};

/// What a pose whose points lie within a radius must not exceed to be as good as at rest under a gravity, and for how long: in its
/// own units of speed √(g r), of turning √(g/r), and of time √(r/g), so that Froude's number is all that counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rest {
    /// \[m/s\]
    pub speed: f64,
    /// \[rad/s\]
    pub spin: f64,
    /// \[s\]
    pub time: f64,
}

impl Rest {
    /// Under gravity `g` \[m/s²\], of a pose within `r` \[m\].
    pub fn new(g: f64, r: f64) -> Self {
        let [speed, spin, time] = [SLEEP_SPEED, SLEEP_SPIN, SLEEP_TIME].map(f64::from);
        Self {
            speed: speed * (g * r).sqrt(),
            spin: spin * (g / r).sqrt(),
            time: time * (r / g).sqrt(),
        }
    }
}

/// The least member, from 0, of what each of so many hangs together with.
pub fn islands(count: usize, joined: &[[usize; 2]]) -> Vec<usize> {
    let mut least: Vec<usize> = (0..count).collect();
    loop {
        let before = least.clone();
        for [a, b] in joined {
            let both = least[*a].min(least[*b]);
            (least[*a], least[*b]) = (both, both);
        }
        if least == before {
            return least;
        }
    }
}
