//! What is shown in all frames, kept in a file of equal records until they are wanted body by body.

use super::{Frame, Topology};
use crate::error::{Error, Result};
use bytemuck::{cast_slice, cast_slice_mut};
use glam::Vec3;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

/// What is sampled, in the order in which a record holds it.
#[derive(Clone, Copy)]
pub enum Attribute {
    Position,
    Normal,
}

/// A scratch file with one record per frame: all positions, then all normals, which are zero for points of clouds.
pub struct Samples {
    path: PathBuf,
    file: File,
    point_count: usize,
    frames: Vec<u64>,
    buffer: Vec<Vec3>,
}

impl Samples {
    /// An empty file at `path` for frames that show `point_count` points.
    pub fn create(path: PathBuf, point_count: usize) -> Result<Self> {
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = opened.map_err(|error| Error::io(&path, error))?;
        Ok(Self { path, file, point_count, frames: Vec::new(), buffer: Vec::new() })
    }

    /// The numbers of the frames, in order.
    pub fn frames(&self) -> &[u64] {
        &self.frames
    }

    /// Adds a frame. One that does not fit on the disk leaves the earlier ones as they were.
    pub fn add(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        self.buffer.clear();
        for body in &topology.bodies {
            self.buffer.extend_from_slice(frame.shown(body).0);
        }
        for body in &topology.bodies {
            let end = self.buffer.len() + body.shown_count();
            self.buffer.extend_from_slice(frame.shown(body).1);
            self.buffer.resize(end, Vec3::ZERO);
        }
        let start = self.place(self.frames.len(), Attribute::Position, 0);
        let written = self.file.seek(SeekFrom::Start(start));
        let written = written.and_then(|_| self.file.write_all(cast_slice(&self.buffer)));
        written.map_err(|error| Error::io(&self.path, error))?;
        self.frames.push(frame.index);
        Ok(())
    }

    /// An attribute of some points in the frame that was added as number `record`.
    pub fn read(
        &mut self,
        record: usize,
        attribute: Attribute,
        points: Range<usize>,
    ) -> io::Result<&[Vec3]> {
        self.file.seek(SeekFrom::Start(self.place(record, attribute, points.start)))?;
        self.buffer.resize(points.len(), Vec3::ZERO);
        self.file.read_exact(cast_slice_mut(&mut self.buffer))?;
        Ok(&self.buffer)
    }

    /// Deletes the file.
    pub fn delete(self) -> Result<()> {
        let Self { path, file, .. } = self;
        // Not every system deletes an open file.
        drop(file);
        fs::remove_file(&path).map_err(|error| Error::io(&path, error))
    }

    /// Where a point stands in the file.
    fn place(&self, record: usize, attribute: Attribute, point: usize) -> u64 {
        let row = 2 * record as u64 + attribute as u64;
        (row * self.point_count as u64 + point as u64) * size_of::<Vec3>() as u64
    }
}
