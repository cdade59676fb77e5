//! What bodies touch, and how, while the world runs.

use super::{BodyId, World};
use crate::collide::can_touch;
use crate::gpu::types::Body as GpuBody;
use crate::setup;
use crate::{Error, Result};

/// What a body touches, and how: fields of [`Body`](crate::scene::Body) that can change at any time at the cost of one write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Coulomb's µ; none: the world's.
    pub friction: Option<f64>,
    /// The groups that it belongs to, a bit each.
    pub group: u32,
    /// The groups that it touches.
    pub mask: u32,
}

impl World {
    /// What a body touches, and how.
    ///
    /// # Errors
    /// A body that is not there.
    pub fn touching(&self, id: BodyId) -> Result<Touching> {
        let body = &self.scene.bodies[self.body_index(id)?];
        Ok(Touching { friction: body.friction, group: body.group, mask: body.mask })
    }

    /// Changes which bodies a body touches, and its friction, from the next step on. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; numbers that a scene could not have; groups and masks with which bodies could touch in a world
    /// in which none could, which has no passes for that: [`Self::change`] makes them; a lost device.
    pub fn set_touching(&mut self, id: BodyId, touching: &Touching) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        let mut body = self.scene.bodies[index].clone();
        body.friction = touching.friction;
        (body.group, body.mask) = (touching.group, touching.mask);
        self.check_new(&body)?;
        let mut scene = self.scene.clone();
        scene.bodies[index] = body;
        if self.stepper.collision().is_none() && can_touch(&scene) {
            let at = format!("body \"{}\".mask", scene.bodies[index].name);
            let got = format!("{:#x}, with which bodies could touch", touching.mask);
            let want = "no such group or mask: this world was built without contact between bodies (use `change`)";
            return Err(Error::value(at, got, want));
        }
        self.scene = scene;
        let now = setup::body(&self.scene, &self.model, index);
        let known = self.device.buffers.bodies.read_part(&self.context, index..index + 1)?;
        for body in known {
            let body = GpuBody { friction: now.friction, group: now.group, mask: now.mask, ..body };
            self.device.buffers.bodies.write(&self.context, index, &[body]);
        }
        self.wake_around(&[index])?;
        self.search_again();
        Ok(())
    }
}
