//! Writes the frames of a run to files: VTK grids of the particles, and OBJ, PLY or USD meshes of the drawn surfaces (the points
//! of a cloud) and the solids.
//!
//! It knows file formats and the arrays passed to it; it must not know of worlds or devices.
//!
//! Lengths are metres, Y is up. Every file is written under a temporary name and then renamed, so that a reader never sees an
//! incomplete file; only `scene.pvd` is extended in place, and is complete after every frame.

mod file;
mod frame;
mod obj;
mod ply;
mod solid;
mod text;
mod topology;
mod usd;
pub(crate) mod vtu;

use crate::error::Result;
use std::path::Path;
use usd::{Encoding, UsdWriter};

pub use frame::{Frame, Placement};
pub use solid::{SolidShape, SolidTopology};
pub use topology::{BodyTopology, Topology, View};

/// A file format for frames.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Format {
    /// `frame_00000.vtu` and the collection `scene.pvd`: particles and tetrahedra with their fields. Of points:
    /// `velocity` [m/s]; `displacement` [m] from the body's undeformed shape, where that was placed at the start;
    /// `contact` and `penetration` [m], see [`Frame`]; `body`, its number. Of cells: `volume_ratio`, volume over that
    /// of the undeformed shape, negative where inverted (1 for triangles and vertices); `body`; where any body has stress
    /// `stress` [Pa], Cauchy's of the elastic part about the world's axes, `von_mises` [Pa], and `strain`, Green's from the
    /// undeformed shape, about the axes of that as it was placed at the start (tensors: xx, yy, zz, xy, yz, xz). Stress is 0
    /// in bodies that have none, strain in triangles and vertices.
    Vtu,
    /// `frame_00000.obj`: the drawn surfaces and the solids, one object each, with their colours in `scene.mtl`.
    Obj,
    /// `frame_00000.ply`: the drawn surfaces and the solids in one binary mesh, with colours and `body`, its number; -1 of
    /// solids.
    Ply,
    /// `scene.usda`: Universal Scene Description as text: the drawn surfaces as time samples, one mesh per body; rigid
    /// bodies and solids as meshes about their centres, with a translation and an orientation, per frame where they move;
    /// a camera and lights.
    Usda,
    /// `scene.usdc`: the same in the binary encoding, a third of the size.
    Usdc,
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
/// Frames are not kept in memory once written. An output dropped before it is finished, as after an error, is finished as far as
/// possible, so that nothing computed is lost.
pub struct Output {
    topology: Topology,
    writers: Vec<Box<dyn FrameWriter>>,
}

impl Output {
    /// Prepares `formats` (each counts once) in `folder`, which is created if missing; `fps` is the number of frames per second.
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
    /// [`Error::Io`] names the file that could not be written; [`Error::Value`] when the frame's arrays do not have the lengths
    /// given by the topology, or a number is not finite.
    pub fn write(&mut self, frame: &Frame<'_>) -> Result<()> {
        frame.check(&self.topology)?;
        self.writers.iter_mut().try_for_each(|writer| writer.write(&self.topology, frame))
    }

    /// Completes the files that span frames. Call it whenever a run ends, also after an error or Ctrl-C.
    ///
    /// # Errors
    /// [`Error::Io`] for the first file that could not be completed; the others are completed.
    pub fn finish(mut self) -> Result<()> {
        self.close()
    }

    fn writer(&self, folder: &Path, format: Format, fps: f64) -> Result<Box<dyn FrameWriter>> {
        Ok(match format {
            Format::Vtu => Box::new(vtu::VtuWriter::new(folder, &self.topology)?),
            Format::Obj => Box::new(obj::ObjWriter::new(folder, &self.topology)?),
            Format::Ply => Box::new(ply::PlyWriter::new(folder, &self.topology)),
            Format::Usda => Box::new(UsdWriter::new(folder, Encoding::Text, &self.topology, fps)?),
            Format::Usdc => {
                Box::new(UsdWriter::new(folder, Encoding::Binary, &self.topology, fps)?)
            }
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

#[cfg(test)]
mod tests;
