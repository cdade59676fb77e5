//! Forces that the caller computes in a buffer of its own.

use super::World;
use crate::gpu::{Binding, Memory, Recorder};
use crate::{Error, Result};

impl World {
    /// From now on applies forces from a caller's buffer in every step; `None` stops this. It holds a `vec4f` for each particle
    /// in device order ([`Self::particle`]): xyz the force [N], w unused. The buffer is read when a submission's passes run; it
    /// must not be destroyed while it is in use. Implicit integrators take the force as constant within a step. Held and rigid
    /// bodies are not affected. The buffer is not saved, and its use ends with a [change](Self::change) or when [`Self::add`] or
    /// [`Self::reserve`] rebuilds the world. The automatic step does not account for these forces, so they must not act like a
    /// stiff spring. Waits for the last submission.
    ///
    /// # Errors
    /// A buffer that is too short, without [`wgpu::BufferUsages::STORAGE`], or of another device of the same instance (one of another
    /// instance is not told from the world's own by wgpu); a lost device.
    pub fn set_forces(&mut self, forces: Option<&wgpu::Buffer>) -> Result<()> {
        self.wait_submission()?;
        if let Some(buffer) = forces {
            self.check_forces(buffer)?;
            // Other worlds leave out what reads them.
            self.device.buffers.content.loads = true;
        }
        self.device.elements.applied = forces.cloned().map(Memory::Device);
        self.bind_loads()
    }

    /// Binds the integrator's passes for the loads that there are now.
    pub(super) fn bind_loads(&mut self) -> Result<()> {
        let mut recorder = Recorder::new(&self.context);
        recorder.clear(&self.device.state.loads);
        recorder.submit();
        let arrays = self.device.arrays(&self.context);
        self.stepper.bind_again(&self.scene.world, &arrays)
    }

    fn check_forces(&self, buffer: &wgpu::Buffer) -> Result<()> {
        let Some(own) = self.context.executor.as_device() else {
            let want =
                "none: this world is computed on CPU threads, which reach no buffer of a device";
            return Err(Error::value("set_forces: the buffer", "one of wgpu", want));
        };
        let needed = 16 * self.model.positions.len() as u64;
        if buffer.size() < needed {
            let want = format!("at least {needed} bytes, 16 for each particle");
            return Err(Error::value("set_forces: the buffer's size", buffer.size(), want));
        }
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            let got = format!("{:?}", buffer.usage());
            return Err(Error::value("set_forces: the buffer's usage", got, "STORAGE"));
        }
        let scope = own.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let arrays = self.arrays();
        let memory = Memory::Device(buffer.clone());
        let others = [Binding::vectors("applied", &memory)];
        drop(arrays.bind(&arrays.kernel("applied_start"), &others));
        match pollster::block_on(scope.pop()) {
            None => Ok(()),
            Some(error) => {
                Err(Error::value("set_forces: the buffer", error, "one of the world's device"))
            }
        }
    }
}
