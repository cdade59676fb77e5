//! What bodies that touch do to each other, submission by submission.

use glam::Vec3;

use super::World;
use crate::collide::{TouchPasses, Touches};
use crate::gpu::types::TouchSum;
use crate::gpu::{Pending, Recorder};
use crate::{Error, Result};

/// Sums that can be asked for: each takes 64 bytes of every submission's report.
const MOST: usize = 1 << 20;

/// Two bodies that touched in a submission: contacts of points, sharp edges and spheres of the one with the other, both ways,
/// that pushed or were inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The two, in ascending order.
    pub bodies: [usize; 2],
    /// Whether they did not touch in the submission before.
    pub begins: bool,
    /// Where the deepest contact was, at the end of its step [m].
    pub position: Vec3,
    /// Its unit normal: the way in which the first body is pushed.
    pub normal: Vec3,
    /// How deep it was inside [m]; 0 where it only touched.
    pub depth: f32,
    /// Sum of the impulses on the first body over the submission's steps [N s], friction included; the second body has the
    /// opposite. Over [`ContactEvents::span`] it is the mean force.
    pub impulse: Vec3,
    /// How hard: the sum of the magnitudes of the normal parts [N s].
    pub normal_impulse: f32,
    /// Contacts, summed over the steps.
    pub contacts: u32,
    /// Steps of the submission in which they touched; each side of the pair counts for itself, and this is the larger.
    pub steps: u32,
}

/// Who touched whom in a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactEvents {
    /// Steps since the scene's start, at the submission's end.
    pub steps: u64,
    /// Time since the scene's start [s], at the submission's end.
    pub time: f64,
    /// Length of the submission [s].
    pub span: f64,
    /// The pairs that touched, in ascending order.
    pub touching: Vec<Touch>,
    /// The pairs that touched in the submission before, and no more, in ascending order.
    pub ended: Vec<[usize; 2]>,
    /// What there was no room for: sums beyond the room that was asked for, and contacts of bodies with more than 32 others.
    pub dropped: u64,
}

/// What a world keeps of its contact events.
#[derive(Debug)]
pub(super) struct Events {
    most: usize,
    /// None where nothing can touch.
    passes: Option<TouchPasses>,
    /// Those of the submission under way.
    pending: Option<Pending<Touches>>,
    last: ContactEvents,
}

impl World {
    /// Learns from now on which bodies touch each other, with room for `most` sums of what one body's points, edges or
    /// spheres did to another, two for most pairs; 0 (as worlds begin) learns nothing and costs nothing. What is learnt
    /// changes no result. A body's contacts with itself and with solids are no events. Waits for the last submission.
    ///
    /// # Errors
    /// An adaptive step; no memory; a lost device.
    pub fn set_contact_events(&mut self, most: usize) -> Result<()> {
        if most > MOST {
            return Err(Error::value(
                "contact events",
                most,
                format!("at most {MOST}"),
            ));
        }
        if most > 0 && self.adaptive.is_some() {
            let want = "none with `step = \"adaptive\"`, whose steps are tried several times";
            return Err(Error::value("contact events", most, want));
        }
        // What is under way may have to be repeated as it was.
        self.settle()?;
        self.events = (most > 0).then(|| Events {
            most,
            passes: None,
            pending: None,
            last: ContactEvents::default(),
        });
        let bound = self.bind_events();
        if bound.is_err() {
            self.events = None;
        }
        bound
    }

    /// Who touched whom in the last submission that has ended, without waiting; none before the first, and none that
    /// [`Self::set_contact_events`] has not asked for. [`Self::step`] makes a submission, or several of long runs of
    /// steps; [`Self::step_frame`] one for most scenes.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn contact_events(&mut self) -> Result<Option<&ContactEvents>> {
        self.report()?;
        let last = self.events.as_ref().map(|events| &events.last);
        Ok(last.filter(|last| last.span > 0.0))
    }

    /// Binds the passes to the contacts' arrays, which may be others than before.
    pub(super) fn bind_events(&mut self) -> Result<()> {
        let Some(most) = self.events.as_ref().map(|events| events.most) else {
            return Ok(());
        };
        let passes = match self.stepper.collision() {
            Some(collision) => {
                let arrays = self.arrays();
                Some(TouchPasses::new(&arrays, &self.model, collision, most)?)
            }
            None => None,
        };
        if let Some(events) = &mut self.events {
            events.passes = passes;
        }
        Ok(())
    }

    /// What a world that takes this one's place learns from then on.
    pub(super) fn hand_events_over(&self, next: &mut Self) -> Result<()> {
        let Some(events) = &self.events else {
            return Ok(());
        };
        next.set_contact_events(events.most)?;
        if let Some(next) = &mut next.events {
            next.last = events.last.clone();
        }
        Ok(())
    }

    /// Takes what a submission of so many steps that went well has learnt.
    pub(super) fn take_events(&mut self, steps: u64) -> Result<()> {
        let (now, time, step) = (self.steps(), self.time(), self.stepping.step);
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
        let before: Vec<_> = events
            .last
            .touching
            .iter()
            .map(|touch| touch.bodies)
            .collect();
        let touching = pairs(&touches.sums, &before);
        let gone = |pair: &[usize; 2]| {
            let found = touching.binary_search_by_key(pair, |touch: &Touch| touch.bodies);
            found.is_err()
        };
        events.last = ContactEvents {
            steps: now,
            time,
            span: steps as f64 * step,
            ended: before.iter().copied().filter(gone).collect(),
            touching,
            dropped: touches.dropped,
        };
        Ok(())
    }
}

impl Events {
    /// The passes, where contacts are recorded at all.
    pub fn passes(&self, recorded: bool) -> Option<&TouchPasses> {
        self.passes.as_ref().filter(|_| recorded)
    }

    /// Records what ends a submission. `recorded`: whether contacts are.
    pub fn end(&mut self, recorder: &mut Recorder<'_>, recorded: bool) {
        self.pending = self.passes(recorded).map(|passes| passes.end(recorder));
    }

    /// Forgets what has been learnt: the state is another one.
    pub fn forget(&mut self) {
        self.pending = None;
        self.last = ContactEvents::default();
    }
}

/// What both sides of each pair add up to; `before`: the pairs of the submission before, in ascending order.
fn pairs(sums: &[TouchSum], before: &[[usize; 2]]) -> Vec<Touch> {
    let mut touching: Vec<Touch> = Vec::new();
    let mut own: Vec<_> = sums.iter().collect();
    own.sort_by_key(|sum| (sum.body.min(sum.other), sum.body.max(sum.other), sum.body));
    for sum in own {
        let (first, second) = (sum.body.min(sum.other), sum.body.max(sum.other));
        let bodies = [first as usize, second as usize];
        let side = if sum.body == first { 1.0 } else { -1.0 };
        let touch = Touch {
            bodies,
            begins: before.binary_search(&bodies).is_err(),
            position: sum.place,
            normal: side * sum.normal,
            depth: sum.depth.max(0.0),
            impulse: side * sum.impulse,
            normal_impulse: sum.normal_impulse,
            contacts: sum.contacts,
            steps: sum.steps,
        };
        match touching.last_mut().filter(|last| last.bodies == bodies) {
            Some(last) => {
                let deepest = if touch.depth > last.depth {
                    touch
                } else {
                    *last
                };
                *last = Touch {
                    impulse: last.impulse + touch.impulse,
                    normal_impulse: last.normal_impulse + touch.normal_impulse,
                    contacts: last.contacts + touch.contacts,
                    steps: last.steps.max(touch.steps),
                    ..deepest
                };
            }
            None => touching.push(touch),
        }
    }
    touching
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::Context;
    use crate::collide::Capacity;
    use crate::scene::{Body, Mass, Scene};

    fn sum(body: u32, other: u32, depth: f32) -> TouchSum {
        TouchSum {
            impulse: Vec3::new(1.0, depth, 0.0),
            normal_impulse: 2.0,
            place: Vec3::splat(depth),
            depth,
            normal: Vec3::Y,
            contacts: 3,
            body,
            other,
            steps: body + 1,
            last: 1,
        }
    }

    /// The second body's side is turned about; the deeper side says where.
    #[test]
    fn both_sides_make_one_touch() {
        let sums = [sum(0, 2, 0.1), sum(1, 0, -0.2), sum(2, 0, 0.3)];
        let [one, two] = pairs(&sums, &[[0, 2]])[..] else {
            panic!("two pairs");
        };
        assert_eq!((one.bodies, one.begins), ([0, 1], true));
        assert_eq!(
            (one.depth, one.normal, one.impulse),
            (0.0, -Vec3::Y, Vec3::new(-1.0, 0.2, 0.0))
        );
        assert_eq!((two.bodies, two.begins), ([0, 2], false));
        assert_eq!(
            (two.depth, two.normal, two.position),
            (0.3, -Vec3::Y, Vec3::splat(0.3))
        );
        assert!(two.impulse.distance(Vec3::new(0.0, -0.2, 0.0)) < 1e-6);
        assert_eq!((two.normal_impulse, two.contacts, two.steps), (4.0, 6, 3));
    }

    /// Submissions that found too little room for contacts are repeated: events are those of the repetition, and a reading of
    /// what was taken back says so.
    #[test]
    fn a_repeated_submission_is_heard_of_once() {
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.06), ("high", 0.18)] {
            let mut body = Body::lattice(name, [16, 1, 16], [1.6, 0.1, 1.6]);
            body.position = [0.0, height, 0.0];
            body.mass = Mass::Density(1000.0);
            scene.bodies.push(body);
        }
        scene.world.floor = Some(0.0);
        let context = Context::new().unwrap();
        let run = |records: Option<usize>| {
            let mut world = World::new(&context, &scene).unwrap();
            world.set_contact_events(64).unwrap();
            if let Some(records) = records {
                let sweeps = 16;
                let capacity = Capacity {
                    records,
                    sweeps,
                    recorded: true,
                };
                world.set_capacity(capacity).unwrap();
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
                seen.push(world.contact_events().unwrap().unwrap().clone());
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
