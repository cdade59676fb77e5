//! The parts of a world's state in one list: what of each evolves from step to step, and what becomes of it where bodies
//! come, go, fall asleep or are put elsewhere.

use std::ops::Range;

use glam::Vec4;

use super::World;
use super::change::Handover;
use super::device::Device;
use crate::collide::Collision;
use crate::gpu::Bytes;
use crate::gpu::types::MAX_TOUCHING;
use crate::step::Stepper;
use crate::{Result, setup};

/// What happens to bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// They begin where the model starts them.
    Added,
    /// They are taken out.
    Removed,
    /// They are held where they are.
    Asleep,
    /// They have been put elsewhere, `far`: further than a contact's margin.
    Moved { far: bool },
}

/// A part of a world's state.
pub(super) trait LifeCycle: Sync {
    /// What evolves on the device: snapshots are copies of it, and save files have it.
    fn evolving<'a>(&self, _device: &'a Device, _stepper: &'a Stepper) -> Vec<&'a dyn Bytes> {
        Vec::new()
    }

    /// Ends what was kept of some bodies, which lie next to each other.
    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()>;

    /// Goes on from what another world of the same bodies has handed over.
    fn take_on(&self, _world: &mut World, _from: &Handover) -> Result<()> {
        Ok(())
    }

    /// Passes the rest on, from device to device, to the world that takes this one's place and has taken on its handover.
    fn pass_on(&self, _world: &mut World, _next: &mut World) -> Result<()> {
        Ok(())
    }
}

/// All of them; each may rest on those before it.
const PARTS: [&dyn LifeCycle; 8] =
    [&Particles, &Bodies, &Elements, &Records, &Motions, &Attachments, &Events, &Pull];

/// What evolves of all parts, in their order.
pub(super) fn evolving<'a>(device: &'a Device, stepper: &'a Stepper) -> Vec<&'a dyn Bytes> {
    let parts = PARTS.iter();
    parts.flat_map(|part| part.evolving(device, stepper)).collect()
}

impl World {
    /// Ends what all parts have kept of some bodies, which lie next to each other; the last part first.
    pub(super) fn forget(&mut self, bodies: &[usize], why: Why) -> Result<()> {
        if matches!(why, Why::Removed | Why::Moved { .. }) {
            self.wake_around(bodies)?;
        }
        let mut parts = PARTS.iter().rev();
        parts.try_for_each(|part| part.forget(self, bodies, why))
    }

    /// All parts go on from a handover, in their order.
    pub(super) fn take_on(&mut self, from: &Handover) -> Result<()> {
        PARTS.iter().try_for_each(|part| part.take_on(self, from))
    }

    /// All parts of a world that was made from this one's handover get the rest, in their order, and it goes on.
    pub(super) fn give_way(&mut self, mut next: Self) -> Result<()> {
        PARTS.iter().try_for_each(|part| part.pass_on(self, &mut next))?;
        next.profile = std::mem::take(&mut self.profile);
        *self = next;
        Ok(())
    }

    /// The particles of bodies that lie next to each other.
    fn particles_of(&self, bodies: &[usize]) -> Range<usize> {
        let ranges = |body: &usize| self.model.bodies[*body].particles.clone();
        let first = bodies.first().map_or(0, |body| ranges(body).start);
        first..bodies.last().map_or(first, |body| ranges(body).end)
    }
}

/// Particles, what integrators keep beside them, and what holds them in implicit steps.
struct Particles;

impl LifeCycle for Particles {
    fn evolving<'a>(&self, device: &'a Device, _: &'a Stepper) -> Vec<&'a dyn Bytes> {
        let mut arrays: Vec<&dyn Bytes> = vec![device.state.present()];
        arrays.extend(device.state.kept());
        arrays
    }

    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        let (context, state) = (&world.context, &world.device.state);
        match why {
            Why::Added | Why::Removed => {
                for body in bodies {
                    state.begin(context, &world.model, *body, why == Why::Removed);
                }
            }
            Why::Moved { far: true } if !state.solid_impulses.is_empty() => {
                let (places, range) = (MAX_TOUCHING as usize, world.particles_of(bodies));
                let none = vec![Vec4::ZERO; places * range.len()];
                let impulses = &state.solid_impulses;
                impulses.write(context, places * range.start, &none);
            }
            Why::Moved { .. } | Why::Asleep => {}
        }
        Ok(())
    }
}

/// Who is there, of which material, and how stiff.
struct Bodies;

impl LifeCycle for Bodies {
    fn evolving<'a>(&self, device: &'a Device, _: &'a Stepper) -> Vec<&'a dyn Bytes> {
        vec![&device.buffers.bodies]
    }

    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        if why == Why::Removed {
            for body in bodies {
                world.restore_material(*body);
                world.slots.take(*body);
                let ranges = &mut world.model.bodies[*body];
                (ranges.absent, ranges.asleep) = (true, false);
                let (context, model) = (&world.context, &world.model);
                let material = setup::body(&world.scene, model, *body);
                let buffers = &world.device.buffers;
                buffers.disable(context, model, *body, material);
            }
        }
        Ok(())
    }

    fn take_on(&self, world: &mut World, from: &Handover) -> Result<()> {
        world.resume_sleep(&from.asleep())
    }

    fn pass_on(&self, world: &mut World, next: &mut World) -> Result<()> {
        next.slots.follow([&world.model, &next.model], &world.slots);
        Ok(())
    }
}

/// What finite elements and clusters keep.
struct Elements;

impl LifeCycle for Elements {
    fn evolving<'a>(&self, device: &'a Device, _: &'a Stepper) -> Vec<&'a dyn Bytes> {
        device.elements.evolving()
    }

    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        if why == Why::Added {
            for body in bodies {
                let elements = &world.device.elements;
                elements.begin(&world.context, &world.model, *body);
            }
        }
        Ok(())
    }
}

/// Contacts with their impulses.
struct Records;

impl LifeCycle for Records {
    fn evolving<'a>(&self, _: &'a Device, stepper: &'a Stepper) -> Vec<&'a dyn Bytes> {
        let contacts = stepper.collision();
        contacts.map_or_else(Vec::new, Collision::evolving)
    }

    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        let ends = matches!(why, Why::Removed | Why::Moved { far: true });
        if let Some(collision) = world.stepper.collision().filter(|_| ends) {
            let sim = [world.present_waypoint_sim()];
            world.device.sim.write(&world.context, &sim);
            collision.forget(&world.context, &world.particles_of(bodies), bodies);
        }
        world.search_again();
        Ok(())
    }

    fn pass_on(&self, world: &mut World, next: &mut World) -> Result<()> {
        world.hand_contacts(next)
    }
}

/// What the caller and the scene move.
struct Motions;

impl LifeCycle for Motions {
    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        match why {
            Why::Added => Ok(()),
            Why::Removed | Why::Asleep | Why::Moved { .. } => world.end_pins(bodies),
        }
    }

    fn take_on(&self, world: &mut World, from: &Handover) -> Result<()> {
        world.resume_motions(&from.moving)
    }
}

/// What is tied.
struct Attachments;

impl LifeCycle for Attachments {
    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        match why {
            Why::Removed => bodies.iter().try_for_each(|body| world.detach_body(*body)),
            Why::Added | Why::Asleep | Why::Moved { .. } => Ok(()),
        }
    }

    fn take_on(&self, world: &mut World, from: &Handover) -> Result<()> {
        world.resume_attachments(from.attachments.clone())
    }

    fn pass_on(&self, _world: &mut World, next: &mut World) -> Result<()> {
        // In implicit steps ties are as stiff as the bodies at rest, which are known only now that `Bodies` has passed them on.
        next.bind_attachments()
    }
}

/// Who touched what.
struct Events;

impl LifeCycle for Events {
    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        if let (Some(events), Why::Removed) = (&mut world.events, why) {
            bodies.iter().for_each(|body| events.forget_body(*body));
        }
        Ok(())
    }

    fn pass_on(&self, world: &mut World, next: &mut World) -> Result<()> {
        world.hand_events_over(next)
    }
}

/// What a user pulls.
struct Pull;

impl LifeCycle for Pull {
    fn forget(&self, world: &mut World, bodies: &[usize], why: Why) -> Result<()> {
        let pulled = world.pointer_spring().map(|pointer_spring| pointer_spring.particle);
        let own = |particle| world.particles_of(bodies).contains(&particle);
        if why == Why::Removed && pulled.is_some_and(own) {
            world.drop_pointer_spring();
        }
        Ok(())
    }
}
