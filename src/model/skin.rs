//! The surfaces that are drawn: fine skins tied to tetrahedra, or the bodies' own coarse surfaces.

use std::ops::Range;

use super::crease::creased;
use super::rest::Rest;
use crate::mesh::{Embedding, TetMesh, TextureCoordinates, topology};
use crate::scene::Body;
use glam::DVec3;

/// The weights of a vertex that lies at a particle.
const ALONE: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Drawn surfaces of all bodies.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Per vertex: the particles it hangs on.
    pub corners: Vec<[u32; 4]>,
    /// Per vertex: barycentric weights, sum 1.
    pub weights: Vec<[f64; 4]>,
    /// Triangles over all vertices.
    pub triangles: Vec<[u32; 3]>,
    /// One entry per body.
    pub bodies: Vec<SkinRanges>,
}

/// A body's part of the drawn surfaces.
#[derive(Clone, Debug)]
pub struct SkinRanges {
    /// Index range of its vertices.
    pub vertices: Range<usize>,
    /// Index range of its triangles.
    pub triangles: Range<usize>,
    /// Colour, sRGB.
    pub color: [u8; 3],
    /// Whether its triangles bound a volume.
    pub closed: bool,
    /// Texture coordinates, indexed per triangle corner.
    pub uv: Option<TextureCoordinates>,
}

impl Skin {
    /// For each of these vertices the number of its point, in order: those that lie at the same point, on sides of a crease,
    /// follow each other and have the same.
    #[cfg(feature = "verify")]
    pub fn points(&self, vertices: Range<usize>) -> Vec<u32> {
        let tie = |i: usize| (self.corners[i], self.weights[i]);
        let mut points = Vec::with_capacity(vertices.len());
        for i in vertices.clone() {
            let last = points.last().map_or(0, |last| *last);
            let apart = i > vertices.start && tie(i) != tie(i - 1);
            points.push(last + u32::from(apart));
        }
        points
    }

    /// Adds a body's skin, or the surface of its tetrahedra or its triangles where it has none.
    pub(super) fn add(
        &mut self,
        body: &Body,
        mesh: &TetMesh,
        rest: &Rest,
        device: impl Fn(u32) -> u32,
    ) {
        let (vertices, triangles) = (self.corners.len(), self.triangles.len());
        let first = vertices as u32;
        let ties: Vec<([u32; 4], [f64; 4])> = match &rest.embedding {
            Some(embedding) => {
                let corners = embedding.tets.iter().map(|tet| mesh.tets[*tet as usize]);
                corners.zip(embedding.weights.iter().copied()).collect()
            }
            None => (0..mesh.points.len() as u32).map(|i| ([i; 4], ALONE)).collect(),
        };
        let (surface, normals, uv) = match &rest.embedding {
            Some(Embedding { skin, .. }) => (&skin.triangles, &skin.corner_normals, &skin.uv),
            None => (&rest.triangles, &rest.corner_normals, &rest.uv),
        };
        // A shell is seen from both sides.
        let closed = match &rest.embedding {
            None if !mesh.tets.is_empty() => true,
            _ => topology::open_edges(surface) == 0,
        };
        let place = |(corners, weights): &([u32; 4], [f64; 4])| -> DVec3 {
            (0..4).map(|k| weights[k] * mesh.points[corners[k] as usize]).sum()
        };
        let points: Vec<_> = ties.iter().map(place).collect();
        let (drawn, surface) = creased(&points, surface, normals);
        for (corners, weights) in drawn.iter().map(|i| ties[*i as usize]) {
            self.corners.push(corners.map(&device));
            self.weights.push(weights);
        }
        self.triangles.extend(surface.iter().map(|t| t.map(|i| first + i)));
        self.bodies.push(SkinRanges {
            vertices: vertices..self.corners.len(),
            triangles: triangles..self.triangles.len(),
            color: body.color,
            closed,
            uv: uv.clone(),
        });
    }
}
