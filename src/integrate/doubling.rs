//! Step doubling: how far one step of twice the length comes from two steps, and the lengths that follow.

use super::Arrays;
use crate::Result;
use crate::gpu::types::Particle;
use crate::gpu::{Bound, Buffer, Recorder};
use crate::model::State;

/// Share of the length that the error asks for, so that few steps are rejected.
const CAUTION: f64 = 0.9;
/// Halvings that an adaptive step may take from its longest.
pub const MOST_HALVINGS: u32 = 12;

/// The state after one step of twice the length, and the pass that compares it with the present one.
#[derive(Debug)]
pub struct Doubling {
    doubled: Buffer<Particle>,
    error: [Bound; 2],
}

impl Doubling {
    /// Room for a world's particles.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let count = arrays.state.present().len();
        let doubled = Buffer::zeroed(arrays.context, "doubled", count)?;
        let error = arrays.bind_both("step_error", &[doubled.binding()]);
        Ok(Self { doubled, error })
    }

    /// Records a copy of the present state.
    pub fn keep(&self, recorder: &mut Recorder<'_>, state: &State) {
        recorder.copy(state.present(), &self.doubled);
    }

    /// Records the comparison, whose result is in the word of `status` before those of Newton's method.
    pub fn compare(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.error[state.current], state.present().len(), slot);
    }
}

/// The error [m] from the word that the comparison leaves.
#[must_use]
pub fn error(word: u32) -> f64 {
    let square = f32::from_bits(word);
    if square.is_finite() { f64::from(square).sqrt() } else { f64::INFINITY }
}

/// The halvings of the longest step after a pair of steps of `halvings` with an error of `error` [m]: h' = 0.9 h
/// (e0/e)^(1/(p + 1)), p the order (spec §5), rounded down to a half of a half …; by one doubling at the most where the
/// pair was good enough.
#[must_use]
pub fn next_halvings(halvings: u32, error: f64, wanted: f64, order: u32) -> u32 {
    let ratio = (wanted / error.max(f64::MIN_POSITIVE)).powf(1.0 / f64::from(order + 1));
    let doublings = (CAUTION * ratio).log2().floor();
    if error <= wanted {
        return halvings - u32::from(doublings >= 1.0 && halvings > 0);
    }
    let shorter = (-doublings).clamp(1.0, f64::from(MOST_HALVINGS)) as u32;
    (halvings + shorter).min(MOST_HALVINGS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::doubling::next_step;

    /// The lengths are those of the reference less a caution, rounded down, and no more than doubled.
    #[test]
    fn lengths_are_those_of_the_reference_rounded_down() {
        for order in [1, 2, 4] {
            for exponent in -60..60 {
                let error = 1e-5 * (0.3 * f64::from(exponent) + 0.01).exp2();
                let next = next_halvings(5, error, 1e-5, order);
                let wanted = CAUTION * next_step(0.5_f64.powi(5), error, 1e-5, order);
                let length = 0.5_f64.powi(next as i32);
                let longest = if error <= 1e-5 { 0.5_f64.powi(4) } else { 0.5_f64.powi(6) };
                assert!(length <= wanted.min(longest).max(0.5_f64.powi(12)) || error <= 1e-5);
                assert!(2.0 * length > wanted.min(longest), "{order} {error} {next}");
            }
        }
        assert_eq!(next_halvings(0, 0.0, 1e-5, 2), 0);
        assert_eq!(next_halvings(3, f64::INFINITY, 1e-5, 2), MOST_HALVINGS);
        assert_eq!(next_halvings(MOST_HALVINGS, 1.0, 1e-5, 2), MOST_HALVINGS);
        assert_eq!(error(f32::NAN.to_bits()), f64::INFINITY);
        assert!((error(4.0_f32.to_bits()) - 2.0).abs() < 1e-12);
    }
}
