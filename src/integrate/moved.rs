//! What is moved by motions that the caller gives: solids, and held particles.

use super::Arrays;
use crate::Result;
use crate::gpu::types::{NONE, Pin, Waypoint};
use crate::gpu::{Bound, Buffer, Context, Recorder};
use crate::model::State;

/// The passes that place what is moved, by a table with its waypoints in each step of a submission.
#[derive(Debug)]
pub struct Moved {
    waypoints: Buffer<Waypoint>,
    /// Waypoints in a step.
    count: usize,
    solids: Option<Bound>,
    /// By the array that holds the present state, and how many there are.
    pins: Option<([Bound; 2], usize)>,
}

impl Moved {
    /// Passes for such waypoints in each of at most `steps` steps, and the particles that go with them.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        waypoints: &[Waypoint],
        pins: &[Pin],
        steps: usize,
    ) -> Result<Self> {
        let (context, count) = (arrays.context, waypoints.len());
        let table = Buffer::zeroed(context, "waypoints", steps * count)?;
        let solids = waypoints.iter().any(|waypoint| waypoint.solid != NONE);
        let others = [arrays.externals.bind("externals_out"), table.binding()];
        let solids = solids.then(|| arrays.bind(&arrays.kernel("solid_move"), &others));
        let places = Buffer::new(context, "pins", pins)?;
        let others = [table.binding(), places.binding()];
        let moves = (!pins.is_empty()).then(|| {
            let [other, this] = arrays.bind_both("pin_move", &others);
            ([this, other], pins.len())
        });
        Ok(Self { waypoints: table, count, solids, pins: moves })
    }

    /// The table.
    pub fn waypoints(&self) -> &Buffer<Waypoint> {
        &self.waypoints
    }

    /// Replaces the table: the waypoints of one step after the other.
    pub fn write(&self, context: &Context, waypoints: &[Waypoint]) {
        self.waypoints.write(context, 0, waypoints);
    }

    /// Records where solids are at the start of a step.
    pub fn solids(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let Some(solids) = &self.solids {
            recorder.dispatch(solids, self.count, slot);
        }
    }

    /// Records where held particles of the present state are at the end of a step.
    pub fn pins(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let Some((pins, count)) = &self.pins {
            recorder.dispatch(&pins[state.current], *count, slot);
        }
    }
}
