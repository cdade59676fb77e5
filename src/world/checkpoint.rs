//! Where a fault returns to: the start of the call of `step` that it came in, or of the last 256 steps of it, however its
//! submissions were cut.

use super::World;
use super::adaptive::StepCounts;
use super::batch::MAX_BATCH;
use super::events::ContactEvents;
use super::pace::Progress;
use crate::Result;
use crate::collide::ContactStats;
use crate::gpu::Recorder;
use crate::model::Saved;
use crate::report::Solve;

/// A state, and what had been counted until then. Submissions do not go beyond its end.
#[derive(Debug, Default)]
pub(super) struct Checkpoint {
    start: Progress,
    /// The tick at which another takes its place.
    end: u64,
    counts: StepCounts,
    contacts: ContactStats,
    solve: Option<[Solve; 2]>,
    events: Option<ContactEvents>,
    /// The state once it is `kept`, from the second submission on; before that room for it, perhaps, and the state is what
    /// [`World::saved`] has.
    state: Option<Saved>,
    kept: bool,
}

impl World {
    /// A call of `step` begins: what is under way has ended.
    pub(super) fn begin_call(&mut self) -> Result<()> {
        self.wait()?;
        self.checkpoint.end = 0;
        self.call = self.progress;
        if let Some(events) = &mut self.events {
            events.begin(&self.context);
        }
        Ok(())
    }

    /// How far submissions may go in a call that ends at the tick `end`: at most 256 steps, of the length that they had there,
    /// behind a checkpoint.
    pub(super) fn checkpoint_end(&mut self, end: u64) -> u64 {
        let start = self.progress;
        if start.ticks >= self.checkpoint.end {
            let most = MAX_BATCH as u64 * self.ticks_of(start.pace.halvings);
            self.checkpoint = Checkpoint {
                start,
                end: end.min(start.ticks.saturating_add(most)),
                counts: self.counts,
                contacts: self.contacts(),
                solve: self.stepper.solve(),
                events: self.events.as_ref().and_then(|events| events.open()),
                state: self.checkpoint.state.take(),
                kept: false,
            };
        }
        end.min(self.checkpoint.end)
    }

    /// Keeps the checkpoint's state where the copy of it is about to be overwritten, or given up for one of another size.
    pub(super) fn keep_checkpoint(&mut self, room: Saved) {
        let copy = std::mem::replace(&mut self.saved, room);
        let here = self.before.steps == self.checkpoint.start.steps;
        if here && !self.checkpoint.kept {
            self.checkpoint.state = Some(copy);
            self.checkpoint.kept = true;
        }
    }

    /// Before a submission that is not the checkpoint's first: keeps the copy of the state that the first one made.
    pub(super) fn pass_checkpoint(&mut self) -> Result<()> {
        let started = self.progress.steps > self.checkpoint.start.steps;
        if started && !self.checkpoint.kept {
            let room = self.checkpoint.state.take();
            let fits =
                room.filter(|room| room.sizes().eq(self.evolving().iter().map(|a| a.size())));
            let room = match fits {
                Some(room) => room,
                None => Saved::room(&self.context, "saved", &self.evolving())?,
            };
            self.keep_checkpoint(room);
        }
        Ok(())
    }

    /// The arrays as they were kept, with the room that they had.
    pub(super) fn return_to_state(&mut self, state: &Saved) -> Result<()> {
        let sizes: Vec<_> = state.sizes().collect();
        self.make_room(&sizes)?;
        let mut recorder = Recorder::new(&self.context);
        state.put_back(&mut recorder, &self.evolving());
        recorder.submit();
        Ok(())
    }

    /// Goes on from what had been counted of contacts.
    pub(super) fn set_contact_stats(&mut self, stats: ContactStats) {
        if let Some(collision) = self.stepper.collision_mut() {
            *collision.stats_mut() = stats;
        }
    }

    /// From the start of the last submission to the checkpoint before it. Returns the tick at which that ends.
    pub(super) fn return_to_checkpoint(&mut self) -> Result<u64> {
        let checkpoint = std::mem::take(&mut self.checkpoint);
        if let Some(state) = checkpoint.state.filter(|_| checkpoint.kept) {
            self.return_to_state(&state)?;
        }
        self.before = checkpoint.start;
        self.take_progress_back();
        self.counts = checkpoint.counts;
        self.set_contact_stats(checkpoint.contacts);
        self.stepper.count_from(checkpoint.solve);
        if let Some(events) = &mut self.events {
            events.reopen(checkpoint.events);
        }
        Ok(checkpoint.end)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::scene::{Body, Scene, Step};
    use crate::world::{ContactEvents, PointerSpring};
    use crate::{Context, Error, World};

    /// Two lattices of which the upper falls on the lower, and that on a floor.
    fn scene() -> Scene {
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.26), ("high", 0.8)] {
            let mut body = Body::lattice(name, [2; 3], [0.5; 3]);
            body.position = [0.0, height, 0.0];
            scene.bodies.push(body);
        }
        scene.world.floor = Some(0.0);
        scene
    }

    fn world(context: &Context, scene: &Scene, steps: u64) -> World {
        let mut world = World::new(context, scene).unwrap();
        world.batch.fixed = Some(steps);
        world
    }

    /// State, events and a pull after calls of very different length.
    #[test]
    fn results_do_not_depend_on_how_submissions_are_cut() {
        let context = Context::new().unwrap();
        let run = |steps| {
            let mut world = world(&context, &scene(), steps);
            world.set_contact_events(64).unwrap();
            let mut seen: Vec<ContactEvents> = Vec::new();
            for (call, count) in [40, 3, 300, 1, 70, 300].into_iter().enumerate() {
                let pull = PointerSpring {
                    particle: 30,
                    target: Vec3::new(0.3, 1.0, 0.1 * call as f32),
                    rate: 20.0,
                    damping: 1.0,
                    most: 50.0,
                };
                world.set_pointer_spring(Some(pull)).unwrap();
                world.step(count).unwrap();
                world.wait().unwrap();
                seen.extend(world.contact_events().unwrap());
            }
            (world.state_hash().unwrap(), world.time(), world.contacts().points, seen)
        };
        let whole = run(256);
        assert_eq!(whole.3.len(), 6, "an entry for each call");
        let touches: Vec<_> = whole.3.iter().map(|events| events.touching.len()).collect();
        assert!(touches.contains(&2), "{touches:?}");
        for steps in [1, 7] {
            assert_eq!(run(steps), whole, "submissions of {steps} steps");
        }
    }

    /// A fixed step that is too long once the bodies meet: the fault, the shorter step that it names and the state are the same.
    #[test]
    fn faults_do_not_depend_on_how_submissions_are_cut() {
        let context = Context::new().unwrap();
        let mut scene = scene();
        let longest = World::new(&context, &scene).unwrap().longest_step();
        scene.world.step = Step::Fixed(1.1 * longest);
        let run = |steps| {
            let mut world = world(&context, &scene, steps);
            let mut calls = 0..100;
            // Long ones: of a state that is past helping no shorter step is told.
            let fault = calls.find_map(|_| world.step(20).and_then(|()| world.wait()).err());
            let Some(Error::Fault(fault)) = fault else {
                panic!("{fault:?}");
            };
            let told = (fault.to_string(), world.steps(), world.contacts().points);
            (told, world.save_last_good().unwrap())
        };
        let (told, saved) = run(256);
        println!("{told:?}");
        assert!(told.1 > 0 && told.0.contains("works"), "{}", told.0);
        for steps in [1, 3] {
            let (own, bytes) = run(steps);
            assert_eq!(own, told, "submissions of {steps} steps");
            assert!(bytes == saved, "submissions of {steps} steps: another state");
        }
    }
}
