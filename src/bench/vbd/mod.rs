//! Vertex block descent: how its sweeps come near to the solution of an implicit step, and what it costs to hold a stack
//! beside the explicit default.

mod converge;
mod stack;

use serde::Serialize;

use super::{Timing, seconds};
use crate::Result;
use crate::gpu::Context;

pub use converge::Curve;
pub use stack::{StackBench, StackPass, StackRun};

/// What `pliant bench vbd` measures.
#[derive(Clone, Debug, Serialize)]
pub struct VbdBench {
    /// Errors of one step over its sweeps.
    pub curves: Vec<Curve>,
    /// Three cubes on each other.
    pub stack: StackBench,
}

/// Measures.
///
/// # Errors
/// When the device is lost.
pub fn vbd(context: &Context) -> Result<VbdBench> {
    Ok(VbdBench {
        curves: converge::measure(context)?,
        stack: stack::measure(context)?,
    })
}
