//! The arrays of the contact stages.

use glam::{UVec2, UVec4, Vec4};

use super::Capacity;
use crate::Result;
use crate::gpu::types::{
    Box, Collide, Contact, HIT_STRIDE, MAX_VISIT, NONE, Penetration, Tet, UNUSED,
};
use crate::gpu::{Binding, Buffer, Bytes, Context, Uniforms};
use crate::mesh::topology::across;
use crate::model::{Incidence, Model};
use crate::scene::Integrator;

/// Lists in the grid per point that enters it.
const LISTS_PER_POINT: usize = 2;
/// Width of the grid's finest cells, in the smallest mean edge.
const CELL: f64 = 1.0;
/// Least distance that weights are taken of, in the smallest mean edge.
const FLOOR: f64 = 1e-4;
/// Widths of the grid's cells at the most: 4 to this is the largest ratio of edges.
const MAX_LEVELS: u32 = 8;

/// Constant arrays, and those that a step fills and empties again.
#[derive(Debug)]
pub struct Arrays {
    pub uniform: Uniforms<Collide>,
    constants: Collide,
    particles: usize,
    boxes: Buffer<u32>,
    overlaps: Buffer<Box>,
    fans: Buffer<UVec2>,
    fan_corners: Buffer<UVec2>,
    tested: Buffer<Vec4>,
    grid: Buffer<u32>,
    pub tets: Buffer<Tet>,
    hits: Buffer<u32>,
    pub counts: Buffer<u32>,
    pub sized: Sized,
    /// Exclusive sums of `counts`: where each particle's records begin; of this step and the last in turn.
    pub record_first: [Buffer<u32>; 2],
}

/// Arrays whose length is the capacity.
#[derive(Debug)]
pub struct Sized {
    pub penetrations: [Buffer<Penetration>; 2],
    /// Of this step and the last in turn.
    pub contacts: [Buffer<Contact>; 2],
    pub impulses: [Buffer<Vec4>; 2],
    /// What the last step's impulses become at the start of this one's.
    pub warm_impulses: Buffer<Vec4>,
    rows: Buffer<u32>,
}

impl Sized {
    fn new(context: &Context, particles: usize, records: usize) -> Result<Self> {
        let pair = || -> Result<_> {
            Ok([
                Buffer::zeroed(context, "impulses a", records)?,
                Buffer::zeroed(context, "impulses b", records)?,
            ])
        };
        Ok(Self {
            penetrations: [
                Buffer::zeroed(context, "penetrations a", records)?,
                Buffer::zeroed(context, "penetrations b", records)?,
            ],
            contacts: [
                Buffer::zeroed(context, "contacts a", records)?,
                Buffer::zeroed(context, "contacts b", records)?,
            ],
            impulses: pair()?,
            warm_impulses: Buffer::zeroed(context, "warm_impulses", records)?,
            rows: Buffer::zeroed(context, "rows", 2 * particles + 1 + 8 * records)?,
        })
    }
}

impl Arrays {
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        model: &Model,
        integrator: Integrator,
        capacity: Capacity,
    ) -> Result<Self> {
        let (particles, bodies) = (model.positions.len(), model.bodies.len());
        let constants = Collide {
            moved: u32::from(!integrator.moves_last()),
            share: integrator.contact_share(),
            ..constants(model, capacity)
        };
        let fans = Incidence::new(particles, &fan_corners(model));
        let ranges: Vec<_> = fans
            .first
            .iter()
            .zip(&fans.count)
            .map(|(first, count)| UVec2::new(*first, *count))
            .collect();
        let uniform = Uniforms::new(context, "collide", 1);
        uniform.write(context, &[constants]);
        let levels = constants.levels as usize;
        let arrays = Self {
            uniform,
            constants,
            particles,
            boxes: Buffer::zeroed(context, "boxes", 12 * bodies)?,
            overlaps: Buffer::zeroed(context, "overlaps", bodies)?,
            fans: Buffer::new(context, "fans", &ranges)?,
            fan_corners: Buffer::new(context, "fan_corners", &fans.entries)?,
            tested: Buffer::new(context, "tested", &tested(model))?,
            grid: Buffer::zeroed(
                context,
                "grid",
                constants.table as usize + levels * particles,
            )?,
            tets: Buffer::new(context, "tets", &tets(model))?,
            hits: Buffer::zeroed(context, "hits", HIT_STRIDE as usize * particles)?,
            counts: Buffer::zeroed(context, "counts", particles)?,
            sized: Sized::new(context, particles, capacity.records)?,
            record_first: [
                Buffer::zeroed(context, "record_first a", particles + 1)?,
                Buffer::zeroed(context, "record_first b", particles + 1)?,
            ],
        };
        arrays.empty(context);
        Ok(arrays)
    }

    /// Leaves the arrays that a step fills as a step leaves them.
    pub fn empty(&self, context: &Context) {
        let none = |buffer: &Buffer<u32>| buffer.write(context, 0, &vec![NONE; buffer.len()]);
        none(&self.boxes);
        none(&self.hits);
        let table = self.constants.table as usize;
        self.grid.write(context, 0, &vec![NONE; table]);
        self.grid
            .write(context, table, &vec![UNUSED; self.grid.len() - table]);
        self.counts.write(context, 0, &vec![0; self.counts.len()]);
        let rows: Vec<u32> = (0..self.particles).flat_map(|_| [NONE, 0]).collect();
        self.sized.rows.write(context, 0, &rows);
    }

    /// Takes on another capacity. Records of the last step are kept.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn resize(&mut self, context: &Context, capacity: Capacity) -> Result<()> {
        if capacity.records as u32 != self.constants.capacity {
            let sized = Sized::new(context, self.particles, capacity.records)?;
            let mut encoder = context
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                    label: Some("grow contact lists"),
                });
            for side in 0..2 {
                let pairs: [(&dyn Bytes, &dyn Bytes); 2] = [
                    (&self.sized.contacts[side], &sized.contacts[side]),
                    (&self.sized.impulses[side], &sized.impulses[side]),
                ];
                for (from, to) in pairs {
                    let size = from.size().min(to.size());
                    encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, size);
                }
            }
            context.queue.submit([encoder.finish()]);
            self.sized = sized;
            let rows: Vec<u32> = (0..self.particles).flat_map(|_| [NONE, 0]).collect();
            self.sized.rows.write(context, 0, &rows);
        }
        self.constants.capacity = capacity.records as u32;
        self.constants.sweeps = capacity.sweeps;
        self.uniform.write(context, &[self.constants]);
        Ok(())
    }

    /// What kernels bind. `last` has the last step's records, its other side those of the present one.
    pub fn bindings(&self, last: usize) -> Vec<Binding<'_>> {
        let (sized, now) = (&self.sized, 1 - last);
        vec![
            self.uniform.bind("collide"),
            self.boxes.bind("boxes"),
            self.overlaps.bind("overlaps"),
            self.fans.bind("fans"),
            self.fan_corners.bind("fan_corners"),
            self.tested.bind("tested"),
            self.grid.bind("grid"),
            self.tets.bind("tets"),
            self.hits.bind("hits"),
            self.counts.bind("counts"),
            self.record_first[now].bind("record_first"),
            self.record_first[last].bind("record_first_last"),
            sized.contacts[now].bind("contacts"),
            sized.contacts[last].bind("contacts_last"),
            sized.rows.bind("rows"),
        ]
    }
}

fn constants(model: &Model, capacity: Capacity) -> Collide {
    let edges = model.bodies.iter().map(|body| body.edge);
    let least = edges.clone().fold(f64::INFINITY, f64::min);
    let widest = edges.fold(0.0, f64::max);
    let longest = model
        .springs
        .iter()
        .map(|spring| spring.rest)
        .fold(0.0, f64::max);
    let points = model.positions.len() * LISTS_PER_POINT;
    let mut levels = 1;
    while levels < MAX_LEVELS
        && longest > f64::from(MAX_VISIT) * CELL * least * 4.0_f64.powi(levels as i32 - 1)
    {
        levels += 1;
    }
    Collide {
        inverse_cell: (1.0 / (CELL * least)) as f32,
        floor: (FLOOR * least) as f32,
        margin_scale: 1.0,
        margin: (crate::setup::MARGIN * widest) as f32,
        table: (points * levels as usize).next_power_of_two().max(64) as u32,
        levels,
        tet_count: model.tets.len() as u32,
        capacity: capacity.records as u32,
        sweeps: capacity.sweeps,
        ..Collide::default()
    }
}

/// Tested positions before the first step; the body's index stands in w.
fn tested(model: &Model) -> Vec<Vec4> {
    let bodies = model.bodies.iter().enumerate();
    let points = bodies.flat_map(|(index, body)| body.particles.clone().map(move |i| (i, index)));
    points
        .map(|(i, index)| {
            model.positions[i]
                .as_vec3()
                .extend(f32::from_bits(index as u32))
        })
        .collect()
}

fn fan_corners(model: &Model) -> Vec<(u32, UVec2)> {
    let corners = model.triangles.iter().flat_map(|&[a, b, c]| {
        [
            (a, UVec2::new(b, c)),
            (b, UVec2::new(c, a)),
            (c, UVec2::new(a, b)),
        ]
    });
    corners.collect()
}

fn tets(model: &Model) -> Vec<Tet> {
    let corners: Vec<_> = model.tets.iter().map(|tet| tet.corners).collect();
    let tet = |(corners, across): (&[u32; 4], [u32; 4])| Tet {
        corners: UVec4::from(*corners),
        across: UVec4::from(across),
    };
    corners.iter().zip(across(&corners)).map(tet).collect()
}
