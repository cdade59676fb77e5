//! Triangle surfaces.

use serde::Serialize;

use super::bounds::{Bounds, check_indices, check_points};
use super::topology;
use crate::error::{Error, Result};
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Points closer than this are one, relative to the diagonal of the box.
const WELD: f64 = 1e-6;

/// A triangle surface; counter-clockwise triangles face outward.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Surface {
    /// Positions (m).
    pub points: Vec<DVec3>,
    /// Three point indices per triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates, when the file has them for every corner.
    #[serde(skip)]
    pub uv: Option<TextureCoordinates>,
    /// Normals, of any length, per triangle and corner, or none at all. They say where the surface is drawn with hard edges:
    /// where those of two neighbours at a common corner differ. 0 says nothing; there the angle between the two decides.
    #[serde(skip)]
    pub corner_normals: Vec<[Vec3; 3]>,
}

/// Texture coordinates by corner: a point on a seam has several. (0, 0) is the lower left corner of the picture and (1, 1)
/// the upper right one, as OBJ and USD have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureCoordinates {
    /// (u, v).
    pub values: Vec<[f32; 2]>,
    /// For every triangle and corner an index into `values`.
    pub corners: Vec<[u32; 3]>,
}

impl Surface {
    /// A surface that has passed [`Self::check`].
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn new(
        points: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        uv: Option<TextureCoordinates>,
    ) -> Result<Self> {
        let surface = Self { points, triangles, uv, corner_normals: Vec::new() };
        surface.check()?;
        Ok(surface)
    }

    /// Makes sure that the arrays fit together.
    ///
    /// # Errors
    /// [`Error::Mesh`] names the point or triangle: no triangles, a coordinate that is not finite, an index out of
    /// range, or texture coordinates or normals that do not fit the triangles.
    pub fn check(&self) -> Result<()> {
        if self.triangles.is_empty() {
            return Err(Error::Mesh("holds no triangles, wanted at least one".into()));
        }
        check_points(&self.points)?;
        check_indices(&self.triangles, self.points.len(), "triangle")?;
        let (normals, triangles) = (self.corner_normals.len(), self.triangles.len());
        if normals != 0 && normals != triangles {
            return Err(Error::Mesh(format!(
                "normals for {normals} triangles, wanted {triangles}"
            )));
        }
        self.uv.as_ref().map_or(Ok(()), |uv| uv.check(self.triangles.len()))
    }

    /// The same surface with points merged that lie within 1e-6 of the box's diagonal, without the triangles that
    /// then have two corners in one place, and without unused points.
    pub fn welded(&self) -> Self {
        self.weld().0
    }

    /// [`Self::welded`], and for each point the number that it has there, `u32::MAX` where no triangle is left that uses it.
    pub fn weld(&self) -> (Self, Vec<u32>) {
        let used = self.triangles.as_flattened().iter().map(|&i| self.points[i as usize]);
        let bounds = Bounds::of(used);
        let merged = merge(&self.points, &bounds, WELD * bounds.diagonal());
        let mut welded = Self { points: self.points.clone(), ..Self::default() };
        let mut corners = Vec::new();
        for (i, triangle) in self.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|p| merged[p as usize]);
            if a != b && b != c && c != a {
                welded.triangles.push([a, b, c]);
                corners.extend(self.uv.as_ref().map(|uv| uv.corners[i]));
                welded.corner_normals.extend(self.corner_normals.get(i));
            }
        }
        let numbers = topology::drop_unused(&mut welded.points, &mut welded.triangles);
        let places = merged.iter().map(|p| numbers[*p as usize]).collect();
        welded.uv = self.uv.as_ref().map(|uv| {
            let mut kept = TextureCoordinates { values: uv.values.clone(), corners };
            topology::drop_unused(&mut kept.values, &mut kept.corners);
            kept
        });
        (welded, places)
    }

    /// The number of edges that are not passed equally often in both directions: 0 for a closed surface with
    /// consistent winding.
    pub fn open_edges(&self) -> usize {
        topology::open_edges(&self.triangles)
    }

    /// Two triangles that pass the edge between them the same way where both ways would close it: one of them is turned over.
    #[must_use]
    pub fn turned_over(&self) -> Option<[usize; 2]> {
        topology::turned_over(&self.triangles)
    }

    /// Refuses triangles that pass the edge between them the same way where both ways would close it.
    ///
    /// # Errors
    /// [`Error::Mesh`] names two.
    pub(crate) fn check_winding(&self) -> Result<()> {
        self.turned_over().map_or(Ok(()), |pair| Err(wound_unlike(pair)))
    }

    /// Whether a volume is as good as none beside the surface's size: rounding leaves no more.
    pub(crate) fn is_flat(&self, volume: f64) -> bool {
        volume.abs() <= NO_VOLUME * self.bounds().diagonal().powi(3)
    }

    /// Refuses a closed surface that encloses this volume, negative.
    ///
    /// # Errors
    /// [`Error::Mesh`]
    pub(crate) fn check_outside(&self, volume: f64) -> Result<()> {
        match volume < 0.0 && !self.is_flat(volume) {
            true => Err(Error::Mesh(format!(
                "is inside out, its volume {volume:.3e} m³, wanted triangles counter-clockwise as seen from outside: flip them"
            ))),
            false => Ok(()),
        }
    }

    /// The box around all points.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points.iter().copied())
    }

    /// The corners of triangle `i`.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn corners(&self, i: usize) -> [DVec3; 3] {
        self.triangles[i].map(|p| self.points[p as usize])
    }

    /// The enclosed volume (m³), from the divergence theorem; negative when the surface is inside out.
    pub fn volume(&self) -> f64 {
        let centre = self.bounds().centre();
        let six: f64 = (0..self.triangles.len())
            .map(|i| self.corners(i).map(|x| x - centre))
            .map(|[a, b, c]| a.dot(b.cross(c)))
            .sum();
        six / 6.0
    }

    /// Unit normals of the points: the mean of their triangles' normals, weighted by area. Zero where these cancel.
    pub fn normals(&self) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; self.points.len()];
        // Scaled to the unit box, so that the squares of tiny lengths do not underflow.
        let scale = self.bounds().diagonal().recip();
        for (i, triangle) in self.triangles.iter().enumerate() {
            let [a, b, c] = self.corners(i);
            let twice_area = ((b - a) * scale).cross((c - a) * scale);
            for &p in triangle {
                normals[p as usize] += twice_area;
            }
        }
        normals.into_iter().map(DVec3::normalize_or_zero).collect()
    }

    /// Flips every triangle.
    pub fn flip(&mut self) {
        (0..self.triangles.len()).for_each(|i| self.flip_triangle(i));
    }

    /// Turns triangle `i` over.
    pub(super) fn flip_triangle(&mut self, i: usize) {
        self.triangles[i].swap(1, 2);
        if let Some(uv) = &mut self.uv {
            uv.corners[i].swap(1, 2);
        }
        if let Some(normals) = self.corner_normals.get_mut(i) {
            normals.swap(1, 2);
        }
    }
}

impl TextureCoordinates {
    fn check(&self, triangles: usize) -> Result<()> {
        check_indices(&self.corners, self.values.len(), "texture triangle")?;
        if self.corners.len() != triangles {
            let got = self.corners.len();
            return Err(Error::Mesh(format!(
                "texture coordinates for {got} triangles, wanted {triangles}"
            )));
        }
        match self.values.iter().find(|v| !v.iter().all(|x| x.is_finite())) {
            Some(v) => {
                Err(Error::Mesh(format!("a texture coordinate is {v:?}, wanted finite numbers")))
            }
            None => Ok(()),
        }
    }
}

/// For every point the first earlier point within `tolerance`, or itself. The points are hashed into a grid a few
/// times coarser than the tolerance: mostly one cell has to be looked at, and none holds many points.
fn merge(points: &[DVec3], bounds: &Bounds, tolerance: f64) -> Vec<u32> {
    let cell = if tolerance > 0.0 { 8.0 * tolerance } else { 1.0 };
    let cell_of = |p: DVec3| ((p - bounds.min) / cell).floor().as_i64vec3();
    let mut grid: HashMap<glam::I64Vec3, Vec<u32>> = HashMap::new();
    let mut merged = Vec::with_capacity(points.len());
    for (i, &p) in points.iter().enumerate() {
        let (low, high) = (cell_of(p - tolerance), cell_of(p + tolerance));
        let near = (low.z..=high.z)
            .flat_map(|z| (low.y..=high.y).map(move |y| (y, z)))
            .flat_map(|(y, z)| (low.x..=high.x).map(move |x| glam::I64Vec3::new(x, y, z)))
            .filter_map(|key| grid.get(&key))
            .flatten()
            .find(|&&j| points[j as usize].distance(p) <= tolerance);
        match near {
            Some(&j) => merged.push(j),
            None => {
                merged.push(i as u32);
                grid.entry(cell_of(p)).or_default().push(i as u32);
            }
        }
    }
    merged
}

/// A surface that encloses no more than this has no volume, relative to the cube of its diagonal.
const NO_VOLUME: f64 = 1e-12;

/// Of two triangles that pass the edge between them the same way.
pub fn wound_unlike([a, b]: [usize; 2]) -> Error {
    Error::Mesh(format!(
        "triangles {a} and {b} are inconsistently wound at their common edge, wanted at most two triangles per edge, \
         consistently wound: flip one, or separate them"
    ))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::mesh::TetMesh;

    /// The closed surface of a box of cubes, outward.
    pub fn cube_surface(cubes: u32, size: DVec3) -> Surface {
        let mesh = TetMesh::lattice([cubes; 3], size).unwrap();
        let (mut points, mut triangles) = (mesh.points.clone(), mesh.surface_triangles());
        topology::drop_unused(&mut points, &mut triangles);
        Surface::new(points, triangles, None).unwrap()
    }

    /// A sphere of unit radius with 2 n² triangles, outward, welded at the seam and the poles.
    pub fn sphere(n: u32) -> Surface {
        let mut surface = Surface::default();
        for i in 0..=n {
            for j in 0..n {
                let polar = f64::from(i) / f64::from(n) * std::f64::consts::PI;
                let around = f64::from(j) / f64::from(n) * std::f64::consts::TAU;
                let ring = DVec3::new(around.cos(), 0.0, -around.sin()) * polar.sin();
                surface.points.push(ring + DVec3::Y * polar.cos());
            }
        }
        for i in 0..n {
            for j in 0..n {
                let at = |i: u32, j: u32| i * n + j % n;
                let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                surface.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        surface.welded()
    }

    /// Two surfaces in one, side by side in the index arrays.
    pub fn joined(a: &Surface, b: &Surface) -> Surface {
        let mut both = a.clone();
        let shift = a.points.len() as u32;
        both.points.extend(&b.points);
        both.triangles.extend(b.triangles.iter().map(|t| t.map(|i| i + shift)));
        both
    }

    #[test]
    fn triangle_soup_welds_to_a_closed_cube() {
        let cube = cube_surface(2, DVec3::splat(1e-6));
        let soup = Surface {
            points: (0..cube.triangles.len()).flat_map(|i| cube.corners(i)).collect(),
            triangles: (0..cube.triangles.len() as u32)
                .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
                .collect(),
            ..Surface::default()
        };
        assert_eq!(soup.open_edges(), 3 * 48);
        let welded = soup.welded();
        assert_eq!((welded.points.len(), welded.triangles.len(), welded.open_edges()), (26, 48, 0));
        assert!((welded.volume() / 1e-18 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn welding_drops_what_has_collapsed_and_keeps_texture_corners() {
        let near = DVec3::new(1.0, 5e-7, 0.0);
        let points = vec![DVec3::ZERO, DVec3::X, near, DVec3::Y, DVec3::splat(1e9)];
        let uv = TextureCoordinates {
            values: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]],
            corners: vec![[3, 3, 3], [0, 1, 2]],
        };
        let mut surface = Surface::new(points, vec![[0, 1, 2], [0, 2, 3]], Some(uv)).unwrap();
        surface.corner_normals = vec![[Vec3::X; 3], [Vec3::X, Vec3::Y, Vec3::Z]];
        let (mut welded, places) = surface.weld();
        assert_eq!(places, [0, 1, 1, 2, u32::MAX]);
        assert_eq!(welded.points, [DVec3::ZERO, DVec3::X, DVec3::Y]);
        assert_eq!(welded.triangles, [[0, 1, 2]]);
        let uv = welded.uv.clone().unwrap();
        assert_eq!((uv.values.len(), uv.corners), (3, vec![[0, 1, 2]]));
        welded.flip();
        assert_eq!(welded.corner_normals, [[Vec3::X, Vec3::Z, Vec3::Y]]);
    }

    #[test]
    fn the_sphere_is_closed_round_and_outward() {
        let sphere = sphere(32);
        assert_eq!(sphere.open_edges(), 0);
        let want = 4.0 / 3.0 * std::f64::consts::PI;
        assert!(sphere.volume() < want && sphere.volume() > 0.97 * want, "{}", sphere.volume());
        for (normal, point) in sphere.normals().iter().zip(&sphere.points) {
            assert!(normal.dot(*point) > 0.99);
        }
        let mut flipped = sphere.clone();
        flipped.flip();
        assert_eq!(flipped.volume(), -sphere.volume());
    }

    #[test]
    fn bad_surfaces_are_refused() {
        let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        assert!(Surface::new(points.clone(), vec![], None).is_err());
        assert!(Surface::new(points.clone(), vec![[0, 1, 3]], None).is_err());
        assert!(Surface::new(vec![DVec3::INFINITY; 3], vec![[0, 1, 2]], None).is_err());
        let uv = TextureCoordinates { values: vec![[f32::NAN; 2]], corners: vec![[0; 3]] };
        assert!(Surface::new(points.clone(), vec![[0, 1, 2]], Some(uv)).is_err());
        let uv = TextureCoordinates { values: vec![[0.0; 2]], corners: vec![] };
        assert!(Surface::new(points.clone(), vec![[0, 1, 2]], Some(uv)).is_err());
        let normals = vec![[Vec3::X; 3]; 2];
        assert!(
            Surface { points, triangles: vec![[0, 1, 2]], uv: None, corner_normals: normals }
                .check()
                .is_err()
        );
    }
}
