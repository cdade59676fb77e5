//! Bodies as wholes: how the first iterate of an implicit step goes on, and the coarse correction of vertex block descent: Newton's step
//! by the six rigid motions, which sweeps from vertex to vertex would need many of to bring to balance.

use glam::Vec4;

use super::Arrays;
use crate::Result;
use crate::gpu::types::{BodyMotion, COARSE_ROWS, WORKGROUP};
use crate::gpu::{Bound, Buffer, Recorder};

/// Its passes, each by the particle array that the step starts from.
#[derive(Debug)]
pub struct Coarse {
    sum: [Bound; 2],
    total: [Bound; 2],
    solve: [Bound; 2],
    advance: [Bound; 2],
    particles: usize,
    chunks: usize,
    /// Bodies of many chunks.
    long: usize,
    bodies: usize,
}

impl Coarse {
    /// Binds the passes.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let (context, model) = (arrays.context, arrays.model);
        let chunks = model.chunks.len();
        let long = model.long_bodies();
        let rows = COARSE_ROWS as usize * (chunks + long);
        let parts = Buffer::<Vec4>::zeroed(context, "coarse_parts", rows)?;
        let motions = Buffer::<BodyMotion>::zeroed(context, "coarse_motions", model.bodies.len())?;
        let own = [parts.binding(), motions.binding()];
        let bind = |kernel| arrays.bind_both(kernel, &own);
        Ok(Self {
            sum: bind("coarse_sum"),
            total: bind("coarse_total"),
            solve: bind("coarse_solve"),
            advance: bind("coarse_move"),
            particles: arrays.state.present().len(),
            chunks,
            long,
            bodies: model.bodies.len(),
        })
    }

    /// Records it for the iterate of a step that starts from array `from`, after contacts have pressed on it; in a slot of
    /// `IMPLICIT_GUESS`, how the first iterate is carried on from there.
    pub fn record(&self, recorder: &mut Recorder<'_>, from: usize, slot: usize) {
        recorder.dispatch(&self.sum[from], self.chunks * WORKGROUP as usize, slot);
        recorder.dispatch(&self.total[from], self.long * WORKGROUP as usize, slot);
        recorder.dispatch(&self.solve[from], self.bodies, slot);
        recorder.dispatch(&self.advance[from], self.particles, slot);
    }
}
