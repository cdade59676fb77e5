//! What bodies weigh and how large they are, at the end of a run.

use pliant::World;
use pliant::internals::Inside as _;
use pliant::report::BodyMeasure;

use crate::amounts::{amounts, short};

/// Bodies that have a line of their own.
const LISTED: usize = 8;

/// Says it of the bodies that are there: of the first ones each, then of all together.
pub fn bodies(world: &World, measures: &[BodyMeasure]) {
    let ranges = &world.model().bodies;
    let all = ranges.iter().zip(measures);
    let present: Vec<_> = all.filter(|(ranges, _)| !ranges.absent).collect();
    for (ranges, body) in present.iter().take(LISTED) {
        let now = match ranges.tets.is_empty() {
            true => String::new(),
            false => format!(", now {} of it", short(body.volume / body.volume_rest)),
        };
        let amounts = amounts(body.mass, ranges.volume);
        say!("{}: {amounts}{now}", body.name);
    }
    if present.len() > LISTED {
        let mass = present.iter().map(|(_, body)| body.mass).sum();
        let volume = present.iter().map(|(ranges, _)| ranges.volume).sum();
        let count = present.len();
        say!("all {count} bodies: {}", amounts(mass, volume));
    }
}
