//! A pull with the pointer: a force on one particle, towards a point.

use glam::Vec3;

use super::World;
use crate::gpu::types::{PointerSpring as Uniform, Pull, Segment};
use crate::gpu::{Bound, Buffer, Recorder, Uniforms};
use crate::setup::{self, tick_index};
use crate::{Error, Result};

/// A pull on one particle towards a point, stronger with distance: F = rate (target − x) − damping v, at most `most`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerSpring {
    /// The particle, in device order.
    pub particle: usize,
    /// The point [m].
    pub target: Vec3,
    /// Force per distance from it [N/m].
    pub rate: f32,
    /// Damping [N s/m]. As the force is held constant over a call of duration T [s], it acts like a damping of −rate T/2: this
    /// value compensates that, a larger one brings the particle to rest.
    pub damping: f32,
    /// Largest force [N]; too large a force tears a particle out of a soft body, see [`World::pointer_spring_limit`].
    pub most: f32,
}

/// What a pull may accelerate a rigid body by at the most [m/s²]; no force tears anything out of it.
const RIGID_ACCELERATION: f64 = 200.0;

impl Default for PointerSpring {
    fn default() -> Self {
        Self { particle: 0, target: Vec3::ZERO, rate: 0.0, damping: 0.0, most: f32::MAX }
    }
}

/// The pass that renews the force, and where it stands.
#[derive(Debug)]
pub(super) struct PointerSpringPasses {
    present: Option<PointerSpring>,
    uniform: Uniforms<Uniform>,
    segment: Buffer<Segment>,
    /// By the particle array that holds the state.
    force: [Bound; 2],
}

impl World {
    /// Pulls a particle from now on, until another pull or `None` is set; a new target for the same particle continues the pull.
    /// The force follows from the state at the start of a call of [`Self::step`] and its like (of a pair of steps, if these are
    /// adaptive) and is constant for its steps: rate T², T being the duration [s] of a call, should not be far above the mass
    /// [kg] of the particle, or of what moves with it in that time. The pull acts in addition to the line forces of the scene, is
    /// not saved, and ends with a [change](Self::change). Waits for the last submission.
    ///
    /// # Errors
    /// No such particle; a target, rate, damping or largest force that is not finite; a negative rate, damping or largest force;
    /// a lost device.
    pub fn set_pointer_spring(&mut self, pointer_spring: Option<PointerSpring>) -> Result<()> {
        // What is under way may have to be repeated as it was.
        self.wait_submission()?;
        let Some(pointer_spring) = pointer_spring else {
            self.drop_pointer_spring();
            return Ok(());
        };
        self.check_pointer_spring(&pointer_spring)?;
        let entry = self.scene_pulls();
        if self.pointer_spring.is_none() {
            self.pointer_spring = Some(self.pointer_spring_passes()?);
        }
        let body = self.body_of(pointer_spring.particle);
        let Some(passes) = &mut self.pointer_spring else {
            return Ok(());
        };
        let uniform = Uniform {
            goal: pointer_spring.target,
            rate: pointer_spring.rate,
            damping: pointer_spring.damping,
            most: pointer_spring.most,
            particle: pointer_spring.particle as u32,
            body: body as u32,
            entry: entry as u32,
        };
        passes.uniform.write(&self.context, &[uniform]);
        let before = passes.present.replace(pointer_spring);
        if before.map(|before| before.particle) != Some(pointer_spring.particle) {
            self.obstacles.pulls[entry] = Pull {
                particle: pointer_spring.particle as u32,
                from_tick: tick_index(self.progress.ticks),
                to_tick: i32::MAX as u32,
                ..Pull::default()
            };
            let obstacles = std::slice::from_ref(&self.obstacles);
            self.device.externals.write(&self.context, obstacles);
            self.common.pull_count = entry as u32 + 1;
        }
        Ok(())
    }

    /// A force [N] that does not tear a particle out; it displaces it by about half an edge: a fifth of m ω² times its body's
    /// mean edge, for shape matching half of its pull there. (Blocks of four cells, pulled far at a corner and at a side for
    /// three seconds: all survive this, while finite elements blow up at twice as much.)
    ///
    /// # Errors
    /// No such particle.
    pub fn pointer_spring_limit(&self, particle: usize) -> Result<f32> {
        self.check_particle("particle", particle)?;
        let body = self.body_of(particle);
        if let Some(rigid) = self.model.bodies[body].rigid {
            return Ok((RIGID_ACCELERATION * rigid.mass) as f32);
        }
        let omega = self.report.stiffness[body];
        let material = setup::body(&self.scene, &self.model, body);
        let squared = f64::from(self.common.step).powi(2);
        let share = f64::from(material.alpha) + squared * f64::from(material.pull_rate);
        let rate = (0.2 * omega * omega).max(0.5 * share.min(1.0) / squared);
        Ok((rate * self.model.masses[particle] * self.model.bodies[body].edge) as f32)
    }

    /// The body that a particle belongs to.
    fn body_of(&self, particle: usize) -> usize {
        let bodies = self.model.bodies.iter();
        let before = bodies.take_while(|body| body.particles.end <= particle);
        before.count()
    }

    /// What is pulled at present.
    #[must_use]
    pub fn pointer_spring(&self) -> Option<PointerSpring> {
        self.pointer_spring.as_ref().and_then(|passes| passes.present)
    }

    /// The line from the pulled particle, where it is now, to the point that it is pulled to, with the force [N] there: one
    /// segment for drawing.
    pub fn update_pointer_spring(&self) -> Option<&Buffer<Segment>> {
        let mut recorder = Recorder::new(&self.context);
        self.renew_pointer_spring(&mut recorder);
        recorder.submit();
        self.pointer_spring_segment()
    }

    /// What [`Self::update_pointer_spring`] last wrote, while something is pulled.
    #[must_use]
    pub fn pointer_spring_segment(&self) -> Option<&Buffer<Segment>> {
        let passes = self.pointer_spring.as_ref()?;
        passes.present.map(|_| &passes.segment)
    }

    /// Records the pass that renews the force by the present state.
    pub(crate) fn renew_pointer_spring(&self, recorder: &mut Recorder<'_>) {
        if let Some(passes) = self.pointer_spring.as_ref().filter(|passes| passes.present.is_some())
        {
            recorder.dispatch(&passes.force[self.device.state.current], 1, 0);
        }
    }

    /// Lets go.
    pub(super) fn drop_pointer_spring(&mut self) {
        let scene = self.scene_pulls() as u32;
        if let Some(passes) = &mut self.pointer_spring {
            passes.present = None;
            self.common.pull_count = scene;
        }
    }

    /// The scene's own line forces.
    fn scene_pulls(&self) -> usize {
        let count = self.common.pull_count as usize;
        count - usize::from(self.pointer_spring().is_some())
    }

    fn check_pointer_spring(&self, pointer_spring: &PointerSpring) -> Result<()> {
        self.check_particle("pointer spring: particle", pointer_spring.particle)?;
        if !pointer_spring.target.is_finite() {
            let want = "finite coordinates";
            return Err(Error::value("pointer spring: target", pointer_spring.target, want));
        }
        for (name, value) in [
            ("pointer spring: rate", pointer_spring.rate),
            ("pointer spring: damping", pointer_spring.damping),
            ("pointer spring: most", pointer_spring.most),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Error::value(name, value, "a finite number from 0"));
            }
        }
        Ok(())
    }

    fn pointer_spring_passes(&self) -> Result<PointerSpringPasses> {
        let uniform = Uniforms::new(&self.context, "pointer_spring", 1);
        let segment = Buffer::drawable(&self.context, "pointer_spring_segment", 1)?;
        let others = [
            self.device.externals.bind("externals_out"),
            uniform.binding(),
            segment.bind("segments"),
        ];
        Ok(PointerSpringPasses {
            present: None,
            force: self.arrays().bind_both("pointer_spring_force", &others),
            uniform,
            segment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use crate::collide::Capacity;
    use crate::scene::{Body, Mass, Scene};

    /// Submissions that found too little room for contacts are repeated with the pull that they had.
    #[test]
    fn a_pull_does_not_depend_on_room_for_contacts() {
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
            if let Some(records) = records {
                world.set_capacity(Capacity::with(records, 16)).unwrap();
            }
            for frame in 0..6 {
                let pointer_spring = PointerSpring {
                    particle: 700,
                    target: Vec3::new(0.3, 1.0 + 0.1 * frame as f32, 0.0),
                    rate: 100.0,
                    damping: 2.0,
                    most: 150.0,
                };
                world.set_pointer_spring(Some(pointer_spring)).unwrap();
                world.step_frame().unwrap();
            }
            (world.state_hash().unwrap(), world.contacts().repeats)
        };
        let (hash, repeats) = run(None);
        let (roomy, none) = run(Some(8192));
        assert!(repeats > none, "{repeats} and {none} repeats");
        assert_eq!(hash, roomy);
    }
}
