//! Universal Scene Description: what is drawn, one mesh per body, or points, with a sample per frame; of what is rigid one
//! mesh, and where it is; a camera and lights.
//!
//! `stage` says what there is, `text` and `packed` encode it. An attribute's samples stand together, so the frames are
//! kept in a scratch file until the end.

mod packed;
mod prim;
mod samples;
mod stage;
mod text;

use super::{Frame, FrameWriter, Placement, Topology};
use crate::error::Result;
use crate::file::write_whole;
use glam::Vec3;
use prim::{Sample, Value};
use samples::{Attribute, Samples};
use std::io;
use std::path::{Path, PathBuf};

/// How a stage is written.
#[derive(Clone, Copy)]
pub enum Encoding {
    /// `scene.usda`
    Text,
    /// `scene.usdc`
    Binary,
}

/// Writes `scene.usda` or `scene.usdc` when it finishes.
pub struct UsdWriter {
    path: PathBuf,
    encoding: Encoding,
    /// None once the file is written.
    recording: Option<Recording>,
    fps: f64,
}

impl UsdWriter {
    pub fn new(folder: &Path, encoding: Encoding, topology: &Topology, fps: f64) -> Result<Self> {
        let path = folder.join(match encoding {
            Encoding::Text => "scene.usda",
            Encoding::Binary => "scene.usdc",
        });
        let mut scratch = path.clone().into_os_string();
        scratch.push(".samples");
        let count = topology.shown().last().map_or(0, |shown| shown.end);
        let recording = Recording {
            samples: Samples::create(scratch.into(), count)?,
            placements: Vec::new(),
            bounds: (Vec3::INFINITY, Vec3::NEG_INFINITY),
        };
        Ok(Self { path, encoding, recording: Some(recording), fps })
    }
}

impl FrameWriter for UsdWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        self.recording.as_mut().map_or(Ok(()), |recording| recording.add(topology, frame))
    }

    /// Writes the stage; without a frame there is none. The scratch file goes when the stage is complete.
    fn finish(&mut self, topology: &Topology) -> Result<()> {
        let Some(mut recording) = self.recording.take() else {
            return Ok(());
        };
        if !recording.frames().is_empty() {
            write_whole(&self.path, |out| {
                let stage = stage::stage(topology, &mut recording, self.fps)?;
                match self.encoding {
                    Encoding::Text => text::write(out, &stage, &mut recording),
                    Encoding::Binary => packed::write(out, &stage, &mut recording),
                }
            })?;
        }
        recording.samples.delete()
    }
}

/// What changes with time.
struct Recording {
    samples: Samples,
    /// Of each frame those of the rigid bodies, then those of the solids.
    placements: Vec<Vec<Placement>>,
    /// The box around all that was shown of bodies.
    bounds: (Vec3, Vec3),
}

impl Recording {
    fn add(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        self.samples.add(topology, frame)?;
        self.placements.push([frame.placements, frame.solids].concat());
        for body in &topology.bodies {
            let radius = if body.is_cloud() { body.radius } else { 0.0 };
            for x in frame.shown(body).0 {
                let (low, high) = self.bounds;
                self.bounds = (low.min(*x - radius), high.max(*x + radius));
            }
        }
        Ok(())
    }

    /// The numbers of the frames, in order.
    fn frames(&self) -> &[u64] {
        self.samples.frames()
    }

    /// What is sampled, in the frame that was added as number `record`.
    fn value(&mut self, record: usize, sample: &Sample) -> io::Result<Value> {
        Ok(match sample {
            Sample::Points(points) => {
                Value::Vectors(self.read(record, Attribute::Position, points)?)
            }
            Sample::Normals(points) => {
                Value::Vectors(self.read(record, Attribute::Normal, points)?)
            }
            Sample::Extent(points, radius) => {
                extent(&self.read(record, Attribute::Position, points)?, *radius)
            }
            Sample::Centre(rigid) => Value::Place(self.placements[record][*rigid].centre),
            Sample::Rotation(rigid) => Value::Rotation(self.placements[record][*rigid].rotation),
        })
    }

    fn read(
        &mut self,
        record: usize,
        attribute: Attribute,
        points: &std::ops::Range<usize>,
    ) -> io::Result<Vec<Vec3>> {
        Ok(self.samples.read(record, attribute, points.clone())?.to_vec())
    }
}

/// The corners of the box around spheres of this radius; of none, the origin.
fn extent(points: &[Vec3], radius: f32) -> Value {
    let boxes = points.iter().map(|x| (*x - radius, *x + radius));
    let around = boxes.reduce(|(low, high), (a, b)| (low.min(a), high.max(b)));
    let (low, high) = around.unwrap_or_default();
    Value::Vectors(vec![low, high])
}
