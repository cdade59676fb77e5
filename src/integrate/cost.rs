//! What a step costs, estimated from the passes that it takes and the bytes that they must move. The constants are those
//! of one device, so that a scene has the same estimates on all: they serve to compare, not to predict.

use crate::body::stiffness::{RENEWAL, WARM_ITERATIONS};
use crate::collide;
use crate::gpu::Buffer;
use crate::gpu::types::{Cluster, ClusterState, Element, FemState, FemTet, Particle, Point};
use crate::model::{BodyKind, CHUNK, Model};
use crate::scene::{Integrator, Scene};
use crate::setup::{self, Stepping};

/// What a pass costs beside its bytes [s], and the bytes that are moved in a second: free lattices of 625 to 320 000
/// tetrahedra on two cores of llvmpipe (docs/bench/llvmpipe.md).
pub const PASS: f64 = 30e-6;
const BYTES_PER_S: f64 = 2.3e9;
/// Passes of a step in which bodies can touch, the search included. What they cost beside their number depends on what
/// touches, and is the same in a step of every integrator.
const CONTACT_PASSES: f64 = 25.0;

/// A kernel and how often a step dispatches it, on average.
pub type Dispatches = (&'static str, f64);

/// The kernels of an integrator in a step, each with its dispatches. Each gathers the forces once, and the loads of elements
/// with passes of their own are renewed before.
fn kernels(integrator: Integrator) -> &'static [Dispatches] {
    match integrator {
        Integrator::Euler => &[("euler", 1.0)],
        Integrator::SymplecticEuler | Integrator::Verlet => &[("verlet", 1.0)],
        Integrator::Leapfrog => &[("leapfrog", 1.0)],
        Integrator::Midpoint => &[("midpoint_half", 1.0), ("midpoint", 1.0)],
        Integrator::Rk4 => &[("rk4_stage", 3.0), ("rk4", 1.0)],
    }
}

/// The passes of a step of the scene's integrator, without those of contact.
#[must_use]
pub fn passes(scene: &Scene, model: &Model, gathers: u32) -> Vec<Dispatches> {
    let mut passes = Vec::new();
    for (kernel, count) in kernels(scene.world.integrator) {
        passes.push((*kernel, *count));
        passes.extend(loads(model).into_iter().map(|kernel| (kernel, *count)));
    }
    if gathers > 1 {
        let sweeps = f64::from(gathers - 2);
        passes.extend([("damping_first", 1.0), ("damping_end", 1.0)]);
        passes.push(("damping_sweep", sweeps));
        if has_elements(model) {
            passes.extend([("fem_damping_first", 1.0), ("fem_damping", sweeps + 1.0)]);
            passes.push(("fem_gather", sweeps + 2.0));
        }
    }
    if setup::follows_stiffness(scene) {
        let often = WARM_ITERATIONS as f64 / RENEWAL as f64;
        passes.extend(["probe_apply", "probe_sum", "probe_body"].map(|kernel| (kernel, often)));
        if has_elements(model) {
            passes.extend(["fem_probe", "fem_gather"].map(|kernel| (kernel, often)));
        }
    }
    passes
}

/// The kernels that renew the loads.
fn loads(model: &Model) -> Vec<&'static str> {
    let mut kernels = Vec::new();
    if !model.clusters.is_empty() {
        kernels.extend(["shape_fit", "shape_gather"]);
        if chunks(model).1 > 0 {
            kernels.push("shape_solve");
        }
    }
    if has_elements(model) {
        kernels.extend(["fem_force", "fem_gather"]);
    }
    kernels
}

fn has_elements(model: &Model) -> bool {
    !model.elements.is_empty()
}

/// Chunks of all clusters, and clusters of several chunks.
fn chunks(model: &Model) -> (u64, u64) {
    let chunks = model
        .clusters
        .iter()
        .map(|c| c.members.len().div_ceil(CHUNK));
    chunks.fold((0, 0), |(sum, several), chunks| {
        (sum + chunks as u64, several + u64::from(chunks > 1))
    })
}

/// What a step costs [s].
#[must_use]
pub fn per_step(scene: &Scene, model: &Model, gathers: u32) -> f64 {
    let passes = passes(scene, model, gathers);
    let cost = |(kernel, count): &Dispatches| {
        count * (PASS + pass_bytes(kernel, model) as f64 / BYTES_PER_S)
    };
    let contact = match collide::can_touch(scene) {
        true => CONTACT_PASSES * PASS,
        false => 0.0,
    };
    contact + passes.iter().map(cost).sum::<f64>()
}

/// What a simulated second costs with the scene's integrator [s].
#[must_use]
pub fn per_second(scene: &Scene, model: &Model, stepping: &Stepping) -> f64 {
    per_step(scene, model, stepping.gathers) / stepping.step
}

/// Bytes that a pass must move when every gathered particle comes from the cache after its first read.
#[must_use]
pub fn pass_bytes(name: &str, model: &Model) -> u64 {
    let particle = Buffer::<Particle>::STRIDE;
    let point = Buffer::<Point>::STRIDE;
    let vector = 16;
    let particles = model.positions.len() as u64;
    let element = Buffer::<Element>::STRIDE;
    let springs = 2 * model.springs.len() as u64 * element;
    let gathered = model
        .bodies
        .iter()
        .filter(|body| body.kind == BodyKind::Springs);
    let tets: usize = gathered.map(|body| body.tets.len()).sum();
    // A walk over a link takes two entries more than it has triangles. Of a triangle, each corner has the other two.
    let tets = (4 * tets as u64 + 2 * particles) * element + 6 * model.areas.len() as u64 * element;
    let fem = model.elements.len() as u64;
    let corners = 4 * vector;
    let fem_tet = Buffer::<FemTet>::STRIDE;
    let members: usize = model.clusters.iter().map(|c| c.members.len()).sum();
    let (members, chunks) = (members as u64, chunks(model).0);
    let cluster = Buffer::<Cluster>::STRIDE + 2 * Buffer::<ClusterState>::STRIDE;
    match name {
        "euler" | "verlet" | "midpoint_half" => particles * (2 * particle + point) + springs + tets,
        "leapfrog" => particles * (2 * particle + point + 2 * vector) + springs + tets,
        "midpoint" => particles * (3 * particle + point) + springs + tets,
        "rk4_stage" => particles * (5 * particle + point) + springs + tets,
        "rk4" => particles * (4 * particle + point) + springs + tets,
        "damping_first" => particles * (particle + point + vector) + springs,
        "damping_sweep" => particles * (particle + point + 3 * vector) + springs,
        "damping_end" => particles * (2 * particle + point + 2 * vector) + springs,
        "probe_apply" => particles * (particle + point + 2 * vector) + springs + tets,
        "probe_sum" => particles * (particle + vector),
        "fem_force" => {
            fem * (fem_tet + 2 * Buffer::<FemState>::STRIDE + corners) + particles * particle
        }
        "fem_damping_first" | "fem_damping" | "fem_probe" => {
            fem * (fem_tet + corners) + particles * (particle + vector)
        }
        "fem_gather" => fem * corners + particles * (particle + point + vector + 8),
        "shape_fit" => members * (4 + particle + vector) + chunks * cluster,
        "shape_solve" => chunks * cluster,
        "shape_gather" => members * (4 + 6 * vector) + particles * (particle + point + 2 * vector),
        _ => 0,
    }
}
