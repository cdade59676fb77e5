//! Which bodies are near each other: the broad phase, of which there are several.

use super::arrays::Arrays as CollideArrays;
use super::passes::{Both, bind};
use super::search::{Extent, scan_passes};
use crate::Result;
use crate::extreme;
use crate::gpu::types::{BODY_LEVELS, BodyCell, Collide, MEETING_WORDS};
use crate::gpu::{Binding, Bound, Buffer, Context};
use crate::integrate::Arrays;
use crate::model::{BodyRanges, Model};
use crate::prim::Scan;

/// Bodies, of one replica where there are several, up to which each is compared with each other: for fewer the dispatches of
/// the grid, more by five to seven, take longer.
const FEW: usize = 256;
/// Width of the finest cells, in the least length of a body's box: boxes that are widened and a little turned still fit into
/// those of the level above.
const CELL: f64 = 0.8;

/// How a search finds the bodies that may touch, and what tells the workgroups of its passes.
pub type Plan<'a> = (BodyBroadPhase, &'a dyn Fn(&Collide) -> Vec<u32>);

/// How bodies are found that may touch. All ways leave the same in `overlaps`, `touching` of bodies and `contact_lists`, but that
/// those of many bodies merge the boxes of one that meets very many, and tell of the gap between bodies only how large it is
/// at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyBroadPhase {
    /// Each body is compared with each other.
    AllPairs,
    /// A grid of cells whose widths double from level to level.
    Grid,
}

impl BodyBroadPhase {
    /// The fastest for a world.
    pub fn of(model: &Model) -> Self {
        let together = match model.replica_size {
            0 => model.bodies.len(),
            size => size,
        };
        if together > FEW { Self::Grid } else { Self::AllPairs }
    }

    /// What `constants` tells of the grid.
    pub fn constants(self, model: &Model, constants: Collide) -> Collide {
        if self == Self::AllPairs {
            return constants;
        }
        let lengths = model.bodies.iter().map(|body| length(model, body));
        let least = lengths.filter(|length| *length > 0.0).fold(f64::INFINITY, extreme::least);
        let cell = CELL * if least.is_finite() { least } else { 1.0 };
        Collide {
            inverse_body_cell: (1.0 / cell) as f32,
            body_table: model.bodies.len().next_power_of_two().max(64) as u32,
            ..constants
        }
    }
}

/// The length of a body's box at the start, as its points or spheres fill it [m].
fn length(model: &Model, body: &BodyRanges) -> f64 {
    let positions = &model.positions[body.particles.clone()];
    let side = |axis: usize| {
        let along = || positions.iter().map(|x| x[axis]);
        along().fold(f64::NEG_INFINITY, extreme::greatest)
            - along().fold(f64::INFINITY, extreme::least)
    };
    (0..3).map(side).fold(0.0, extreme::greatest) + 2.0 * body.radius
}

/// Arrays of the grid of bodies; without elements where there is none.
#[derive(Debug)]
pub struct BroadArrays {
    phase: BodyBroadPhase,
    placed: Buffer<BodyCell>,
    counts: Buffer<u32>,
    first: Buffer<u32>,
    bodies: Buffer<BodyCell>,
    meetings: Buffer<u32>,
}

impl BroadArrays {
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        phase: BodyBroadPhase,
        model: &Model,
        table: u32,
    ) -> Result<Self> {
        let grid = phase == BodyBroadPhase::Grid;
        let bodies = if grid { model.bodies.len() } else { 0 };
        let levels = if grid { BODY_LEVELS as usize } else { 0 };
        Ok(Self {
            phase,
            placed: Buffer::zeroed(context, "bodies_placed", bodies)?,
            counts: Buffer::zeroed(context, "cell_counts", table as usize)?,
            first: Buffer::zeroed(context, "cell_first", table as usize + 1)?,
            bodies: Buffer::zeroed(context, "cell_bodies", bodies)?,
            meetings: Buffer::zeroed(
                context,
                "meetings",
                levels + MEETING_WORDS as usize * bodies,
            )?,
        })
    }

    /// What passes bind.
    pub fn bindings(&self) -> [Binding<'_>; 5] {
        [
            self.placed.binding(),
            self.counts.binding(),
            self.first.binding(),
            self.bodies.binding(),
            self.meetings.binding(),
        ]
    }
}

/// A pass that does the same whichever array of particles has the present state, or not.
#[derive(Debug)]
pub(super) enum Pass {
    Either(Bound),
    Both(Both),
}

impl Pass {
    /// For the particle array `now`.
    pub fn at(&self, now: usize) -> &Bound {
        match self {
            Self::Either(bound) => bound,
            Self::Both(both) => &both[now],
        }
    }
}

/// The passes of a world's broad phase, after the boxes of the bodies are known.
///
/// # Errors
/// An array that is too large for one buffer.
pub(super) fn passes(arrays: &Arrays<'_>, own: &CollideArrays) -> Result<Vec<(Extent, Pass)>> {
    let pass = |name| (Extent::Bodies, Pass::Both(bind(arrays, own, name, 0, &[])));
    let broad = &own.broad;
    if broad.phase == BodyBroadPhase::AllPairs {
        return Ok(vec![pass("body_pairs")]);
    }
    let mut passes = vec![pass("cell_count")];
    let scan = Scan::new(arrays.context, &broad.counts, &broad.first)?;
    passes.extend(scan_passes(scan, Extent::CellBlocks));
    passes.extend(["cell_fill", "cell_pairs", "cell_overlaps"].map(pass));
    Ok(passes)
}
