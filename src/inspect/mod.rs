//! What a viewer asks of a world: what the pointer meets, forces and ways out as lines, fields to colour by, sums. All of
//! it by compute passes over the world's own arrays, of which nothing changes; what comes back are a few words.

mod pick;
#[cfg(test)]
mod tests;

pub use pick::{Grip, Hit, Pointer, Ray};

use crate::Result;
use crate::World;
use crate::gpu::Context;
use pick::Picker;

/// Passes and arrays that only a viewer needs, made for one world. The state that they look at is the one that was
/// submitted last.
#[derive(Debug)]
pub struct Inspector {
    context: Context,
    picker: Option<Picker>,
}

impl Inspector {
    /// For this world; takes no memory on the device before something is asked.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            context: world.context().clone(),
            picker: None,
        }
    }

    /// The nearest hit of a ray with the drawn surfaces, as [`World::update_skin`] left them, and the spheres of clouds of
    /// the bodies that are `visible`; bodies that it does not name are not. Surfaces are hit from both sides. Waits for
    /// the device.
    ///
    /// # Errors
    /// A ray that is not finite or has no direction; a lost device; no memory.
    pub fn pick(&mut self, world: &World, ray: Ray, visible: &[bool]) -> Result<Option<Hit>> {
        self.picker(world)?.pick(world, ray, visible)
    }

    /// The particle of a body that is nearest to a point or a ray, the first of equally near ones. Waits for the device.
    ///
    /// # Errors
    /// As [`Self::pick`]; no such body.
    pub fn nearest(&mut self, world: &World, body: usize, to: impl Into<Pointer>) -> Result<Grip> {
        self.picker(world)?.nearest(world, body, to.into())
    }

    fn picker(&mut self, world: &World) -> Result<&mut Picker> {
        let picker = match self.picker.take() {
            Some(picker) => picker,
            None => Picker::new(&self.context, world)?,
        };
        Ok(self.picker.insert(picker))
    }
}
