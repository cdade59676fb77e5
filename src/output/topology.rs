//! What does not change over a run.

use super::SolidTopology;
use crate::error::{Error, Result};
use crate::mesh::TextureCoordinates;
use crate::render::Camera;
use glam::Vec3;
use std::ops::Range;

/// What does not change over a run.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// The bodies. Their ranges follow each other and cover the arrays of a [`Frame`].
    pub bodies: Vec<BodyTopology>,
    /// Position of every particle in the undeformed shape of its body, placed as at the start, in m; displacements and volume
    /// ratios refer to it. The stretch or scatter with which a body starts is not included.
    pub rest_positions: Vec<Vec3>,
    /// The solids.
    pub solids: Vec<SolidTopology>,
    /// The camera.
    pub view: View,
}

/// A camera for formats that have one.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Its pose; `None`: one that has everything finite in view, in all frames.
    pub camera: Option<Camera>,
    /// Width over height of its pictures.
    pub aspect: f32,
}

impl Default for View {
    /// Everything is in view, in pictures of 16:9.
    fn default() -> Self {
        Self { camera: None, aspect: 16.0 / 9.0 }
    }
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
    /// Its tetrahedra, as indices into all particles; empty for a shell and for a cloud.
    pub tets: Vec<[u32; 4]>,
    /// The triangles of a shell, as indices into all particles; otherwise empty.
    pub faces: Vec<[u32; 3]>,
    /// Its vertices in the frame's drawn arrays.
    pub vertices: Range<usize>,
    /// For each of these vertices the number of its point in the body, from 0 on in steps of 0 or 1: vertices at one point
    /// follow each other, each with the normal of one side of a crease. Empty: each is a point of its own.
    pub points: Vec<u32>,
    /// The drawn triangles, as indices into all drawn vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the corners of `triangles`.
    pub uv: Option<TextureCoordinates>,
    /// Radius of its particles in m, with which the points of a cloud are drawn.
    pub radius: f32,
    /// Whether it is rigid, so that a [`Frame`] has its pose.
    pub is_rigid: bool,
}

impl Topology {
    /// The number of vertices that are drawn.
    pub(super) fn vertex_count(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.vertices.end)
    }

    pub(super) fn check(&self) -> Result<()> {
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
            if !body.has_points() {
                let at = format!("points of body {:?}", body.name);
                let want = format!("{} numbers, from 0 on in steps of 0 or 1", vertices.len());
                return Err(Error::value(at, format!("{} others", body.points.len()), want));
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
    pub(super) fn shown(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let part = |body: &BodyTopology| {
            let start = end;
            end += body.shown_count();
            start..end
        };
        self.bodies.iter().map(part).collect()
    }

    /// The index of its body for every particle, drawn vertex or element, by how many of them a body has.
    pub(super) fn body_indices(&self, count: impl Fn(&BodyTopology) -> usize) -> Vec<i32> {
        let bodies = (0..).zip(&self.bodies);
        bodies.flat_map(|(index, body)| std::iter::repeat_n(index, count(body))).collect()
    }
}

impl BodyTopology {
    /// Whether it is shown as points.
    pub(super) fn is_cloud(&self) -> bool {
        self.radius > 0.0 && self.tets.is_empty() && self.triangles.is_empty()
    }

    /// Whether `points` are none, or one for each vertex as they should be.
    fn has_points(&self) -> bool {
        let step = |pair: &[u32]| pair[1] == pair[0] || Some(pair[1]) == pair[0].checked_add(1);
        self.points.is_empty()
            || self.points.len() == self.vertices.len()
                && self.points[0] == 0
                && self.points.windows(2).all(step)
    }

    /// The number of the point that a vertex is at; both count from the body's first.
    pub(super) fn point(&self, vertex: usize) -> usize {
        self.points.get(vertex).map_or(vertex, |point| *point as usize)
    }

    /// The number of points that are shown.
    pub(super) fn shown_count(&self) -> usize {
        if self.is_cloud() { self.particles.len() } else { self.vertices.len() }
    }
}
