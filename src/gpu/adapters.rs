//! The adapters there are, and which of them computes and draws.

use crate::{Error, Result, cpu};

const NO_ADAPTER: &str = "nothing on this machine draws: no graphics adapter with Vulkan, Metal or DX12 was found. \
Everything but pictures works all the same. On a machine without a GPU, install Mesa's software Vulkan driver: `apt install mesa-vulkan-drivers libvulkan1` \
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

/// What the CPU's threads are called among adapters.
pub(super) fn cpu(threads: usize) -> wgpu::AdapterInfo {
    let mut info = wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, wgpu::Backend::Noop);
    info.name = match threads {
        1 => "CPU, 1 thread".into(),
        _ => format!("CPU, {threads} threads"),
    };
    info.driver = "pliant".into();
    info.driver_info = env!("CARGO_PKG_VERSION").into();
    info
}

/// What `WGPU_ADAPTER_NAME` says, if anything.
fn variable() -> Option<String> {
    std::env::var("WGPU_ADAPTER_NAME").ok().filter(|name| !name.is_empty())
}

/// Whether the name begins as that of the CPU's threads does.
fn is_cpu(name: &str) -> bool {
    !name.is_empty() && cpu(cpu::cores()).name.to_lowercase().starts_with(&name.to_lowercase())
}

/// The adapter that computes: the first whose name contains `name`, or what `WGPU_ADAPTER_NAME` says, or the best GPU. None: the
/// CPU's threads, which come before software drivers.
pub(super) fn choose(name: Option<&str>) -> Result<Option<wgpu::Adapter>> {
    let variable = variable();
    let Some(name) = name.or(variable.as_deref()) else {
        return Ok(adapters().into_iter().next().filter(is_hardware));
    };
    if is_cpu(name) {
        return Ok(None);
    }
    let adapters = adapters();
    let mut names = quoted(&adapters);
    names.insert(
        adapters.iter().take_while(|adapter| is_hardware(adapter)).count(),
        format!("\"{}\"", cpu(cpu::cores()).name),
    );
    named(adapters, name, &names).map(Some)
}

/// The best adapter to draw with.
pub(super) fn for_drawing() -> Result<wgpu::Adapter> {
    adapters().into_iter().next().ok_or_else(|| Error::Device(NO_ADAPTER.into()))
}

/// The adapter that draws in a window: the best, or the first whose name contains `name` or what `WGPU_ADAPTER_NAME` says; whether
/// it computes, too, as it does where it is a GPU or named; and the window's surface.
pub(super) fn for_window(
    window: impl Into<wgpu::SurfaceTarget<'static>>,
    name: Option<&str>,
) -> Result<(wgpu::Adapter, bool, wgpu::Surface<'static>)> {
    let variable = variable();
    let name = name.or(variable.as_deref());
    let wanted = name.filter(|name| !is_cpu(name));
    let instance = instance();
    let surface = instance
        .create_surface(window)
        .map_err(|error| Error::Device(format!("drawing in the window: {error}")))?;
    let mut adapters = adapters_of(&instance);
    let found = adapters.len();
    adapters.retain(|adapter| adapter.is_surface_supported(&surface));
    if adapters.is_empty() {
        let message = match found {
            0 => NO_ADAPTER.to_owned(),
            _ => format!(
                "none of {found} graphics adapters can draw in this window; `pliant view --screenshot` works without one"
            ),
        };
        return Err(Error::Device(message));
    }
    let names = quoted(&adapters);
    let adapter = named(adapters, wanted.unwrap_or_default(), &names)?;
    let computes = wanted.is_some() || name.is_none() && is_hardware(&adapter);
    Ok((adapter, computes, surface))
}

fn is_hardware(adapter: &wgpu::Adapter) -> bool {
    adapter.get_info().device_type != wgpu::DeviceType::Cpu
}

fn quoted(adapters: &[wgpu::Adapter]) -> Vec<String> {
    adapters.iter().map(|adapter| format!("\"{}\"", adapter.get_info().name)).collect()
}

/// The first adapter whose name contains `name`.
fn named(adapters: Vec<wgpu::Adapter>, name: &str, names: &[String]) -> Result<wgpu::Adapter> {
    let matches = |adapter: &wgpu::Adapter| {
        adapter.get_info().name.to_lowercase().contains(&name.to_lowercase())
    };
    adapters.into_iter().find(matches).ok_or_else(|| {
        let want = format!("part of the name of one of the adapters: {}", names.join(", "));
        Error::value("adapter", format!("\"{name}\""), want)
    })
}
