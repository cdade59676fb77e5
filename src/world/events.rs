//! Contacts of bodies with each other and with solids in each call of `step`.

use std::collections::VecDeque;

use super::World;
use super::touch::{Partner, Touch, pairs};
use crate::collide::{TouchLists, TouchPasses, Touches, push_room};
use crate::gpu::{Buffer, Context, Pending, Recorder};
use crate::model::Saved;
use crate::{Error, Result};

/// Sums that can be asked for: each takes 64 bytes of every submission's report.
const MOST: usize = 1 << 20;
/// Calls whose events are kept until they are asked for, of at most [`MOST`] touches in all.
const KEPT: usize = 64;

/// Contacts of one call of [`World::step`], [`World::step_ticks`] or [`World::step_frame`]. Bodies have the numbers that they had
/// then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactEvents {
    /// Steps since the scene's start, at the call's end.
    pub steps: u64,
    /// Time since the scene's start [s], at the call's end.
    pub time: f64,
    /// Total length of its steps [s].
    pub span: f64,
    /// Pairs that touched, in ascending order of the bodies, then of their partners, bodies before solids.
    pub touching: Vec<Touch>,
    /// Pairs that touched in the previous call but no longer, in the same order; none of a body that was removed since.
    pub ended: Vec<(usize, Partner)>,
    /// Number of entries dropped: beyond the requested room, of bodies with more than 32 partners, and from earlier calls that
    /// were not collected in time.
    pub dropped: u64,
}

/// What a world keeps of its contact events.
#[derive(Debug)]
pub(super) struct Events {
    most: usize,
    lists: TouchLists,
    /// The lists at the start of the last submission.
    saved: Saved,
    passes: TouchPasses,
    /// Those of the call whose submission is under way, up to that one's end.
    pending: Option<Pending<Touches>>,
    /// Of the call whose submissions are under way, as far as they have ended.
    open: Option<ContactEvents>,
    /// Who touched what in the last call that has ended, in ascending order.
    touched: Vec<(usize, Partner)>,
    /// Of calls that have ended, until they are asked for, the oldest first.
    untold: VecDeque<ContactEvents>,
}

impl World {
    /// From now on records which bodies touch each other and the solids, with room for `most` entries: what one body's points,
    /// edges or spheres did to another, two for most pairs, or of what a solid did to a body, one; 0 (the default) records
    /// nothing and costs nothing. Recording does not change results. Self-contact is not recorded, and neither are contacts of
    /// pinned points and [sleeping](Self::sleep) bodies with solids, as nothing pushes them. Implicit integrators find impulses
    /// by iteration: if Newton's method falls short of the solution ([`Self::solve`]), as in a step with an impact, momentum
    /// changes by other amounts than recorded. Waits for the last submission.
    ///
    /// # Errors
    /// An adaptive step; no memory, or an array too large for one buffer of the device (2 KiB per body, 80 bytes more per
    /// particle where there are solids); a lost device. Nothing has changed then.
    pub fn set_contact_events(&mut self, most: usize) -> Result<()> {
        if most > MOST {
            return Err(Error::value("contact events", most, format!("at most {MOST}")));
        }
        if most > 0 && self.adaptive.is_some() {
            let want = "no contact events with `step = \"adaptive\"`, as its steps may be repeated";
            return Err(Error::value("contact events", most, want));
        }
        // What is under way may have to be repeated as it was.
        self.wait_submission()?;
        let mut events = None;
        if most > 0 {
            self.make_room_for_pushes()?;
            let lists = TouchLists::new(&self.context, self.model.bodies.len())?;
            events = Some(Events {
                most,
                passes: self.touch_passes(&lists, most)?,
                saved: Saved::room(&self.context, "saved", &lists.evolving())?,
                lists,
                pending: None,
                open: None,
                touched: Vec::new(),
                untold: VecDeque::new(),
            });
        }
        self.common.events = u32::from(events.is_some());
        self.events = events;
        Ok(())
    }

    /// Lets `status` have the room that solids' pushes take, where there are solids.
    fn make_room_for_pushes(&mut self) -> Result<()> {
        let (context, words) = (&self.context, self.device.status.len());
        let room = push_room(self.model.positions.len());
        if !self.device.buffers.content.solids || self.arrays().keep_pushes() {
            return Ok(());
        }
        let status = Buffer::with_room(context, "status", words, room)?;
        status.write(context, 0, &self.device.status.read(context)?);
        self.device.status = status;
        let arrays = self.device.arrays(&self.context);
        self.stepper.bind_status(&self.scene.world, &arrays)?;
        self.bind_motions()
    }

    fn touch_passes(&self, lists: &TouchLists, most: usize) -> Result<TouchPasses> {
        let contacts = self.stepper.collision();
        TouchPasses::new(&self.arrays(), &self.model, contacts, lists, most)
    }

    /// The contact events of all calls of [`Self::step`] and its like that have finished since the last query, oldest first,
    /// without waiting (in a loop that steps and queries, usually those of the previous call). Empty if none has finished or if
    /// events are off ([`Self::set_contact_events`]). Up to 64 calls are kept.
    ///
    /// # Errors
    /// As [`Self::wait`]; events before the fault are kept.
    pub fn contact_events(&mut self) -> Result<Vec<ContactEvents>> {
        self.report()?;
        let ended = !self.readback.is_pending();
        let untold = self.events.as_mut().map(|events| {
            if ended {
                events.close();
            }
            events.untold.drain(..)
        });
        Ok(untold.into_iter().flatten().collect())
    }

    /// Binds the passes to the contacts' arrays, which may be others than before.
    pub(super) fn bind_events(&mut self) -> Result<()> {
        let Some(events) = &self.events else {
            return Ok(());
        };
        let passes = self.touch_passes(&events.lists, events.most)?;
        if let Some(events) = &mut self.events {
            events.passes = passes;
        }
        Ok(())
    }

    /// What a world that takes this one's place learns from then on.
    pub(super) fn hand_events_over(&mut self, next: &mut Self) -> Result<()> {
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        events.close();
        next.set_contact_events(events.most)?;
        if let Some(next) = &mut next.events {
            next.touched.clone_from(&events.touched);
            next.untold.clone_from(&events.untold);
        }
        Ok(())
    }

    /// Takes what a submission that went well has learnt, together with those before it in its call.
    pub(super) fn take_events(&mut self) -> Result<()> {
        let (steps, time) = (self.steps(), self.time());
        let span = (self.progress.ticks - self.call.ticks) as f64 * self.clock.tick;
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        let touches = match events.pending.take() {
            // Its submission has ended, and so it is there; were it not, waiting would be right.
            Some(mut pending) => match pending.poll()? {
                Some(touches) => touches,
                None => pending.wait()?,
            },
            None => Touches::default(),
        };
        let touching = pairs(&touches.sums, &events.touched);
        let now: Vec<_> = touching.iter().map(Touch::pair).collect();
        let gone = |pair: &&(usize, Partner)| now.binary_search(pair).is_err();
        events.open = Some(ContactEvents {
            steps,
            time,
            span,
            ended: events.touched.iter().filter(gone).copied().collect(),
            touching,
            dropped: touches.dropped,
        });
        Ok(())
    }
}

impl Events {
    /// The passes, where there is anything to learn. `recorded`: whether contacts of bodies are.
    pub fn passes(&self, recorded: bool) -> Option<&TouchPasses> {
        Some(&self.passes).filter(|passes| passes.learn(recorded))
    }

    /// Records what ends a submission. `recorded`: whether contacts are.
    pub fn end(&mut self, recorder: &mut Recorder<'_>, recorded: bool) {
        let passes = self.passes(recorded);
        self.pending = passes.map(|passes| passes.end(recorder, &self.lists));
    }

    /// A call begins; nothing is under way.
    pub fn begin(&mut self, context: &Context) {
        self.close();
        self.lists.clear(context);
    }

    /// The call has ended.
    fn close(&mut self) {
        if let Some(events) = self.open.take() {
            self.touched = events.touching.iter().map(Touch::pair).collect();
            self.keep(events);
        }
    }

    /// What is known of the call that is under way.
    pub fn open(&self) -> Option<ContactEvents> {
        self.open.clone()
    }

    /// Goes back to what was known of the call that is under way.
    pub fn reopen(&mut self, open: Option<ContactEvents>) {
        self.open = open;
    }

    /// Records a copy of the lists.
    pub fn save(&self, recorder: &mut Recorder<'_>) {
        self.saved.keep(recorder, &self.lists.evolving());
    }

    /// Records the return to that copy.
    pub fn put_back(&self, recorder: &mut Recorder<'_>) {
        self.saved.put_back(recorder, &self.lists.evolving());
    }

    /// Forgets what has been learnt: the state is another one.
    pub fn forget(&mut self) {
        self.pending = None;
        self.open = None;
        self.touched.clear();
        self.untold.clear();
    }

    /// Forgets who touched a body: it is gone.
    pub fn forget_body(&mut self, body: usize) {
        self.close();
        let others = |pair: &(usize, Partner)| pair.0 != body && pair.1 != Partner::Body(body);
        self.touched.retain(others);
    }

    /// Keeps events until they are asked for, and gives up the oldest where they become too many.
    fn keep(&mut self, events: ContactEvents) {
        self.untold.push_back(events);
        let touches = |untold: &VecDeque<ContactEvents>| {
            let counts = untold.iter().map(|events| events.touching.len());
            counts.sum::<usize>()
        };
        while self.untold.len() > KEPT || (self.untold.len() > 1 && touches(&self.untold) > MOST) {
            let oldest = self.untold.pop_front();
            if let (Some(lost), Some(next)) = (oldest, self.untold.front_mut()) {
                next.dropped += lost.dropped + lost.touching.len() as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use crate::collide::Capacity;
    use crate::scene::{Body, Mass, Scene, Springs};

    /// Submissions that found too little room for contacts are repeated: events are those of the repetition, and a reading of
    /// what was taken back says so.
    #[test]
    fn a_repeated_submission_is_heard_of_once() {
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.06), ("high", 0.18)] {
            let mut body = Body::lattice(name, [16, 1, 16], [1.6, 0.1, 1.6]);
            body.position = [0.0, height, 0.0];
            body.mass = Mass::Density(1000.0);
            body.kind = Springs::Constants { distance: 20.0, volume: 10.0, damping: 1.0 }.into();
            scene.bodies.push(body);
        }
        scene.world.floor = Some(0.0);
        let context = Context::new().unwrap();
        let run = |records: Option<usize>| {
            let mut world = World::new(&context, &scene).unwrap();
            world.set_contact_events(64).unwrap();
            if let Some(records) = records {
                world.set_capacity(Capacity::with(records, 16)).unwrap();
            }
            let (mut seen, mut undone) = (Vec::new(), 0);
            for _ in 0..6 {
                let repeats = world.contacts().repeats;
                world.step_frame().unwrap();
                // Before its report is heard of.
                let particles = 0..world.particles().len();
                let reading = world.reading(particles, None);
                world.wait().unwrap();
                let reading = reading.wait().unwrap();
                assert_eq!(reading.undone, world.contacts().repeats > repeats);
                undone += usize::from(reading.undone);
                let now = world.start_reading(0..world.particles().len()).unwrap();
                let now = now.wait().unwrap();
                assert!(!now.undone && (now == reading || reading.undone));
                seen.extend(world.contact_events().unwrap());
            }
            (seen, undone, world.state_hash().unwrap())
        };
        let ((short, undone, hash), (roomy, none, same)) = (run(None), run(Some(8192)));
        assert!(undone > none, "{undone} and {none}");
        assert_eq!(hash, same);
        assert_eq!(short, roomy);
        assert!(roomy.iter().any(|events| events.touching.len() == 1));
    }
}
