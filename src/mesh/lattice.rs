//! A regular lattice of boxes, each split into five tetrahedra.

use crate::error::{Error, Result};
use glam::{DVec3, UVec3};

/// The most cubes that a lattice may have (256³).
pub const MAX_CUBES: u64 = 1 << 24;

/// The five tetrahedra of a cube with a + b + c even: one regular tetrahedron on the corners of even parity and one
/// for each other corner. Corner bits: 1 = x, 2 = y, 4 = z.
const EVEN: [[u8; 4]; 5] = [[0, 5, 3, 6], [1, 3, 0, 5], [2, 0, 3, 6], [4, 6, 5, 0], [7, 5, 6, 3]];
/// The mirror image, for a + b + c odd, so that the diagonals of shared faces agree.
const ODD: [[u8; 4]; 5] = [[1, 2, 4, 7], [0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2]];

/// A box of equal cubes (boxes, when the spacing differs by axis).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    cubes: UVec3,
    origin: DVec3,
    spacing: DVec3,
}

impl Lattice {
    /// `cubes` cubes in the box from `origin` to `origin + size` (m).
    ///
    /// # Errors
    /// [`Error::Value`]: no cubes along an axis, more than [`MAX_CUBES`] in all, or a size that is not positive and
    /// finite.
    pub fn new(cubes: [u32; 3], origin: DVec3, size: DVec3) -> Result<Self> {
        let count = cubes.iter().fold(1u64, |n, &c| n.saturating_mul(u64::from(c)));
        if count == 0 || count > MAX_CUBES {
            let want = format!("at least one cube along each axis and at most {MAX_CUBES} in all");
            return Err(Error::value("lattice", format!("{cubes:?} = {count} cubes"), want));
        }
        if !(size.is_finite() && size.min_element() > 0.0) {
            return Err(Error::value("lattice size", size, "three positive lengths [m]"));
        }
        let cubes = UVec3::from_array(cubes);
        Ok(Self { cubes, origin, spacing: size / cubes.as_dvec3() })
    }

    /// The number of cubes along each axis.
    pub fn size(&self) -> UVec3 {
        self.cubes
    }

    /// The number of cubes.
    pub fn cube_count(&self) -> usize {
        self.cubes.element_product() as usize
    }

    /// The number of points.
    pub fn point_count(&self) -> usize {
        (self.cubes + 1).element_product() as usize
    }

    /// All cubes (a, b, c), x fastest: in the order of [`Self::cube_index`].
    pub fn cubes(self) -> impl Iterator<Item = UVec3> {
        (0..self.cube_count() as u32).map(move |i| unravel(i, self.cubes))
    }

    /// The place of a cube in [`Self::cubes`].
    pub fn cube_index(&self, cube: UVec3) -> usize {
        ravel(cube, self.cubes) as usize
    }

    /// All points, x fastest: in the order of the indices in [`Self::tets`].
    pub fn points(self) -> impl Iterator<Item = DVec3> {
        (0..self.point_count() as u32)
            .map(move |i| self.to_space(unravel(i, self.cubes + 1).as_dvec3()))
    }

    /// From lattice coordinates, in which cubes have unit edges and the first begins at 0, to space.
    pub fn to_space(&self, local: DVec3) -> DVec3 {
        self.origin + local * self.spacing
    }

    /// From space to lattice coordinates.
    pub fn to_local(&self, point: DVec3) -> DVec3 {
        (point - self.origin) / self.spacing
    }

    /// The five tetrahedra of a cube, positively oriented, as lattice point indices.
    pub fn tets(&self, cube: UVec3) -> [[u32; 4]; 5] {
        pattern(cube).map(|tet| tet.map(|bits| ravel(cube + corner(bits), self.cubes + 1)))
    }
}

/// The five tetrahedra of a cube as corner bits, the pattern alternating with the parity of a + b + c.
pub(super) fn pattern(cube: UVec3) -> [[u8; 4]; 5] {
    if cube.element_sum().is_multiple_of(2) { EVEN } else { ODD }
}

/// The offset of a corner from the cube's lower corner.
pub(super) fn corner(bits: u8) -> UVec3 {
    UVec3::new(u32::from(bits & 1), u32::from(bits >> 1 & 1), u32::from(bits >> 2))
}

/// The cubes from `low` to `high`, both with.
pub(super) fn cubes_between(low: UVec3, high: UVec3) -> impl Iterator<Item = UVec3> {
    let size = high - low + 1;
    (0..size.element_product()).map(move |i| low + unravel(i, size))
}

fn ravel(at: UVec3, size: UVec3) -> u32 {
    at.x + size.x * (at.y + size.y * at.z)
}

fn unravel(index: u32, size: UVec3) -> UVec3 {
    UVec3::new(index % size.x, index / size.x % size.y, index / (size.x * size.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn both_patterns_fill_the_cube_with_positive_tets() {
        for tets in [EVEN, ODD] {
            let volumes = tets.map(|tet| {
                let [a, b, c, d] = tet.map(|bits| corner(bits).as_dvec3());
                (b - a).dot((c - a).cross(d - a)) / 6.0
            });
            assert_eq!(volumes.map(|v| (6.0 * v).round()), [2.0, 1.0, 1.0, 1.0, 1.0]);
            assert!((volumes.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn every_inner_face_is_shared_by_exactly_two() {
        let lattice = Lattice::new([3, 4, 2], DVec3::ZERO, DVec3::new(3.0, 4.0, 2.0)).unwrap();
        let points: Vec<DVec3> = lattice.points().collect();
        let mut faces: HashMap<[u32; 3], u32> = HashMap::new();
        for tet in lattice.cubes().flat_map(|cube| lattice.tets(cube)) {
            for face in crate::mesh::topology::TET_FACES {
                let mut key = face.map(|i| tet[i]);
                key.sort_unstable();
                *faces.entry(key).or_default() += 1;
            }
        }
        for (face, count) in faces {
            let x = face.map(|i| points[i as usize]);
            let outer = (0..3).any(|axis| {
                let end = lattice.size().as_dvec3()[axis];
                x.iter().all(|p| p[axis] == 0.0) || x.iter().all(|p| p[axis] == end)
            });
            assert_eq!(count, if outer { 1 } else { 2 }, "{face:?}");
        }
    }

    #[test]
    fn cubes_and_their_indices_agree() {
        let lattice = Lattice::new([3, 4, 2], DVec3::ZERO, DVec3::ONE).unwrap();
        for (i, cube) in lattice.cubes().enumerate() {
            assert_eq!(lattice.cube_index(cube), i);
        }
        assert_eq!(lattice.cubes().count(), 24);
        assert_eq!(lattice.points().count(), 60);
    }
}
