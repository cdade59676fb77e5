//! What computes: a graphics device, or the CPU's threads; and which of them.

use std::sync::{Arc, OnceLock};

use super::device::Device;
use super::{Memory, adapters};
use crate::cpu::{self, Threads};
use crate::{Error, Result};

/// Where everything is computed: on a graphics device, pliant's own or the caller's, or on threads of the CPU.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) executor: Executor,
    info: wgpu::AdapterInfo,
}

#[derive(Clone, Debug)]
pub(crate) enum Executor {
    Device(Device),
    Threads(Team),
}

/// The CPU's threads, and what draws what they compute.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub threads: Arc<Threads>,
    /// Whether what they run is watched.
    pub checked: bool,
    drawing: Arc<OnceLock<Context>>,
}

impl Team {
    /// Opened when it is first asked for.
    fn drawing(&self) -> Result<&Context> {
        if let Some(known) = self.drawing.get() {
            return Ok(known);
        }
        let opened = Context::open(&adapters::for_drawing()?)?;
        Ok(self.drawing.get_or_init(|| opened))
    }
}

impl Executor {
    /// The device, if there is one.
    pub fn as_device(&self) -> Option<&Device> {
        match self {
            Self::Device(device) => Some(device),
            Self::Threads(_) => None,
        }
    }

    /// The device.
    ///
    /// # Panics
    /// Where there is none: what draws has its context from [`Context::drawing`], and an array of a device one of a device.
    pub fn device(&self) -> &Device {
        self.as_device().expect("CPU threads have no device")
    }
}

impl Context {
    /// One device for all unit tests of a process.
    #[cfg(test)]
    pub(crate) fn of_tests() -> &'static Self {
        static CONTEXT: std::sync::OnceLock<Context> = std::sync::OnceLock::new();
        CONTEXT.get_or_init(|| Self::new().unwrap())
    }

    /// A device of its own on the best adapter, for the tests of what only a device has.
    #[cfg(test)]
    pub(crate) fn of_device() -> Self {
        Self::open(&adapters::for_drawing().unwrap()).unwrap()
    }

    /// The best GPU, discrete before integrated, or the one that `WGPU_ADAPTER_NAME` names; where there is none, a thread on each core of
    /// the CPU. A software driver is taken only where it is named.
    ///
    /// # Errors
    /// When nothing has that name; when the device cannot be opened.
    pub fn new() -> Result<Self> {
        Self::choose(None)
    }

    /// The first adapter whose name contains `name` (any case), among them "CPU, 8 threads"; without a name as [`Self::new`].
    ///
    /// # Errors
    /// When no adapter matches, with the names there are; when the device cannot be opened.
    pub fn choose(name: Option<&str>) -> Result<Self> {
        match adapters::choose(name)? {
            Some(adapter) => Self::open(&adapter),
            None => Self::cpu(None),
        }
    }

    /// So many threads of the CPU, by default one on each of its cores: the kernels are part of the crate's own code, and no driver is
    /// needed.
    ///
    /// ```
    /// use pliant::scene::{Body, Scene};
    /// use pliant::{Context, World};
    ///
    /// # fn main() -> pliant::Result<()> {
    /// let scene = Scene { bodies: vec![Body::lattice("cube", [4, 4, 4], [1.0, 1.0, 1.0])], ..Scene::default() };
    /// let mut world = World::new(&Context::cpu(Some(1))?, &scene)?;
    /// world.step_frame()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No threads, or more than there are cores.
    pub fn cpu(threads: Option<usize>) -> Result<Self> {
        let cores = cpu::cores();
        let threads = threads.unwrap_or(cores);
        if !(1..=cores).contains(&threads) {
            let want = format!("1 to {cores}, as this machine has so many cores");
            return Err(Error::value("threads", threads, want));
        }
        let threads = Arc::new(Threads::new(threads));
        let info = adapters::cpu(threads.count());
        let team = Team { threads, checked: false, drawing: Arc::default() };
        Ok(Self { executor: Executor::Threads(team), info })
    }

    /// The threads, where they compute.
    #[cfg(feature = "verify")]
    pub(crate) fn threads(&self) -> Option<&Threads> {
        match &self.executor {
            Executor::Threads(team) => Some(&team.threads),
            Executor::Device(_) => None,
        }
    }

    /// What draws in a window, with the window's surface, which is not configured yet, and what it can be configured as; and
    /// before it what computes, chosen as by [`Self::choose`] among the adapters that can draw there: the same context, or the CPU's
    /// threads.
    ///
    /// # Errors
    /// As [`Self::choose`]; a window that nothing can be drawn in.
    pub fn for_window(
        window: impl Into<wgpu::SurfaceTarget<'static>>,
        name: Option<&str>,
    ) -> Result<(Self, (Self, wgpu::Surface<'static>, wgpu::SurfaceCapabilities))> {
        let (adapter, computes, surface) = adapters::for_window(window, name)?;
        let capabilities = surface.get_capabilities(&adapter);
        let drawing = Self::open(&adapter)?;
        let computing = if computes { drawing.clone() } else { Self::cpu(None)? };
        Ok((computing, (drawing, surface, capabilities)))
    }

    fn open(adapter: &wgpu::Adapter) -> Result<Self> {
        let device = Device::open(adapter)?;
        Ok(Self { info: device.device.adapter_info(), executor: Executor::Device(device) })
    }

    /// The caller's device. Its limits must be at least wgpu's defaults; timestamps are used where it has them.
    #[must_use]
    pub fn with_device(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let executor = Executor::Device(Device::new(device.clone(), queue.clone()));
        Self { executor, info: device.adapter_info() }
    }

    /// A device that draws, and its queue: the context's own, or on CPU threads those of the best adapter there is, software
    /// drivers among them.
    ///
    /// # Errors
    /// When there is no adapter, with what to install; when its device cannot be opened.
    pub fn graphics(&self) -> Result<(&wgpu::Device, &wgpu::Queue)> {
        let device = match &self.executor {
            Executor::Device(device) => device,
            Executor::Threads(team) => team.drawing()?.executor.device(),
        };
        Ok((&device.device, &device.queue))
    }

    /// The context of that device.
    ///
    /// # Errors
    /// As [`Self::graphics`].
    pub(crate) fn drawing(&self) -> Result<&Self> {
        match &self.executor {
            Executor::Device(_) => Ok(self),
            Executor::Threads(team) => team.drawing(),
        }
    }

    /// What the adapter says of itself.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Whether passes can be timed.
    #[must_use]
    pub fn has_timestamps(&self) -> bool {
        let timestamps = wgpu::Features::TIMESTAMP_QUERY;
        self.executor.as_device().is_none_or(|own| own.device.features().contains(timestamps))
    }

    /// Whether kernels run with every check. On devices that is so in debug builds by default; release builds drop loop
    /// bounding and the guards of integer division, which no kernel needs; bounds checks always stay. On CPU threads it has
    /// to be asked for, and release builds have no more checks: where a kernel reads or writes past the end of an array,
    /// or has a race, it panics with its name, the line, the variable and the index, and it runs on one thread several times slower.
    #[must_use]
    pub fn with_checked_shaders(mut self, checked: bool) -> Self {
        match &mut self.executor {
            Executor::Device(device) => device.checked_shaders = checked,
            Executor::Threads(team) => team.checked = checked && cfg!(debug_assertions),
        }
        self
    }

    /// Whether kernels run with every check.
    #[must_use]
    pub fn checked_shaders(&self) -> bool {
        match &self.executor {
            Executor::Device(device) => device.checked_shaders,
            Executor::Threads(team) => team.checked,
        }
    }

    /// Refuses a device whose limits are below those that pliant's kernels need.
    ///
    /// # Errors
    /// A message that names the limit.
    pub fn check_limits(&self) -> Result<()> {
        match &self.executor {
            Executor::Device(device) => device.check_limits(),
            Executor::Threads(_) => Ok(()),
        }
    }

    /// Helps to compile the kernels that were asked for, until all are there: a program may end at once, and drivers do not
    /// bear threads inside them then.
    pub(crate) fn finish_kernels(&self) {
        if let Executor::Device(device) = &self.executor {
            device.compiler.finish();
        }
    }

    /// Room for so many bytes, all 0.
    pub(super) fn allocate(
        &self,
        label: &str,
        size: u64,
        extra: wgpu::BufferUsages,
    ) -> Result<Memory> {
        match &self.executor {
            Executor::Device(device) => {
                Ok(Memory::Device(device.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size,
                    usage: wgpu::BufferUsages::STORAGE
                        | wgpu::BufferUsages::UNIFORM
                        | wgpu::BufferUsages::COPY_SRC
                        | wgpu::BufferUsages::COPY_DST
                        | extra,
                    mapped_at_creation: false,
                })))
            }
            Executor::Threads(team) => {
                team.threads.zeroed(size).map(Memory::Threads).ok_or_else(|| {
                    Error::Device(format!("no memory is left for {size} bytes of \"{label}\""))
                })
            }
        }
    }

    /// Runs `work`, and turns the device's running out of memory meanwhile into an error.
    ///
    /// # Errors
    /// Those of `work`; no memory left on the device.
    pub fn catch_out_of_memory<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        match &self.executor {
            Executor::Device(device) => device.catch_out_of_memory(work),
            Executor::Threads(_) => work(),
        }
    }

    /// Runs `work`, and turns what the device refuses into an error: arrays that it has not made, because it is lost, or what
    /// the caller has given it. Also where the device is lost and said nothing.
    ///
    /// # Errors
    /// Those of `work`; a lost device, what it refuses.
    pub(crate) fn catch_loss<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        match &self.executor {
            Executor::Device(device) => device.catch_loss(work),
            Executor::Threads(_) => work(),
        }
    }

    /// Refuses to go on with a device that is lost.
    ///
    /// # Errors
    /// A lost device.
    pub fn check_alive(&self) -> Result<()> {
        match &self.executor {
            Executor::Device(device) => device.check_alive(),
            Executor::Threads(_) => Ok(()),
        }
    }

    /// Whether the device is lost: asked of it, as only its owner may listen for that.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        match &self.executor {
            Executor::Device(device) => device.is_lost(),
            Executor::Threads(_) => false,
        }
    }

    /// Bytes that one storage buffer can hold here.
    #[must_use]
    pub fn largest_buffer(&self) -> u64 {
        // On CPU threads less than there may be room for: all arrays of a scene have to fit into the memory.
        self.executor.as_device().map_or(1 << 30, |own| {
            let limits = own.device.limits();
            limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
        })
    }

    /// Waits until all that was submitted has been done.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&self) -> Result<()> {
        match &self.executor {
            Executor::Device(device) => device.wait(),
            // They run what is submitted at once.
            Executor::Threads(_) => Ok(()),
        }
    }
}
