//! Bodies that come and go while a world runs.
//!
//! A body that is removed leaves its place in the arrays behind; one of the same make takes it without anything being
//! built. What is absent has no elements, touches nothing, and is held where it is.

use std::collections::HashSet;

use super::parts::Why;
use super::rates::record_rates;
use super::{BodyId, Origin, World};
use crate::collide::can_touch;
use crate::gpu::types::{Particle, Sim};
use crate::gpu::{Buffer, Recorder};
use crate::integrate::part::Part;
use crate::model::placing;
use crate::scene::{Body, MOST_BODIES, Scene};
use crate::setup;
use crate::{Error, Result};

impl World {
    /// The bodies that exist: their ids, and their indices in [`Self::scene`] and [`Self::layout`].
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, usize)> {
        let all = 0..self.model.bodies.len();
        all.filter_map(|index| Some((self.slots.id(index)?, index)))
    }

    /// The id of the body at an index of [`Self::scene`] and [`Self::layout`]; none if it was removed.
    #[must_use]
    pub fn body_id(&self, index: usize) -> Option<BodyId> {
        self.slots.id(index)
    }

    /// The index of a body in [`Self::scene`], [`Self::layout`] and all that is read by body.
    ///
    /// # Errors
    /// A body that was removed or belongs to another world.
    pub fn body_index(&self, id: BodyId) -> Result<usize> {
        self.slots.find(id).map_err(|own| {
            let what = if own { "was removed" } else { "belongs to another world" };
            let got = format!("one that {what} ({id:?})");
            Error::value("the body", got, "a body that is in the world")
        })
    }

    /// Adds a body with its own position and velocity. If a body of the same make has left its place, or one was
    /// [reserved](Self::reserve), this costs a few writes; otherwise the world is rebuilt with twice as many places. If the name
    /// is taken, a number is appended. The attachments, line forces and motions that the scene gives the former body of that
    /// place apply to this one if it has the same name, and are dropped otherwise. Waits for the last submission. (Bodies of the
    /// same make differ at most in name, placement, motion, stretch, scatter, friction, restitution, groups and colour. The first
    /// body that can touch another one also makes the world rebuild. Rebuilding ends the caller's forces, [`Self::set_forces`].)
    ///
    /// # Errors
    /// As [`Self::new`]: a body that cannot be built, or for which the device has no memory; a replicated world, see
    /// [`Self::add_to`]. The world is then unchanged.
    pub fn add(&mut self, body: &Body) -> Result<BodyId> {
        self.check_new(body)?;
        self.refuse_copies()?;
        let within = 0..self.model.bodies.len();
        let [all, free] = self.slots.of_make(&self.model, body, within);
        let index = match free.first() {
            Some(index) => *index,
            None => {
                let first = self.model.bodies.len();
                self.reserve(body, all.len().max(1))?;
                first
            }
        };
        self.put(index, body)
    }

    /// The same in one replica of a [replicated](Scene::replicate) scene, in the place of a body that was removed from it, and
    /// with that body's name; no further places are made.
    ///
    /// # Errors
    /// No such replica; no free place of this make in it; otherwise as [`Self::add`].
    pub fn add_to(&mut self, replica: usize, body: &Body) -> Result<BodyId> {
        self.check_new(body)?;
        let within = self.scene.replica_bodies(replica)?;
        let [_, free] = self.slots.of_make(&self.model, body, within);
        let index = free.first().ok_or_else(|| {
            let got = format!("without room for body \"{}\"", body.name);
            let want = "a place left by a body of the same make";
            Error::value(format!("replica {replica}"), got, want)
        })?;
        self.put(*index, body)
    }

    fn put(&mut self, index: usize, body: &Body) -> Result<BodyId> {
        self.wait_submission()?;
        if self.stepper.collision().is_none() {
            let mut scene = self.scene.clone();
            let own = &mut scene.bodies[index];
            (own.group, own.mask) = (body.group, body.mask);
            if can_touch(&scene) {
                self.enlarge(&scene)?;
            }
        }
        self.enable(index, body)?;
        Ok(self.slots.give(index))
    }

    /// Reserves places for `count` more bodies of this make, so that [`Self::add`] need not rebuild the world. Rebuilds it now if
    /// there are too few, which costs about as much as [`Self::change`]. From now on an automatic step takes these bodies into
    /// account; the caller's forces ([`Self::set_forces`]) end, because there are more particles then.
    ///
    /// # Errors
    /// As [`Self::new`]; nothing has changed then.
    pub fn reserve(&mut self, body: &Body, count: usize) -> Result<()> {
        self.check_new(body)?;
        let within = 0..self.model.bodies.len();
        let [all, free] = self.slots.of_make(&self.model, body, within);
        let further = count.saturating_sub(free.len());
        if further == 0 {
            return Ok(());
        }
        self.refuse_copies()?;
        let each = all.first().map_or(1, |index| self.model.bodies[*index].particles.len());
        let bodies = self.scene.bodies.len().saturating_add(further);
        let particles = each.saturating_mul(further);
        let most = self.context.largest_buffer() / Buffer::<Particle>::STRIDE;
        if bodies > MOST_BODIES || particles as u64 > most {
            let got = format!("{count}, with {bodies} bodies in all");
            let want = format!("at most {MOST_BODIES} bodies, and {most} particles of these");
            return Err(Error::value("the number of places", got, want));
        }
        let mut scene = self.scene.clone();
        scene.world.auto_integrator = false;
        let mut taken: HashSet<_> = scene.bodies.iter().map(|body| body.name.clone()).collect();
        let mut number = scene.bodies.len();
        for _ in 0..further {
            let mut further = body.clone();
            while !taken.insert(further.name.clone()) {
                further.name = format!("{} {number}", body.name);
                number += 1;
            }
            scene.bodies.push(further);
        }
        self.enlarge(&scene)
    }

    /// Removes a body. Its place is kept for one of the same make, its id becomes invalid, and a fault that it caused is cleared.
    /// Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn remove(&mut self, id: BodyId) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        if self.fault.as_ref().is_some_and(|fault| fault.index == index) {
            self.fault = None;
        }
        self.forget(&[index], Why::Removed)
    }

    fn refuse_copies(&self) -> Result<()> {
        match self.scene.replica_count() {
            1 => Ok(()),
            count => {
                let got = format!("one of {count} replicas");
                let want = "a world without replicas: replicas have places only for bodies that were removed from them \
                            (`add_to`)";
                Err(Error::value("the world", got, want))
            }
        }
    }

    /// Refuses what [`Self::new`] would refuse of a body.
    pub(super) fn check_new(&self, body: &Body) -> Result<()> {
        let alone = Scene {
            world: self.scene.world.clone(),
            bodies: vec![body.clone()],
            folder: self.scene.folder.clone(),
            ..Scene::default()
        };
        alone.check()
    }

    /// Lets a body take part that has its place already.
    fn enable(&mut self, index: usize, body: &Body) -> Result<()> {
        let mut body = body.clone();
        let before = self.scene.bodies[index].name.clone();
        body.name = match self.scene.replica_count() {
            1 => free_name(&self.scene, &body.name, index),
            _ => before.clone(),
        };
        self.model.replace(index, &body)?;
        self.model.bodies[index].absent = false;
        self.scene.bodies[index] = body;
        if self.scene.bodies[index].name != before {
            self.forget_name(&before)?;
        }
        self.forget(&[index], Why::Added)?;
        let (context, model) = (&self.context, &self.model);
        let place = &self.slots.slot(index);
        let material = place.at_rest.put(setup::body(&self.scene, model, index));
        self.device.buffers.enable(context, model, index, material);
        let norm = place.estimate.stiffness as f32;
        self.device.status.write(context, 1 + index, &[norm.to_bits()]);
        self.turn_probe(index);
        self.start(index);
        Ok(())
    }

    /// The power iteration goes on from the body's vector at rest, turned as the body is.
    fn turn_probe(&self, index: usize) {
        let place = &self.slots.slot(index);
        let mut vector = place.at_rest.probe.clone();
        let turned = placing(&self.scene.bodies[index]).1;
        if turned != place.rotation {
            let turn = (turned * place.rotation.transpose()).as_mat3();
            for w in &mut vector {
                *w = (turn * w.truncate()).extend(w.w);
            }
        }
        let first = self.model.bodies[index].particles.start;
        self.device.state.probe[0].write(&self.context, first, &vector);
    }

    /// Turns the velocities of one body's start into those that the integrator keeps.
    pub(super) fn start(&mut self, index: usize) {
        let body = self.fill_part(index);
        let mut recorder = Recorder::new(&self.context);
        record_rates(&mut recorder, &self.arrays(), &body);
        self.stepper.start(&mut recorder, &self.device.state, &body);
        recorder.submit();
    }

    /// Computes the damping rates of one body's particles where they are.
    pub(super) fn renew_rates(&self, index: usize) {
        let body = self.fill_part(index);
        let mut recorder = Recorder::new(&self.context);
        record_rates(&mut recorder, &self.arrays(), &body);
        recorder.submit();
    }

    /// Fills the uniforms of passes over one body, before a step.
    fn fill_part(&self, index: usize) -> Part {
        let ticks = self.last_ticks();
        let all = Sim {
            damping_stages: 1,
            stage_step: 0.5 * self.common.step,
            ..self.at_step([self.progress.ticks, ticks], 0)
        };
        let body = Part::body(1, &self.model.bodies[index]);
        self.device.sim.write(&self.context, &[vec![all], body.fill(all)].concat());
        body
    }

    /// Goes on as a scene of the same bodies, and further ones, which are absent.
    fn enlarge(&mut self, scene: &Scene) -> Result<()> {
        let handover = self.hand_over()?;
        let mut next = Self::build(&self.context, scene, Origin::Other(&handover))?;
        next.take_on(&handover)?;
        next.scene.world.auto_integrator = self.scene.world.auto_integrator;
        next.pick = self.pick.clone();
        let pointer_spring = self.pointer_spring();
        self.give_way(next)?;
        self.set_pointer_spring(pointer_spring)
    }
}

/// The name, or the name with a number where another body of the scene has it.
fn free_name(scene: &Scene, name: &str, index: usize) -> String {
    let taken = |name: &str| {
        let size = scene.replica_size().max(1);
        let first = match index < scene.bodies.len() {
            true => index / size * size,
            false => 0,
        };
        let mut bodies = scene.bodies.iter().enumerate().skip(first).take(size);
        bodies.any(|(i, body)| i != index && body.name == name)
    };
    if !taken(name) {
        return name.into();
    }
    let numbers = index.min(scene.bodies.len())..;
    let mut numbered = numbers.map(|k| format!("{name} {k}"));
    numbered.find(|name| !taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::scene::{Body, Mass, Scene};
    use crate::{Context, World};

    /// Contacts of what was removed are gone before the next search, also where room was made just before.
    #[test]
    fn contacts_of_removed_bodies_are_forgotten() {
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.1), ("high", 0.3), ("aside", 0.1)] {
            let mut body = Body::lattice(name, [2; 3], [0.2; 3]);
            body.position = [if name == "aside" { 2.0 } else { 0.0 }, height, 0.0];
            body.mass = Mass::Density(1000.0);
            scene.bodies.push(body);
        }
        scene.world.floor = Some(0.0);
        let context = Context::new().unwrap();
        for makes_room in [false, true] {
            let mut world = World::new(&context, &scene).unwrap();
            (0..20).for_each(|_| world.step_frame().unwrap());
            world.wait().unwrap();
            if makes_room {
                let further = Body { position: [5.0, 0.1, 0.0], ..scene.bodies[0].clone() };
                world.reserve(&further, 1).unwrap();
            }
            let of_high = |world: &World| {
                let contacts = world.stepper.collision().unwrap().contacts(&context);
                let particles = world.model.bodies[1].particles.clone();
                let own = |i: u32| particles.contains(&(i as usize));
                let contacts = contacts.unwrap().into_iter();
                contacts.filter(|c| c.bodies.y == 1 || own(c.a.dofs.x)).count()
            };
            assert!(of_high(&world) > 0);
            let id = world.body_id(1).unwrap();
            world.remove(id).unwrap();
            assert_eq!(of_high(&world), 0, "{makes_room}");
        }
    }
}
