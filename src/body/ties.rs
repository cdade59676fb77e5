//! Ties between bodies, and of bodies to solids and places: damped springs of which each writes its force, and each tied
//! particle gathers those of its ties. In implicit steps their change along a direction, or the block of it that belongs to
//! a particle alone, is gathered alike.

use super::elements::Loads;
use crate::Result;
use crate::gpu::types::{Particle, Pose, Tie, TieEnd, TieRow};
use crate::gpu::{Binding, Bound, Buffer, Context};
use crate::integrate::Arrays;
use crate::integrate::part::Over;

/// The arrays of all ties.
#[derive(Debug)]
pub struct Ties {
    ties: Buffer<Tie>,
    forces: Buffer<glam::Vec4>,
    rows: Buffer<TieRow>,
    ends: Buffer<TieEnd>,
    /// Changes of the forces along a direction, of implicit steps.
    changes: Buffer<glam::Vec4>,
    /// Where motions have come to in each step of a submission; nothing that a tie reads where none goes with one.
    poses: Buffer<Pose>,
}

impl Ties {
    /// Uploads ties; `ends` of each: the particles that its force acts on, with the share that each feels. `poses`: those of what
    /// moves.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        ties: &[Tie],
        ends: &[Vec<(usize, f64)>],
        poses: Option<&Buffer<Pose>>,
    ) -> Result<Self> {
        let mut entries: Vec<_> = (ends.iter().enumerate())
            .flat_map(|(tie, ends)| ends.iter().map(move |(particle, w)| (*particle, tie, *w)))
            .collect();
        // Stable: the ties of a particle stay in order.
        entries.sort_by_key(|(particle, ..)| *particle);
        let mut rows: Vec<TieRow> = Vec::new();
        for (e, (particle, ..)) in entries.iter().enumerate() {
            let e = e as u32;
            match rows
                .last_mut()
                .filter(|row| row.particle == *particle as u32)
            {
                Some(row) => row.end = e + 1,
                None => rows.push(TieRow {
                    particle: *particle as u32,
                    first: e,
                    end: e + 1,
                }),
            }
        }
        let entries: Vec<_> = (entries.iter())
            .map(|(_, tie, w)| TieEnd {
                tie: *tie as u32,
                weight: *w as f32,
            })
            .collect();
        Ok(Self {
            ties: Buffer::new(context, "ties", ties)?,
            forces: Buffer::zeroed(context, "tie_forces", ties.len())?,
            rows: Buffer::new(context, "tie_rows", &rows)?,
            ends: Buffer::new(context, "tie_ends", &entries)?,
            changes: Buffer::zeroed(context, "tie_changes", ties.len())?,
            poses: match poses {
                Some(poses) => poses.share(),
                None => Buffer::zeroed(context, "poses", 1)?,
            },
        })
    }

    /// The passes that add the ties' accelerations to `loads`, by the state in one particle array.
    pub fn loads(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>, loads: &mut Loads) {
        let others = [particles.bind("particles_in")];
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        loads.push(self.bind(arrays, "tie_force", &others), ties, Over::All);
        loads.push(self.bind(arrays, "tie_gather", &others), rows, Over::All);
    }

    /// The passes that add the ties' forces and their blocks to what presses on particles, by the state in one array.
    pub fn holds(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>, passes: &mut Loads) {
        let others = [particles.bind("particles_in")];
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        passes.push(self.bind(arrays, "tie_force", &others), ties, Over::All);
        passes.push(self.bind(arrays, "tie_hold", &others), rows, Over::All);
    }

    /// The pass that adds the ties' blocks to those of the particles, where their forces were found last.
    pub fn blocks(&self, arrays: &Arrays<'_>, blocks: Binding<'_>, passes: &mut Loads) {
        let pass = self.bind(arrays, "newton_tie_block", &[blocks]);
        passes.push(pass, self.rows.len(), Over::All);
    }

    /// The passes that add the change of the ties' accelerations along `directions` to `loads`, where their forces were
    /// found last.
    pub fn products(&self, arrays: &Arrays<'_>, directions: &Buffer<Particle>, passes: &mut Loads) {
        let change = [
            directions.bind("directions"),
            self.changes.bind("tie_changes"),
        ];
        let pass = self.bind(arrays, "newton_tie", &change);
        passes.push(pass, self.ties.len(), Over::All);
        let gather = [
            directions.bind("particles_in"),
            self.changes.bind("tie_forces"),
        ];
        let pass = self.bind(arrays, "tie_gather", &gather);
        passes.push(pass, self.rows.len(), Over::All);
    }

    /// A kernel with its arrays; of one name the given.
    fn bind(&self, arrays: &Arrays<'_>, kernel: &str, others: &[Binding<'_>]) -> Bound {
        let own = [
            self.ties.bind("ties"),
            self.forces.bind("tie_forces"),
            self.rows.bind("tie_rows"),
            self.ends.bind("tie_ends"),
            self.poses.bind("poses"),
        ];
        arrays.bind(&arrays.kernel(kernel), &[others, &own].concat())
    }
}
