//! Every kernel against the f64 reference, on the adapter at hand.
//!
//! Inputs are random f32 arrays (and sizes around a workgroup's); the reference starts from exactly these numbers, so
//! that what differs is the kernel's own rounding. Each difference is measured in units of a *scale*: the sum of the
//! magnitudes of the terms that the result is added up from, not the result itself, in which they may cancel. For an
//! f32 computation such an error is a few f32 epsilons, however stiff the springs are; `oracle.rs` lists the scales.
//! Contact is discontinuous at a few thresholds, and fixed seeds keep the states away from them.

mod bench;
mod case;
mod damping;
mod faults;
mod integrators;
mod oracle;
mod probe;
mod rules;
mod scan;
mod scene;
mod skin;
mod system;
mod tally;
mod touch;
mod two_springs;

use crate::gpu::{Context, Kernel};
use crate::{Error, Result};

use bench::Bench;
use case::Case;
use tally::Tally;

pub use scene::verify_scene;

/// Largest accepted error in units of the scale: 32 f32 epsilons.
pub const TOLERANCE: f64 = 32.0 * f32::EPSILON as f64;

/// Numbers of particles (bodies, chunks, vertices where a kernel runs over those) that every kernel is tried with:
/// none, one, around a workgroup of 64, and several workgroups.
pub const SIZES: [usize; 6] = [0, 1, 63, 64, 65, 1234];

/// How one kernel compares with the reference.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct KernelResult {
    /// The kernel, or `scene:` and the integrator.
    pub name: &'static str,
    /// Dispatches compared (of a scene: states).
    pub cases: usize,
    /// Largest error in units of the scale; infinite where a number is none or a fault was missed.
    pub max_error: f64,
    /// Largest accepted error.
    pub tolerance: f64,
    /// Whether all cases were within the tolerance.
    pub pass: bool,
}

/// Runs one kernel on the arrays of one case and compares what it wrote.
type Check = fn(&Kernel, &Bench<'_>, &mut Tally) -> Result<()>;

/// The comparison that belongs to each kernel.
const CHECKS: &[(&str, Check)] = &[
    ("euler", integrators::euler),
    ("verlet", integrators::verlet),
    ("half_back", integrators::half_back),
    ("half_take", integrators::half_take),
    ("leapfrog", integrators::leapfrog),
    ("midpoint_half", integrators::midpoint_half),
    ("midpoint", integrators::midpoint),
    ("rk4_stage", integrators::rk4_stage),
    ("rk4", integrators::rk4),
    ("damping_rate", damping::rate),
    ("damping_first", damping::first),
    ("damping_sweep", damping::sweep),
    ("damping_end", damping::end),
    ("probe_start", probe::start),
    ("probe_apply", probe::apply),
    ("probe_sum", probe::sum),
    ("probe_body", probe::body),
    ("skin_points", skin::points),
    ("skin_normals", skin::normals),
    ("scan_reduce", scan::reduce),
    ("scan_blocks", scan::blocks),
    ("scan_apply", scan::apply),
    ("project_half", rules::half),
    ("internal_force", rules::force),
    ("pressure_shift", rules::shift),
    ("source_friction", rules::friction),
];

/// Compares every kernel with the reference on this adapter. The result of the kernel named `broken` is perturbed by
/// 1e-3 of its scale in one element, which must make it fail.
///
/// # Errors
/// A `broken` that names no kernel; a lost device.
pub fn verify_kernels(context: &Context, broken: Option<&str>) -> Result<Vec<KernelResult>> {
    if let Some(name) = broken
        && !CHECKS.iter().any(|(known, _)| *known == name)
    {
        let names: Vec<_> = CHECKS.iter().map(|(known, _)| *known).collect();
        let want = format!("the name of a kernel: {}", names.join(", "));
        return Err(Error::value("kernel", format!("\"{name}\""), want));
    }
    let cases = SIZES.map(|size| Case::random(size, 1 + size as u64));
    let benches: Vec<_> = cases
        .iter()
        .map(|case| Bench::new(context, case))
        .collect::<Result<_>>()?;
    let result = |&(name, check): &(&'static str, Check)| {
        let kernel = Kernel::new(context, name);
        let mut tally = Tally::new(name, broken == Some(name));
        benches
            .iter()
            .try_for_each(|bench| check(&kernel, bench, &mut tally))?;
        Ok(tally.result())
    };
    CHECKS.iter().map(result).collect()
}
