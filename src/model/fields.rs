//! Constants of the material that differ from cell to cell: tetrahedra, of shells triangles, of clouds points.

use std::collections::BTreeMap;

use glam::DVec3;

use super::rest::Rest;
use super::start::empty_box;
use crate::mesh::TetMesh;
use crate::scene::{Body, Constant, Region, body_label, check_constant};
use crate::{Error, Result};

/// Per constant that differs anywhere in a body: one value per cell, where it has one of its own.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<Constant, Vec<Option<f64>>>);

impl Fields {
    /// From the arrays of the mesh that the body names, and its regions in the mesh's coordinates.
    ///
    /// # Errors
    /// A mesh without such an array, or with a value that the constant cannot have; a region that holds no cell.
    pub(crate) fn new(body: &Body, rest: &Rest) -> Result<Self> {
        let mut fields = Self::default();
        for constant in &body.cell_data {
            let values = from_file(body, *constant, &rest.mesh)?;
            let values = values.iter().copied().map(Some).collect();
            fields.0.insert(*constant, values);
        }
        if body.regions.is_empty() {
            return Ok(fields);
        }
        let (what, centres) = cells(rest);
        for (k, region) in body.regions.iter().enumerate() {
            let Some(within) = inside(region, &centres) else {
                let at = format!("{}.region[{k}].box", body_label(&body.name));
                let points = &rest.mesh.points;
                return Err(empty_box(at, &region.within, what, points));
            };
            for (constant, value) in &region.constants {
                let empty = || vec![None; centres.len()];
                let values = fields.0.entry(*constant).or_insert_with(empty);
                within.iter().for_each(|cell| values[*cell] = Some(*value));
            }
        }
        Ok(fields)
    }

    /// Whether no constant differs anywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a cell, or the body's own.
    pub fn get(&self, constant: Constant, cell: usize, of_body: f64) -> f64 {
        let own = self.0.get(&constant).and_then(|values| values[cell]);
        own.unwrap_or(of_body)
    }
}

/// What a body's cells are called, and their centres in the mesh's coordinates.
fn cells(rest: &Rest) -> (&'static str, Vec<DVec3>) {
    let points = &rest.mesh.points;
    let centre = |corners: &[u32]| {
        let sum: DVec3 = corners.iter().map(|i| points[*i as usize]).sum();
        sum / corners.len() as f64
    };
    if !rest.mesh.tets.is_empty() {
        let tets = rest.mesh.tets.iter();
        return ("centre of a tetrahedron", tets.map(|c| centre(c)).collect());
    }
    if rest.edges.is_empty() {
        return ("point", points.clone());
    }
    let triangles = rest.triangles.iter();
    ("centre of a triangle", triangles.map(|c| centre(c)).collect())
}

/// The cells of a region; none where it holds none.
fn inside(region: &Region, centres: &[DVec3]) -> Option<Vec<usize>> {
    let inside = |i: &usize| region.within.contains(centres[*i].to_array());
    let cells: Vec<_> = (0..centres.len()).filter(inside).collect();
    (!cells.is_empty()).then_some(cells)
}

/// The array of a mesh that bears a constant's name.
fn from_file<'a>(body: &Body, constant: Constant, mesh: &'a TetMesh) -> Result<&'a [f64]> {
    let name = constant.name();
    let Some(values) = mesh.cell_data.get(name) else {
        let names: Vec<_> = mesh.cell_data.keys().map(String::as_str).collect();
        let found = match names[..] {
            [] => "none".into(),
            _ => names.join(", "),
        };
        return Err(Error::Mesh(format!(
            "has no array {name:?} with one number per tetrahedron, as cell_data requires; it has: {found}"
        )));
    };
    for (i, value) in values.iter().enumerate() {
        let at = format!("{}.cell_data: {name} of tetrahedron {i}", body_label(&body.name));
        check_constant(&at, constant, *value)?;
    }
    Ok(values)
}
