//! The four kinds of things in a picture, each a pipeline: shadow, surfaces, sky, ground.

use super::targets::{DEPTH, SAMPLES};
use crate::gpu::compose;

/// All pipelines, and the layouts of their two bind groups.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// Group 0: the frame's uniform.
    pub frame_layout: wgpu::BindGroupLayout,
    /// Group 1: the shadow map and its sampler.
    pub shadow_layout: wgpu::BindGroupLayout,
    pub shadow: wgpu::RenderPipeline,
    pub surface: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
}

/// The first three floats of a `vec4`.
const PLACE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const COLOR: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Unorm8x4];

/// What distinguishes one pipeline from the next.
struct Kind<'a> {
    /// The shader file is `draw_<name>`, its entry points `<name>_vertex` and `<name>_fragment`.
    name: &'a str,
    layout: &'a wgpu::PipelineLayout,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    primitive: wgpu::PrimitiveState,
    depth: wgpu::DepthStencilState,
    /// None: depth only, one sample.
    target: Option<wgpu::ColorTargetState>,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let frame_layout = frame_layout(device);
        let shadow_layout = shadow_layout(device);
        let layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("drawing"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let unlit = layout(&[Some(&frame_layout)]);
        let lit = layout(&[Some(&frame_layout), Some(&shadow_layout)]);
        let buffer = |step_mode, array_stride, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
        };
        let vertex = wgpu::VertexStepMode::Vertex;
        let instance = wgpu::VertexStepMode::Instance;
        let strip = wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            cull_mode: Some(wgpu::Face::Back),
            ..Default::default()
        };
        let opaque = wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL };
        let fading = wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState {
                color: wgpu::BlendState::ALPHA_BLENDING.color,
                alpha: wgpu::BlendComponent::OVER,
            }),
            ..opaque.clone()
        };
        let create = |kind| pipeline(device, &kind);
        Self {
            shadow: create(Kind {
                name: "shadow",
                layout: &unlit,
                buffers: &[buffer(vertex, 16, &PLACE)],
                primitive: wgpu::PrimitiveState::default(),
                depth: wgpu::DepthStencilState {
                    bias: wgpu::DepthBiasState { constant: 0, slope_scale: 2.0, clamp: 0.0 },
                    ..depth(wgpu::CompareFunction::Less, true)
                },
                target: None,
            }),
            surface: create(Kind {
                name: "surface",
                layout: &lit,
                buffers: &[buffer(vertex, 16, &PLACE), buffer(vertex, 16, &NORMAL), buffer(instance, 4, &COLOR)],
                primitive: wgpu::PrimitiveState::default(),
                depth: depth(wgpu::CompareFunction::Greater, true),
                target: Some(opaque.clone()),
            }),
            sky: create(Kind {
                name: "sky",
                layout: &unlit,
                buffers: &[],
                primitive: wgpu::PrimitiveState::default(),
                depth: depth(wgpu::CompareFunction::GreaterEqual, false),
                target: Some(opaque),
            }),
            ground: create(Kind {
                name: "ground",
                layout: &lit,
                buffers: &[buffer(instance, 16, &PLACE), buffer(instance, 16, &NORMAL)],
                primitive: strip,
                depth: depth(wgpu::CompareFunction::Greater, true),
                target: Some(fading),
            }),
            frame_layout,
            shadow_layout,
        }
    }
}

fn pipeline(device: &wgpu::Device, kind: &Kind<'_>) -> wgpu::RenderPipeline {
    let composed = compose(&format!("draw_{}", kind.name));
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(composed.name),
        source: wgpu::ShaderSource::Wgsl(composed.text.as_str().into()),
    });
    let (vertex, fragment) = (format!("{}_vertex", kind.name), format!("{}_fragment", kind.name));
    let targets = [kind.target.clone()];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.name),
        layout: Some(kind.layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(&vertex),
            compilation_options: Default::default(),
            buffers: kind.buffers,
        },
        primitive: kind.primitive,
        depth_stencil: Some(kind.depth.clone()),
        multisample: wgpu::MultisampleState {
            count: if kind.target.is_some() { SAMPLES } else { 1 },
            ..Default::default()
        },
        fragment: kind.target.is_some().then_some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(&fragment),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn depth(compare: wgpu::CompareFunction, write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

fn frame_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("frame"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

fn shadow_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("shadow map"),
        entries: &[
            entry(
                0,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(1, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
        ],
    })
}
