//! What became of a random scene.

use pliant::internals::extreme;
use std::time::Instant;

use pliant::Context;
use pliant::internals::Inside as _;
use pliant::internals::reference::tets;
use pliant::report::Measure;
use pliant::world::{Snapshot, World};
use pliant::{Error, Result};

use super::Case;
use super::rest::{End, Motion, Rest};

/// What became of a scene, of the worst of its bodies.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Which body was lost, when and why.
    pub lost: Option<String>,
    /// How it ended: nothing of what was lost.
    pub end: Option<End>,
    /// Tetrahedra inside out at rest, by more than 1 % of their volume: of what still moves some may be for a moment, and
    /// what lies on a floor with all four corners is flat, to rounding.
    pub inverted: usize,
    /// The same of those with three corners on a solid. Of a point of two tetrahedra that a floor pushes as far as the edge
    /// that these share, one must be: no force could do anything about it (docs/notes/defaults.md).
    pub pressed: usize,
    /// Volume at the end over that at rest.
    pub volume: f64,
    /// How the bodies move at the end.
    pub motion: Motion,
    /// Steps.
    pub steps: u64,
    /// Those taken again.
    pub retaken: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Computing time [s].
    pub wall: f64,
}

/// Part of its volume by which a tetrahedron is inside out and no longer flat.
const FLAT: f64 = 0.01;
/// What is as near to a solid as this part of its size lies on it.
const NEAR: f64 = 3e-3;

impl Outcome {
    pub(super) fn of(context: &Context, case: &Case) -> Result<Self> {
        let scene = case.scene()?;
        let mut world = World::new(context, &scene)?;
        let start = Instant::now();
        let longest = case.longest();
        let mut rest = Rest::new(case.size);
        let mut lost = None;
        let mut end = None;
        while lost.is_none() && end.is_none() {
            match world.step_frame().and_then(|()| world.wait()) {
                Ok(()) => {
                    let state = world.read_last_good()?;
                    rest.look(&world, &state);
                    end = rest.end(longest);
                }
                Err(Error::Fault(fault)) => lost = Some(Error::Fault(fault).to_string()),
                Err(error) => return Err(error),
            }
        }
        let wall = start.elapsed().as_secs_f64();
        let state = world.read_last_good()?;
        let measure = Measure::new(&world, &state)?;
        let counts = world.step_counts();
        let settled = matches!(end, Some(End::Settled(_)));
        let [inverted, pressed] = match settled {
            true => inverted(&world, &state, case),
            false => [0; 2],
        };
        let bodies = measure.bodies.iter();
        Ok(Self {
            lost,
            end,
            inverted,
            pressed,
            volume: bodies
                .map(|body| body.volume / body.volume_rest)
                .fold(f64::INFINITY, extreme::least),
            motion: rest.worst,
            steps: counts.steps,
            retaken: counts.retaken,
            time: world.time(),
            wall,
        })
    }

    /// Whether a body has less than half of its volume.
    #[must_use]
    pub fn is_collapsed(&self) -> bool {
        self.volume.is_nan() || self.volume < 0.5
    }

    /// Whether bodies vibrate without end.
    #[must_use]
    pub fn is_restless(&self) -> bool {
        self.end == Some(End::Restless)
    }

    /// What is wrong, if anything.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        if let Some(lost) = &self.lost {
            return Some(lost.clone());
        }
        let mut wrong = Vec::new();
        if self.inverted > 0 {
            wrong.push(format!("{} inverted tetrahedra", self.inverted));
        }
        if self.is_collapsed() {
            wrong.push(format!("{:.3} of its volume", self.volume));
        }
        if self.is_restless() {
            wrong.push(self.motion.to_string());
        }
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

/// Tetrahedra inside out, and those of them that a solid holds so.
fn inverted(world: &World, state: &Snapshot, case: &Case) -> [usize; 2] {
    let place = |i: u32| state.positions[i as usize].as_dvec3();
    let mut count = [0; 2];
    for tet in &world.model().tets {
        let corners = tet.corners.map(place);
        if tets::volume([0, 1, 2, 3], &corners) < -FLAT * tet.rest {
            let held = corners.iter().filter(|x| case.gap(**x) < NEAR * case.size);
            count[usize::from(held.count() > 2)] += 1;
        }
    }
    count
}
