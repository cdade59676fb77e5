//! Integrators: how positions and velocities advance by one step. Each is a kernel (or a few) that gathers the same
//! `particle_force`.
//!
//! It knows the passes of each integrator, how long its steps may be and how implicit ones are solved; it must not know of
//! what elements forces come from: families are asked for passes.

pub mod auto;
pub mod bounds;
pub(crate) mod coarse;
pub mod doubling;
mod implicit;
mod leapfrog;
mod midpoint;
pub mod moved;
mod newton;
pub mod part;
mod rk4;
mod rules;
mod single_pass;
mod vbd;

use self::part::Part;
pub(crate) use self::rules::HalfSteps;
use crate::Result;
use crate::collide::Collision;
use crate::family::{At, Families, Family, Passes};
use crate::gpu::Buffer;
use crate::gpu::types::Externals;
use crate::gpu::types::Sim;
use crate::gpu::{Binding, Bound, Bytes, Content, Context, Kernel, Recorder, Telemetry, Uniforms};
use crate::model::{ModelBuffers, State};
use crate::report::Solve;
use crate::scene::{Integrator, WorldSettings};

/// What every pass may bind.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<'a> {
    /// The device.
    pub context: &'a Context,
    /// Constant arrays.
    pub model: &'a ModelBuffers,
    /// Evolving arrays.
    pub state: &'a State,
    /// Uniform of the substep.
    pub sim: &'a Uniforms<Sim>,
    /// Elements with passes of their own.
    pub elements: &'a Families,
    /// Obstacles and pulls.
    pub externals: &'a Uniforms<Externals>,
    /// Word 0: the first fault; words 1…: an eigenvalue per body.
    pub status: &'a Buffer<u32>,
}

impl Arrays<'_> {
    /// A kernel with the given arrays and the model's; of one name the given.
    pub fn bind(&self, kernel: &Kernel, others: &[Binding<'_>]) -> Bound {
        let mut bindings = others.to_vec();
        bindings.extend([
            self.sim.binding(),
            self.externals.binding(),
            self.model.points.binding(),
            self.model.elements.binding(),
            self.state.loads.binding(),
            self.model.bodies.binding(),
            self.model.chunks.binding(),
            self.model.part_ranges.binding(),
            self.model.tie_groups.binding(),
            self.status.binding(),
            self.state.half_velocity.binding(),
            self.state.base.binding(),
            self.state.increments.binding(),
            self.state.poses.binding(),
            self.state.searched.binding(),
            self.state.disturbed.binding(),
            self.model.carried.binding(),
            self.state.contact_blocks.binding(),
            self.state.solid_impulses.binding(),
            self.state.islands[0].bind("islands"),
            self.state.islands[1].bind("islands_next"),
        ]);
        kernel.bind(self.context, &bindings)
    }

    /// Whether `status` has room for the pushes of solids.
    pub fn keep_pushes(&self) -> bool {
        self.status.size() > 4 * self.status.len() as u64
    }

    /// The passes that renew `loads` from each particle array.
    pub fn loads(&self) -> [Passes; 2] {
        [0, 1].map(|from| {
            let at = At::state(self, &self.state.particles[from]);
            self.elements.loads(&at)
        })
    }

    /// A kernel made for what the world holds.
    pub fn kernel(&self, name: &str) -> Kernel {
        Kernel::for_content(self.context, name, self.model.content)
    }

    /// A kernel bound twice: reading the first particle array and writing the second, and the other way round.
    pub fn bind_both(&self, kernel: &str, others: &[Binding<'_>]) -> [Bound; 2] {
        self.bind_turns(&self.kernel(kernel), others)
    }

    fn bind_turns(&self, kernel: &Kernel, others: &[Binding<'_>]) -> [Bound; 2] {
        [0, 1].map(|from| {
            let particles = &self.state.particles;
            let mut bindings = vec![
                particles[from].bind("particles_in"),
                particles[1 - from].bind("particles_out"),
            ];
            bindings.extend_from_slice(others);
            self.bind(kernel, &bindings)
        })
    }
}

/// Sweeps of vertex block descent in a step, where the scene does not say.
const VBD_ITERATIONS: u32 = 10;

/// Sweeps of vertex block descent in a step; none with other integrators.
pub(crate) fn sweeps(world: &WorldSettings) -> Option<u32> {
    let swept = world.integrator == Integrator::Vbd;
    swept.then(|| world.iterations.unwrap_or(VBD_ITERATIONS))
}

/// The passes of one integrator.
pub trait Advance: std::fmt::Debug + Send + Sync {
    /// Uniform slots that one substep takes.
    fn slots(&self) -> usize {
        1
    }

    /// The uniforms of one substep, from what they have in common; `flow` is set in one of them.
    fn fill(&self, sim: Sim) -> Vec<Sim> {
        vec![Sim { flow: 1, ..sim }]
    }

    /// Whether contacts act within the step, on its solution, and not after the forces.
    fn solves_contacts(&self) -> bool {
        false
    }

    /// Goes on from what another one has counted, with as many rounds as it records.
    fn go_on(&mut self, _solve: [Solve; 2], _rounds: usize) {}

    /// Rounds of passes that a step is recorded with, where they are as many as steps take.
    fn rounds(&self) -> usize {
        1
    }

    /// Particles of a step times gathers over them, about, beside those of exact damping.
    fn work(&self) -> usize {
        1
    }

    /// Whether a submission was recorded with too few passes, by what it tells; the next is
    /// recorded with more.
    fn is_short(&mut self, _told: &Telemetry) -> bool {
        false
    }

    /// Counts what the steps of a submission did.
    fn count(&mut self, _told: &Telemetry, _steps: u64) {}

    /// What was counted: in the last submission, and since the start.
    fn solve(&self) -> Option<[Solve; 2]> {
        None
    }

    /// Records what turns the velocities of a part at the start into those that the integrator keeps. The uniform's
    /// `stage_step` is h/2.
    fn start(&self, _recorder: &mut Recorder<'_>, _state: &State, _part: &Part) {}

    /// The `stage_step` with which [`Self::start`] makes the velocities of steps of `old` [s] those of steps of `new`;
    /// none where they do not depend on it.
    fn turn(&self, _old: f32, _new: f32) -> Option<f32> {
        None
    }

    /// Records what follows a substep where contacts have acted after it.
    fn finish(&self, _recorder: &mut Recorder<'_>, _state: &State, _slot: usize) {}

    /// Records one substep. `contacts`: those that act within it, or that follow it.
    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    );
}

/// The passes of an integrator, bound to a world's arrays. `collision`: where bodies can touch.
///
/// # Errors
/// An array that is too large for one buffer.
pub fn passes(
    world: &WorldSettings,
    collision: Option<&Collision>,
    arrays: &Arrays<'_>,
) -> Result<Box<dyn Advance>> {
    Ok(match world.integrator {
        Integrator::Euler => Box::new(single_pass::SinglePass::new("euler", false, arrays)),
        Integrator::SymplecticEuler => {
            Box::new(single_pass::SinglePass::new("verlet", false, arrays))
        }
        Integrator::Verlet => Box::new(single_pass::SinglePass::new("verlet", true, arrays)),
        Integrator::Leapfrog => Box::new(leapfrog::Leapfrog::new(arrays)),
        Integrator::Midpoint => Box::new(midpoint::Midpoint::new(arrays)),
        Integrator::Rk4 => Box::new(rk4::Rk4::new(arrays)?),
        Integrator::ImplicitEuler => Box::new(newton::NewtonSolver::new(world, collision, arrays)?),
        Integrator::Vbd => {
            let sweeps = sweeps(world).unwrap_or_default();
            Box::new(vbd::Vbd::new(arrays, collision, sweeps)?)
        }
    })
}

/// A kernel that ends an explicit step, bound for either particle array.
#[derive(Debug)]
struct Ending {
    /// With the move.
    alone: [Bound; 2],
    /// Where bodies can touch: leaving that to contacts, which follow.
    before_contacts: Option<[Bound; 2]>,
}

impl Ending {
    fn new(arrays: &Arrays<'_>, name: &str, bind: impl Fn(&Kernel) -> [Bound; 2]) -> Self {
        let content = arrays.model.content;
        let of = |contact| {
            let content = Content { contact, ..content };
            bind(&Kernel::for_content(arrays.context, name, content))
        };
        Self { alone: of(false), before_contacts: content.contact.then(|| of(true)) }
    }

    /// The pass from array `current`, as contacts follow or not.
    fn at(&self, current: usize, contacts: Option<&Collision>) -> &Bound {
        match &self.before_contacts {
            Some(passes) if contacts.is_some() => &passes[current],
            _ => &self.alone[current],
        }
    }
}

/// What poses do in a step beside the particles' integrator.
#[derive(Debug)]
pub(crate) struct PosePasses {
    /// Where there are obstacles.
    obstacle: Option<Bound>,
    obstacles: usize,
    /// Forces of families on poses, and what poses make of them, by the particle array that a step starts from.
    pulls: [Passes; 2],
    follow: [Passes; 2],
    kick: Bound,
    wake: Bound,
    moves: Bound,
    carry: [Bound; 2],
    /// Whether anything is tied, to particles that poses may carry.
    pub tied: bool,
}

impl PosePasses {
    /// Binds the passes; none where there are no poses.
    pub fn new(arrays: &Arrays<'_>) -> Option<Self> {
        let obstacles = arrays.model.obstacle_poses;
        let bind = |name| arrays.bind(&arrays.kernel(name), &[]);
        let ask = |ask: fn(&(dyn Family + 'static), &At<'_>, &mut Passes)| {
            [0, 1].map(|now: usize| {
                arrays.elements.passes(&At::state(arrays, &arrays.state.particles[now]), ask)
            })
        };
        arrays.model.content.poses.then(|| Self {
            pulls: ask(Family::pulls),
            follow: ask(Family::kicks),
            obstacle: (obstacles > 0).then(|| bind("pose_obstacle")),
            obstacles,
            kick: bind("pose_kick"),
            wake: bind("pose_wake"),
            moves: bind("pose_move"),
            tied: arrays.elements.ties.is_some(),
            carry: [0, 1].map(|now| {
                let particles = arrays.state.particles[now].bind("particles_out");
                arrays.bind(&arrays.kernel("pose_carry"), &[particles])
            }),
        })
    }

    /// Records where obstacles are.
    pub fn obstacles(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let Some(obstacle) = &self.obstacle {
            recorder.dispatch(obstacle, self.obstacles, slot);
        }
    }

    /// Records the forces of families that they feel, by the present state.
    pub fn pulls(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        self.pulls[state.current].record_part(recorder, part);
    }

    /// Records these forces, and what they make of velocities in `sim.kick`.
    pub fn pull(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        self.pulls(recorder, state, &Part::all(slot));
        self.follow[state.current].record(recorder, slot);
    }

    /// Records what forces make of their velocities.
    pub fn kick(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        self.pull(recorder, state, slot);
        recorder.dispatch(&self.kick, state.poses.len(), slot);
    }

    /// Records that what sleeps in a disturbed island is awake.
    pub fn wake(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.wake, state.poses.len(), slot);
    }

    /// Records the move.
    pub fn moves(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.moves, state.poses.len(), slot);
    }

    /// Records where they carry particles.
    pub fn carry(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.carry[state.current], state.present().len(), slot);
    }
}
