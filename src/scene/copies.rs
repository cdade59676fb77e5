//! Grids of copies of a body.

use glam::DVec3;

use super::check::{body_label, check_copies};
use super::format::Body;
use crate::Result;
use crate::scatter::Scatter;

/// A grid of copies of a body: `copies = { … }` in a scene file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copies {
    /// Numbers of copies along the world's x, y and z, default one each.
    pub count: [u32; 3],
    /// Distances between copies along x, y and z [m], default 0.
    pub spacing: [f64; 3],
    /// Largest random displacement of each copy along each axis [m], default 0.
    pub jitter: f64,
    /// Seed of the random displacements, which depend on it and on the body's name; default 0.
    pub seed: u32,
}

impl Default for Copies {
    fn default() -> Self {
        Self { count: [1; 3], spacing: [0.0; 3], jitter: 0.0, seed: 0 }
    }
}

impl Body {
    /// Copies of this body in a grid that begins at its position, along x first, then along y, then along z; copies of "marble"
    /// are called "marble 1", "marble 2" and so on.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value): no copies or too many, numbers that are not finite, a negative jitter.
    pub fn copies(&self, copies: &Copies) -> Result<Vec<Self>> {
        check_copies(&format!("{}.copies", body_label(&self.name)), copies)?;
        let mut scatter = Scatter::new(&self.name, copies.seed, copies.jitter);
        let [across, high, deep] = copies.count;
        let rows = (0..deep).flat_map(|z| (0..high).map(move |y| [y, z]));
        let places = rows.flat_map(|[y, z]| (0..across).map(move |x| [x, y, z]));
        let copy = |(number, place): (usize, [u32; 3])| {
            let way = DVec3::from(place.map(f64::from)) * DVec3::from(copies.spacing);
            Self {
                name: format!("{} {number}", self.name),
                position: (DVec3::from(self.position) + way + scatter.next()).to_array(),
                ..self.clone()
            }
        };
        Ok((1..).zip(places).map(copy).collect())
    }
}
