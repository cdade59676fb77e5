//! Attachments: ties between bodies, and of bodies to solids and places.
//!
//! Damped springs of which each writes its force, and each tied particle gathers those of its ties. In implicit steps their
//! change along a direction, or the block of it that belongs to a particle alone, is gathered alike. Poses gather where a tie
//! ends: its force and the moment of it, before an explicit step, and in the iterations of an implicit one. The room knows what is
//! tied to what, and how stiffly; it must not know what the bodies on either side are made of, or steps but for their length.

mod anchor;
mod rates;
mod tie;

pub(crate) use self::rates::{TieConstants, TieRates};
pub(crate) use self::tie::{Anchor, End, MeshPoint, Tie, tie_groups};

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
    /// Where poses feel them.
    points: Buffer<glam::Vec4>,
    /// The ties that no pose feels, whose forces are renewed where an integrator asks for them, and those that one does, whose
    /// forces stand for a step: all that they act on gets the same impulse.
    lists: [Buffer<u32>; 2],
    rows: Buffer<TieRow>,
    ends: Buffer<TieEnd>,
    pose_rows: Buffer<TieRow>,
    pose_ends: Buffer<TieEnd>,
    /// Tied particles that poses carry.
    carried: Buffer<u32>,
    /// Changes of the forces along a direction, of implicit steps.
    changes: Buffer<glam::Vec4>,
    /// Where motions have come to in each step of a submission; nothing that a tie reads where none goes with one.
    waypoints: Buffer<Waypoint>,
}

impl Ties {
    /// Uploads ties; `ends` of each: what its force acts on, of so many particles or poses. `carried`: the particles of them that
    /// poses carry. `waypoints`: those of what moves.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub(crate) fn new(
        context: &Context,
        ties: &[GpuTie],
        ends: &[Vec<End>],
        particles: usize,
        carried: &[u32],
        waypoints: Option<&Buffer<Waypoint>>,
    ) -> Result<Self> {
        let mut entries: Vec<_> = (ends.iter().zip(0_u32..))
            .flat_map(|(ends, tie)| ends.iter().map(move |end| (*end, tie)))
            .collect();
        // Stable: the ties of one degree of freedom stay in order.
        entries.sort_by_key(|(end, _)| end.dof);
        let (of_particles, of_poses) =
            entries.split_at(entries.partition_point(|(end, _)| end.dof < particles));
        let tie_end = |(end, tie): &(End, u32)| TieEnd { tie: *tie, weight: end.weight as f32 };
        let tie_ends = |of: &[(End, u32)]| of.iter().map(tie_end).collect::<Vec<_>>();
        let felt = |tie: &u32| ends[*tie as usize].iter().any(|end| end.dof >= particles);
        let (by_poses, others): (Vec<_>, Vec<_>) = (0..ties.len() as u32).partition(felt);
        Ok(Self {
            ties: Buffer::new(context, "ties", ties)?,
            forces: Buffer::zeroed(context, "tie_forces", ties.len())?,
            points: Buffer::zeroed(context, "tie_points", ties.len())?,
            lists: [
                Buffer::new(context, "tie_list", &others)?,
                Buffer::new(context, "tie_list", &by_poses)?,
            ],
            rows: Buffer::new(context, "tie_rows", &rows(of_particles, 0))?,
            ends: Buffer::new(context, "tie_ends", &tie_ends(of_particles))?,
            pose_rows: Buffer::new(context, "tie_pose_rows", &rows(of_poses, particles))?,
            pose_ends: Buffer::new(context, "tie_pose_ends", &tie_ends(of_poses))?,
            carried: Buffer::new(context, "tie_carried", carried)?,
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
            self.points.binding(),
            self.rows.binding(),
            self.ends.binding(),
            self.pose_rows.binding(),
            self.pose_ends.binding(),
            self.carried.binding(),
            self.waypoints.binding(),
        ];
        at.bind(&at.arrays.kernel(kernel), &[others, &own].concat())
    }

    /// Renews the forces of the ties of a list.
    fn renew(&self, at: &At<'_>, list: &Buffer<u32>, out: &mut Passes) {
        out.push(self.bind(at, "tie_force", &[list.binding()]), list.len(), Domain::All);
    }

    /// Renews the forces of all ties of an iterate, in which poses take the ends of some along.
    fn renew_all(&self, at: &At<'_>, out: &mut Passes) {
        out.push(self.bind(at, "tie_carry", &[]), self.carried.len(), Domain::All);
        self.lists.iter().for_each(|list| self.renew(at, list, out));
    }

    /// Whether a pose feels any.
    pub fn are_felt_by_poses(&self) -> bool {
        !self.pose_rows.is_empty()
    }
}

/// The rows of entries that are in the order of what they are of, which is numbered from `first` on.
fn rows(entries: &[(End, u32)], first: usize) -> Vec<TieRow> {
    let mut rows: Vec<TieRow> = Vec::new();
    for ((end, _), e) in entries.iter().zip(0_u32..) {
        let dof = (end.dof - first) as u32;
        match rows.last_mut().filter(|row| row.dof == dof) {
            Some(row) => row.end = e + 1,
            None => rows.push(TieRow { dof, first: e, end: e + 1 }),
        }
    }
    rows
}

impl Family for Ties {
    fn name(&self) -> &'static str {
        "attachment"
    }

    fn forces(&self, at: &At<'_>, out: &mut Passes) {
        self.renew(at, &self.lists[0], out);
        out.push(self.bind(at, "tie_gather", &[]), self.rows.len(), Domain::All);
    }

    fn iterate_forces(&self, at: &At<'_>, out: &mut Passes) {
        self.renew_all(at, out);
        out.push(self.bind(at, "tie_gather", &[]), self.rows.len(), Domain::All);
    }

    fn pulls(&self, at: &At<'_>, out: &mut Passes) {
        self.renew(at, &self.lists[1], out);
    }

    fn kicks(&self, at: &At<'_>, out: &mut Passes) {
        if self.are_felt_by_poses() {
            out.push(self.bind(at, "tie_kick", &[]), self.pose_rows.len(), Domain::All);
        }
    }

    /// Where its forces were found last.
    fn blocks(&self, at: &At<'_>, out: &mut Passes) {
        let pass = self.bind(at, "newton_tie_block", &[]);
        out.push(pass, self.rows.len(), Domain::All);
    }

    /// Where its forces were found last.
    fn products(&self, at: &At<'_>, out: &mut Passes) {
        let [ties, rows] = [self.ties.len(), self.rows.len()];
        out.push(self.bind(at, "newton_tie_carry", &[]), self.carried.len(), Domain::All);
        let changes = [self.changes.binding()];
        out.push(self.bind(at, "newton_tie", &changes), ties, Domain::All);
        let changes = [self.changes.bind("tie_forces")];
        out.push(self.bind(at, "tie_gather", &changes), rows, Domain::All);
    }

    fn contact_blocks(&self, at: &At<'_>, out: &mut Passes) {
        self.renew_all(at, out);
        out.push(self.bind(at, "tie_hold", &[]), self.rows.len(), Domain::All);
    }

    fn pose_holds(&self, at: &At<'_>, out: &mut Passes) {
        out.push(self.bind(at, "tie_pose_hold", &[]), self.pose_rows.len(), Domain::All);
    }

    fn pose_products(&self, at: &At<'_>, out: &mut Passes) {
        let changes = [self.changes.binding()];
        out.push(self.bind(at, "newton_tie_pose", &changes), self.pose_rows.len(), Domain::All);
    }
}
