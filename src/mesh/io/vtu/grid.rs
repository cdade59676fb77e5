//! The cells of a VTK file, put together from its pieces.

use super::{Piece, Told, shortened};
use crate::error::Result;
use crate::mesh::io::cut;
use crate::mesh::{Mesh, PointCloud, Surface, TetMesh};
use glam::DVec3;
use std::collections::BTreeMap;

/// The grid so far.
#[derive(Default)]
pub struct Grid {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    tets: Vec<[u32; 4]>,
    /// Whether some cell is a point.
    vertices: bool,
    /// One number per tetrahedron.
    cell_data: BTreeMap<String, Vec<f64>>,
}

impl Grid {
    /// Adds a piece.
    pub fn add(&mut self, piece: Piece) -> Told<()> {
        let [point_count, cell_count] = piece.counts;
        let Piece {
            points: Some(points),
            connectivity: Some(connectivity),
            offsets: Some(offsets),
            types: Some(types),
            cell_data,
            ..
        } = piece
        else {
            let names = "Points, connectivity, offsets and types";
            return Err(format!("a Piece lacks one of the arrays {names}"));
        };
        let first = self.points.len();
        let coordinates = points.floats();
        let (points, rest) = coordinates.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(format!("{} coordinates, wanted three for each point", coordinates.len()));
        }
        check_count("NumberOfPoints", point_count, points.len())?;
        self.points.extend(points.iter().copied().map(DVec3::from_array));
        let connectivity = connectivity.integers()?.into_iter().map(|corner| {
            let corner = usize::try_from(corner).ok().filter(|&corner| corner < points.len());
            corner.map(|corner| (first + corner) as u32)
        });
        let types = types.integers()?;
        check_count("NumberOfCells", cell_count, types.len())?;
        self.cells(&connectivity.collect::<Vec<_>>(), &offsets.integers()?, &types)?;
        for (name, array) in cell_data {
            let values = array.floats();
            if values.len() != types.len() {
                let numbers = format!("{} numbers for {} cells", values.len(), types.len());
                let name = shortened(&name);
                return Err(format!("cell data `{name}` have {numbers}, wanted one for each"));
            }
            let of_tets = values.iter().zip(&types).filter(|(_, kind)| is_tetrahedron(**kind));
            let kept = self.cell_data.entry(name).or_default();
            kept.extend(of_tets.map(|(x, _)| x));
        }
        Ok(())
    }

    /// Keeps the cells: their corners one after the other (`None` for a point that is not there), where each ends,
    /// and their types.
    fn cells(&mut self, connectivity: &[Option<u32>], offsets: &[i64], types: &[i64]) -> Told<()> {
        if offsets.len() != types.len() {
            let (ends, kinds) = (offsets.len(), types.len());
            return Err(format!(
                "{ends} offsets and {kinds} types of cells, wanted as many of both"
            ));
        }
        let mut start = 0;
        for (cell, (&end, &kind)) in offsets.iter().zip(types).enumerate() {
            let corners = usize::try_from(end).ok().and_then(|end| connectivity.get(start..end));
            let corners = corners.ok_or_else(|| {
                let all = connectivity.len();
                format!("cell {cell} ends at {end} after {start}, the connectivity has {all}")
            })?;
            start += corners.len();
            let corners: Option<Vec<u32>> = corners.iter().copied().collect();
            let corners = corners
                .ok_or_else(|| format!("cell {cell} refers to a point that does not exist"))?;
            self.cell(cell, kind, &corners)?;
        }
        Ok(())
    }

    /// Keeps one cell: the corners come first in cells of any order.
    fn cell(&mut self, cell: usize, kind: i64, corners: &[u32]) -> Told<()> {
        let needed = match kind {
            1 | 2 => {
                self.vertices = true;
                return Ok(());
            }
            // Lines, of any order.
            3 | 4 | 21 | 35 | 68 => return Ok(()),
            5 | 22 | 69 | 34 => 3,
            9 | 23 | 28 | 70 => 4,
            7 => corners.len().max(3),
            10 | 24 | 71 => 4,
            _ => {
                let wanted = "tetrahedra (10) or triangles (5)";
                return Err(format!("cell {cell} is of type {kind}, wanted {wanted}"));
            }
        };
        let corners = corners.get(..needed).ok_or_else(|| {
            format!("cell {cell} of type {kind} has {} points, wanted {needed}", corners.len())
        })?;
        if is_tetrahedron(kind) {
            self.tets.push([corners[0], corners[1], corners[2], corners[3]]);
        } else {
            self.triangles.extend(cut(corners, |i| self.points[i as usize]));
        }
        Ok(())
    }

    /// The mesh of all pieces.
    pub fn finish(self) -> Result<Mesh> {
        if self.tets.is_empty() && self.triangles.is_empty() && self.vertices {
            return Ok(Mesh::Points(PointCloud::new(self.points)?));
        }
        if self.tets.is_empty() {
            return Ok(Mesh::Surface(Surface::new(self.points, self.triangles, None)?));
        }
        let mesh = TetMesh::new(self.points, self.tets)?;
        Ok(Mesh::Tets(mesh.with_cell_data(self.cell_data)?))
    }
}

/// Makes sure that a piece holds as much as it says.
fn check_count(name: &str, said: Option<usize>, found: usize) -> Told<()> {
    match said {
        Some(said) if said != found => {
            Err(format!("{name} is {said}, and the arrays hold {found}, wanted the same"))
        }
        _ => Ok(()),
    }
}

/// Whether a cell type is a tetrahedron, of any order.
fn is_tetrahedron(kind: i64) -> bool {
    matches!(kind, 10 | 24 | 71)
}
