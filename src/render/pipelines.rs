//! The kinds of things in a picture, each a pipeline: shadows, surfaces, points, sky, ground.

use super::targets::{DEPTH, SAMPLES};
use crate::gpu::compose;

/// All pipelines, and the layouts of their bind groups.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// Group 0: the frame's uniform.
    pub frame_layout: wgpu::BindGroupLayout,
    /// Group 1: the shadow map and its sampler.
    pub shadow_layout: wgpu::BindGroupLayout,
    /// The last group of points: the particles, and how they look.
    pub cloud_layout: wgpu::BindGroupLayout,
    pub shadow: wgpu::RenderPipeline,
    pub points_shadow: wgpu::RenderPipeline,
    /// Surfaces seen from both sides.
    pub surface: wgpu::RenderPipeline,
    /// Surfaces of closed bodies: the inner side is left out.
    pub closed_surface: wgpu::RenderPipeline,
    pub points: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
}

/// The first three floats of a `vec4`, or all, at shader locations 0 to 2.
const PLACE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const COLOR: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x4];

const SURFACE_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    buffer(wgpu::VertexStepMode::Vertex, &PLACE),
    buffer(wgpu::VertexStepMode::Vertex, &NORMAL),
    buffer(wgpu::VertexStepMode::Instance, &COLOR),
];
const GROUND_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 2] = [
    buffer(wgpu::VertexStepMode::Instance, &PLACE),
    buffer(wgpu::VertexStepMode::Instance, &NORMAL),
];

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
        let cloud_layout = cloud_layout(device);
        let layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("drawing"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let unlit = layout(&[Some(&frame_layout)]);
        let lit = layout(&[Some(&frame_layout), Some(&shadow_layout)]);
        let unlit_points = layout(&[Some(&frame_layout), Some(&cloud_layout)]);
        let lit_points = layout(&[
            Some(&frame_layout),
            Some(&shadow_layout),
            Some(&cloud_layout),
        ]);
        let both_sides = wgpu::PrimitiveState::default();
        let outer_side = wgpu::PrimitiveState {
            cull_mode: Some(wgpu::Face::Back),
            ..both_sides
        };
        Self {
            shadow: pipeline(device, &shadow_kind(&unlit)),
            points_shadow: pipeline(device, &points_shadow_kind(&unlit_points)),
            surface: pipeline(device, &surface_kind(&lit, format, both_sides)),
            closed_surface: pipeline(device, &surface_kind(&lit, format, outer_side)),
            points: pipeline(device, &points_kind(&lit_points, format)),
            sky: pipeline(device, &sky_kind(&unlit, format)),
            ground: pipeline(device, &ground_kind(&lit, format)),
            frame_layout,
            shadow_layout,
            cloud_layout,
        }
    }
}

fn shadow_kind(layout: &wgpu::PipelineLayout) -> Kind<'_> {
    Kind {
        name: "shadow",
        layout,
        buffers: &SURFACE_BUFFERS[..1],
        primitive: wgpu::PrimitiveState::default(),
        depth: wgpu::DepthStencilState {
            bias: wgpu::DepthBiasState {
                constant: 0,
                slope_scale: 2.0,
                clamp: 0.0,
            },
            ..depth(wgpu::CompareFunction::Less, true)
        },
        target: None,
    }
}

fn surface_kind(
    layout: &wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
    primitive: wgpu::PrimitiveState,
) -> Kind<'_> {
    Kind {
        name: "surface",
        layout,
        buffers: &SURFACE_BUFFERS,
        primitive,
        depth: depth(wgpu::CompareFunction::Greater, true),
        target: Some(format.into()),
    }
}

fn points_shadow_kind(layout: &wgpu::PipelineLayout) -> Kind<'_> {
    Kind {
        name: "points_shadow",
        buffers: &[],
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        ..shadow_kind(layout)
    }
}

fn points_kind(layout: &wgpu::PipelineLayout, format: wgpu::TextureFormat) -> Kind<'_> {
    Kind {
        name: "points",
        buffers: &[],
        ..surface_kind(layout, format, wgpu::PrimitiveState::default())
    }
}

fn sky_kind(layout: &wgpu::PipelineLayout, format: wgpu::TextureFormat) -> Kind<'_> {
    Kind {
        name: "sky",
        layout,
        buffers: &[],
        primitive: wgpu::PrimitiveState::default(),
        depth: depth(wgpu::CompareFunction::GreaterEqual, false),
        target: Some(format.into()),
    }
}

fn ground_kind(layout: &wgpu::PipelineLayout, format: wgpu::TextureFormat) -> Kind<'_> {
    Kind {
        name: "ground",
        layout,
        buffers: &GROUND_BUFFERS,
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            cull_mode: Some(wgpu::Face::Back),
            ..Default::default()
        },
        depth: depth(wgpu::CompareFunction::Greater, true),
        target: Some(wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            ..format.into()
        }),
    }
}

fn pipeline(device: &wgpu::Device, kind: &Kind<'_>) -> wgpu::RenderPipeline {
    let composed = compose(&format!("draw_{}", kind.name));
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(composed.name),
        source: wgpu::ShaderSource::Wgsl(composed.text.as_str().into()),
    });
    let (vertex, fragment) = (
        format!("{}_vertex", kind.name),
        format!("{}_fragment", kind.name),
    );
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

const fn buffer(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode,
        attributes,
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

fn cloud_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let particles = wgpu::BufferBindingType::Storage { read_only: true };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("cloud"),
        entries: &[
            entry(0, wgpu::ShaderStages::VERTEX, particles),
            entry(
                1,
                wgpu::ShaderStages::VERTEX_FRAGMENT,
                wgpu::BufferBindingType::Uniform,
            ),
        ],
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
            entry(
                1,
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
            ),
        ],
    })
}
