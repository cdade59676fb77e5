//! What a step costs, estimated from the passes that it takes and the bytes that they must move. The constants are those
//! of one device, so that a scene has the same estimates on all: they serve to compare, not to predict.

use super::{newton, sweeps};
use crate::body::stiffness::{RENEWAL, WARM_ITERATIONS};
use crate::collide;
use crate::gpu::Buffer;
use crate::gpu::types::{
    Cluster, ClusterState, ColorVertex, Element, FemState, FemTet, ISLAND_ROUNDS, Particle, Point,
    Press, VertexTet,
};
use crate::model::{BodyKind, CHUNK, Model, coloring};
use crate::scene::{Event, Integrator, Movable, Scene};
use crate::setup::{self, Stepping};

/// What a pass costs beside its bytes [s], and the bytes that are moved in a second: free lattices of 625 to 320 000
/// tetrahedra on two cores of llvmpipe (docs/bench/llvmpipe.md).
pub const PASS: f64 = 30e-6;
const BYTES_PER_S: f64 = 2.3e9;
/// Passes of a step in which bodies can touch, the search included, and those of them that act on positions before and on
/// velocities after the forces; implicit integrators have two in each iteration instead, and those of islands at the end.
/// What one costs [s] depends on what touches: contact takes 1.3 ms of a step of three cubes and 1.4 ms of one of four dogs
/// (docs/bench/llvmpipe.md).
const CONTACT_PASSES: f64 = 33.0;
const CONTACT_PASS: f64 = 41e-6;
const RESPONSE_PASSES: f64 = 17.0;
const ISLAND_PASSES: f64 = 2.0 + ISLAND_ROUNDS as f64;

/// Newton iterations of a step, where a scene does not allow fewer: 0.4 to 2.5 were counted where bodies hang, fly
/// and vibrate, 4 to 9 where they slide and tumble.
const NEWTON_ITERATIONS: u32 = 3;
/// Part of the residual that conjugate gradients leave, and the most of their iterations, see newton_control.
const CONJUGATE_PART: f64 = 0.03;
const MOST_CONJUGATE: f64 = 200.0;
/// Passes of a round of Newton's method that are recorded whether they run or not, without those of loads: a pass that
/// does not run costs what one costs beside its bytes.
const ROUND_PASSES: f64 = 12.0 + 4.0 * newton::CONJUGATE as f64;

/// What the passes of a step run over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    particles: u64,
    springs: u64,
    /// Tetrahedra whose volumes springs keep.
    volumes: u64,
    areas: u64,
    /// Finite elements.
    elements: u64,
    /// Members of all clusters, chunks of these, and clusters of several chunks.
    members: u64,
    chunks: u64,
    several: u64,
    /// Colours of the particles; 0 where there are none.
    colors: u64,
}

impl Sizes {
    /// Those of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let springs = model.bodies.iter().filter(|b| b.kind == BodyKind::Springs);
        let clusters = model.clusters.iter().map(|cluster| cluster.members.len());
        let chunks = clusters.clone().map(|members| members.div_ceil(CHUNK));
        Self {
            particles: model.positions.len() as u64,
            springs: model.springs.len() as u64,
            volumes: springs.map(|body| body.tets.len() as u64).sum(),
            areas: model.areas.len() as u64,
            elements: model.elements.len() as u64,
            members: clusters.sum::<usize>() as u64,
            chunks: chunks.clone().sum::<usize>() as u64,
            several: chunks.filter(|chunks| *chunks > 1).count() as u64,
            colors: count(&model.colors),
        }
    }

    /// The same with the colours that the particles would have.
    #[must_use]
    pub fn colored(self, model: &Model) -> Self {
        if self.colors > 0 {
            return self;
        }
        let edges: Vec<_> = model.springs.iter().map(|spring| spring.points).collect();
        let colors = count(&coloring(model.positions.len(), &edges));
        Self { colors, ..self }
    }
}

fn count(colors: &[u32]) -> u64 {
    colors.iter().max().map_or(0, |most| u64::from(*most) + 1)
}

/// A kernel and how often a step dispatches it, on average.
pub type Dispatches = (&'static str, f64);

/// The kernels of an explicit integrator in a step, each with its dispatches; none of an implicit one.
fn explicit_kernels(integrator: Integrator) -> &'static [Dispatches] {
    match integrator {
        Integrator::Euler => &[("euler", 1.0)],
        Integrator::SymplecticEuler | Integrator::Verlet => &[("verlet", 1.0)],
        Integrator::Leapfrog => &[("leapfrog", 1.0)],
        Integrator::Midpoint => &[("midpoint_half", 1.0), ("midpoint", 1.0)],
        Integrator::Rk4 => &[("rk4_stage", 3.0), ("rk4", 1.0)],
        Integrator::ImplicitEuler | Integrator::Vbd => &[],
    }
}

/// Whether the number of passes is known before a step is taken; where an integrator iterates until it is near enough it
/// is guessed.
#[must_use]
pub fn is_counted(integrator: Integrator) -> bool {
    integrator != Integrator::ImplicitEuler
}

/// The passes of a step of the scene's integrator, without those of contact between bodies. `stiffness`: the largest
/// eigenvalue of M⁻¹K [1/s²].
#[must_use]
pub fn passes(
    scene: &Scene,
    sizes: &Sizes,
    stepping: &Stepping,
    stiffness: f64,
) -> Vec<Dispatches> {
    let mut passes = match scene.world.integrator {
        Integrator::ImplicitEuler => newton(scene, sizes, stepping.step, stiffness),
        Integrator::Vbd => descent(scene, sizes),
        _ => explicit(scene, sizes, stepping.gathers),
    };
    for event in &scene.events {
        match event {
            Event::Move { what, .. } => passes.push(match what {
                Movable::Solid(_) => ("solid_move", 1.0),
                Movable::Pins(_) => ("pin_move", 1.0),
            }),
            Event::LineForce { .. } | Event::Wind { .. } => {}
        }
    }
    // One pass moves them all.
    passes.dedup_by_key(|(kernel, _)| *kernel);
    passes
}

fn explicit(scene: &Scene, sizes: &Sizes, gathers: u32) -> Vec<Dispatches> {
    let mut passes = Vec::new();
    for (kernel, count) in explicit_kernels(scene.world.integrator) {
        passes.push((*kernel, *count));
        // Each gathers the forces once, and the loads are renewed before.
        passes.extend(loads(sizes).into_iter().map(|kernel| (kernel, *count)));
        if !scene.attachments.is_empty() {
            passes.extend(["tie_force", "tie_gather"].map(|kernel| (kernel, *count)));
        }
    }
    if gathers > 1 {
        let sweeps = f64::from(gathers - 2);
        passes.extend([("damping_first", 1.0), ("damping_end", 1.0)]);
        passes.push(("damping_sweep", sweeps));
        if sizes.elements > 0 {
            passes.extend([("fem_damping_first", 1.0), ("fem_damping", sweeps + 1.0)]);
            passes.push(("fem_gather", sweeps + 2.0));
        }
    }
    if setup::follows_stiffness(scene) {
        let often = WARM_ITERATIONS as f64 / RENEWAL as f64;
        passes.extend(["probe_apply", "probe_sum", "probe_body"].map(|kernel| (kernel, often)));
        if sizes.elements > 0 {
            passes.extend(["fem_probe", "fem_gather"].map(|kernel| (kernel, often)));
        }
    }
    passes
}

/// The kernels that renew the loads.
fn loads(sizes: &Sizes) -> Vec<&'static str> {
    let mut kernels = Vec::new();
    if sizes.chunks > 0 {
        kernels.extend(["shape_fit", "shape_gather"]);
    }
    if sizes.several > 0 {
        kernels.push("shape_solve");
    }
    if sizes.elements > 0 {
        kernels.extend(["fem_force", "fem_gather"]);
    }
    kernels
}

/// What an implicit step begins and ends with.
const AROUND: [&str; 4] = [
    "implicit_begin",
    "implicit_momentum",
    "implicit_shift",
    "implicit_end",
];

/// The coarse correction of a sweep.
const COARSE: [&str; 3] = ["coarse_sum", "coarse_solve", "coarse_move"];

/// Iterations of an implicit integrator in a step.
fn iterations(scene: &Scene) -> f64 {
    let world = &scene.world;
    f64::from(match world.integrator {
        Integrator::Vbd => sweeps(world),
        _ => world.iterations.unwrap_or(NEWTON_ITERATIONS),
    })
}

/// The passes of Newton's method with conjugate gradients, which take about ½ √κ ln(2/ε) iterations to a part ε of the
/// residual (Shewchuk 1994, section 10), κ = 1 + h²ω² of M + h²K over M.
fn newton(scene: &Scene, sizes: &Sizes, step: f64, stiffness: f64) -> Vec<Dispatches> {
    let iterations = iterations(scene).min(f64::from(NEWTON_ITERATIONS));
    let condition = 1.0 + step * step * stiffness;
    let conjugate = 0.5 * condition.sqrt() * (2.0 / CONJUGATE_PART).ln();
    let conjugate = conjugate.clamp(1.0, MOST_CONJUGATE);
    let directions = iterations * conjugate;
    // The last finds that nothing is left to do, and one is recorded to spare.
    let rounds = iterations * (conjugate / newton::CONJUGATE as f64).ceil() + 2.0;
    let mut passes = vec![
        ("newton_residual", iterations + 1.0),
        ("newton_block", iterations),
        ("newton_apply", directions),
        ("newton_update", directions),
    ];
    let mut loads = loads(sizes);
    if !scene.attachments.is_empty() {
        loads.extend(["newton_tie", "tie_gather"]);
        passes.push(("newton_tie_block", iterations));
    }
    let recorded = ROUND_PASSES + (newton::CONJUGATE + 1) as f64 * loads.len() as f64;
    let gathers = iterations + directions;
    passes.extend(loads.into_iter().map(|kernel| (kernel, gathers)));
    let ran: f64 = passes.iter().map(|(_, count)| count).sum();
    // Sums over slices of all particles, what follows from them, and what does not run.
    passes.push(("newton_control", (rounds * recorded - ran).max(0.0)));
    passes.extend(AROUND.map(|kernel| (kernel, 1.0)));
    passes
}

/// The passes of vertex block descent.
fn descent(scene: &Scene, sizes: &Sizes) -> Vec<Dispatches> {
    let (world, iterations) = (&scene.world, iterations(scene));
    let mut passes = vec![("vbd_solve", iterations * sizes.colors as f64)];
    passes.extend(COARSE.map(|kernel| (kernel, iterations)));
    passes.extend(AROUND.map(|kernel| (kernel, 1.0)));
    let solids = world.contact && (world.floor.is_some() || !scene.solids.is_empty());
    let ties = !scene.attachments.is_empty();
    let presses = solids || collide::can_touch(scene) || ties;
    passes.push(("solid_press", if presses { iterations } else { 1.0 }));
    if ties {
        passes.extend(["tie_force", "tie_hold"].map(|kernel| (kernel, iterations)));
    }
    passes
}

/// Passes of contact between bodies in a step, about.
#[must_use]
pub fn contact_passes(scene: &Scene) -> f64 {
    match (collide::can_touch(scene), scene.world.integrator) {
        (false, _) => 0.0,
        (true, integrator) if integrator.is_implicit() => {
            CONTACT_PASSES - RESPONSE_PASSES + 2.0 * iterations(scene) + ISLAND_PASSES
        }
        (true, _) => CONTACT_PASSES,
    }
}

/// What a step costs [s].
#[must_use]
pub fn per_step(scene: &Scene, sizes: &Sizes, stepping: &Stepping, stiffness: f64) -> f64 {
    let cost = |(kernel, count): Dispatches| {
        count * (PASS + pass_bytes(kernel, sizes) as f64 / BYTES_PER_S)
    };
    let passes = passes(scene, sizes, stepping, stiffness).into_iter();
    CONTACT_PASS * contact_passes(scene) + passes.map(cost).sum::<f64>()
}

/// What a simulated second costs with the scene's integrator [s].
#[must_use]
pub fn per_second(scene: &Scene, sizes: &Sizes, stepping: &Stepping, stiffness: f64) -> f64 {
    per_step(scene, sizes, stepping, stiffness) / stepping.step
}

/// Bytes that a pass must move when every gathered particle comes from the cache after its first read.
#[must_use]
pub fn pass_bytes(name: &str, sizes: &Sizes) -> u64 {
    let particle = Buffer::<Particle>::STRIDE;
    let point = Buffer::<Point>::STRIDE;
    let vector = 16;
    let Sizes {
        particles,
        elements,
        members,
        chunks,
        ..
    } = *sizes;
    let entry = Buffer::<Element>::STRIDE;
    let springs = 2 * sizes.springs * entry;
    // A walk over a link takes two entries more than it has triangles; of an area, each corner has the other two.
    let gathered = springs + (4 * sizes.volumes + 2 * particles + 6 * sizes.areas) * entry;
    let element = Buffer::<FemTet>::STRIDE + 4 * vector;
    let state = Buffer::<FemState>::STRIDE;
    let cluster = Buffer::<Cluster>::STRIDE + 2 * Buffer::<ClusterState>::STRIDE;
    let press = Buffer::<Press>::STRIDE;
    match name {
        "euler" | "verlet" | "midpoint_half" => particles * (2 * particle + point) + gathered,
        "leapfrog" => particles * (2 * particle + point + 2 * vector) + gathered,
        "midpoint" => particles * (3 * particle + point) + gathered,
        "rk4_stage" => particles * (5 * particle + point) + gathered,
        "rk4" => particles * (4 * particle + point) + gathered,
        "damping_first" => particles * (particle + point + vector) + springs,
        "damping_sweep" => particles * (particle + point + 3 * vector) + springs,
        "damping_end" => particles * (2 * particle + point + 2 * vector) + springs,
        "probe_apply" => particles * (particle + point + 2 * vector) + gathered,
        "probe_sum" => particles * (particle + vector),
        "fem_force" => elements * (element + 2 * state) + particles * particle,
        "fem_damping_first" | "fem_damping" | "fem_probe" => {
            elements * element + particles * (particle + vector)
        }
        "fem_gather" => 4 * elements * vector + particles * (particle + point + vector + 8),
        "newton_block" | "newton_residual" | "newton_apply" => {
            particles * (2 * particle + point + 2 * vector) + gathered
        }
        "newton_update" => 3 * particles * particle,
        "shape_fit" => members * (4 + particle + vector) + chunks * cluster,
        "shape_solve" => chunks * cluster,
        "shape_gather" => members * (4 + 6 * vector) + particles * (particle + point + 2 * vector),
        "implicit_begin" | "implicit_end" => 3 * particles * particle,
        "implicit_momentum" => particles * (2 * particle + press),
        "coarse_sum" => particles * (2 * particle + press),
        "coarse_move" => particles * (3 * particle + point + 2 * press),
        "solid_press" => particles * (particle + press),
        // The mean of all colours.
        "vbd_solve" => {
            let vertex = Buffer::<ColorVertex>::STRIDE + 3 * particle + point + 2 * press;
            let corners = 4 * elements * Buffer::<VertexTet>::STRIDE;
            (particles * vertex + gathered + corners) / sizes.colors.max(1)
        }
        _ => 0,
    }
}
