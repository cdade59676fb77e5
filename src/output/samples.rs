//! The drawn vertices of all frames, kept in a file of equal records until they are wanted body by body.

use super::Frame;
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

/// A scratch file with one record per frame: all positions, then all normals.
pub struct Samples {
    path: PathBuf,
    file: File,
    vertex_count: usize,
    frames: Vec<u64>,
    buffer: Vec<Vec3>,
}

impl Samples {
    /// An empty file at `path` for frames of `vertex_count` vertices.
    pub fn create(path: PathBuf, vertex_count: usize) -> Result<Self> {
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path);
        let file = opened.map_err(|error| Error::io(&path, error))?;
        Ok(Self {
            path,
            file,
            vertex_count,
            frames: Vec::new(),
            buffer: Vec::new(),
        })
    }

    /// The numbers of the frames, in order.
    pub fn frames(&self) -> &[u64] {
        &self.frames
    }

    /// Adds a frame. One that does not fit on the disk leaves the earlier ones as they were.
    pub fn add(&mut self, frame: &Frame<'_>) -> Result<()> {
        let parts = [frame.drawn_positions, frame.drawn_normals].map(cast_slice);
        let start = self.place(self.frames.len(), Attribute::Position, 0);
        let written = self.file.seek(SeekFrom::Start(start));
        let written =
            written.and_then(|_| parts.iter().try_for_each(|part| self.file.write_all(part)));
        written.map_err(|error| Error::io(&self.path, error))?;
        self.frames.push(frame.index);
        Ok(())
    }

    /// An attribute of some vertices in the frame that was added as number `record`.
    pub fn read(
        &mut self,
        record: usize,
        attribute: Attribute,
        vertices: Range<usize>,
    ) -> io::Result<&[Vec3]> {
        self.file.seek(SeekFrom::Start(self.place(
            record,
            attribute,
            vertices.start,
        )))?;
        self.buffer.resize(vertices.len(), Vec3::ZERO);
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

    /// Where a vertex stands in the file.
    fn place(&self, record: usize, attribute: Attribute, vertex: usize) -> u64 {
        let row = 2 * record as u64 + attribute as u64;
        (row * self.vertex_count as u64 + vertex as u64) * size_of::<Vec3>() as u64
    }
}
