//! Rigid bodies: how long each narrow phase takes for a pair, beside published figures, and how the time of a step grows with
//! the bodies in a pile.

mod pairs;
mod pile;

pub use pairs::{PAIRS, pairs, print as print_pairs};
pub use pile::{AFTER, COUNTS, pile, print as print_pile, scene as heap};
