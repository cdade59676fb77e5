//! Choosing an adapter, and the device that everything else borrows.

use std::sync::{Arc, LazyLock};

use encase::ShaderSize;

use super::compiler::Compiler;
use super::types::Externals;
use crate::{Error, Result};

/// A device and its queue: pliant's own, or the caller's.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    timestamps: bool,
    checked_shaders: bool,
    /// Has no threads before the first kernel.
    pub(super) compiler: Arc<LazyLock<Compiler>>,
}

const NO_ADAPTER: &str = "no graphics adapter with Vulkan, Metal or DX12 was found. \
On a machine without a GPU, install Mesa's software Vulkan driver: `apt install mesa-vulkan-drivers libvulkan1` \
(Debian, Ubuntu), `dnf install mesa-vulkan-drivers vulkan-loader` (Fedora), `pacman -S vulkan-swrast vulkan-icd-loader` \
(Arch). On a machine with a GPU, install its vendor's Vulkan driver";

/// The instance that all of pliant's own devices come from. The usual `WGPU_*` variables are honoured.
fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // In development builds wgpu would look at each indirect dispatch by a dispatch and three barriers, where the numbers of ours
    // are copies of the host's or are held to what a dispatch bears, and write the lines of kernels into their code, for which naga counts them from the start for each
    // statement: WGPU_VALIDATION_INDIRECT_CALL=1 and WGPU_DEBUG=1 ask for them.
    descriptor
        .flags
        .remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL | wgpu::InstanceFlags::DEBUG);
    wgpu::Instance::new(descriptor.with_env())
}

/// Every adapter that can run compute passes, best first: discrete, integrated, other, software.
#[must_use]
pub fn adapters() -> Vec<wgpu::Adapter> {
    adapters_of(&instance())
}

fn adapters_of(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.retain(|adapter| {
        adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
    });
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// The best adapter, or the first whose name contains `name`, or what `WGPU_ADAPTER_NAME` says. The CPU is not taken without
/// a word where nobody named it.
fn chosen(adapters: Vec<wgpu::Adapter>, name: Option<&str>) -> Result<wgpu::Adapter> {
    let variable = std::env::var("WGPU_ADAPTER_NAME").ok();
    let name = name.or(variable.as_deref());
    if adapters.is_empty() {
        return Err(Error::Device(NO_ADAPTER.into()));
    }
    let named = |adapter: &wgpu::Adapter| format!("\"{}\"", adapter.get_info().name);
    let names: Vec<_> = adapters.iter().map(named).collect();
    let matches = |adapter: &wgpu::Adapter| {
        name.is_none_or(|name| {
            let own = adapter.get_info().name.to_lowercase();
            own.contains(&name.to_lowercase())
        })
    };
    let adapter = adapters.into_iter().find(matches).ok_or_else(|| {
        let want = format!("part of the name of one of the adapters: {}", names.join(", "));
        Error::value("adapter", format!("\"{}\"", name.unwrap_or_default()), want)
    })?;
    let info = adapter.get_info();
    if name.is_none() && info.device_type == wgpu::DeviceType::Cpu {
        log::warn!(
            "no GPU found; computing on the CPU with \"{}\", which is much slower",
            info.name
        );
    }
    Ok(adapter)
}

impl Context {
    /// One device for all unit tests of a process.
    #[cfg(test)]
    pub(crate) fn of_tests() -> &'static Self {
        static CONTEXT: std::sync::OnceLock<Context> = std::sync::OnceLock::new();
        CONTEXT.get_or_init(|| Self::new().unwrap())
    }

    /// A device of pliant's own on the best adapter (discrete, integrated, software), or on the one that
    /// `WGPU_ADAPTER_NAME` names. Where the best is a driver on the CPU, this is logged as a warning.
    ///
    /// # Errors
    /// When there is no adapter, with what to install; when the device cannot be opened.
    pub fn new() -> Result<Self> {
        Self::choose(None)
    }

    /// A device of pliant's own on the first adapter whose name contains `name` (any case); without a name as [`Self::new`].
    ///
    /// # Errors
    /// When no adapter matches, with the names there are; when the device cannot be opened.
    pub fn choose(name: Option<&str>) -> Result<Self> {
        Self::open(&chosen(adapters(), name)?)
    }

    /// The same of the adapters that can draw in a window, with the window's surface, which is not configured yet, and what
    /// it can be configured as.
    ///
    /// # Errors
    /// As [`Self::choose`]; a window that nothing can be drawn in.
    pub fn for_window(
        window: impl Into<wgpu::SurfaceTarget<'static>>,
        name: Option<&str>,
    ) -> Result<(Self, wgpu::Surface<'static>, wgpu::SurfaceCapabilities)> {
        let instance = instance();
        let surface = instance
            .create_surface(window)
            .map_err(|error| Error::Device(format!("drawing in the window: {error}")))?;
        let mut adapters = adapters_of(&instance);
        let found = adapters.len();
        adapters.retain(|adapter| adapter.is_surface_supported(&surface));
        if adapters.is_empty() && found > 0 {
            return Err(Error::Device(format!(
                "none of {found} graphics adapters can draw in this window; `pliant view --screenshot` works without one"
            )));
        }
        let adapter = chosen(adapters, name)?;
        let capabilities = surface.get_capabilities(&adapter);
        Ok((Self::open(&adapter)?, surface, capabilities))
    }

    /// Default limits, except that buffers may be as large as the adapter offers.
    fn open(adapter: &wgpu::Adapter) -> Result<Self> {
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
        Ok(Self::with_device(&device, &queue))
    }

    /// The caller's device. Its limits must be at least wgpu's defaults; timestamps are used where it has them.
    #[must_use]
    pub fn with_device(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        Self {
            device: device.clone(),
            queue: queue.clone(),
            info: device.adapter_info(),
            timestamps: device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            checked_shaders: cfg!(debug_assertions),
            compiler: Arc::new(LazyLock::new(Compiler::new)),
        }
    }

    /// What the adapter says of itself.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// The device, for drawing beside the simulation.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The device's queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Whether passes can be timed on the device.
    #[must_use]
    pub fn has_timestamps(&self) -> bool {
        self.timestamps
    }

    /// Whether kernels are compiled with every run-time check: by default in debug builds only. Release builds drop loop
    /// bounding and the guards of integer division, which no kernel needs; bounds checks always stay.
    #[must_use]
    pub fn with_checked_shaders(mut self, checked: bool) -> Self {
        self.checked_shaders = checked;
        self
    }

    /// Whether kernels are compiled with every run-time check.
    #[must_use]
    pub fn checked_shaders(&self) -> bool {
        self.checked_shaders
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

    /// Helps to compile the kernels that were asked for, until all are there: a program may end at once, and drivers do not
    /// bear threads inside them then.
    pub(crate) fn finish_kernels(&self) {
        self.compiler.finish();
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
                self.info.name
            ))),
            None => result,
        }
    }

    /// Runs `work`, and turns what the device refuses into an error: arrays that it has not made, because it is lost, or what
    /// the caller has given it. Also where the device is lost and said nothing.
    ///
    /// # Errors
    /// Those of `work`; a lost device, what it refuses.
    pub(crate) fn catch_loss<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work();
        match pollster::block_on(scope.pop()) {
            Some(error) => {
                let what = match self.is_lost() {
                    true => "was lost",
                    false => "reported a validation error",
                };
                let name = &self.info.name;
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
            let name = &self.info.name;
            return Err(Error::Device(format!("the device \"{name}\" was lost")));
        }
        Ok(())
    }

    /// Whether the device is lost: asked of it, as only its owner may listen for that.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        is_lost(&self.device)
    }

    /// Bytes that one storage buffer can hold here.
    #[must_use]
    pub fn largest_buffer(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
    }

    /// Waits until the device has done all that was submitted.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map(|_| ()).map_err(|error| {
            Error::Device(format!("the device \"{}\" stopped answering: {error}", self.info.name))
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
