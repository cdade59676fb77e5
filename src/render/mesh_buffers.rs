//! Deformed surfaces for render passes that are not ours.

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec2;

use crate::gpu::types::{MeshSource, MeshVertex};
use crate::gpu::{Buffer, Bytes as _, Context, Kernel, Memory, Recorder};
use crate::model::{Model, SkinRanges};
use crate::{Result, World};

/// The drawn surfaces of all bodies as one vertex buffer and one index buffer, for render passes of your own or an engine's:
/// written by a compute pass, never through the host.
///
/// A vertex is a [`MeshVertex`], 32 bytes: position [m], unit normal, texture coordinates from the upper left corner of the
/// picture, as [`Self::LAYOUT`] has it; Bevy lays out a mesh of these three attributes the same way. Vertices on a seam of
/// the texture, and at edges of 40° and more of bodies that are drawn by their own tetrahedra, are there once per side.
/// Front faces run counterclockwise. Bodies of bare points have no vertices: [`World::particles`] has their middles.
///
/// ```
/// use pliant::render::MeshBuffers;
/// use pliant::scene::{Body, Scene};
/// use pliant::{Context, World};
///
/// # fn main() -> pliant::Result<()> {
/// let scene = Scene { bodies: vec![Body::lattice("cube", [4, 4, 4], [1.0, 1.0, 1.0])], ..Scene::default() };
/// let mut world = World::new(&Context::new()?, &scene)?;
/// let mut meshes = MeshBuffers::new(&world)?;
/// world.step_frame()?;
/// meshes.update(&mut world)?;
///
/// // `context`: that of the device that draws, `Context::with_device(&device, &queue)`.
/// fn draw(pass: &mut wgpu::RenderPass<'_>, context: &Context, meshes: &MeshBuffers) -> pliant::Result<()> {
///     pass.set_vertex_buffer(0, meshes.vertices().on(context)?.slice(..));
///     pass.set_index_buffer(meshes.indices().on(context)?.slice(..), wgpu::IndexFormat::Uint32);
///     for body in meshes.bodies() {
///         pass.draw_indexed(body.indices.clone(), 0, 0..1);
///     }
///     Ok(())
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MeshBuffers {
    context: Context,
    pack: Kernel,
    sources: Buffer<MeshSource>,
    vertices: Buffer<MeshVertex>,
    indices: Buffer<u32>,
    /// The same on the host.
    corners: Vec<u32>,
    bodies: Vec<BodyMesh>,
    /// Index range of each body, also of those that are absent.
    ranges: Vec<Range<u32>>,
    /// What it was made for: the world's own index buffer, and the number of its bodies.
    of: (Memory, usize),
}

/// A body's part of [`MeshBuffers`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyMesh {
    /// Its vertices.
    pub vertices: Range<u32>,
    /// Its part of the index buffer, three a triangle, which count the vertices of all bodies; nothing while the body is
    /// absent.
    pub indices: Range<u32>,
    /// Whether it has texture coordinates: lattices, and surfaces whose file has them. Those of others are 0.
    pub textured: bool,
    /// Whether its triangles bound a volume, so that their inner sides need not be drawn.
    pub closed: bool,
}

/// Position, normal, texture coordinates.
const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2];

impl MeshBuffers {
    /// How a vertex lies in the buffer: position at location 0, normal at 1, texture coordinates at 2.
    pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: Buffer::<MeshVertex>::STRIDE,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &ATTRIBUTES,
    };

    /// For this world's bodies; nothing is written before [`Self::update`].
    ///
    /// # Errors
    /// An array that is too large for one buffer; a lost device.
    pub fn new(world: &World) -> Result<Self> {
        world.context().catch_loss(|| Self::make(world))
    }

    fn make(world: &World) -> Result<Self> {
        let (context, model) = (world.context(), world.model());
        let mut split = Split::default();
        let bodies: Vec<_> = model.skin.bodies.iter().map(|body| split.add(model, body)).collect();
        let indices = Buffer::drawable(context, "mesh_indices", split.corners.len())?;
        indices.write(context, 0, &split.corners);
        Ok(Self {
            context: context.clone(),
            pack: Kernel::new(context, "mesh_pack"),
            sources: Buffer::new(context, "mesh_sources", &split.sources)?,
            vertices: Buffer::drawable(context, "mesh_vertices", split.sources.len())?,
            indices,
            corners: split.corners,
            ranges: bodies.iter().map(|body| body.indices.clone()).collect(),
            bodies,
            of: Self::of(world),
        })
    }

    /// Writes the vertices as they are in the state that was submitted last. Where the world has got other bodies since,
    /// all is made anew first: fetch the buffers after each update.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn update(&mut self, world: &mut World) -> Result<()> {
        world.context().clone().catch_loss(|| {
            let (memory, bodies) = Self::of(world);
            if !self.of.0.is(&memory) || self.of.1 != bodies {
                *self = Self::make(world)?;
            }
            for ((mesh, range), body) in
                self.bodies.iter_mut().zip(&self.ranges).zip(&world.model().bodies)
            {
                mesh.indices = if body.absent { 0..0 } else { range.clone() };
            }
            let skin = world.update_skin();
            let bound = self.pack.bind(
                &self.context,
                &[
                    skin.positions.binding(),
                    skin.normals.bind("skin_normal"),
                    self.sources.binding(),
                    self.vertices.binding(),
                ],
            );
            let mut recorder = Recorder::new(&self.context);
            recorder.dispatch(&bound, self.sources.len(), 0);
            recorder.submit();
            Ok(())
        })
    }

    fn of(world: &World) -> (Memory, usize) {
        (world.skin().1.memory().clone(), world.model().bodies.len())
    }

    /// The vertices of all bodies, one body behind the other.
    #[must_use]
    pub fn vertices(&self) -> &Buffer<MeshVertex> {
        &self.vertices
    }

    /// The triangles of all bodies.
    #[must_use]
    pub fn indices(&self) -> &Buffer<u32> {
        &self.indices
    }

    /// The parts of each body, in the world's order.
    #[must_use]
    pub fn bodies(&self) -> &[BodyMesh] {
        &self.bodies
    }

    /// A body's triangles on the host, also of one that is absent, counted from its first vertex: for an engine that gives
    /// each body a mesh of its own. None where there is no such body.
    #[must_use]
    pub fn body_indices(&self, body: usize) -> Vec<u32> {
        let Some(range) = self.ranges.get(body) else {
            return Vec::new();
        };
        let corners = &self.corners[range.start as usize..range.end as usize];
        let first = self.bodies[body].vertices.start;
        corners.iter().map(|corner| corner - first).collect()
    }
}

/// The drawn vertices, those on seams once per side, and the triangles over them.
#[derive(Default)]
struct Split {
    sources: Vec<MeshSource>,
    corners: Vec<u32>,
}

impl Split {
    fn add(&mut self, model: &Model, body: &SkinRanges) -> BodyMesh {
        let first = [self.sources.len() as u32, self.corners.len() as u32];
        let mut known = HashMap::new();
        for (index, triangle) in model.skin.triangles[body.triangles.clone()].iter().enumerate() {
            for (k, vertex) in triangle.iter().enumerate() {
                let uv = body.uv.as_ref().map_or(Vec2::ZERO, |uv| {
                    let [u, v] = uv.values[uv.corners[index][k] as usize];
                    Vec2::new(u, 1.0 - v)
                });
                let corner =
                    *known.entry((*vertex, uv.to_array().map(f32::to_bits))).or_insert_with(|| {
                        self.sources.push(MeshSource { uv, vertex: *vertex });
                        self.sources.len() as u32 - 1
                    });
                self.corners.push(corner);
            }
        }
        BodyMesh {
            vertices: first[0]..self.sources.len() as u32,
            indices: first[1]..self.corners.len() as u32,
            textured: body.uv.is_some(),
            closed: body.closed,
        }
    }
}
