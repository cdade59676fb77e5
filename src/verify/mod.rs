//! Every kernel against the f64 reference, on the adapter at hand.
//!
//! Inputs are random f32 arrays (and sizes around a workgroup's); the reference starts from exactly these numbers, so
//! that what differs is the kernel's own rounding. Each difference is measured in units of a *scale*: the sum of the
//! magnitudes of the terms that the result is added up from, not the result itself, in which they may cancel. For an
//! f32 computation such an error is a few f32 epsilons, however stiff the springs are; `oracle.rs` lists the scales.
//! Contact is discontinuous at a few thresholds, and fixed seeds keep the states away from them. Kernels that are composed
//! for what a world holds are compared in worlds of each content that makes a difference to them.

mod applied;
mod bench;
mod case;
mod coarse;
mod collide;
mod damping;
mod faults;
mod fem;
mod implicit;
mod inspect;
mod integrators;
mod matched;
mod motion;
mod newton;
mod newton_control;
mod newton_matrix;
mod oracle;
mod press;
mod probe;
mod pushes;
mod query;
mod rules;
mod scan;
mod scene;
mod shape;
mod skin;
mod system;
mod tally;
mod ties;
mod touch;
mod two_springs;
mod vbd;
mod vertex;

use std::collections::{BTreeMap, BTreeSet};

use crate::gpu::{Content, Context, Kernel};
use crate::{Error, Result};

use bench::Bench;
use case::Case;
use collide::Search;
use tally::Tally;

pub use case::Random;
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
    /// Runs it on the arrays of one case and compares what it wrote.
    Case(fn(&Kernel, &Bench<'_>, &mut Tally) -> Result<()>),
    /// Compares what it wrote in a search for contacts.
    Search(fn(&Search<'_>, &mut Tally)),
    /// Runs it again after a search and compares what it wrote.
    After(fn(&Kernel, &Search<'_>, &mut Tally) -> Result<()>),
}

/// The comparison that belongs to each kernel.
const CHECKS: &[(&str, Check)] = &[
    ("euler", Check::Case(integrators::euler)),
    ("verlet", Check::Case(integrators::verlet)),
    ("half_back", Check::Case(integrators::half_back)),
    ("half_take", Check::Case(integrators::half_take)),
    ("leapfrog", Check::Case(integrators::leapfrog)),
    ("leapfrog_end", Check::Case(collide::leapfrog_end)),
    ("midpoint_half", Check::Case(integrators::midpoint_half)),
    ("midpoint", Check::Case(integrators::midpoint)),
    ("rk4_stage", Check::Case(integrators::rk4_stage)),
    ("rk4", Check::Case(integrators::rk4)),
    ("step_error", Check::Case(integrators::step_error)),
    ("implicit_start", Check::Case(implicit::start)),
    ("implicit_begin", Check::Case(implicit::begin)),
    ("augment_fixed", Check::Case(press::press)),
    ("solid_pushes", Check::Case(pushes::after_sweeps)),
    ("coarse_sum", Check::Case(coarse::sum)),
    ("coarse_solve", Check::Case(coarse::solve)),
    ("coarse_move", Check::Case(coarse::moves)),
    ("vbd_solve", Check::Case(vbd::solve)),
    ("implicit_momentum", Check::Case(implicit::momentum)),
    ("implicit_shift", Check::Case(implicit::shift)),
    ("implicit_end", Check::Case(implicit::end)),
    ("solid_move", Check::Case(motion::solid)),
    ("pin_move", Check::Case(motion::pin)),
    ("applied_load", Check::Case(applied::load)),
    ("applied_start", Check::Case(applied::start)),
    ("newton_springs", Check::Case(newton::springs)),
    ("newton_test", Check::Case(newton::test)),
    ("newton_residual", Check::Case(newton::residual)),
    ("newton_tangent", Check::Case(newton_matrix::tangent)),
    ("newton_block", Check::Case(newton_matrix::block)),
    ("newton_tie_block", Check::Case(ties::block)),
    ("newton_factor", Check::Case(newton::factor)),
    ("newton_fem", Check::Case(newton_matrix::fem)),
    ("newton_tie", Check::Case(ties::change)),
    ("newton_apply", Check::Case(newton_matrix::apply)),
    ("newton_sum", Check::Case(newton::sum)),
    ("newton_control", Check::Case(newton_control::control)),
    ("newton_update", Check::Case(newton::update)),
    ("newton_move", Check::Case(newton::moves)),
    ("newton_pushes", Check::Case(pushes::after_newton)),
    ("damping_rate", Check::Case(damping::rate)),
    ("damping_first", Check::Case(damping::first)),
    ("damping_sweep", Check::Case(damping::sweep)),
    ("damping_end", Check::Case(damping::end)),
    ("probe_start", Check::Case(probe::start)),
    ("probe_apply", Check::Case(probe::apply)),
    ("probe_sum", Check::Case(probe::sum)),
    ("probe_body", Check::Case(probe::body)),
    ("shape_fit", Check::Case(shape::fit)),
    ("shape_solve", Check::Case(shape::solve)),
    ("shape_gather", Check::Case(shape::gather)),
    ("fem_force", Check::Case(fem::force)),
    ("fem_gather", Check::Case(fem::gather)),
    ("fem_damping_first", Check::Case(fem::damping_first)),
    ("fem_damping", Check::Case(fem::damping_sweep)),
    ("fem_probe", Check::Case(fem::probe)),
    ("tie_force", Check::Case(ties::force)),
    ("tie_gather", Check::Case(ties::gather)),
    ("tie_hold", Check::Case(ties::hold)),
    ("skin_points", Check::Case(skin::points)),
    ("skin_normals", Check::Case(skin::normals)),
    ("mesh_pack", Check::Case(skin::pack)),
    ("scan_reduce", Check::Case(scan::reduce)),
    ("scan_blocks", Check::Case(scan::blocks)),
    ("scan_apply", Check::Case(scan::apply)),
    ("contact_watch", Check::After(collide::watch)),
    ("contact_begin", Check::After(collide::begin)),
    ("body_boxes", Check::Search(collide::body_boxes)),
    ("fold_patches", Check::Search(collide::fold_patches)),
    ("fold_pairs", Check::Search(collide::fold_pairs)),
    ("body_pairs", Check::Search(collide::body_pairs)),
    ("grid_insert", Check::Search(collide::grid_insert)),
    ("points_in_tets", Check::Search(collide::points_in_tets)),
    ("self_in_tets", Check::Search(collide::self_in_tets)),
    ("edge_begin", Check::After(collide::edge_begin)),
    ("edge_insert", Check::Search(collide::edge_insert)),
    ("edges_in_tets", Check::Search(collide::edges_in_tets)),
    ("edge_contacts", Check::Search(collide::edge_contacts)),
    ("sphere_begin", Check::After(collide::sphere_begin)),
    ("sphere_insert", Check::Search(collide::sphere_insert)),
    ("sphere_find", Check::Search(collide::sphere_find)),
    ("sphere_count", Check::Search(collide::sphere_count)),
    ("sphere_contacts", Check::Search(collide::sphere_contacts)),
    ("border_penetration", Check::Search(collide::border)),
    ("contact_match", Check::Search(collide::recall)),
    ("propagate", Check::Search(collide::propagate)),
    ("contact_triangles", Check::Search(collide::contacts)),
    ("contact_setup", Check::Case(collide::link)),
    ("contact_gap", Check::Case(collide::gap)),
    ("project", Check::Case(collide::project)),
    ("project_half", Check::Case(rules::half)),
    ("internal_force", Check::Case(rules::force)),
    ("pressure_shift", Check::Case(rules::shift)),
    ("source_friction", Check::Case(rules::friction)),
    ("contact_warm", Check::Case(collide::warm)),
    ("contact_impulse", Check::Case(collide::iterate)),
    ("contact_apply", Check::Case(collide::apply)),
    ("contact_again", Check::Case(collide::iterate_again)),
    ("contact_move", Check::Case(collide::advance)),
    ("impulse_scale", Check::Case(collide::scale)),
    ("contact_forget", Check::Case(collide::forget)),
    ("augment", Check::Case(collide::press)),
    ("contact_hold", Check::Case(collide::hold)),
    ("island_start", Check::Case(collide::island_start)),
    ("island_join", Check::Case(collide::island_join)),
    ("island_converged", Check::Case(collide::island_converged)),
    ("touch_slices", Check::Case(collide::touch_slices)),
    ("touch_bodies", Check::Case(collide::touch_bodies)),
    ("touch_chunks", Check::Case(collide::touch_chunks)),
    ("touch_solids", Check::Case(collide::touch_solids)),
    ("touch_list", Check::Case(collide::touch_list)),
    ("pointer_spring_force", Check::Case(inspect::pointer_spring)),
    ("fem_measure", Check::Case(inspect::fem_measure)),
    ("field_strain", Check::Case(inspect::strain)),
    ("field_pressure", Check::Case(inspect::pressure)),
    ("field_depth", Check::Case(inspect::depth)),
    ("field_skin", Check::Case(inspect::skin)),
    ("sum_energy", Check::Case(inspect::energy)),
    ("sum_chunk", Check::Case(inspect::chunk)),
    ("sum_block", Check::Case(inspect::block)),
    ("force_lines", Check::Case(inspect::force_lines)),
    ("depth_lines", Check::Case(inspect::depth_lines)),
    ("query_bound", Check::Case(query::bound)),
    ("query_ray", Check::Case(query::ray)),
    ("query_point", Check::Case(query::point)),
    ("query_box", Check::Case(query::in_box)),
];

/// Compares every kernel with the reference on this adapter, in worlds of each content that it is composed differently for
/// ([`Content::compositions`]). The results of the kernels named in `broken` are perturbed by 1e-3 of their scale in one
/// element each, which must make these fail; they are compared until they do.
///
/// # Errors
/// A name in `broken` that is no kernel's; a lost device.
pub fn verify_kernels(context: &Context, broken: &[&str]) -> Result<Vec<KernelResult>> {
    let known = |name: &&&str| CHECKS.iter().any(|(known, _)| known == *name);
    if let Some(name) = broken.iter().find(|name| !known(name)) {
        let names: Vec<_> = CHECKS.iter().map(|(known, _)| *known).collect();
        let want = format!("the name of a kernel: {}", names.join(", "));
        return Err(Error::value("kernel", format!("\"{name}\""), want));
    }
    let kernels = kernels(context);
    let worlds = collide::worlds();
    let searches: Vec<_> = worlds
        .iter()
        .map(|world| Search::new(context, world, &kernels, None))
        .collect::<Result<_>>()?;
    let compositions: BTreeMap<_, _> = CHECKS
        .iter()
        .map(|(name, _)| (*name, Content::compositions(name)))
        .collect();
    let contents: BTreeSet<_> = compositions.values().flatten().copied().collect();
    let cases: Vec<_> = contents.into_iter().map(cases).collect();
    let mut benches = BTreeMap::new();
    for cases in &cases {
        let made: Result<Vec<_>> = cases.iter().map(|case| Bench::new(context, case)).collect();
        benches.insert(cases[0].content, made?);
    }
    let result = |&(name, check): &(&'static str, Check)| {
        let broken = broken.contains(&name);
        let mut tally = Tally::new(name, broken);
        for &content in &compositions[name] {
            let composed = Kernel::for_content(context, name, content);
            tally.of(content);
            let of_search = !matches!(check, Check::Case(_));
            assert!(
                content == Content::ALL || !of_search,
                "{name}: searches run in worlds that hold everything"
            );
            let worlds = if of_search {
                searches.len()
            } else {
                benches[&content].len()
            };
            for k in 0..worlds {
                match check {
                    Check::Case(check) => check(&composed, &benches[&content][k], &mut tally)?,
                    Check::Search(check) => check(&searches[k], &mut tally),
                    Check::After(check) => check(&composed, &searches[k], &mut tally)?,
                }
                if broken && !tally.agrees() {
                    return Ok(tally.result());
                }
            }
        }
        Ok(tally.result())
    };
    CHECKS.iter().map(result).collect()
}

/// Compares each kernel in turn with the reference after leaving it out where it would run: none may pass.
///
/// # Errors
/// A lost device.
pub fn verify_idle_kernels(context: &Context) -> Result<Vec<KernelResult>> {
    let kernels = kernels(context);
    let worlds = collide::worlds();
    let searches: Vec<_> = worlds
        .iter()
        .map(|world| Search::new(context, world, &kernels, None))
        .collect::<Result<_>>()?;
    let cases = cases(Content::ALL);
    let benches: Vec<_> = cases
        .iter()
        .map(|case| Bench::new(context, case))
        .collect::<Result<_>>()?;
    let result = |&(name, check): &(&'static str, Check)| {
        let mut tally = Tally::new(name, false);
        tally.of(Content::ALL);
        let (kernel, idle) = (&kernels[name], Some(name));
        // One world in which it is missed is enough.
        match check {
            Check::Case(check) => {
                for bench in &benches {
                    bench.idle.set(idle);
                    check(kernel, bench, &mut tally)?;
                    bench.idle.set(None);
                    if !tally.agrees() {
                        break;
                    }
                }
            }
            Check::Search(check) => {
                for world in &worlds {
                    check(&Search::new(context, world, &kernels, idle)?, &mut tally);
                    if !tally.agrees() {
                        break;
                    }
                }
            }
            Check::After(check) => {
                for search in &searches {
                    search.bench.idle.set(idle);
                    check(kernel, search, &mut tally)?;
                    search.bench.idle.set(None);
                    if !tally.agrees() {
                        break;
                    }
                }
            }
        }
        Ok(tally.result())
    };
    CHECKS.iter().map(result).collect()
}

/// Every kernel, as composed for worlds that hold everything.
fn kernels(context: &Context) -> BTreeMap<&'static str, Kernel> {
    let kernel = |&(name, _): &(&'static str, Check)| (name, Kernel::new(context, name));
    CHECKS.iter().map(kernel).collect()
}

/// Worlds of several sizes with such a content.
fn cases(content: Content) -> Vec<Case> {
    let sizes = if content == Content::ALL {
        &SIZES[..]
    } else {
        &SIZES_OF_LESS
    };
    let case = |size: &usize| Case::random(*size, 1 + *size as u64, content);
    sizes.iter().map(case).collect()
}
