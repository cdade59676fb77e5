//! Another material of a body, while the world runs.

use super::rates::PowerIteration;
use super::slots::MaterialEstimate;
use super::{BodyId, World};
use crate::Result;
use crate::family;
use crate::gpu::types::Body as GpuBody;
use crate::model::{Material, Model};
use crate::scene::{Body, Kind};
use crate::setup::{self, Estimate};

impl World {
    /// Gives a body another material from now on; its shape, masses and motion stay. Waits for the last submission.
    ///
    /// Costs a few reads and writes where one set of constants is the whole body's, of springs or of shape matching, and the
    /// world's step suits the new material, too. A body's rates are not found anew, but grow by the largest ratio
    /// of a new constant to one that they were found of, which is exact where all have one ratio, as with another
    /// Young's modulus. Else the world goes on by [`Self::change`], which ends the caller's forces and pulls, with a
    /// step that suits: of finite elements, and where springs differ within the body, as in all but lattices; where the step
    /// would be too long for the material, or the damping take more gathers than there are, where there is something to
    /// [warn](Self::warnings) of before or after, where a constant was 0, after a fault, and for another kind, mode or
    /// choice of clusters. A [reserved](Self::reserve) place for a body of the stiffest and most damped material, or a
    /// fixed step that suits it, spares that. An automatic step gets no longer in place for softer materials.
    ///
    /// # Errors
    /// A body that is not there; constants that a scene could not have; as [`Self::change`]. Nothing has changed then.
    pub fn set_material(&mut self, id: BodyId, kind: impl Into<Kind>) -> Result<()> {
        let index = self.body_index(id)?;
        let body = Body { kind: kind.into(), ..self.scene.bodies[index].clone() };
        self.check_new(&body)?;
        self.wait_submission()?;
        if self.fault.is_none() && self.exchange(index, &body)? {
            return Ok(());
        }
        let mut scene = self.scene.clone();
        scene.bodies[index] = body;
        self.change(&scene)
    }

    /// Exchanges the material of a body in its place; whether that can be done.
    fn exchange(&mut self, index: usize, body: &Body) -> Result<bool> {
        let present = self.scene.bodies[index].kind.clone();
        if self.model.bodies[index].heterogeneous || !family::of(&present).is_alike(&body.kind) {
            return Ok(false);
        }
        let Some(material) = Model::uniform(body, self.model.rests[index].clone())? else {
            return Ok(false);
        };
        let old = self.slots.estimate(index);
        let before = MaterialEstimate {
            kind: present,
            material: self.model.bodies[index].material,
            estimate: old,
            bound: self.choice.bounds[index],
        };
        // From material to material bounds would become ever wider.
        let found = self.slots.found(index).unwrap_or(&before).clone();
        let [stiffness, damping] = material.growth(&found.material);
        let suits = setup::suits(&self.scene, &self.model, index, &old, &self.choice.stepping);
        if !(stiffness + damping).is_finite() || suits.is_none() {
            return Ok(false);
        }
        let new = Estimate {
            stiffness: stiffness * found.estimate.stiffness,
            damping: damping * found.estimate.damping,
            rate: damping * found.estimate.rate,
        };
        let bodies = &self.device.buffers.bodies;
        let known = bodies.read_part(&self.context, index..index + 1)?;
        self.put_material(index, &body.kind, material);
        let Some(bound) =
            setup::suits(&self.scene, &self.model, index, &new, &self.choice.stepping)
        else {
            self.put_material(index, &before.kind, before.material);
            return Ok(false);
        };
        self.choice.bounds[index] = bound;
        self.model.bear(index, setup::stiffness_rate(&new), bound);
        self.slots.set_estimate(index, new, Some(found));
        for before in known {
            self.write_constants(index, before, [&old, &new]);
        }
        self.renew_rates(index);
        // Ties of implicit steps are as stiff as the bodies.
        if self.device.elements.ties.is_some() && self.scene.world.integrator.is_implicit() {
            self.bind_ties()?;
        }
        Ok(true)
    }

    /// Gives a place that its body leaves the material that it was built with, so that the next of that make finds it.
    pub(super) fn restore_material(&mut self, index: usize) {
        let Some(found) = self.slots.found(index).cloned() else {
            return;
        };
        self.put_material(index, &found.kind, found.material);
        self.choice.bounds[index] = found.bound;
        self.model.bear(index, setup::stiffness_rate(&found.estimate), found.bound);
        self.slots.set_estimate(index, found.estimate, None);
    }

    /// Makes a body of this on the host.
    fn put_material(&mut self, index: usize, kind: &Kind, material: Material) {
        self.scene.bodies[index].kind = kind.clone();
        let archetype = self.scene.bodies[index].archetype_hash();
        self.model.set_uniform(index, material, archetype);
        self.materials += 1;
    }

    /// Writes what is the whole body's, but what runs on. What is followed of its stiffness as it is deformed stays as far above
    /// the estimate at rest, of which there is an old and a new one.
    fn write_constants(&mut self, index: usize, before: GpuBody, estimates: [&Estimate; 2]) {
        let followed = PowerIteration {
            probe: Vec::new(),
            stiffness_rate: before.stiffness_rate,
            probe_scale: before.probe_scale,
        };
        let [old, new] = estimates;
        let above = f64::from(followed.norm()) / old.stiffness;
        let above = if above.is_finite() { above.max(1.0) } else { 1.0 };
        let followed = followed.at(above * new.stiffness);
        let body = GpuBody {
            chunk_first: before.chunk_first,
            chunk_count: before.chunk_count,
            touching: before.touching,
            ..followed.put(setup::body(&self.scene, &self.model, index))
        };
        self.device.buffers.bodies.write(&self.context, index, &[body]);
        let norm = followed.norm();
        self.report.stiffness[index] = f64::from(norm).sqrt();
        self.device.status.write(&self.context, 1 + index, &[norm.to_bits()]);
    }

    /// How often bodies got another material: constants that were taken from [`Self::model`] before are old.
    pub(crate) fn materials(&self) -> u64 {
        self.materials
    }
}

#[cfg(test)]
mod tests;
