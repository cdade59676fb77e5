//! Soft bodies that touch: two scenes of the size of Kratochvíl's (2007, tables 7.2 to 7.4), what contact costs bodies
//! that touch nobody, and how the time of a step grows with the bodies in a pile.

mod free;
mod pile;
mod scene;
mod stages;
mod table;
mod thesis;

use pliant::Context;
use pliant::Result;
use serde::Serialize;

pub use free::FreeBench;
pub use pile::{PileBench, pile as heap};
pub use scene::SceneBench;
pub use stages::Stage;
pub use table::print;
pub use thesis::Figures;

/// What `pliant bench soft` measures.
#[derive(Clone, Debug, Serialize)]
pub struct SoftBench {
    /// What the published figures were measured on.
    pub thesis_hardware: &'static str,
    /// Scenes with published figures.
    pub scenes: Vec<SceneBench>,
    /// Bodies that touch nobody.
    pub free: FreeBench,
    /// Bodies in a pile.
    pub pile: PileBench,
}

/// Measures.
///
/// # Errors
/// When the device is lost or has no room for 640 000 tetrahedra.
pub fn soft(context: &Context) -> Result<SoftBench> {
    let scenes = thesis::scenes()?;
    let scenes = scenes.iter().map(|scene| scene::measure(context, scene));
    Ok(SoftBench {
        thesis_hardware: thesis::HARDWARE,
        scenes: scenes.collect::<Result<_>>()?,
        free: free::measure(context)?,
        pile: pile::measure(context)?,
    })
}
