//! The frames of a run as files: VTK grids of the particles, and OBJ, PLY or USD meshes of what is drawn; of a body
//! that is only points, these.
//!
//! It knows file formats and the arrays that it is given; it must not know of worlds or devices.
//!
//! Lengths are metres, Y is up. Every file is written beside its name and then renamed, so that a reader never meets
//! half a file; only `scene.pvd` is extended in place, and complete after every frame.

mod file;
mod obj;
mod ply;
mod samples;
mod text;
mod usda;
pub(crate) mod vtu;

use crate::error::{Error, Result};
use crate::mesh::TextureCoordinates;
use glam::{Quat, Vec3};
use std::ops::Range;
use std::path::Path;

/// A kind of file that frames are written to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Format {
    /// `frame_00000.vtu` and the collection `scene.pvd`: particles and tetrahedra with their fields. Of points:
    /// `velocity` [m/s]; `displacement` [m] from the body's undeformed shape, where that was placed at the start;
    /// `contact` and `penetration` [m], see [`Frame`]; `body`, its number. Of cells: `volume_ratio`, volume over that
    /// of the undeformed shape, negative where inverted (1 for triangles and vertices); `body`.
    Vtu,
    /// `frame_00000.obj`: the drawn surfaces, one object per body.
    Obj,
    /// `frame_00000.ply`: the drawn surfaces in one binary mesh, with colours and body indices.
    Ply,
    /// `scene.usda`: the drawn surfaces as time samples, one mesh per body; of a rigid one a mesh about its centre, with a
    /// translation and an orientation per frame.
    Usda,
}

/// What does not change over a run.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// The bodies. Their ranges follow each other and cover the arrays of a [`Frame`].
    pub bodies: Vec<BodyTopology>,
    /// Position of every particle in its body's undeformed shape, where that was placed at the start, in m;
    /// displacements and volume ratios refer to it. A body that starts stretched or scattered is not there.
    pub rest_positions: Vec<Vec3>,
}

/// One body of a [`Topology`].
#[derive(Clone, Debug, Default)]
pub struct BodyTopology {
    /// The name, any text.
    pub name: String,
    /// Red, green and blue (sRGB).
    pub color: [u8; 3],
    /// Its particles in the frame's arrays.
    pub particles: Range<usize>,
    /// Its tetrahedra, as indices into all particles; empty for a shell and for a body that is only points.
    pub tets: Vec<[u32; 4]>,
    /// The triangles of a shell, as indices into all particles; else empty.
    pub faces: Vec<[u32; 3]>,
    /// Its vertices in the frame's drawn arrays.
    pub vertices: Range<usize>,
    /// The triangles that are drawn, as indices into all drawn vertices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the corners of `triangles`.
    pub uv: Option<TextureCoordinates>,
    /// Radius of its particles in m: of a body that is only points, without tetrahedra and triangles, it is drawn.
    pub radius: f32,
    /// Whether it keeps its shape: a [`Frame`] has its placement.
    pub is_rigid: bool,
}

/// Where a rigid body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Its centre, in m.
    pub centre: Vec3,
    /// What turns its own axes into the world's, of unit length.
    pub rotation: Quat,
}

impl Placement {
    /// A point of the body, along its own axes from its centre.
    fn own(&self, x: Vec3) -> Vec3 {
        self.own_direction(x - self.centre)
    }

    /// A direction, along its own axes.
    fn own_direction(&self, d: Vec3) -> Vec3 {
        self.rotation.inverse() * d
    }
}

/// The state of all bodies at one time. All numbers are finite.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The frame's number; it names the file and is the time code in USD.
    pub index: u64,
    /// Simulated time in s.
    pub time: f64,
    /// Position of every particle in m.
    pub positions: &'a [Vec3],
    /// Velocity of every particle in m/s.
    pub velocities: &'a [Vec3],
    /// How every particle takes part in contact between bodies: 1, it touches another body; 2, it is only a corner of a
    /// triangle that is touched; 0, neither.
    pub contacts: &'a [u8],
    /// The penetration vector of the body that each particle is deepest in, in m.
    pub penetrations: &'a [Vec3],
    /// Position of every drawn vertex in m.
    pub drawn_positions: &'a [Vec3],
    /// Unit normal of every drawn vertex.
    pub drawn_normals: &'a [Vec3],
    /// Of each rigid body, in the order of bodies.
    pub placements: &'a [Placement],
}

/// One format's part of an [`Output`].
trait FrameWriter: Send + Sync {
    /// Adds a frame.
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()>;

    /// Completes files that span frames.
    fn finish(&mut self, _topology: &Topology) -> Result<()> {
        Ok(())
    }
}

/// Writes the frames of one run into a folder.
///
/// A frame is not kept in memory once it is written. When the output is dropped unfinished, as after an error, it is finished
/// as far as possible: what was computed is kept.
pub struct Output {
    topology: Topology,
    writers: Vec<Box<dyn FrameWriter>>,
}

impl Output {
    /// Prepares `formats` (each counts once) in `folder`, which is created when missing; `fps` frames make a second.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder, or a file that spans frames, cannot be created; [`Error::Value`] when the ranges of the
    /// topology's bodies do not follow each other and cover the rest positions.
    pub fn new(folder: &Path, formats: &[Format], topology: Topology, fps: f64) -> Result<Self> {
        topology.check()?;
        file::create_folder(folder)?;
        let mut output = Self { topology, writers: Vec::new() };
        for (i, format) in formats.iter().enumerate() {
            if !formats[..i].contains(format) {
                let writer = output.writer(folder, *format, fps)?;
                output.writers.push(writer);
            }
        }
        Ok(output)
    }

    /// Writes a frame in every format.
    ///
    /// # Errors
    /// [`Error::Io`] names the file that could not be written; [`Error::Value`] when the frame's arrays do not have the
    /// lengths that the topology says, or a number is not finite.
    pub fn write(&mut self, frame: &Frame<'_>) -> Result<()> {
        let (particles, vertices) =
            (self.topology.rest_positions.len(), self.topology.vertex_count());
        let lengths = [
            frame.positions.len(),
            frame.velocities.len(),
            frame.contacts.len(),
            frame.penetrations.len(),
            frame.drawn_positions.len(),
            frame.drawn_normals.len(),
            frame.placements.len(),
        ];
        let rigid = self.topology.bodies.iter().filter(|body| body.is_rigid).count();
        let wanted = [particles, particles, particles, particles, vertices, vertices, rigid];
        if lengths != wanted {
            let want = format!("{wanted:?}, as the topology says");
            return Err(Error::value(
                "lengths of the frame's arrays",
                format!("{lengths:?}"),
                want,
            ));
        }
        let vectors = [
            ("positions", frame.positions),
            ("velocities", frame.velocities),
            ("penetrations", frame.penetrations),
            ("drawn_positions", frame.drawn_positions),
            ("drawn_normals", frame.drawn_normals),
        ];
        for (name, vectors) in vectors {
            if let Some(index) = vectors.iter().position(|x| !x.is_finite()) {
                let at = format!("the frame's {name}[{index}]");
                return Err(Error::value(at, vectors[index], "finite numbers"));
            }
        }
        let broken = |p: &Placement| !p.centre.is_finite() || !p.rotation.is_normalized();
        if let Some(index) = frame.placements.iter().position(broken) {
            let at = format!("the frame's placements[{index}]");
            let got = format!("{:?}", frame.placements[index]);
            return Err(Error::value(at, got, "finite numbers, and a rotation of unit length"));
        }
        self.writers.iter_mut().try_for_each(|writer| writer.write(&self.topology, frame))
    }

    /// Completes the files that span frames. To be called at every end of a run, also one by an error or Ctrl-C.
    ///
    /// # Errors
    /// [`Error::Io`] for the first file that could not be completed; the others are.
    pub fn finish(mut self) -> Result<()> {
        self.close()
    }

    fn writer(&self, folder: &Path, format: Format, fps: f64) -> Result<Box<dyn FrameWriter>> {
        Ok(match format {
            Format::Vtu => Box::new(vtu::VtuWriter::new(folder, &self.topology)?),
            Format::Obj => Box::new(obj::ObjWriter::new(folder, &self.topology)),
            Format::Ply => Box::new(ply::PlyWriter::new(folder, &self.topology)),
            Format::Usda => Box::new(usda::UsdaWriter::new(folder, &self.topology, fps)?),
        })
    }

    fn close(&mut self) -> Result<()> {
        let results: Vec<_> =
            self.writers.drain(..).map(|mut writer| writer.finish(&self.topology)).collect();
        results.into_iter().collect()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // Whoever wants to know calls `finish`.
        let _ = self.close();
    }
}

impl Topology {
    /// The number of vertices that are drawn.
    fn vertex_count(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.vertices.end)
    }

    fn check(&self) -> Result<()> {
        let mut end = (0, 0);
        for body in &self.bodies {
            let (particles, vertices) = (&body.particles, &body.vertices);
            let forward = particles.start <= particles.end && vertices.start <= vertices.end;
            if (particles.start, vertices.start) != end || !forward {
                let at = format!("ranges of body {:?}", body.name);
                let got = format!("{particles:?} and {vertices:?}");
                let want = format!("ranges from {} and {} on", end.0, end.1);
                return Err(Error::value(at, got, want));
            }
            end = (particles.end, vertices.end);
        }
        if end.0 != self.rest_positions.len() {
            let want = format!("as many as rest positions, {}", self.rest_positions.len());
            return Err(Error::value("particles of all bodies", end.0, want));
        }
        Ok(())
    }

    /// Each body's part of what is shown of all bodies, see [`Frame::shown`].
    fn shown(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let part = |body: &BodyTopology| {
            let start = end;
            end += body.shown_count();
            start..end
        };
        self.bodies.iter().map(part).collect()
    }

    /// The index of its body for every particle, drawn vertex or element, by how many of them a body has.
    fn body_indices(&self, count: impl Fn(&BodyTopology) -> usize) -> Vec<i32> {
        let bodies = (0..).zip(&self.bodies);
        bodies.flat_map(|(index, body)| std::iter::repeat_n(index, count(body))).collect()
    }
}

impl BodyTopology {
    /// Whether it is shown as points.
    fn is_cloud(&self) -> bool {
        self.radius > 0.0 && self.tets.is_empty() && self.triangles.is_empty()
    }

    /// The number of points that are shown.
    fn shown_count(&self) -> usize {
        if self.is_cloud() { self.particles.len() } else { self.vertices.len() }
    }
}

impl<'a> Frame<'a> {
    /// What is shown of a body: the positions of its drawn vertices and their normals; of a cloud those of its particles,
    /// without normals.
    fn shown(&self, body: &BodyTopology) -> (&'a [Vec3], &'a [Vec3]) {
        if body.is_cloud() {
            (&self.positions[body.particles.clone()], &[])
        } else {
            let vertices = body.vertices.clone();
            (&self.drawn_positions[vertices.clone()], &self.drawn_normals[vertices])
        }
    }
}

#[cfg(test)]
mod tests;
