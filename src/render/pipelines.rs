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
const GROUND_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    buffer(16, wgpu::VertexStepMode::Instance, &PLACE),
    buffer(16, wgpu::VertexStepMode::Instance, &NORMAL),
    buffer(16, wgpu::VertexStepMode::Instance, &COLOR),
];
/// Of shaders that fetch their vertices themselves.
const LOOK_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 1] =
    [buffer(LOOK, wgpu::VertexStepMode::Instance, &LOOKS)];

/// A layout of a bind group.
type Group = Option<fn(&Layouts) -> &wgpu::BindGroupLayout>;

const FRAME: Group = Some(|layouts| &layouts.frame);
const LIGHT: Group = Some(|layouts| &layouts.shadow);
const CLOUD: Group = Some(|layouts| &layouts.cloud);
const PAIR: Group = Some(|layouts| &layouts.pair);
const SINGLE: Group = Some(|layouts| &layouts.single);
const VALUES: Group = Some(|layouts| &layouts.values);

/// What distinguishes one pipeline from the next.
#[derive(Clone, Copy)]
struct Kind {
    /// The shader file is `draw_<name>`, its entry points `<name>_vertex` and `<name>_fragment`.
    name: &'static str,
    groups: &'static [Group],
    buffers: &'static [Option<wgpu::VertexBufferLayout<'static>>],
    topology: wgpu::PrimitiveTopology,
    /// The side that is left out.
    cull: Option<wgpu::Face>,
    /// What is drawn: what is so to the depth that is there.
    depth: wgpu::CompareFunction,
    writes_depth: bool,
    blend: Option<wgpu::BlendState>,
}

impl Kind {
    fn depth_state(&self, slope_scale: f32) -> wgpu::DepthStencilState {
        wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(self.writes_depth),
            depth_compare: Some(self.depth),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState { slope_scale, ..Default::default() },
        }
    }
}

const SURFACE: Kind = Kind {
    name: "surface",
    groups: &[FRAME, LIGHT],
    buffers: &SURFACE_BUFFERS,
    topology: wgpu::PrimitiveTopology::TriangleList,
    cull: None,
    depth: wgpu::CompareFunction::Greater,
    writes_depth: true,
    blend: None,
};
const SURFACE_VALUES: Kind =
    Kind { name: "surface_values", groups: &[FRAME, LIGHT, None, VALUES], ..SURFACE };
const FACETS: Kind = Kind {
    name: "facets",
    groups: &[FRAME, LIGHT, PAIR, VALUES],
    buffers: &LOOK_BUFFERS,
    ..SURFACE
};
const POINTS: Kind =
    Kind { name: "points", groups: &[FRAME, LIGHT, CLOUD, VALUES], buffers: &[], ..SURFACE };
const SKY: Kind = Kind {
    name: "sky",
    groups: &[FRAME],
    buffers: &[],
    depth: wgpu::CompareFunction::GreaterEqual,
    writes_depth: false,
    ..SURFACE
};
const GROUND: Kind = Kind {
    name: "ground",
    buffers: &GROUND_BUFFERS,
    topology: wgpu::PrimitiveTopology::TriangleStrip,
    cull: Some(wgpu::Face::Back),
    ..SURFACE
};
const FAR_GROUND: Kind = Kind { name: "far_ground", groups: &[FRAME], ..GROUND };
const WIRES: Kind = Kind {
    name: "wires",
    groups: &[FRAME, None, PAIR, VALUES],
    buffers: &LOOK_BUFFERS,
    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
    ..SURFACE
};
const SEGMENTS: Kind = Kind { name: "segments", groups: &[FRAME, None, SINGLE], ..WIRES };
/// Segments behind what is there, blended by the pass's constant.
const HIDDEN_SEGMENTS: Kind = Kind {
    depth: wgpu::CompareFunction::Less,
    writes_depth: false,
    blend: Some(wgpu::BlendState { color: BY_CONSTANT, alpha: BY_CONSTANT }),
    ..SEGMENTS
};
const BY_CONSTANT: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Constant,
    dst_factor: wgpu::BlendFactor::OneMinusConstant,
    operation: wgpu::BlendOperation::Add,
};
const SHADOW: Kind = Kind {
    name: "shadow",
    groups: &[FRAME],
    buffers: SURFACE_BUFFERS.split_at(1).0,
    depth: wgpu::CompareFunction::Less,
    ..SURFACE
};
const POINTS_SHADOW: Kind = Kind {
    name: "points_shadow",
    groups: &[FRAME, CLOUD],
    buffers: &[],
    topology: wgpu::PrimitiveTopology::TriangleStrip,
    ..SHADOW
};

impl Pipelines {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layouts = Layouts::new(device);
        // Of pictures, and of the shadow map.
        let drawn = |kind| pipeline(device, &layouts, Some(format), &kind);
        let shadow = |kind| pipeline(device, &layouts, None, &kind);
        let both = |kind| [None, Some(wgpu::Face::Back)].map(|cull| Kind { cull, ..kind });
        Self {
            shadow: both(SHADOW).map(shadow),
            points_shadow: shadow(POINTS_SHADOW),
            surface: both(SURFACE).map(drawn),
            surface_values: both(SURFACE_VALUES).map(drawn),
            facets: both(FACETS).map(drawn),
            points: drawn(POINTS),
            sky: drawn(SKY),
            ground: drawn(GROUND),
            far_ground: drawn(FAR_GROUND),
            wires: drawn(WIRES),
            segments: drawn(SEGMENTS),
            hidden_segments: drawn(HIDDEN_SEGMENTS),
            layouts,
        }
    }
}

/// `format`: of the target; none of the shadow map: depth alone, one sample.
fn pipeline(
    device: &wgpu::Device,
    layouts: &Layouts,
    format: Option<wgpu::TextureFormat>,
    kind: &Kind,
) -> wgpu::RenderPipeline {
    let groups = kind.groups.iter().map(|group| group.map(|of| of(layouts)));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(kind.name),
        bind_group_layouts: &Vec::from_iter(groups),
        immediate_size: 0,
    });
    let composed = compose(&format!("draw_{}", kind.name));
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(composed.name),
        source: wgpu::ShaderSource::Wgsl(composed.text.as_str().into()),
    });
    let [vertex, fragment] = ["vertex", "fragment"].map(|stage| format!("{}_{stage}", kind.name));
    let target = format.map(|format| wgpu::ColorTargetState { blend: kind.blend, ..format.into() });
    let (samples, slope_scale) = match format {
        Some(_) => (SAMPLES, 0.0),
        None => (1, 2.0),
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(&vertex),
            compilation_options: Default::default(),
            buffers: kind.buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: kind.topology,
            cull_mode: kind.cull,
            ..Default::default()
        },
        depth_stencil: Some(kind.depth_state(slope_scale)),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: target.is_some().then_some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(&fragment),
            compilation_options: Default::default(),
            targets: &[target],
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
    Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
}
