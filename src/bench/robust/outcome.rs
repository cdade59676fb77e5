//! What became of a random scene.

use std::time::Instant;

use glam::{DMat3, DVec3};

use super::Case;
use super::case::GRAVITY;
use crate::gpu::Context;
use crate::report::Measure;
use crate::world::{Snapshot, World};
use crate::{Error, Result};

/// What became of a scene, of the worst of its bodies.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Which body was lost, when and why.
    pub lost: Option<String>,
    /// Tetrahedra inside out at rest: of what still moves some may be for a moment.
    pub inverted: usize,
    /// Volume at the end over that at rest.
    pub volume: f64,
    /// Root mean square of the speed at the end but for the rigid motion, over √(gL).
    pub quiver: f64,
    /// Vertical speed at the end over √(gL).
    pub bounce: f64,
    /// Steps.
    pub steps: u64,
    /// Those taken again.
    pub retaken: u64,
    /// The shortest step [s].
    pub shortest: f64,
    /// Simulated time [s].
    pub time: f64,
    /// Computing time [s].
    pub wall: f64,
}

/// Parts of √(gL) above which a body is not at rest.
const RESTLESS: f64 = 0.01;

impl Outcome {
    pub(super) fn of(context: &Context, case: &Case) -> Result<Self> {
        let scene = case.scene()?;
        let mut world = World::new(context, &scene)?;
        let start = Instant::now();
        let span = case.span();
        let mut lost = None;
        while lost.is_none() && world.time() < span {
            match world.step_frame().and_then(|()| world.wait()) {
                Ok(()) => {}
                Err(Error::Fault(fault)) => lost = Some(Error::Fault(fault).to_string()),
                Err(error) => return Err(error),
            }
        }
        let wall = start.elapsed().as_secs_f64();
        let state = world.read_last_good()?;
        let measure = Measure::new(world.model(), scene.world.gravity, &state)?;
        let speed = (GRAVITY * case.size).sqrt();
        let mut outcome = Self {
            lost,
            volume: f64::INFINITY,
            steps: world.step_counts().steps,
            retaken: world.step_counts().retaken,
            shortest: world.step_counts().shortest,
            time: world.time(),
            wall,
            ..Self::default()
        };
        for (body, ranges) in measure.bodies.iter().zip(&world.model().bodies) {
            let [quiver, bounce] = motion(&world, &state, ranges.particles.clone());
            outcome.inverted += body.inverted_tets;
            outcome.volume = outcome.volume.min(body.volume / body.volume_rest);
            outcome.quiver = outcome.quiver.max(quiver / speed);
            outcome.bounce = outcome.bounce.max(bounce / speed);
        }
        if outcome.is_restless() {
            outcome.inverted = 0;
        }
        Ok(outcome)
    }

    /// Whether a body has less than half of its volume.
    #[must_use]
    pub fn is_collapsed(&self) -> bool {
        self.volume.is_nan() || self.volume < 0.5
    }

    /// Whether a body still quivers or bounces; that it rolls or slides on does not count.
    #[must_use]
    pub fn is_restless(&self) -> bool {
        self.lost.is_none() && !(self.quiver <= RESTLESS && self.bounce <= 3.0 * RESTLESS)
    }

    /// What is wrong, if anything.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        if let Some(lost) = &self.lost {
            return Some(lost.clone());
        }
        let mut wrong = Vec::new();
        if self.inverted > 0 {
            wrong.push(format!("{} tetrahedra are inside out", self.inverted));
        }
        if self.is_collapsed() {
            wrong.push(format!("{:.3} of its volume", self.volume));
        }
        if self.is_restless() {
            let [quiver, bounce] = [self.quiver, self.bounce].map(|part| 100.0 * part);
            wrong.push(format!(
                "quivers at {quiver:.1} %, bounces at {bounce:.1} % of √(gL)"
            ));
        }
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

/// Root mean square of the speed of some particles relative to their rigid motion, and the vertical speed of that [m/s].
fn motion(world: &World, state: &Snapshot, range: std::ops::Range<usize>) -> [f64; 2] {
    let masses = &world.model().masses;
    let particles: Vec<_> = range
        .map(|i| {
            (
                masses[i],
                state.positions[i].as_dvec3(),
                state.velocities[i].as_dvec3(),
            )
        })
        .collect();
    let mass: f64 = particles.iter().map(|p| p.0).sum();
    let mean = |of: fn(&(f64, DVec3, DVec3)) -> DVec3| {
        particles.iter().map(|p| p.0 * of(p)).sum::<DVec3>() / mass
    };
    let (centre, velocity) = (mean(|p| p.1), mean(|p| p.2));
    let (mut inertia, mut spin) = (DMat3::ZERO, DVec3::ZERO);
    for (m, x, v) in &particles {
        let r = *x - centre;
        inertia += DMat3::from_diagonal(DVec3::splat(m * r.length_squared()))
            - DMat3::from_cols(r * r.x, r * r.y, r * r.z) * *m;
        spin += *m * r.cross(*v - velocity);
    }
    let turning = inertia.inverse() * spin;
    let square = |(m, x, v): &(f64, DVec3, DVec3)| {
        m * (*v - velocity - turning.cross(*x - centre)).length_squared()
    };
    let squares: f64 = particles.iter().map(square).sum();
    [(squares / mass).sqrt(), velocity.y.abs()]
}
