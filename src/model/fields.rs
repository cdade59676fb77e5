//! Constants of the material that differ from tetrahedron to tetrahedron.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::mesh::TetMesh;
use crate::scene::{Body, Constant, check_constant};
use crate::{Error, Result};

/// Per constant that differs anywhere in a body: one value per tetrahedron, where it has one of its own.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<Constant, Vec<Option<f64>>>);

impl Fields {
    /// From the arrays of the mesh that the body names, and its regions in the mesh's coordinates.
    ///
    /// # Errors
    /// A mesh without such an array, or with a value that the constant cannot have.
    pub fn new(body: &Body, mesh: &TetMesh) -> Result<Self> {
        let mut fields = Self::default();
        for constant in &body.cell_data {
            let Some(values) = mesh.cell_data.get(constant.name()) else {
                let names: Vec<_> = mesh.cell_data.keys().map(String::as_str).collect();
                let message = format!(
                    "has no array {:?} of one number per tetrahedron, which cell_data asks for; it has: {}",
                    constant.name(),
                    if names.is_empty() {
                        "none".into()
                    } else {
                        names.join(", ")
                    }
                );
                return Err(Error::Mesh(message));
            };
            for (i, value) in values.iter().enumerate() {
                let name = constant.name();
                let at = format!(
                    "body \"{}\".cell_data: {name} of tetrahedron {i}",
                    body.name
                );
                check_constant(&at, *constant, *value)?;
            }
            let values = values.iter().copied().map(Some).collect();
            fields.0.insert(*constant, values);
        }
        for region in &body.regions {
            for (t, corners) in mesh.tets.iter().enumerate() {
                let sum: DVec3 = corners.iter().map(|i| mesh.points[*i as usize]).sum();
                if region.within.contains((0.25 * sum).to_array()) {
                    for (constant, value) in &region.constants {
                        let empty = || vec![None; mesh.tets.len()];
                        fields.0.entry(*constant).or_insert_with(empty)[t] = Some(*value);
                    }
                }
            }
        }
        Ok(fields)
    }

    /// Whether no constant differs anywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a tetrahedron, or the body's own.
    pub fn get(&self, constant: Constant, tet: usize, of_body: f64) -> f64 {
        let own = self.0.get(&constant).and_then(|values| values[tet]);
        own.unwrap_or(of_body)
    }
}
