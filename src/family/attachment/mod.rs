//! Attachments: ties between bodies, and of bodies to solids and places.
//!
//! Damped springs of which each writes its force, and each tied particle gathers those of its ties. In implicit steps their
//! change along a direction, or the block of it that belongs to a particle alone, is gathered alike. The room knows what is
//! tied to what, and how stiffly; it must not know what the bodies on either side are made of, or steps but for their length.

mod anchor;
mod rates;
mod tie;

pub(crate) use self::rates::{TieConstants, TieRates};
pub(crate) use self::tie::{Anchor, MeshPoint, Tie, tie_groups};

use super::{At, Family, Passes};
use crate::Result;
use crate::gpu::types::{Tie as GpuTie, TieEnd, TieRow, Waypoint};
use crate::gpu::{Binding, Bound, Buffer, Context};
use crate::integrate::part::Domain;

/// The arrays of all ties.
#[derive(Debug)]
pub struct Ties {
    ties: Buffer<GpuTie>,
    forces: Buffer<glam::Vec4>,
    rows: Buffer<TieRow>,
    ends: Buffer<TieEnd>,
    /// Changes of the forces along a direction, of implicit steps.
    changes: Buffer<glam::Vec4>,
    /// Where motions have come to in each step of a submission; nothing that a tie reads where none goes with one.
    waypoints: Buffer<Waypoint>,
}

impl Ties {
    /// Uploads ties; `ends` of each: the particles that its force acts on, with the share that each feels. `waypoints`: those of what
    /// moves.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        ties: &[GpuTie],
        ends: &[Vec<(usize, f64)>],
        waypoints: Option<&Buffer<Waypoint>>,
    ) -> Result<Self> {
        let mut entries: Vec<_> = (ends.iter().enumerate())
            .flat_map(|(tie, ends)| ends.iter().map(move |(particle, w)| (*particle, tie, *w)))
            .collect();
        // Stable: the ties of a particle stay in order.
        entries.sort_by_key(|(particle, ..)| *particle);
        let mut rows: Vec<TieRow> = Vec::new();
        for (e, (particle, ..)) in entries.iter().enumerate() {
            let e = e as u32;
            match rows.last_mut().filter(|row| row.particle == *particle as u32) {
                Some(row) => row.end = e + 1,
                None => rows.push(TieRow { particle: *particle as u32, first: e, end: e + 1 }),
            }
        }
        let entries: Vec<_> = (entries.iter())
            .map(|(_, tie, w)| TieEnd { tie: *tie as u32, weight: *w as f32 })
            .collect();
        Ok(Self {
            ties: Buffer::new(context, "ties", ties)?,
            forces: Buffer::zeroed(context, "tie_forces", ties.len())?,
            rows: Buffer::new(context, "tie_rows", &rows)?,
            ends: Buffer::new(context, "tie_ends", &entries)?,
            changes: Buffer::zeroed(context, "tie_changes", ties.len())?,
            waypoints: match waypoints {
                Some(waypoints) => waypoints.share(),
                None => Buffer::zeroed(context, "waypoints", 1)?,
            },
        })
    }

    /// A kernel with its arrays, and some in the place of the ties' own.
    fn bind(&self, at: &At<'_>, kernel: &str, others: &[Binding<'_>]) -> Bound {
        let own = [
            self.ties.binding(),
            self.forces.binding(),
            self.rows.binding(),
            self.ends.binding(),
            self.waypoints.binding(),
        ];
        at.bind(&at.arrays.kernel(kernel), &[others, &own].concat())
    }
}

impl Family for Ties {
    fn name(&self) -> &'static str {
        "attachment"
    }

    fn forces(&self, at: &At<'_>, out: &mut Passes) {
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        out.push(self.bind(at, "tie_force", &[]), ties, Domain::All);
        out.push(self.bind(at, "tie_gather", &[]), rows, Domain::All);
    }

    /// Where its forces were found last.
    fn blocks(&self, at: &At<'_>, out: &mut Passes) {
        let pass = self.bind(at, "newton_tie_block", &[]);
        out.push(pass, self.rows.len(), Domain::All);
    }

    /// Where its forces were found last.
    fn products(&self, at: &At<'_>, out: &mut Passes) {
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        let changes = [self.changes.binding()];
        out.push(self.bind(at, "newton_tie", &changes), ties, Domain::All);
        let changes = [self.changes.bind("tie_forces")];
        out.push(self.bind(at, "tie_gather", &changes), rows, Domain::All);
    }

    fn contact_blocks(&self, at: &At<'_>, out: &mut Passes) {
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        out.push(self.bind(at, "tie_force", &[]), ties, Domain::All);
        out.push(self.bind(at, "tie_hold", &[]), rows, Domain::All);
    }
}
