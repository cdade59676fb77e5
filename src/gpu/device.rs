//! A graphics device and its queue.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use encase::ShaderSize;

use super::compiler::Compiler;
use super::types::Externals;
use crate::{Error, Result};

/// A device and its queue: pliant's own, or the caller's.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    /// Another one of each: those of two instances of wgpu may be equal.
    pub(super) id: u64,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Whether kernels are compiled with every run-time check.
    pub checked_shaders: bool,
    /// Has no threads before the first kernel.
    pub(super) compiler: Arc<LazyLock<Compiler>>,
}

impl Device {
    /// Default limits, except that buffers may be as large as the adapter offers.
    pub fn open(adapter: &wgpu::Adapter) -> Result<Self> {
        let offered = adapter.limits();
        let required_limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            ..wgpu::Limits::defaults()
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("pliant"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits,
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                Error::Device(format!(
                    "the adapter \"{}\" could not open a device: {error}",
                    adapter.get_info().name
                ))
            })?;
        Ok(Self::new(device, queue))
    }

    /// The caller's.
    pub fn new(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self {
            id: COUNT.fetch_add(1, Ordering::Relaxed),
            device,
            queue,
            checked_shaders: cfg!(debug_assertions),
            compiler: Arc::new(LazyLock::new(Compiler::new)),
        }
    }

    /// What the adapter is called.
    fn name(&self) -> String {
        self.device.adapter_info().name
    }

    /// Refuses a device whose limits are below those that pliant's kernels need.
    ///
    /// # Errors
    /// A message that names the limit.
    pub fn check_limits(&self) -> Result<()> {
        let has = self.device.limits();
        let checks = [
            (
                "max_storage_buffers_per_shader_stage",
                has.max_storage_buffers_per_shader_stage.into(),
                8,
            ),
            (
                "max_compute_invocations_per_workgroup",
                has.max_compute_invocations_per_workgroup.into(),
                64,
            ),
            (
                "max_compute_workgroups_per_dimension",
                has.max_compute_workgroups_per_dimension.into(),
                65_535,
            ),
            (
                "max_uniform_buffer_binding_size",
                has.max_uniform_buffer_binding_size,
                Externals::SHADER_SIZE.get(),
            ),
        ];
        for (name, has, needs) in checks {
            if has < needs {
                return Err(Error::value(
                    format!("the device's {name}"),
                    has,
                    format!("at least {needs}"),
                ));
            }
        }
        Ok(())
    }

    /// Runs `work`, and turns the device's running out of memory meanwhile into an error.
    ///
    /// # Errors
    /// Those of `work`; no memory left on the device.
    pub fn catch_out_of_memory<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let result = work();
        match pollster::block_on(scope.pop()) {
            Some(_) => Err(Error::Device(format!(
                "the adapter \"{}\" has no memory left for this scene",
                self.name()
            ))),
            None => result,
        }
    }

    /// Runs `work`, and turns what the device refuses into an error: arrays that it has not made, because it is lost, or what
    /// the caller has given it. Also where the device is lost and said nothing.
    ///
    /// # Errors
    /// Those of `work`; a lost device, what it refuses.
    pub fn catch_loss<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work();
        match pollster::block_on(scope.pop()) {
            Some(error) => {
                let what = match self.is_lost() {
                    true => "was lost",
                    false => "reported a validation error",
                };
                let name = self.name();
                Err(Error::Device(format!("the device \"{name}\" {what}: {error}")))
            }
            None => result.and_then(|done| self.check_alive().map(|()| done)),
        }
    }

    /// Refuses to go on with a device that is lost.
    ///
    /// # Errors
    /// A lost device.
    pub fn check_alive(&self) -> Result<()> {
        if self.is_lost() {
            let name = self.name();
            return Err(Error::Device(format!("the device \"{name}\" was lost")));
        }
        Ok(())
    }

    /// Whether it is lost: asked of it, as only its owner may listen for that.
    pub fn is_lost(&self) -> bool {
        is_lost(&self.device)
    }

    /// Waits until it has done all that was submitted.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map(|_| ()).map_err(|error| {
            Error::Device(format!("the device \"{}\" stopped answering: {error}", self.name()))
        })
    }
}

/// Runs what a lost device refuses, too, and says nothing of that: whoever waits for it next hears of it.
///
/// # Panics
/// As wgpu does by default where a device that is not lost refuses it: a mistake in this crate.
pub(crate) fn unless_lost<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> T {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let done = work();
    if let Some(error) = pollster::block_on(scope.pop()) {
        assert!(is_lost(device), "{error}");
    }
    done
}

fn is_lost(device: &wgpu::Device) -> bool {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    // A lost device makes no buffer and does not say so; what is done with it then is an error.
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("alive"),
        size: 4,
        usage: wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: true,
    });
    buffer.unmap();
    pollster::block_on(scope.pop()).is_some()
}
