//! Reports of a simulation: the small one after each submission, and that of a whole run.
//!
//! It knows energies, momenta and how a report is written; it must not know how a step came about.

mod crossing;
mod measure;
mod run;
mod solve;
mod stress;
mod warnings;

pub use crate::collide::ContactStats;
pub use crossing::SelfCrossings;
pub use measure::{BodyMeasure, Energy, Measure, Momentum};
pub use run::{AdapterReport, BodySample, ContactReport, Counts, PassReport, RunReport, Sample};
pub use solve::Solve;
pub use stress::stresses;

/// A simulation that blew up: where and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The step after which it was detected, counted from the start of the scene.
    pub step: u64,
    /// The time of that step [s].
    pub time: f64,
    /// The body's name.
    pub body: String,
    /// Its number in the scene, which distinguishes the replicas of a scene.
    pub index: usize,
    /// The likely cause and remedies.
    pub cause: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, time, body, cause, .. } = self;
        write!(
            f,
            "body \"{body}\" blew up in step {step} (t = {time:.6} s): its state is not finite, or faster than 10 km/s; {cause}"
        )
    }
}

impl std::error::Error for Fault {}

/// The report of the device after a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// ω [1/s] of each body: root of the largest eigenvalue of M⁻¹K at its present shape, where it is followed
    /// (capped and exact damping), else at rest.
    pub stiffness: Vec<f64>,
    /// How implicit steps of the last submission were solved, if there are any.
    pub solve: Option<Solve>,
}
