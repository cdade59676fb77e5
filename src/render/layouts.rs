//! The layouts of the bind groups that drawing shaders read.

/// One per kind of group.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Group 0: the frame's uniform.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1: the shadow map and its sampler.
    pub shadow: wgpu::BindGroupLayout,
    /// Of points: the particles, and how they look.
    pub cloud: wgpu::BindGroupLayout,
    /// Group 2 of triangles and wires: two arrays.
    pub pair: wgpu::BindGroupLayout,
    /// Group 2 of segments: one array.
    pub single: wgpu::BindGroupLayout,
    /// Group 3: values, and their scale.
    pub values: wgpu::BindGroupLayout,
}

const ARRAY: wgpu::BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: true });
const UNIFORM: wgpu::BindingType = buffer(wgpu::BufferBindingType::Uniform);

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let vertex = |binding| entry(binding, wgpu::ShaderStages::VERTEX, ARRAY);
        let uniform = |binding| entry(binding, wgpu::ShaderStages::VERTEX_FRAGMENT, UNIFORM);
        let fragment = |binding, ty| entry(binding, wgpu::ShaderStages::FRAGMENT, ty);
        let map = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        Self {
            frame: layout("frame", &[uniform(0)]),
            shadow: layout("shadow map", &[fragment(0, map), fragment(1, sampler)]),
            cloud: layout("cloud", &[vertex(0), uniform(1)]),
            pair: layout("two arrays", &[vertex(0), vertex(1)]),
            single: layout("an array", &[vertex(0)]),
            values: layout("values", &[vertex(0), uniform(1)]),
        }
    }
}

const fn buffer(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}
