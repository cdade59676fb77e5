//! The kinds of things in a picture, each a pipeline: shadows, surfaces, points, sky, ground, lines.

use super::layouts::Layouts;
use super::targets::{DEPTH, SAMPLES};
use crate::gpu::compose;

/// All pipelines, and the layouts of their bind groups. Those in pairs draw both sides of surfaces, or leave out the
/// inner side, as of closed bodies.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub layouts: Layouts,
    pub shadow: [wgpu::RenderPipeline; 2],
    pub points_shadow: wgpu::RenderPipeline,
    pub surface: [wgpu::RenderPipeline; 2],
    /// Smooth surfaces in the colours of values.
    pub surface_values: [wgpu::RenderPipeline; 2],
    /// Flat surfaces, with edges or values or without.
    pub facets: [wgpu::RenderPipeline; 2],
    pub points: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    /// Planes where the shadow map reaches.
    pub ground: wgpu::RenderPipeline,
    /// Planes around that.
    pub far_ground: wgpu::RenderPipeline,
    pub wires: wgpu::RenderPipeline,
    pub segments: wgpu::RenderPipeline,
    /// What bodies hide of them.
    pub hidden_segments: wgpu::RenderPipeline,
}

/// Bytes from one draw call's look to the next; see the painter's `looks`.
pub(super) const LOOK: u64 = 32;

/// The first three floats of a `vec4`, or all, at shader locations from 0 on.
const PLACE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const COLOR: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x4];
const LOOKS: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4];

const SURFACE_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    buffer(16, wgpu::VertexStepMode::Vertex, &PLACE),
    buffer(16, wgpu::VertexStepMode::Vertex, &NORMAL),
    buffer(LOOK, wgpu::VertexStepMode::Instance, &COLOR),
];
const GROUND_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 2] = [
    buffer(16, wgpu::VertexStepMode::Instance, &PLACE),
    buffer(16, wgpu::VertexStepMode::Instance, &NORMAL),
];
/// Of shaders that fetch their vertices themselves.
const LOOK_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 1] =
    [buffer(LOOK, wgpu::VertexStepMode::Instance, &LOOKS)];

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
        let layouts = Layouts::new(device);
        let layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("drawing"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let frame = Some(&layouts.frame);
        let (light, values) = (Some(&layouts.shadow), Some(&layouts.values));
        let (pair, single, cloud) = (
            Some(&layouts.pair),
            Some(&layouts.single),
            Some(&layouts.cloud),
        );
        let unlit = layout(&[frame]);
        let lit = layout(&[frame, light]);
        let lit_values = layout(&[frame, light, None, values]);
        let lit_facets = layout(&[frame, light, pair, values]);
        let unlit_points = layout(&[frame, cloud]);
        let lit_points = layout(&[frame, light, cloud, values]);
        let wires = layout(&[frame, None, pair, values]);
        let segments = layout(&[frame, None, single]);
        let both = |kind: Kind<'_>| {
            [None, Some(wgpu::Face::Back)].map(|cull| {
                let primitive = wgpu::PrimitiveState {
                    cull_mode: cull,
                    ..kind.primitive
                };
                pipeline(
                    device,
                    &Kind {
                        primitive,
                        depth: kind.depth.clone(),
                        target: kind.target.clone(),
                        ..kind
                    },
                )
            })
        };
        Self {
            shadow: both(shadow_kind(&unlit)),
            points_shadow: pipeline(device, &points_shadow_kind(&unlit_points)),
            surface: both(surface_kind(&lit, format)),
            surface_values: both(Kind {
                name: "surface_values",
                ..surface_kind(&lit_values, format)
            }),
            facets: both(Kind {
                name: "facets",
                buffers: &LOOK_BUFFERS,
                ..surface_kind(&lit_facets, format)
            }),
            points: pipeline(device, &points_kind(&lit_points, format)),
            sky: pipeline(device, &sky_kind(&unlit, format)),
            ground: pipeline(device, &ground_kind(&lit, format)),
            far_ground: pipeline(
                device,
                &Kind {
                    name: "far_ground",
                    ..ground_kind(&unlit, format)
                },
            ),
            wires: pipeline(device, &line_kind("wires", &wires, format)),
            segments: pipeline(device, &line_kind("segments", &segments, format)),
            hidden_segments: pipeline(device, &hidden_kind(&segments, format)),
            layouts,
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

fn surface_kind(layout: &wgpu::PipelineLayout, format: wgpu::TextureFormat) -> Kind<'_> {
    Kind {
        name: "surface",
        layout,
        buffers: &SURFACE_BUFFERS,
        primitive: wgpu::PrimitiveState::default(),
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
        ..surface_kind(layout, format)
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
        target: Some(format.into()),
    }
}

fn line_kind<'a>(
    name: &'a str,
    layout: &'a wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
) -> Kind<'a> {
    Kind {
        name,
        buffers: &LOOK_BUFFERS,
        target: Some(wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            ..format.into()
        }),
        ..surface_kind(layout, format)
    }
}

/// Segments behind what is there, blended by the pass's constant.
fn hidden_kind(layout: &wgpu::PipelineLayout, format: wgpu::TextureFormat) -> Kind<'_> {
    let blend = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Constant,
        dst_factor: wgpu::BlendFactor::OneMinusConstant,
        operation: wgpu::BlendOperation::Add,
    };
    Kind {
        depth: depth(wgpu::CompareFunction::Less, false),
        target: Some(wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState {
                color: blend,
                alpha: blend,
            }),
            ..format.into()
        }),
        ..line_kind("segments", layout, format)
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
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout {
        array_stride,
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
