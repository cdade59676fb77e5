//! Forces that the caller computes in a buffer of its own.

use super::World;
use crate::gpu::{Binding, Bound};
use crate::integrate::Arrays;
use crate::{Error, Result};

impl World {
    /// Applies forces from a buffer of the caller's in every step from now on, `None` to end that: a `vec4f` for each
    /// particle in device order ([`Self::particle`]), xyz the force [N], w unused. What the buffer holds when a
    /// submission's passes run counts; it must not be destroyed while it is in use. Implicit integrators take the force as constant
    /// within a step. What is held does not feel it. It is no part of a saved state, and ends with a
    /// [change](Self::change). The automatic step knows nothing of a force that is a stiff spring's. Waits for the last
    /// submission.
    ///
    /// # Errors
    /// A buffer that is too short, without [`wgpu::BufferUsages::STORAGE`], or of another device of the same instance (one of another
    /// instance is not told from the world's own by wgpu); a lost device.
    pub fn set_forces(&mut self, forces: Option<&wgpu::Buffer>) -> Result<()> {
        self.settle()?;
        if let Some(buffer) = forces {
            self.check_forces(buffer)?;
        }
        let implicit = self.scene.world.integrator.is_implicit();
        if implicit {
            let pass = forces.map(|buffer| self.applied(buffer, "applied_start"));
            let pass = pass.transpose()?;
            self.stepper.set_applied(pass);
            return Ok(());
        }
        if let Some(buffer) = forces {
            // Other worlds leave out what reads them.
            self.buffers.content.loads = true;
            drop(self.applied(buffer, "applied_load")?);
        }
        self.elements.applied = forces.cloned();
        self.bind_loads()
    }

    /// Binds the passes of an explicit integrator for the loads that there are now.
    pub(super) fn bind_loads(&mut self) -> Result<()> {
        let mut encoder = self
            .context
            .device
            .create_command_encoder(&Default::default());
        encoder.clear_buffer(self.state.loads.raw(), 0, None);
        let context = &self.context;
        context.unless_lost(|| context.queue.submit([encoder.finish()]));
        let arrays = Arrays {
            context: &self.context,
            model: &self.buffers,
            state: &self.state,
            sim: &self.sim,
            elements: &self.elements,
            externals: &self.externals,
            status: &self.status,
        };
        self.stepper.bind_again(&self.scene.world, &arrays)
    }

    fn check_forces(&self, buffer: &wgpu::Buffer) -> Result<()> {
        let needed = 16 * self.model.positions.len() as u64;
        if buffer.size() < needed {
            let want = format!("at least {needed} bytes, 16 for each particle");
            return Err(Error::value(
                "set_forces: the buffer's size",
                buffer.size(),
                want,
            ));
        }
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            let got = format!("{:?}", buffer.usage());
            return Err(Error::value(
                "set_forces: the buffer's usage",
                got,
                "STORAGE",
            ));
        }
        Ok(())
    }

    /// The pass with the caller's buffer bound.
    fn applied(&self, buffer: &wgpu::Buffer, kernel: &str) -> Result<Bound> {
        let scope = self
            .context
            .device
            .push_error_scope(wgpu::ErrorFilter::Validation);
        let arrays = self.arrays();
        let particles = self.particles().bind("particles_in");
        let others = [particles, Binding::vectors("applied", buffer)];
        let bound = arrays.bind(&arrays.kernel(kernel), &others);
        match pollster::block_on(scope.pop()) {
            None => Ok(bound),
            Some(error) => Err(Error::value(
                "set_forces: the buffer",
                error,
                "one of the world's device",
            )),
        }
    }
}
