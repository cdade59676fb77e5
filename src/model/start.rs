//! Masses, radii and places of particles at the start.

use glam::DVec3;

use super::Fields;
use super::rest::Rest;
use crate::hash::Fnv;
use crate::mesh::{PointCloud, TetMesh};
use crate::scene::{Body, Constant, Mass};
use crate::{Error, Result};

/// Mass of each point [kg]. By density: a quarter of each tetrahedron around it; of a shell a third of each triangle,
/// two radii thick; of a cloud the cube of two radii.
pub fn masses(body: &Body, mesh: &TetMesh, rest: &Rest, fields: &Fields, radius: f64) -> Vec<f64> {
    let density = match body.mass {
        Mass::PerPoint(mass) => return vec![mass; mesh.points.len()],
        Mass::Density(density) => density,
    };
    if rest.edges.is_empty() {
        return vec![density * (2.0 * radius).powi(3); mesh.points.len()];
    }
    let mut masses = vec![0.0; mesh.points.len()];
    for (i, corners) in mesh.tets.iter().enumerate() {
        let quarter = 0.25 * mesh.volume(i) * fields.get(Constant::Density, i, density);
        corners
            .iter()
            .for_each(|corner| masses[*corner as usize] += quarter);
    }
    if mesh.tets.is_empty() {
        for corners in &rest.triangles {
            let third = density * 2.0 * radius * area(mesh, corners) / 3.0;
            corners
                .iter()
                .for_each(|corner| masses[*corner as usize] += third);
        }
    }
    masses
}

/// Volume of the material of a body [m³]: that of its tetrahedra, or of a shell two radii thick.
pub fn volume(mesh: &TetMesh, triangles: &[[u32; 3]], radius: f64) -> f64 {
    if mesh.tets.is_empty() {
        let area: f64 = triangles.iter().map(|corners| area(mesh, corners)).sum();
        2.0 * radius * area
    } else {
        mesh.total_volume()
    }
}

/// Area of a triangle [m²].
pub fn area(mesh: &TetMesh, corners: &[u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|i| mesh.points[i as usize]);
    0.5 * (b - a).cross(c - a).length()
}

/// Distance [m] at which the points of a cloud or a shell touch.
///
/// # Errors
/// Points that all lie in one place, of a body that gives no radius.
pub fn radius(body: &Body, cloud: &PointCloud) -> Result<f64> {
    if let Some(radius) = body.radius {
        return Ok(radius);
    }
    let spacing = cloud.spacing().ok_or_else(|| {
        let at = format!("body \"{}\".radius", body.name);
        Error::value(at, "none", "a radius [m]: all points lie in one place")
    })?;
    Ok(0.5 * spacing)
}

/// The random part of the places that a body's points start from: the same for the same name.
pub struct Scatter {
    reach: f64,
    bits: u64,
}

impl Scatter {
    /// Up to `reach` [m] along each axis.
    pub fn new(name: &str, reach: f64) -> Self {
        let mut hash = Fnv::new();
        hash.bytes(name.as_bytes());
        Self {
            reach,
            bits: hash.finish() | 1,
        }
    }

    /// That of the next point [m].
    pub fn next(&mut self) -> DVec3 {
        if self.reach == 0.0 {
            return DVec3::ZERO;
        }
        DVec3::from_array([(); 3].map(|()| self.reach * (2.0 * self.uniform() - 1.0)))
    }

    /// A number in [0, 1) (xorshift64; Marsaglia 2003).
    fn uniform(&mut self) -> f64 {
        self.bits ^= self.bits << 13;
        self.bits ^= self.bits >> 7;
        self.bits ^= self.bits << 17;
        (self.bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}
