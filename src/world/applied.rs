//! Forces that the caller computes in a buffer of its own.

use glam::Vec4;

use super::World;
use crate::gpu::{Binding, Buffer, Bytes as _, Executor, Memory, Recorder};
use crate::{Error, Result};

impl World {
    /// From now on applies forces from a caller's buffer in every step; `None` stops this. It holds a `vec4f` for each particle
    /// in device order ([`Self::particle`]): xyz the force [N], w unused. The buffer is read when a submission's passes run; what
    /// your own passes write is one of [`Buffer::of_device`], which must not be destroyed while it is in use. Implicit integrators take the force as constant within a step. Held and rigid
    /// bodies are not affected. The buffer is not saved, and its use ends with a [change](Self::change) or when [`Self::add`] or
    /// [`Self::reserve`] rebuilds the world. The automatic step does not account for these forces, so they must not act like a
    /// stiff spring. Waits for the last submission.
    ///
    /// # Errors
    /// A buffer that is too short, or of another context's device (one of another instance is not told from the world's own by
    /// wgpu) or CPU threads; a lost device.
    pub fn set_forces(&mut self, forces: Option<&Buffer<Vec4>>) -> Result<()> {
        self.wait_submission()?;
        if let Some(buffer) = forces {
            self.check_forces(buffer)?;
            // Other worlds leave out what reads them.
            self.device.buffers.content.loads = true;
        }
        self.device.elements.applied = forces.map(|buffer| buffer.memory().clone());
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

    fn check_forces(&self, buffer: &Buffer<Vec4>) -> Result<()> {
        let needed = self.model.positions.len();
        if buffer.len() < needed {
            let want = format!("at least {needed} vectors, one for each particle");
            return Err(Error::value("set_forces: the buffer's length", buffer.len(), want));
        }
        let (own, other) = match (&self.context.executor, buffer.memory()) {
            (Executor::Threads(_), Memory::Threads(_)) => return Ok(()),
            (Executor::Device(own), Memory::Device(_)) => (own, buffer.memory()),
            (Executor::Device(_), Memory::Threads(_)) => {
                let want = "one of the world's device";
                return Err(Error::value("set_forces: the buffer", "one of CPU threads", want));
            }
            (Executor::Threads(_), Memory::Device(_)) => {
                let want = "one of the world's context, which is CPU threads";
                return Err(Error::value("set_forces: the buffer", "one of a device", want));
            }
        };
        let scope = own.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let arrays = self.arrays();
        drop(arrays.bind(&arrays.kernel("applied_start"), &[Binding::vectors("applied", other)]));
        match pollster::block_on(scope.pop()) {
            None => Ok(()),
            Some(error) => {
                Err(Error::value("set_forces: the buffer", error, "one of the world's device"))
            }
        }
    }
}
