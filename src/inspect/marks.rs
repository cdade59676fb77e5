//! Marks where bodies are held: at pinned points and at attached points.

use std::ops::Range;

use glam::{UVec4, Vec4};

use super::Shared;
use crate::gpu::types::{Lines as GpuLines, Mark, Segment, SkinPoint};
use crate::gpu::{Buffer, Kernel, Recorder, Uniforms};
use crate::model::Model;
use crate::{Result, World};

/// Lines of a mark: it is a cross along the three axes.
const ARMS: u32 = 3;
/// Half their length [mean edges of the body].
const SIZE: f64 = 0.2;

/// Marks as line segments in world coordinates.
#[derive(Clone, Debug)]
pub struct MarkLines<'a> {
    /// The lines of all marks.
    pub segments: &'a Buffer<Segment>,
    /// Marks at pinned points, as a range of `segments`.
    pub pins: Range<u32>,
    /// Marks at attached points, likewise.
    pub ties: Range<u32>,
}

/// The pass that puts marks where they are.
#[derive(Debug)]
pub(super) struct Marks {
    kernel: Kernel,
    uniform: Uniforms<GpuLines>,
    /// The particles that are marked, those that are pinned first.
    pinned: Vec<usize>,
    tied: Vec<usize>,
    marks: Buffer<Mark>,
    segments: Buffer<Segment>,
}

impl Marks {
    /// Room is made when it is known how much.
    pub fn new(world: &World) -> Result<Self> {
        let context = world.context();
        Ok(Self {
            kernel: Kernel::new(context, "mark_lines"),
            uniform: Uniforms::new(context, "lines", 1),
            pinned: Vec::new(),
            tied: Vec::new(),
            marks: Buffer::new(context, "marks", &[])?,
            segments: Buffer::drawable(context, "segments", 0)?,
        })
    }

    pub fn update(&mut self, world: &World, shared: &Shared) -> Result<()> {
        let (pinned, tied) = (pinned(world.model()), world.tied_particles());
        if (&pinned, &tied) != (&self.pinned, &self.tied) {
            let marks = marks(world.model(), pinned.iter().chain(&tied));
            self.segments =
                Buffer::drawable(world.context(), "segments", ARMS as usize * marks.len())?;
            self.marks = Buffer::new(world.context(), "marks", &marks)?;
            (self.pinned, self.tied) = (pinned, tied);
        }
        let context = world.context();
        let count = self.segments.len();
        shared.sim.write(context, &[world.present_sim()]);
        self.uniform.write(context, &[GpuLines { count: count as u32, ..GpuLines::default() }]);
        let others = [self.segments.binding(), self.marks.binding(), self.uniform.binding()];
        let mut recorder = Recorder::new(context);
        recorder.dispatch(&shared.bind(world, &self.kernel, &others), count, 0);
        recorder.submit();
        Ok(())
    }

    pub fn lines(&self) -> MarkLines<'_> {
        let middle = ARMS * self.pinned.len() as u32;
        let end = middle + ARMS * self.tied.len() as u32;
        MarkLines { segments: &self.segments, pins: 0..middle, ties: middle..end }
    }
}

/// The particles that pins hold; of bodies that are held as a whole none.
fn pinned(model: &Model) -> Vec<usize> {
    let bodies = model.bodies.iter().filter(|body| !body.absent && body.rigid.is_none());
    bodies.flat_map(|body| body.particles.clone()).filter(|i| model.pinned[*i]).collect()
}

fn marks<'a>(model: &Model, particles: impl Iterator<Item = &'a usize>) -> Vec<Mark> {
    let anchors = anchors(model);
    particles
        .map(|i| {
            let body = model.bodies.partition_point(|body| body.particles.end <= *i);
            let SkinPoint { corners, weights } = anchors[*i];
            let size = (SIZE * model.bodies[body].edge) as f32;
            Mark { corners, weights, size, body: body as u32 }
        })
        .collect()
}

/// Of each particle the place of the drawn vertex that follows it most; of one that no vertex follows its own.
pub(super) fn anchors(model: &Model) -> Vec<SkinPoint> {
    let own = |i: usize| SkinPoint { corners: UVec4::splat(i as u32), weights: Vec4::X };
    let mut anchors: Vec<_> = (0..model.positions.len()).map(own).collect();
    let mut most = vec![0.0; anchors.len()];
    for (corners, weights) in model.skin.corners.iter().zip(&model.skin.weights) {
        for (corner, weight) in corners.iter().zip(weights) {
            let i = *corner as usize;
            if *weight > most[i] {
                most[i] = *weight;
                let weights = Vec4::from_array(weights.map(|w| w as f32));
                anchors[i] = SkinPoint { corners: UVec4::from_array(*corners), weights };
            }
        }
    }
    anchors
}
