//! What a save says of each body.

use serde::{Deserialize, Serialize};

use super::World;
use super::rates::PowerIteration;
use crate::model::BodyRanges;
use crate::setup;

/// One body.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedBody {
    pub absent: bool,
    /// What it goes on with where it sleeps.
    asleep: Option<PowerIteration>,
    /// Whether the caller has ended the motion of its pins that the scene says.
    pub ended_pins: bool,
    /// ω² at rest [1/s²], which ties of implicit integrators are stiff by.
    square: f64,
}

impl World {
    /// All bodies as a save has them.
    pub(crate) fn saved_bodies(&self) -> Vec<SavedBody> {
        let ended_pins = self.ended_pins();
        let saved = |index: usize| SavedBody {
            absent: self.model.bodies[index].absent,
            asleep: self.slots.asleep(index).cloned(),
            ended_pins: ended_pins[index],
            square: self.slots.estimate(index).stiffness,
        };
        (0..ended_pins.len()).map(saved).collect()
    }

    /// Whether these are of this world's bodies.
    pub(crate) fn has_saved_bodies(&self, saved: &[SavedBody]) -> bool {
        let sound = |(body, saved): (&BodyRanges, &SavedBody)| {
            let asleep = saved.asleep.as_ref();
            asleep.is_none_or(|own| own.probe.len() == body.particles.len())
                && saved.square.is_finite()
                && saved.square >= 0.0
        };
        let bodies = &self.model.bodies;
        saved.len() == bodies.len() && bodies.iter().zip(saved).all(sound)
    }

    /// Lets bodies be there, absent or asleep as they were. The evolving arrays are to be replaced after it.
    pub(crate) fn set_saved_bodies(&mut self, saved: &[SavedBody]) {
        for (index, saved) in saved.iter().enumerate() {
            let body = &mut self.model.bodies[index];
            let before = (body.absent, body.asleep);
            (body.absent, body.asleep) = (saved.absent, saved.asleep.is_some());
            let now = (body.absent, body.asleep);
            if now.0 && !before.0 {
                self.slots.take(index);
            } else if before.0 && !now.0 {
                self.slots.give(index);
            }
            self.slots.set_asleep(index, saved.asleep.clone());
            self.slots.set_square(index, saved.square);
            let start_rate = setup::stiffness_rate(&self.slots.estimate(index));
            self.model.bodies[index].start_rate = start_rate;
            let (context, model) = (&self.context, &self.model);
            let material = setup::body(&self.scene, model, index);
            let buffers = &self.device.buffers;
            match now {
                _ if before == now => {}
                (true, _) => buffers.disable(context, model, index, material),
                (false, true) => buffers.put_to_sleep(context, model, index),
                (false, false) => buffers.enable(context, model, index, material),
            }
        }
    }
}
