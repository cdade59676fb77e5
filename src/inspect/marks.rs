//! Marks where bodies are held: at pinned points and at attached points.

use std::ops::Range;

use glam::{UVec4, Vec4};

use super::Shared;
use crate::gpu::types::{Lines as GpuLines, Mark, Segment, SkinPoint};
use crate::gpu::{Buffer, Kernel, Recorder, Uniforms};
use crate::model::{BodyRanges, Model};
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
    /// The particles that pins hold, body by body.
    pins: Vec<Vec<usize>>,
    /// Which bodies were there, and what attachments tied, when marks were made.
    made_of: (Vec<bool>, Vec<usize>),
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
            pins: pins(world.model()),
            made_of: Default::default(),
            marks: Buffer::new(context, "marks", &[])?,
            segments: Buffer::drawable(context, "segments", 0)?,
        })
    }

    pub fn update(&mut self, world: &World, shared: &Shared) -> Result<()> {
        let present = world.model().bodies.iter().map(|body| !body.absent).collect();
        let made_of = (present, world.tied_particles());
        if made_of != self.made_of {
            self.made_of = made_of;
            let tied = &self.made_of.1;
            let marks = marks(world.model(), self.pinned().chain(tied));
            self.segments =
                Buffer::drawable(world.context(), "segments", ARMS as usize * marks.len())?;
            self.marks = Buffer::new(world.context(), "marks", &marks)?;
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
        let end = self.segments.len() as u32;
        let middle = end - ARMS * self.made_of.1.len() as u32;
        MarkLines { segments: &self.segments, pins: 0..middle, ties: middle..end }
    }

    /// The pinned particles of the bodies that are there.
    fn pinned(&self) -> impl Iterator<Item = &usize> {
        let present = self.made_of.0.iter().zip(&self.pins).filter(|(present, _)| **present);
        present.flat_map(|(_, pins)| pins)
    }
}

/// The particles that pins hold, body by body; of rigid ones, which are held as a whole, none.
fn pins(model: &Model) -> Vec<Vec<usize>> {
    let pins = |body: &BodyRanges| match body.rigid {
        Some(_) => Vec::new(),
        None => body.particles.clone().filter(|i| model.pinned[*i]).collect(),
    };
    model.bodies.iter().map(pins).collect()
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
