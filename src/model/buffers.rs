//! The model's arrays on the device.

use glam::{UVec2, UVec4, Vec4};

use super::order::thread_order;
use super::{BodyRanges, Incidence, Model, Vertices, fans, size};
use crate::Result;
use crate::family::springs::Rows;
use crate::gpu::types::{
    ASLEEP, Body, CHUNK, Chunk, Element, FEW_PARTS, Particle, Point, SkinPoint, TAKEN_SHIFT,
};
use crate::gpu::{Buffer, Content, Context};

/// Constant arrays; `bodies` also carries the running estimates of each body's stiffness.
#[derive(Debug)]
pub struct ModelBuffers {
    /// What the kernels have to know.
    pub content: Content,
    /// Per particle; none of its elements where its body is absent.
    pub points: Buffer<Point>,
    /// The same of all bodies as if they were present, on the host.
    whole_points: Vec<Point>,
    /// First chunk of each body, and how many.
    body_chunks: Vec<[u32; 2]>,
    /// Per particle: its springs, the walk over its link, its triangles, and in heterogeneous bodies their constants.
    pub elements: Buffer<Element>,
    /// Per body.
    pub bodies: Buffer<Body>,
    /// Ranges of particles that one workgroup sums, body by body.
    pub chunks: Buffer<Chunk>,
    /// See [`part_ranges`].
    pub part_ranges: Buffer<UVec2>,
    /// Per body: those that it is tied to (`ties::tie_groups`).
    pub tie_groups: Buffer<u32>,
    /// Of implicit integrators: the vertices by colour.
    pub vertices: Option<Vertices>,
    /// Per particle where it is on its pose; without elements where there are none.
    pub carried: Buffer<Vec4>,
    /// How many of the poses are obstacles'.
    pub obstacle_poses: usize,
    /// Per drawn vertex.
    pub skin: Buffer<SkinPoint>,
    /// Per drawn vertex: first entry in `skin_corners`, and how many.
    pub skin_fans: Buffer<UVec2>,
    /// Per drawn vertex and triangle: the triangle's other two vertices in order.
    pub skin_corners: Buffer<UVec2>,
    /// Triangles of the drawn surfaces.
    pub skin_indices: Buffer<u32>,
}

impl ModelBuffers {
    /// Uploads a model. `materials` has what the device needs of each body; its chunk range is filled in here. `solids`:
    /// whether there are obstacles.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a particle with more than 65 535 elements.
    pub fn new(
        context: &Context,
        model: &Model,
        mut materials: Vec<Body>,
        touched: [bool; 2],
    ) -> Result<Self> {
        let rows = Rows::new(model);
        let bodies = model.bodies.iter().map(|body| body.particles.clone());
        let order = thread_order(&rows.degrees(model), bodies);
        let elements = Incidence::by_threads(&order, &rows.entries(model));
        let (skin_fans, skin_corners) = fans(model.skin.corners.len(), &model.skin.triangles);
        let chunks = split(model, &mut materials);
        let body_chunks = materials.iter();
        let body_chunks: Vec<_> =
            body_chunks.map(|body| [body.chunk_first, body.chunk_count]).collect();
        let whole_points = rows.points(model, &elements, &order)?;
        check_sizes(context, model, elements.entries.len(), skin_corners.len())?;
        let skin_indices =
            Buffer::drawable(context, "skin_indices", model.skin.triangles.len() * 3)?;
        skin_indices.write(context, 0, model.skin.triangles.as_flattened());
        Ok(Self {
            content: content(model, touched, !order.is_sorted()),
            points: Buffer::new(context, "points", &whole_points)?,
            whole_points,
            elements: Buffer::new(context, "elements", &elements.entries)?,
            bodies: Buffer::new(context, "bodies", &materials)?,
            chunks: Buffer::new(context, "chunks", &chunks)?,
            part_ranges: Buffer::new(
                context,
                "part_ranges",
                &part_ranges(&body_chunks, chunks.len()),
            )?,
            body_chunks,
            carried: Buffer::new(context, "carried", &model.carried)?,
            obstacle_poses: model.poses.len() - model.first_obstacle_pose(),
            tie_groups: {
                let alone: Vec<_> = (0..model.bodies.len() as u32).collect();
                Buffer::new(context, "tie_groups", &alone)?
            },
            vertices: match model.colors.is_empty() {
                true => None,
                false => Some(Vertices::new(context, model)?),
            },
            skin: Buffer::new(context, "skin", &skin_points(model))?,
            skin_fans: Buffer::new(context, "skin_fans", &skin_fans)?,
            skin_corners: Buffer::new(context, "skin_corners", &skin_corners)?,
            skin_indices,
        })
    }
}

impl ModelBuffers {
    /// Bodies of many chunks, whose parts a workgroup each adds up.
    pub(crate) fn long_bodies(&self) -> usize {
        self.part_ranges.len() - self.body_chunks.len()
    }

    /// Lets a body take part from the next submission on. `material` has what the device needs of it but its chunks.
    pub(crate) fn enable(&self, context: &Context, model: &Model, index: usize, material: Body) {
        let particles = model.bodies[index].particles.clone();
        let points = &self.whole_points[particles.clone()];
        self.points.write(context, particles.start, points);
        let [chunk_first, chunk_count] = self.body_chunks[index];
        let body = Body { chunk_first, chunk_count, ..material };
        self.bodies.write(context, index, &[body]);
    }

    /// Takes over what the bodies' steps bear.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn bear(&self, context: &Context, model: &Model) -> Result<()> {
        let mut bodies = self.bodies.read(context)?;
        for (body, ranges) in bodies.iter_mut().zip(&model.bodies) {
            (body.start_rate, body.borne) = (ranges.start_rate as f32, ranges.borne as f32);
        }
        self.bodies.write(context, 0, &bodies);
        Ok(())
    }

    /// Lets none of a body's elements act from the next submission on, until it is enabled again.
    pub(crate) fn put_to_sleep(&self, context: &Context, model: &Model, index: usize) {
        let particles = model.bodies[index].particles.clone();
        let mut points = self.whole_points[particles.clone()].to_vec();
        for point in &mut points {
            point.areas |= ASLEEP;
        }
        self.points.write(context, particles.start, &points);
    }

    /// Leaves a body out from the next submission on: its particles have no elements, and it touches nothing.
    pub(crate) fn disable(&self, context: &Context, model: &Model, index: usize, material: Body) {
        let particles = model.bodies[index].particles.clone();
        let bare = |whole: &Point| Point {
            areas: whole.areas & (ASLEEP - (1 << TAKEN_SHIFT)),
            body: whole.body,
            ..Point::default()
        };
        let points: Vec<_> = self.whole_points[particles.clone()].iter().map(bare).collect();
        self.points.write(context, particles.start, &points);
        let [chunk_first, chunk_count] = self.body_chunks[index];
        let body =
            Body { chunk_first, chunk_count, group: 0, mask: 0, self_contact: 0, ..material };
        self.bodies.write(context, index, &[body]);
    }
}

/// Ranges of particles that are summed up together; each body gets to know its own.
fn split(model: &Model, materials: &mut [Body]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (body, material) in model.bodies.iter().zip(materials) {
        material.chunk_first = chunks.len() as u32;
        let end = body.particles.end;
        let ranges = body.particles.clone().step_by(CHUNK as usize);
        chunks.extend(ranges.map(|first| Chunk {
            first: first as u32,
            end: (first + CHUNK as usize).min(end) as u32,
        }));
        material.chunk_count = chunks.len() as u32 - material.chunk_first;
    }
    chunks
}

/// For each body, whose first chunk and number of chunks are given, the parts that make up its sum, the first and how many; behind
/// them the chunks of those bodies of more than [`FEW_PARTS`], of which a workgroup makes one part first, behind those of all
/// chunks.
pub(crate) fn part_ranges(bodies: &[[u32; 2]], chunks: usize) -> Vec<UVec2> {
    let whole = bodies.iter().map(|range| UVec2::from_array(*range));
    let (mut ranges, long): (Vec<_>, Vec<_>) =
        (whole.clone().collect(), whole.filter(|range| range.y > FEW_PARTS).collect());
    let own = ranges.iter_mut().filter(|range| range.y > FEW_PARTS);
    own.zip(chunks as u32..).for_each(|(range, part)| *range = UVec2::new(part, 1));
    ranges.extend(long);
    ranges
}

/// Refuses what one buffer of this device cannot hold.
fn check_sizes(context: &Context, model: &Model, elements: usize, fans: usize) -> Result<()> {
    let (skin, particles) = (model.skin.corners.len(), model.positions.len());
    let arrays = [
        ("elements", elements, Buffer::<Element>::STRIDE),
        ("fans", fans, Buffer::<UVec2>::STRIDE),
        ("skin", skin, Buffer::<SkinPoint>::STRIDE),
        ("particles", particles, Buffer::<Particle>::STRIDE),
    ];
    size::check_largest(&context.info().name, context.largest_buffer(), &arrays)
}

fn content(model: &Model, [solids, contact]: [bool; 2], order: bool) -> Content {
    let any = |has: fn(&BodyRanges) -> bool| model.bodies.iter().any(has);
    Content {
        heterogeneous: any(|body| body.heterogeneous),
        areas: any(|body| body.material.area > 0.0),
        loads: any(|body| body.loaded != 0),
        solids,
        contact,
        poses: !model.poses.is_empty(),
        order,
    }
}

fn skin_points(model: &Model) -> Vec<SkinPoint> {
    let skin = &model.skin;
    let points = skin.corners.iter().zip(&skin.weights).map(|(corners, weights)| SkinPoint {
        corners: UVec4::from(*corners),
        weights: Vec4::from(weights.map(|w| w as f32)),
    });
    points.collect()
}
