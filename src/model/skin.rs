//! The surfaces that are drawn: fine skins tied to tetrahedra, or the bodies' own coarse surfaces.

use std::ops::Range;

use super::crease::creased;
use super::rest::Rest;
use crate::mesh::{TetMesh, TextureCoordinates, topology};
use crate::scene::Body;

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
        let uv;
        let closed;
        if let Some(embedding) = &rest.embedding {
            for (tet, weights) in embedding.tets.iter().zip(&embedding.weights) {
                self.corners.push(mesh.tets[*tet as usize].map(&device));
                self.weights.push(*weights);
            }
            self.triangles.extend(embedding.skin.triangles.iter().map(|t| t.map(|i| first + i)));
            closed = embedding.skin.open_edges() == 0;
            uv = embedding.skin.uv.clone();
        } else {
            // A shell is seen from both sides.
            let (points, triangles) = creased(&mesh.points, &rest.triangles);
            closed = !mesh.tets.is_empty() || topology::open_edges(&rest.triangles) == 0;
            uv = rest.uv.clone();
            self.corners.extend(points.iter().map(|i| [device(*i); 4]));
            self.weights.resize(self.corners.len(), [1.0, 0.0, 0.0, 0.0]);
            self.triangles.extend(triangles.iter().map(|t| t.map(|i| first + i)));
        }
        self.bodies.push(SkinRanges {
            vertices: vertices..self.corners.len(),
            triangles: triangles..self.triangles.len(),
            color: body.color,
            closed,
            uv,
        });
    }
}
