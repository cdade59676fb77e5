//! Every kernel against the f64 reference, on the adapter at hand.
//!
//! Inputs are random f32 arrays (and sizes around a workgroup's); the reference starts from exactly these numbers, so
//! that what differs is the kernel's own rounding. Each difference is measured in units of a *scale*: the sum of the
//! magnitudes of the terms that the result is added up from, not the result itself, in which they may cancel. For an
//! f32 computation such an error is a few f32 epsilons, however stiff the springs are; `oracle.rs` lists the scales.
//! Contact is discontinuous at a few thresholds, and fixed seeds keep the states away from them. Kernels that are composed
//! for what a world holds are compared in worlds of each content that makes a difference to them.
//!
//! The room knows kernels and reference; no step must know of it.

mod advance;
mod applied;
mod bench;
mod case;
mod coarse;
mod collide;
mod damping;
mod errors;
mod faults;
mod fem;
mod implicit;
mod inspect;
mod integrators;
mod matched;
mod momenta;
mod motion;
mod newton;
mod newton_control;
mod newton_matrix;
mod oracle;
mod poses;
mod press;
mod probe;
mod pushes;
mod query;
mod random;
mod rigid;
mod rules;
mod scan;
mod scene;
mod shape;
mod shifts;
mod skin;
mod sort;
mod states;
mod system;
mod ties;
mod touch;
mod trial;
mod vbd;
mod vertex;

use std::collections::{BTreeMap, BTreeSet};

use crate::gpu::{Content, Context, compositions};
use crate::{Error, Result};

use bench::Bench;
use case::Case;
use collide::Search;
use errors::ErrorStats;
use oracle::{Oracle, Scaled};

pub use random::Random;
pub use scene::{start_system, verify_scene};

/// Largest accepted error in units of the scale: 32 f32 epsilons.
pub const TOLERANCE: f64 = 32.0 * f32::EPSILON as f64;

/// Numbers of particles (bodies, chunks, vertices where a kernel runs over those) that every kernel is tried with:
/// none, one, around a workgroup of 64, and several workgroups.
pub const SIZES: [usize; 6] = [0, 1, 63, 64, 65, 1234];

/// The same in worlds that hold less: the number of threads was looked at in those that hold everything.
const SIZES_OF_LESS: [usize; 2] = [65, 1234];

/// How one kernel compares with the reference.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct KernelResult {
    /// The kernel, or `scene:` and the integrator.
    pub name: &'static str,
    /// Dispatches compared (of a scene: states).
    pub cases: usize,
    /// Ways in which it is composed for worlds that hold more or less, all of them compared.
    pub compositions: usize,
    /// Largest error in units of the scale; infinite where a number is none or a fault was missed.
    pub max_error: f64,
    /// What the worlds with this error hold.
    pub worst: Content,
    /// Largest accepted error.
    pub tolerance: f64,
    /// Whether all cases were within the tolerance.
    pub pass: bool,
}

/// How a kernel is compared.
#[derive(Clone, Copy)]
enum Check {
    /// Runs it on trials in one case and compares what it wrote.
    Trial(bench::TrialCheck),
    /// Compares what it wrote in a search for contacts.
    Search(collide::SearchCheck),
}

/// The comparisons of a file, each by its kernel's name.
type Checks = &'static [(&'static str, Check)];

/// Those of all files, see `CHECKS` of each.
const ROOMS: &[Checks] = &[
    integrators::CHECKS,
    implicit::CHECKS,
    shifts::CHECKS,
    poses::CHECKS,
    rigid::CHECKS,
    press::CHECKS,
    pushes::CHECKS,
    coarse::CHECKS,
    vbd::CHECKS,
    motion::CHECKS,
    applied::CHECKS,
    newton::CHECKS,
    newton_matrix::CHECKS,
    newton_control::CHECKS,
    damping::CHECKS,
    probe::CHECKS,
    shape::CHECKS,
    fem::CHECKS,
    ties::CHECKS,
    skin::CHECKS,
    scan::CHECKS,
    sort::CHECKS,
    collide::CHECKS,
    rules::CHECKS,
    inspect::CHECKS,
    query::CHECKS,
];

/// The name of a kernel, and what compares it.
type Named = (&'static str, Check);

fn checks() -> Vec<&'static Named> {
    ROOMS.iter().copied().flatten().collect()
}

/// Compares kernels with the reference on this adapter, in worlds of each content that they are composed differently for
/// ([`compositions`]): those named, or all where none is. The results of the kernels named in `broken` are perturbed by 1e-3
/// of their scale in one element each, which must make these fail; they are compared until they do.
///
/// # Errors
/// A name that is no kernel's, one in `broken` that is not compared; a lost device.
pub fn verify_kernels(
    context: &Context,
    named: &[impl AsRef<str>],
    broken: &[impl AsRef<str>],
) -> Result<Vec<KernelResult>> {
    let named: Vec<_> = named.iter().map(AsRef::as_ref).collect();
    let broken: Vec<_> = broken.iter().map(AsRef::as_ref).collect();
    let mut compared = checks();
    find(&compared, &named)?;
    compared.retain(|(name, _)| named.is_empty() || named.contains(name));
    find(&compared, &broken)?;
    let contents = compared.iter().flat_map(|(name, _)| compositions(name)).collect();
    compare_all(&checked(context), &compared, contents, |worlds, name, check| {
        let errors = ErrorStats::new(name, broken.contains(&name));
        worlds.compare(check, errors, compositions(name), None)
    })
}

/// Refuses names that none of these checks has.
fn find(checks: &[&'static Named], names: &[&str]) -> Result<()> {
    let known: Vec<_> = checks.iter().map(|(known, _)| *known).collect();
    match names.iter().find(|name| !known.contains(name)) {
        Some(name) => {
            let want = format!("the name of a kernel: {}", known.join(", "));
            Err(Error::value("kernel", format!("\"{name}\""), want))
        }
        None => Ok(()),
    }
}

/// The same with all checks of kernels that the build has: on CPU threads it finds their races.
fn checked(context: &Context) -> Context {
    let checked = context.checked_shaders() || cfg!(debug_assertions);
    context.clone().with_checked_shaders(checked)
}

/// Compares each kernel in turn with the reference after leaving it out where it would run: none may pass.
///
/// # Errors
/// A lost device.
pub fn verify_idle_kernels(context: &Context) -> Result<Vec<KernelResult>> {
    compare_all(context, &checks(), [Content::ALL].into(), |worlds, name, check| {
        let errors = ErrorStats::new(name, false);
        worlds.compare(check, errors, vec![Content::ALL], Some(name))
    })
}

/// The results of checks, in worlds of these contents.
fn compare_all(
    context: &Context,
    checks: &[&'static Named],
    contents: BTreeSet<Content>,
    compare: impl Fn(&Worlds<'_>, &'static str, Check) -> Result<KernelResult>,
) -> Result<Vec<KernelResult>> {
    let searching = checks.iter().any(|(_, check)| matches!(check, Check::Search(_)));
    let worlds = if searching { collide::worlds() } else { Vec::new() };
    let search = |world| Search::new(context, world, None);
    let cases: BTreeMap<_, _> = contents.into_iter().map(|c| (c, cases(c))).collect();
    let benches = cases.iter().map(|(content, cases)| {
        let benches = cases.iter().map(|case| Bench::new(context, case));
        Ok((*content, benches.collect::<Result<_>>()?))
    });
    let worlds = Worlds {
        benches: benches.collect::<Result<_>>()?,
        searches: worlds.iter().map(search).collect::<Result<_>>()?,
    };
    let results = checks.iter().map(|(name, check)| compare(&worlds, name, *check));
    results.collect()
}

/// Worlds of several sizes with such a content.
fn cases(content: Content) -> Vec<Case> {
    let sizes = if content == Content::ALL { &SIZES[..] } else { &SIZES_OF_LESS };
    let case = |size: &usize| Case::random(*size, 1 + *size as u64, content);
    sizes.iter().map(case).collect()
}

/// What kernels are tried on.
struct Worlds<'a> {
    benches: BTreeMap<Content, Vec<Bench<'a>>>,
    searches: Vec<Search<'a>>,
}

impl Worlds<'_> {
    /// One kernel as composed for each of these contents, all of it or, where it is broken or `idle`, until it fails.
    fn compare(
        &self,
        check: Check,
        mut errors: ErrorStats,
        contents: Vec<Content>,
        idle: Option<&'static str>,
    ) -> Result<KernelResult> {
        let until_it_fails = idle.is_some() || errors.breaks();
        for content in contents {
            errors.of(content);
            let count = match check {
                Check::Trial(_) => self.benches[&content].len(),
                Check::Search(_) if content == Content::ALL => self.searches.len(),
                Check::Search(_) => panic!("searches run in worlds that hold everything"),
            };
            for k in 0..count {
                match check {
                    Check::Trial(check) => {
                        self.benches[&content][k].compare(check, content, idle, &mut errors)?;
                    }
                    Check::Search(check) => {
                        self.searches[k].compare(check, idle, &mut errors)?;
                    }
                }
                if until_it_fails && !errors.agrees() {
                    return Ok(errors.result());
                }
            }
        }
        Ok(errors.result())
    }
}
