//! Implicit Euler by Newton's method on the velocities: x = x_n + h v is never a difference of positions. Each change
//! solves H d = r by conjugate gradients without a matrix (Baraff & Witkin 1998), r what is left of the step's equation,
//! H its derivative made positive, and is shortened where it goes too far. The device decides what comes next
//! (`newton_control`); passes are recorded in rounds, all through gates that it opens.

use glam::Vec4;

use super::implicit::{ImplicitStep, guess};
use super::part::Part;
use super::{Advance, Arrays};
use crate::Result;
use crate::collide::Collision;
use crate::family::{At, Family, Passes};
use crate::gpu::types::{
    Block, CHUNK, Conjugate, FemTangent, GATE_CONJUGATE, GATE_FOLLOW, GATE_LINEAR, GATE_MOVE,
    GATE_OPEN, GATE_TEST, IMPLICIT_CHANGE, IMPLICIT_STEP, NEWTON_CONJUGATE, NEWTON_END,
    NEWTON_FOLLOWED, NEWTON_OPEN, NEWTON_ROUNDS, NEWTON_SHORT, NEWTON_TEST, Newton, Particle, Sim,
    WORKGROUP,
};
use crate::gpu::{Binding, Bound, Buffer, Gates, Recorder, Telemetry};
use crate::model::State;
use crate::report::Solve;
use crate::scene::WorldSettings;

/// Newton iterations of a step at the most, where the scene does not say.
const ITERATIONS: u32 = 16;
/// Part of the accelerations at which they end, where the scene does not say.
const TOLERANCE: f64 = 1e-3;
/// Iterations of conjugate gradients in a round.
const CONJUGATE: usize = 6;
/// Rounds that the first step is recorded with.
const ROUNDS: usize = 8;
/// Threads that `newton_control` is dispatched with: one workgroup.
const CONTROL: usize = 64;

/// The uniforms of a step, by their places: of contacts in the first iteration, and the step's end; of forces and the test,
/// in which multipliers stay; of the residual; of conjugate gradients; of the multipliers that follow, and the residual then; of
/// the step's begin.
const SLOT_FIRST: usize = 0;
const SLOT_TEST: usize = 1;
const SLOT_OPEN: usize = 2;
const SLOT_CHANGE: usize = 3;
const SLOT_FOLLOWED: usize = 4;
const SLOT_GUESS: usize = 5;
/// The most uniforms that a step of any integrator takes.
pub const SLOTS: usize = 6;

/// The solver.
#[derive(Debug)]
pub struct NewtonSolver {
    step: ImplicitStep,
    /// What elements keep from step to step advances at x_n.
    flow: [Passes; 2],
    /// By the array that a step starts from.
    passes: [Round; 2],
    gates: Gates,
    settings: (u32, f64),
    chunks: usize,
    /// That a step is recorded with.
    rounds: usize,
    solve: [Solve; 2],
    _arrays: Own,
}

/// The passes of a round.
#[derive(Debug)]
struct Round {
    /// Forces of the iterate, as accelerations.
    forces: Passes,
    test: Bound,
    residual: Bound,
    /// How elements follow a change.
    tangents: Passes,
    block: Bound,
    /// What others have of the particles' blocks.
    blocks: Passes,
    factor: Bound,
    /// Elements with passes of their own times the direction.
    products: Passes,
    apply: Bound,
    /// How contacts follow the direction, and what they do to particles then.
    contacts: Option<[Bound; 2]>,
    /// Where there are poses, too.
    poses: Option<PosePasses>,
    update: Bound,
    moves: Bound,
    /// Where contact events are asked for.
    pushes: Option<Bound>,
    sum: Bound,
    control: Bound,
}

/// The passes over poses, each beside that over particles.
#[derive(Debug)]
struct PosePasses {
    /// What families do to them, and how that follows the direction.
    holds: Passes,
    products: Passes,
    test: Bound,
    residual: Bound,
    factor: Bound,
    apply: Bound,
    update: Bound,
    moves: Bound,
}

/// The solver's arrays.
#[derive(Debug)]
struct Own {
    newton: Buffer<Newton>,
    conjugates: Buffer<Conjugate>,
    directions: Buffer<Particle>,
    products: Buffer<Vec4>,
    blocks: Buffer<Block>,
    sums: Buffer<Vec4>,
    tangents: Buffer<FemTangent>,
    corner_blocks: Buffer<Vec4>,
}

/// Rows of unknowns: one per particle and two per pose.
fn unknowns(state: &State) -> usize {
    state.present().len() + 2 * state.poses.len()
}

impl Own {
    fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let context = arrays.context;
        let count = arrays.state.present().len();
        let unknowns = unknowns(arrays.state);
        let corners = arrays.elements.corners();
        Ok(Self {
            newton: Buffer::new(context, "newton", &[Newton::default()])?,
            conjugates: Buffer::zeroed(context, "conjugates", unknowns)?,
            directions: Buffer::zeroed(context, "directions", unknowns)?,
            products: Buffer::zeroed(context, "products", unknowns)?,
            blocks: Buffer::zeroed(context, "blocks", count)?,
            sums: Buffer::zeroed(context, "sums", unknowns.div_ceil(CHUNK as usize))?,
            tangents: Buffer::zeroed(context, "tangents", corners.elements)?,
            corner_blocks: Buffer::zeroed(context, "corner_blocks", 2 * corners.slots)?,
        })
    }

    fn bindings<'a>(&'a self, arrays: &'a Arrays<'_>, gates: &'a Gates) -> Vec<Binding<'a>> {
        vec![
            self.newton.binding(),
            self.conjugates.binding(),
            self.directions.binding(),
            self.products.binding(),
            self.blocks.binding(),
            self.sums.binding(),
            self.tangents.binding(),
            self.corner_blocks.binding(),
            arrays.elements.corners().rows.binding(),
            gates.plan().binding(),
            gates.groups().binding(),
        ]
    }
}

impl Round {
    fn new(
        arrays: &Arrays<'_>,
        own: &Own,
        gates: &Gates,
        collision: Option<&Collision>,
        from: usize,
    ) -> Self {
        let iterate = &arrays.state.particles[1 - from];
        let mut bindings = own.bindings(arrays, gates);
        bindings.push(iterate.bind("particles_out"));
        let families = arrays.elements;
        // Elements have their forces of the iterate, and their changes of directions.
        let at = |particles| At::state(arrays, particles).and(&bindings);
        let [iterates, directions] = [at(iterate), at(&own.directions)];
        let before = [arrays.state.particles[from].bind("particles_in")];
        let bind =
            |name: &str| arrays.bind(&arrays.kernel(name), &[&before, &bindings[..]].concat());
        Self {
            forces: families.passes(&iterates, Family::iterate_forces),
            test: bind("newton_test"),
            residual: bind("newton_residual"),
            tangents: families.passes(&iterates, Family::tangents),
            block: bind("newton_block"),
            blocks: families.passes(&iterates, Family::blocks),
            factor: bind("newton_factor"),
            products: families.passes(&directions, Family::products),
            apply: bind("newton_apply"),
            contacts: collision.map(|collision| {
                let others = [&collision.bindings(), &bindings[..]].concat();
                ["newton_contacts", "newton_coupling"]
                    .map(|name| arrays.bind(&arrays.kernel(name), &others))
            }),
            poses: collision.filter(|_| arrays.model.content.poses).map(|collision| {
                let others = [&collision.bindings(), &bindings[..]].concat();
                let bind = |name: &str| arrays.bind(&arrays.kernel(name), &others);
                let at = At::state(arrays, iterate).and(&others);
                PosePasses {
                    holds: families.passes(&at, Family::pose_holds),
                    products: families.passes(&at, Family::pose_products),
                    test: bind("newton_pose_test"),
                    residual: bind("newton_pose_residual"),
                    factor: bind("newton_pose_factor"),
                    apply: bind("newton_pose_apply"),
                    update: bind("newton_pose_update"),
                    moves: bind("newton_pose_move"),
                }
            }),
            update: bind("newton_update"),
            moves: bind("newton_move"),
            pushes: arrays.keep_pushes().then(|| bind("newton_pushes")),
            sum: bind("newton_sum"),
            control: bind("newton_control"),
        }
    }
}

impl NewtonSolver {
    /// Binds the passes. `collision`: where bodies can touch.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        world: &WorldSettings,
        collision: Option<&Collision>,
        arrays: &Arrays<'_>,
    ) -> Result<Self> {
        let gates = Gates::new(arrays.context)?;
        let own = Own::new(arrays)?;
        let passes = [0, 1].map(|from| Round::new(arrays, &own, &gates, collision, from));
        let tolerance = world.tolerance.unwrap_or(TOLERANCE);
        Ok(Self {
            step: ImplicitStep::new(arrays, collision, false)?,
            flow: [0, 1].map(|from| {
                let at = At::state(arrays, &arrays.state.particles[from]);
                arrays.elements.flow(&at)
            }),
            passes,
            gates,
            settings: (world.iterations.unwrap_or(ITERATIONS), tolerance),
            chunks: unknowns(arrays.state).div_ceil(CHUNK as usize),
            rounds: ROUNDS,
            solve: [Solve::default(); 2],
            _arrays: own,
        })
    }

    /// Adds the chunks' sums up and decides.
    fn decide(&self, recorder: &mut Recorder<'_>, passes: &Round, gate: u32, slot: usize) {
        recorder.through(&self.gates, gate, |recorder| {
            recorder.dispatch(&passes.sum, self.chunks * WORKGROUP as usize, slot);
        });
        recorder.dispatch(&passes.control, CONTROL, slot);
    }

    /// One round: forces and how far the last change went; contacts and the residual; the matrix; some iterations of
    /// conjugate gradients; the move. Those whose turn it is not stay closed.
    fn round(
        &self,
        recorder: &mut Recorder<'_>,
        (state, from): (&State, usize),
        slot: usize,
        first: bool,
        contacts: Option<&Collision>,
    ) {
        let (passes, gates, count) = (&self.passes[from], &self.gates, state.present().len());
        let recorded = contacts.filter(|contacts| contacts.is_recorded());
        // Without contacts with particles what poses do is known.
        let poses = passes.poses.as_ref().filter(|_| recorded.is_some());
        let each_pose = |recorder: &mut Recorder<'_>, pass: fn(&PosePasses) -> &Bound, slot| {
            if let Some(poses) = poses {
                recorder.dispatch(pass(poses), state.poses.len(), slot);
            }
        };
        recorder.through(gates, GATE_TEST, |recorder| {
            passes.forces.record(recorder, slot + SLOT_TEST);
        });
        let of_contacts = if first { SLOT_FIRST } else { SLOT_TEST };
        let hold = |recorder: &mut Recorder<'_>, slot: usize| {
            self.step.press(recorder, state, slot, contacts);
            if let Some(poses) = poses {
                poses.holds.record(recorder, slot);
            }
        };
        recorder.through(gates, GATE_TEST, |recorder| {
            hold(recorder, slot + of_contacts);
            recorder.dispatch(&passes.test, count, slot + SLOT_TEST);
            each_pose(recorder, |poses| &poses.test, slot + SLOT_TEST);
        });
        self.decide(recorder, passes, GATE_TEST, slot + SLOT_TEST);
        for (gate, place) in [(GATE_OPEN, SLOT_OPEN), (GATE_FOLLOW, SLOT_FOLLOWED)] {
            if gate == GATE_FOLLOW && !self.step.touches() {
                break;
            }
            recorder.through(gates, gate, |recorder| {
                if gate == GATE_FOLLOW {
                    hold(recorder, slot + place);
                }
                recorder.dispatch(&passes.residual, count, slot + place);
                each_pose(recorder, |poses| &poses.residual, slot + place);
            });
            self.decide(recorder, passes, gate, slot + place);
        }
        recorder.through(gates, GATE_LINEAR, |recorder| {
            passes.tangents.record(recorder, slot + SLOT_OPEN);
            recorder.dispatch(&passes.block, count, slot + SLOT_OPEN);
            passes.blocks.record(recorder, slot + SLOT_OPEN);
            recorder.dispatch(&passes.factor, count, slot + SLOT_OPEN);
            each_pose(recorder, |poses| &poses.factor, slot + SLOT_OPEN);
        });
        let slot = slot + SLOT_CHANGE;
        for _ in 0..CONJUGATE {
            recorder.through(gates, GATE_CONJUGATE, |recorder| {
                passes.products.record(recorder, slot);
                recorder.dispatch(&passes.apply, count, slot);
                if let (Some([follow, couple]), Some(contacts)) = (&passes.contacts, recorded) {
                    recorder.dispatch(follow, contacts.capacity().records, slot);
                    recorder.dispatch(couple, count, slot);
                }
                each_pose(recorder, |poses| &poses.apply, slot);
                if let Some(poses) = poses {
                    poses.products.record(recorder, slot);
                }
            });
            self.decide(recorder, passes, GATE_CONJUGATE, slot);
            recorder.through(gates, GATE_CONJUGATE, |recorder| {
                recorder.dispatch(&passes.update, count, slot);
                each_pose(recorder, |poses| &poses.update, slot);
            });
        }
        recorder.through(gates, GATE_MOVE, |recorder| {
            recorder.dispatch(&passes.moves, count, slot);
            each_pose(recorder, |poses| &poses.moves, slot);
        });
    }
}

impl Advance for NewtonSolver {
    fn solves_contacts(&self) -> bool {
        true
    }

    fn go_on(&mut self, solve: [Solve; 2], rounds: usize) {
        (self.solve, self.rounds) = (solve, rounds);
    }

    fn rounds(&self) -> usize {
        self.rounds
    }

    fn slots(&self) -> usize {
        SLOTS
    }

    fn fill(&self, sim: Sim) -> Vec<Sim> {
        let sim = Sim {
            implicit: IMPLICIT_STEP,
            iterations: self.settings.0,
            tolerance: self.settings.1 as f32,
            ..sim
        };
        let at = |stage| Sim { stage, ..sim };
        vec![
            Sim { first_stage: 1, flow: 1, ..at(NEWTON_END) },
            Sim { first_stage: 2, ..at(NEWTON_TEST) },
            Sim { first_stage: u32::from(self.step.touches()), ..at(NEWTON_OPEN) },
            Sim { implicit: IMPLICIT_CHANGE, ..at(NEWTON_CONJUGATE) },
            at(NEWTON_FOLLOWED),
            guess(sim),
        ]
    }

    fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        self.step.start(recorder, state, part);
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        self.flow[state.current].record(recorder, slot + SLOT_FIRST);
        let from = self.step.begin(recorder, state, slot + SLOT_GUESS);
        for round in 0..self.rounds {
            self.round(recorder, (state, from), slot, round == 0, contacts);
        }
        let passes = &self.passes[from];
        recorder.dispatch(&passes.control, CONTROL, slot + SLOT_FIRST);
        if let Some(pushes) = &passes.pushes {
            recorder.dispatch(pushes, state.present().len(), slot);
        }
        self.step.end(recorder, state, slot, contacts);
        self.gates.upload(recorder.context(), GATE_TEST);
    }

    fn work(&self) -> usize {
        self.rounds * (CONJUGATE + 2) * 6
    }

    fn is_short(&mut self, told: &Telemetry) -> bool {
        let short = told.word(NEWTON_SHORT) > 0;
        if short {
            self.rounds *= 2;
        }
        short
    }

    fn count(&mut self, told: &Telemetry, steps: u64) {
        let last = Solve::new(told, steps, self.settings.1);
        self.solve = [last, self.solve[1].with(&last)];
        // One more than the steps took, so that few are repeated.
        let needed = told.word(NEWTON_ROUNDS) as usize;
        self.rounds = (needed + 1).max(self.rounds.min(2 * needed)).max(2);
    }

    fn solve(&self) -> Option<[Solve; 2]> {
        Some(self.solve)
    }
}
