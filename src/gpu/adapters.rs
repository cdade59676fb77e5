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

/// A part of an adapter's name that somebody has given.
struct Name {
    text: String,
    /// Where.
    given: &'static str,
}

impl Name {
    /// This, or what the variable says.
    fn wanted(name: Option<&str>) -> Option<Self> {
        let given = name.map(|name| Self { text: name.to_owned(), given: "adapter" });
        given.or_else(|| variable().map(|text| Self { text, given: "WGPU_ADAPTER_NAME" }))
    }

    /// Whether an adapter is meant that is called so. Numbers stand in many names, and none is meant by them.
    fn is_of(&self, adapter: &str) -> bool {
        let has_letter = self.text.contains(char::is_alphabetic);
        has_letter && adapter.to_lowercase().contains(&self.text.to_lowercase())
    }

    /// Whether the CPU's threads are called so from the beginning, as no adapter is.
    fn is_cpu(&self) -> bool {
        let threads = cpu(cpu::cores()).name.to_lowercase();
        self.is_of(&threads) && threads.starts_with(&self.text.to_lowercase())
    }

    fn unknown(&self, names: &[String]) -> Error {
        let want = format!(
            "part of the name of one of the adapters, with a letter in it: {}",
            names.join(", ")
        );
        Error::value(self.given, format!("\"{}\"", self.text), want)
    }
}

/// The adapter that computes: the first whose name contains `name`, or what `WGPU_ADAPTER_NAME` says, or the best GPU. None: the
/// CPU's threads, which come before software drivers.
pub(super) fn choose(name: Option<&str>) -> Result<Option<wgpu::Adapter>> {
    let Some(name) = Name::wanted(name) else {
        return Ok(adapters().into_iter().next().filter(is_hardware));
    };
    if name.is_cpu() {
        return Ok(None);
    }
    let adapters = adapters();
    let threads = cpu(cpu::cores()).name;
    let before = adapters.iter().take_while(|adapter| is_hardware(adapter)).count();
    match adapters.iter().position(|adapter| name.is_of(&adapter.get_info().name)) {
        Some(index) if index < before || !name.is_of(&threads) => {
            Ok(adapters.into_iter().nth(index))
        }
        None if !name.is_of(&threads) => {
            let mut names = quoted(&adapters);
            names.insert(before, format!("\"{threads}\""));
            Err(name.unknown(&names))
        }
        _ => Ok(None),
    }
}

/// What is chosen where nothing is named, by its name, and whether `WGPU_ADAPTER_NAME` names it.
///
/// # Errors
/// When nothing has the name that it says.
#[cfg(feature = "verify")]
pub fn chosen() -> Result<(String, bool)> {
    let chosen = choose(None)?.map(|adapter| adapter.get_info().name);
    Ok((chosen.unwrap_or_else(|| cpu(cpu::cores()).name), variable().is_some()))
}

/// The best adapter to draw with.
pub(super) fn for_drawing() -> Result<wgpu::Adapter> {
    adapters().into_iter().next().ok_or_else(no_adapter)
}

/// The adapter that draws in a window: the best, or the first whose name contains `name` or what `WGPU_ADAPTER_NAME` says; whether
/// it computes, too, as it does where it is a GPU or named; and the window's surface.
pub(super) fn for_window(
    window: impl Into<wgpu::SurfaceTarget<'static>>,
    name: Option<&str>,
) -> Result<(wgpu::Adapter, bool, wgpu::Surface<'static>)> {
    let name = Name::wanted(name);
    let wanted = name.as_ref().filter(|name| !name.is_cpu());
    let instance = instance();
    let mut adapters = adapters_of(&instance);
    // Without an adapter it fails, too, and says less.
    let surface = instance.create_surface(window).map_err(|error| match adapters.is_empty() {
        true => no_adapter(),
        false => Error::Device(format!("drawing in the window: {error}")),
    })?;
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
    let meant =
        |adapter: &wgpu::Adapter| wanted.is_none_or(|name| name.is_of(&adapter.get_info().name));
    let found = adapters.into_iter().find(meant);
    let Some(adapter) = found else {
        return Err(wanted.map_or_else(no_adapter, |name| name.unknown(&names)));
    };
    let computes = wanted.is_some() || name.is_none() && is_hardware(&adapter);
    Ok((adapter, computes, surface))
}

fn is_hardware(adapter: &wgpu::Adapter) -> bool {
    adapter.get_info().device_type != wgpu::DeviceType::Cpu
}

fn quoted(adapters: &[wgpu::Adapter]) -> Vec<String> {
    adapters.iter().map(|adapter| format!("\"{}\"", adapter.get_info().name)).collect()
}

fn no_adapter() -> Error {
    Error::Device(NO_ADAPTER.into())
}
