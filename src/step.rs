//! One substep, as an ordered list of passes.
//!
//! It knows the order of the passes; it must not know what they compute.

use crate::Result;
use crate::body::damping::DampingSweeps;
use crate::body::stiffness::{Counts, RENEWAL, StiffnessProbe};
use crate::collide::{Capacity, Collision};
use crate::family::attachment::Ties;
use crate::gpu::types::Sim;
use crate::gpu::{Buffer, Recorder, Telemetry};
use crate::integrate::moved::Moved;
use crate::integrate::part::Part;
use crate::integrate::{self, Advance, Arrays, PosePasses};
use crate::model::State;
use crate::report::Solve;
use crate::scene::WorldSettings;

/// Steps from one to the next after which what has come to rest falls asleep.
const SETTLING: u64 = 16;

/// The passes of a substep, bound to a world's arrays.
#[derive(Debug)]
pub struct Stepper {
    probe: Option<StiffnessProbe>,
    collision: Option<Collision>,
    sweeps: Option<DampingSweeps>,
    integrator: Box<dyn Advance>,
    poses: Option<PosePasses>,
    /// Whether there are bodies that deform.
    deforms: bool,
    moved: Option<Moved>,
    counts: Counts,
}

impl Stepper {
    /// Binds the passes. `deforms`: whether any body does; `probe` where the bodies' stiffness is followed, `damping_stages` > 1 where damping takes sweeps,
    /// `collision` where bodies can touch.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        world: &WorldSettings,
        deforms: bool,
        damping_stages: u32,
        probe: Option<StiffnessProbe>,
        collision: Option<Collision>,
        counts: Counts,
        arrays: &Arrays<'_>,
    ) -> Result<Self> {
        let sweeps = if damping_stages > 1 {
            Some(DampingSweeps::new(arrays, damping_stages)?)
        } else {
            None
        };
        let integrator = integrate::passes(world, collision.as_ref(), arrays)?;
        let poses = PosePasses::new(arrays);
        Ok(Self { probe, collision, sweeps, integrator, poses, deforms, moved: None, counts })
    }

    /// Uniform slots that one substep takes.
    pub fn slots(&self) -> usize {
        let sweeps = self.sweeps.as_ref().map_or(0, |_| DampingSweeps::SLOTS);
        sweeps + self.integrator.slots()
    }

    /// The uniforms of one substep, from what they have in common.
    pub fn fill(&self, sim: Sim) -> Vec<Sim> {
        let touched = self.responding().is_some();
        let poses = if touched { sim.pose_count } else { 0 };
        let unknown_count = sim.particle_count + 2 * poses;
        // What ties do to poses is either before the step or in it.
        let solved = self.deforms && self.integrator.solves_contacts();
        let kick = if solved { 0.0 } else { sim.step };
        let sim = Sim { unknown_count, kick, ..sim };
        let sweeps = self.sweeps.iter().flat_map(|_| DampingSweeps::fill(sim));
        sweeps.chain(self.integrator.fill(sim)).collect()
    }

    /// The passes of what the caller moves, from now on.
    pub fn set_moved(&mut self, moved: Option<Moved>) {
        self.moved = moved;
    }

    /// Binds the integrator's passes anew.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn bind_again(&mut self, world: &WorldSettings, arrays: &Arrays<'_>) -> Result<()> {
        let (solve, rounds) = (self.integrator.solve(), self.integrator.rounds());
        if let Some(collision) = &mut self.collision {
            let ties = arrays.elements.ties.as_ref();
            collision.set_ties(self.deforms && ties.is_some_and(Ties::are_felt_by_poses));
        }
        self.integrator = integrate::passes(world, self.collision.as_ref(), arrays)?;
        self.poses = PosePasses::new(arrays);
        self.go_on(solve, rounds);
        Ok(())
    }

    /// Counts on from there.
    pub fn count_from(&mut self, solve: Option<[Solve; 2]>) {
        self.go_on(solve, self.integrator.rounds());
    }

    fn go_on(&mut self, solve: Option<[Solve; 2]>, rounds: usize) {
        if let Some(solve) = solve {
            self.integrator.go_on(solve, rounds);
        }
    }

    /// Binds what reads or writes `status` anew, which is another array; but for the passes of [`Self::set_moved`].
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn bind_status(&mut self, world: &WorldSettings, arrays: &Arrays<'_>) -> Result<()> {
        if self.probe.is_some() {
            let partials = Buffer::zeroed(arrays.context, "partials", self.counts.chunks)?;
            self.probe = Some(StiffnessProbe::new(arrays, &partials));
        }
        if let Some(collision) = &mut self.collision {
            collision.bind_again(arrays)?;
        }
        self.bind_again(world, arrays)
    }

    /// Whether there are bodies that deform.
    pub fn deforms(&self) -> bool {
        self.deforms
    }

    /// See [`Self::set_moved`].
    pub fn moved(&self) -> Option<&Moved> {
        self.moved.as_ref()
    }

    /// Turns the velocities of a part at the scene's start into those that the integrator keeps.
    pub fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        if let Some(poses) = &self.poses {
            poses.pulls(recorder, state, part);
        }
        self.integrator.start(recorder, state, part);
    }

    /// The uniform with which [`Self::change`] makes what is kept of steps of `old` [s] that of steps of `sim`'s.
    pub fn fill_change(&self, sim: Sim, old: f32) -> Sim {
        let turn = self.integrator.turn(old, sim.step);
        Sim {
            damping_stages: 1,
            stage_step: turn.unwrap_or(0.0),
            // What pulls at poses is as far ahead of their velocities as of those of particles.
            kick: turn.map_or(0.0, |_| 0.5 * (old - sim.step)),
            step_ratio: sim.step / old,
            ..sim
        }
    }

    /// Records a change of the step's length: of velocities kept at half steps, and of the impulses of contacts.
    pub fn change(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) {
        if self.integrator.turn(1.0, 1.0).is_some() {
            // By the velocities before either changes.
            self.pull(recorder, state, slot);
            self.integrator.start(recorder, state, &Part::all(slot));
        }
        if let Some(collision) = &self.collision {
            collision.rescale(recorder, state, slot);
        }
    }

    /// Records what families do to the velocities of poses in `sim.kick`.
    pub fn pull(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let Some(poses) = &self.poses {
            poses.pull(recorder, state, slot);
        }
    }

    /// Contacts whose impulses follow the integrator: not of particles alone in a step that is solved.
    fn responding(&self) -> Option<&Collision> {
        let follows = !self.integrator.solves_contacts() || self.poses.is_some();
        self.collision.as_ref().filter(|contacts| follows && contacts.responds())
    }

    /// Substep `index` since the world was made, its uniforms in the slots from `slot` on.
    pub fn substep(&self, recorder: &mut Recorder<'_>, state: &mut State, index: u64, slot: usize) {
        let mut slot = slot;
        if let Some(moved) = &self.moved {
            moved.solids(recorder, slot);
        }
        if let Some(poses) = &self.poses {
            poses.obstacles(recorder, slot);
        }
        if let Some(collision) = &self.collision {
            collision.detect(recorder, state, slot);
        }
        if let Some(sweeps) = &self.sweeps {
            sweeps.sweep(recorder, state, slot);
            slot += DampingSweeps::SLOTS;
        }
        let contacts = self.collision.as_ref();
        let moved = self.moved.as_ref();
        let solved = self.integrator.solves_contacts();
        // A step that is solved is so with its pins where they end.
        if let Some(moved) = moved.filter(|_| solved) {
            moved.pins(recorder, state, slot);
        }
        let acting = contacts.filter(|contacts| solved || contacts.responds());
        if let Some(poses) = &self.poses {
            poses.kick(recorder, state, slot);
            if let Some(contacts) = acting {
                contacts.disturb(recorder, state, slot);
            }
            if contacts.is_none_or(|contacts| contacts.capacity().wake.are_recorded()) {
                poses.wake(recorder, state, slot);
            }
        }
        let responding = self.responding();
        if let Some(contacts) = responding {
            contacts.begin(recorder, state, slot);
        }
        if self.deforms {
            self.integrator.advance(recorder, state, slot, acting);
        }
        if let Some(moved) = moved.filter(|_| !solved) {
            moved.pins(recorder, state, slot);
        }
        if let Some(contacts) = responding {
            contacts.respond(recorder, state, slot);
            if self.deforms {
                self.integrator.finish(recorder, state, slot);
            }
        }
        if let Some(poses) = &self.poses {
            poses.moves(recorder, state, slot);
            if let Some(contacts) = acting {
                contacts.relax(recorder, state, slot);
                if (index + 1).is_multiple_of(SETTLING) {
                    contacts.settle(recorder, state, slot);
                }
            }
            if self.follows(poses) {
                poses.carry(recorder, state, slot);
            }
        }
        if let Some(contacts) = contacts {
            contacts.watch(recorder, state, slot);
        }
    }

    /// Whether steps read the particles that poses carry: what deforms touches these, and ties end there.
    fn follows(&self, poses: &PosePasses) -> bool {
        self.deforms || poses.tied
    }

    /// What is needed of the last step of a submission alone, which had this slot: where poses carry particles, and what contacts
    /// are told by.
    pub fn end(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        self.tell(recorder, slot);
        if let Some(poses) = self.poses.as_ref().filter(|poses| !self.follows(poses)) {
            poses.carry(recorder, state, slot);
        }
    }

    /// Records what contacts are told by, behind the step of this slot.
    pub fn tell(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let Some(contacts) = self.responding().filter(|_| self.poses.is_some()) {
            contacts.total(recorder, slot);
        }
    }

    /// See [`Advance::work`].
    pub fn work(&self) -> usize {
        self.integrator.work()
    }

    /// See [`Advance::is_short`].
    pub fn is_short(&mut self, told: &Telemetry) -> bool {
        self.integrator.is_short(told)
    }

    /// See [`Advance::count`].
    pub fn count(&mut self, told: &Telemetry, steps: u64) {
        self.integrator.count(told, steps);
    }

    /// See [`Advance::solve`].
    pub fn solve(&self) -> Option<[Solve; 2]> {
        self.integrator.solve()
    }

    /// Contact between bodies, where there can be any.
    pub fn collision(&self) -> Option<&Collision> {
        self.collision.as_ref()
    }

    /// See [`Self::collision`].
    pub fn collision_mut(&mut self) -> Option<&mut Collision> {
        self.collision.as_mut()
    }

    /// Records with other room for contacts from here on; whether that is more or less than before.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn set_capacity(
        &mut self,
        world: &WorldSettings,
        arrays: &Arrays<'_>,
        capacity: Capacity,
    ) -> Result<bool> {
        let Some(collision) = &mut self.collision else {
            return Ok(false);
        };
        let grows = capacity.records != collision.capacity().records;
        collision.set_capacity(arrays, capacity)?;
        if grows {
            self.bind_again(world, arrays)?;
        }
        Ok(grows)
    }

    /// What follows the bodies' deformation between substeps, before step `index`.
    pub fn renew(&self, recorder: &mut Recorder<'_>, state: &State, index: u64, slot: usize) {
        if let (Some(probe), 0) = (&self.probe, index % RENEWAL) {
            probe.renew(recorder, state, &self.counts, slot);
        }
    }
}
