//! A compute kernel: its pipeline, and the buffers bound to it by name.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::compiler::Pipeline;
use super::device::Device;
use super::{
    Buffer, Bytes, Content, Context, Executor, Memory, Reflection, Resource, ResourceKind, Shared,
    compose_for, types, unless_lost,
};
use crate::cpu;

/// A compiled kernel; clones share it.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: &'static str,
    code: Code,
    resources: Arc<[Resource]>,
    workgroup_size: u32,
}

#[derive(Clone, Debug)]
enum Code {
    Device { pipeline: Pipeline, layout: wgpu::BindGroupLayout },
    Threads { kernel: &'static cpu::rt::Kernel, content: Content, watched: bool },
}

/// A buffer offered under a name.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    pub(super) name: &'a str,
    pub(super) memory: &'a Memory,
    pub(super) stride: u64,
    /// Its bytes; `None`: all of it.
    pub(super) part: Option<Range<u64>>,
}

impl<'a> Binding<'a> {
    /// The name that kernels know it by.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    /// A buffer of vectors of four numbers under the name that kernels know it by.
    #[must_use]
    pub fn vectors(name: &'a str, memory: &'a Memory) -> Self {
        Self { name, memory, stride: 16, part: None }
    }

    /// All bytes of the buffer, waiting for the device, and how many an element has.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(feature = "verify")]
    pub(crate) fn read(&self, context: &Context) -> crate::Result<(Vec<u8>, u64)> {
        Ok((self.memory.read(context, 0..self.memory.size())?, self.stride))
    }

    /// The same as an array of elements of `stride` bytes.
    #[cfg(feature = "verify")]
    pub(crate) fn of_elements(self, stride: u64) -> Self {
        Self { stride, ..self }
    }
}

impl<T: Shared> Buffer<T>
where
    Vec<T>: encase::ShaderType + encase::internal::WriteInto + encase::internal::CreateFrom,
{
    /// This buffer for kernels that know it by its label.
    #[must_use]
    pub(crate) fn binding(&self) -> Binding<'_> {
        self.bind(self.label())
    }

    /// This buffer for kernels that know it by the name of a part that it plays.
    #[must_use]
    pub(crate) fn bind<'a>(&'a self, name: &'a str) -> Binding<'a> {
        Binding { name, memory: self.memory(), stride: Self::STRIDE, part: None }
    }

    /// Some of its elements as an array of their own. The first must lie at a multiple of 256 bytes, the alignment that
    /// every device offers.
    #[must_use]
    pub(crate) fn bind_part<'a>(&'a self, name: &'a str, part: Range<usize>) -> Binding<'a> {
        let first = part.start as u64 * Self::STRIDE;
        assert_eq!(first % types::SIM_STRIDE, 0, "{name}: a binding begins off its alignment");
        let size = part.len() as u64 * Self::STRIDE;
        Binding { part: (size > 0).then_some(first..first + size), ..self.bind(name) }
    }
}

/// A kernel with all its buffers: ready to be dispatched.
#[derive(Debug)]
pub struct Bound {
    pub(super) name: &'static str,
    pub(super) workgroup_size: u32,
    pub(super) code: BoundCode,
}

#[derive(Debug)]
pub(super) enum BoundCode {
    Device { pipeline: Pipeline, group: wgpu::BindGroup, takes_sim: bool },
    Threads(Arc<cpu::Bound>),
}

impl Kernel {
    /// Compiles the kernel of this name, for any world.
    ///
    /// # Panics
    /// When the kernel does not compile: kernels are part of the crate and each is compiled in a test.
    #[must_use]
    pub fn new(context: &Context, name: &str) -> Self {
        Self::for_content(context, name, Content::ALL)
    }

    /// The same for worlds that hold no more than this.
    ///
    /// # Panics
    /// As [`Self::new`].
    #[must_use]
    pub fn for_content(context: &Context, name: &str, content: Content) -> Self {
        match &context.executor {
            Executor::Threads(team) => Self::translated(name, content, team.checked),
            Executor::Device(device) => {
                let key = (name.to_owned(), content, device.checked_shaders);
                device.compiler.kernel(key, || Self::compile(device, name, content))
            }
        }
    }

    fn translated(name: &str, content: Content, watched: bool) -> Self {
        let kernel = cpu::kernel(name);
        let resource = |(index, binding): (usize, &cpu::rt::Binding)| Resource {
            name: binding.name.into(),
            binding: index as u32,
            kind: match binding.written {
                true => ResourceKind::ReadWrite,
                false => ResourceKind::Read,
            },
            stride: binding.stride,
        };
        Self {
            name: kernel.name,
            code: Code::Threads { kernel, content, watched },
            resources: kernel.bindings.iter().enumerate().map(resource).collect(),
            workgroup_size: kernel.workgroup_size,
        }
    }

    fn compile(own: &Device, name: &str, content: Content) -> Self {
        let composed = compose_for(name, content);
        let reflection = Reflection::new(&composed).unwrap_or_else(|message| panic!("{message}"));
        let Reflection { module, resources, workgroup_size, .. } = reflection;
        let device = &own.device;
        let entries: Vec<_> = resources
            .iter()
            .map(|resource| wgpu::BindGroupLayoutEntry {
                binding: resource.binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match resource.kind {
                        ResourceKind::Uniform => wgpu::BufferBindingType::Uniform,
                        ResourceKind::Read => wgpu::BufferBindingType::Storage { read_only: true },
                        ResourceKind::ReadWrite => {
                            wgpu::BufferBindingType::Storage { read_only: false }
                        }
                    },
                    has_dynamic_offset: resource.name == SIM,
                    min_binding_size: wgpu::BufferSize::new(resource.stride),
                },
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(name),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let (name, checked) = (composed.name, own.checked_shaders);
        let compiling = device.clone();
        let pipeline = own.compiler.pipeline(move || {
            let module = shader_module(&compiling, checked, name, module);
            let descriptor = wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(name),
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            };
            unless_lost(&compiling, || compiling.create_compute_pipeline(&descriptor))
        });
        let code = Code::Device { pipeline, layout };
        Self { name, code, resources: resources.into(), workgroup_size }
    }

    /// Its pipeline, where a device runs it.
    pub(super) fn pipeline(&self) -> Option<&Pipeline> {
        match &self.code {
            Code::Device { pipeline, .. } => Some(pipeline),
            Code::Threads { .. } => None,
        }
    }

    /// The kernel's name.
    #[cfg(feature = "verify")]
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// All that it binds.
    #[cfg(feature = "verify")]
    pub(crate) fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The arrays that it may write.
    #[cfg(feature = "verify")]
    pub(crate) fn written(&self) -> impl Iterator<Item = &Resource> {
        let written = |resource: &&Resource| resource.kind == ResourceKind::ReadWrite;
        self.resources.iter().filter(written)
    }

    /// Binds buffers by name. More may be offered than the kernel uses.
    ///
    /// # Panics
    /// When a buffer that the kernel needs is missing or its elements have another size than the kernel's:
    /// both are mistakes in this crate.
    #[must_use]
    pub fn bind(&self, context: &Context, bindings: &[Binding<'_>]) -> Bound {
        let offered = self.resources.iter().map(|resource| {
            let binding = bindings.iter().find(|binding| binding.name == resource.name);
            let binding =
                binding.unwrap_or_else(|| panic!("{} needs a buffer {}", self.name, resource.name));
            assert_eq!(
                binding.stride, resource.stride,
                "{}: element size of {}",
                self.name, resource.name
            );
            let slot = (resource.name == SIM).then_some(0..resource.stride);
            let part = binding.part.clone().or(slot);
            Offered { resource, memory: binding.memory, part }
        });
        let code = match &self.code {
            Code::Device { pipeline, layout } => {
                let entries: Vec<_> = offered.map(Offered::entry).collect();
                let device = &context.executor.device().device;
                let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some(self.name),
                    layout,
                    entries: &entries,
                });
                let takes_sim = self.resources.iter().any(|resource| resource.name == SIM);
                BoundCode::Device { pipeline: pipeline.clone(), group, takes_sim }
            }
            &Code::Threads { kernel, content, watched } => {
                let parts = offered.map(Offered::words).collect();
                BoundCode::Threads(Arc::new(cpu::Bound::new(kernel, content, parts, watched)))
            }
        };
        Bound { name: self.name, workgroup_size: self.workgroup_size, code }
    }
}

/// What a kernel binds, and some bytes for it.
struct Offered<'a> {
    resource: &'a Resource,
    memory: &'a Memory,
    /// `None`: all of them.
    part: Option<Range<u64>>,
}

impl<'a> Offered<'a> {
    fn entry(self) -> wgpu::BindGroupEntry<'a> {
        let bytes = wgpu::BufferBinding {
            buffer: self.memory.buffer(),
            offset: self.part.as_ref().map_or(0, |part| part.start),
            size: self.part.and_then(|part| wgpu::BufferSize::new(part.end - part.start)),
        };
        let resource = wgpu::BindingResource::Buffer(bytes);
        wgpu::BindGroupEntry { binding: self.resource.binding, resource }
    }

    fn words(self) -> cpu::Part {
        let memory = self.memory.words().clone();
        let Range { start, end } = self.part.unwrap_or(0..memory.size());
        let slot = if self.resource.name == SIM { types::SIM_STRIDE as usize / 4 } else { 0 };
        cpu::Part { memory, words: start as usize / 4..end as usize / 4, slot }
    }
}

/// The one uniform with a dynamic offset: a slot per substep.
const SIM: &str = "sim";
const _: () = assert!(types::SIM_STRIDE == 256, "the offset alignment that every device offers");

/// Unless every run-time check is `checked`, loop bounding is dropped (every loop counts up to an end that does not change) and so
/// are the guards of integer division (no kernel divides by a value that can be 0); bounds checks stay.
#[allow(unsafe_code, reason = "wgpu marks the choice of runtime checks unsafe")]
fn shader_module(
    device: &wgpu::Device,
    checked: bool,
    name: &str,
    module: naga::Module,
) -> wgpu::ShaderModule {
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    checks.force_loop_bounding = checked;
    checks.int_div_checks = checked;
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(name),
        // As it was parsed to look at what it binds: the text would be parsed again.
        source: wgpu::ShaderSource::Naga(Cow::Owned(module)),
    };
    // SAFETY: the sources are this crate's own; tests/shaders checks that every loop counts up to an end that does not change and that no
    // integer is divided by a variable.
    unsafe { device.create_shader_module_trusted(descriptor, checks) }
}
