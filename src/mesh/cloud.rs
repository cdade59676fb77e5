//! Bare points.

use super::bounds::{Bounds, check_points};
use crate::error::{Error, Result};
use glam::DVec3;

/// So many points are searched one by one.
const LEAF: usize = 8;

/// Points without edges. Several may lie in one place: scanners write such points, every point keeps the number that
/// it has in its file, by which clusters are given, and nothing divides by the distance of two points at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointCloud {
    /// Positions (m).
    pub points: Vec<DVec3>,
}

impl PointCloud {
    /// A cloud that has passed [`Self::check`].
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn new(points: Vec<DVec3>) -> Result<Self> {
        let cloud = Self { points };
        cloud.check()?;
        Ok(cloud)
    }

    /// Makes sure that there are points and that they are somewhere.
    ///
    /// # Errors
    /// [`Error::Mesh`]: no points, or one whose coordinates are not finite or too large.
    pub fn check(&self) -> Result<()> {
        if self.points.is_empty() {
            return Err(Error::Mesh("holds no points, wanted at least one".into()));
        }
        check_points(&self.points)
    }

    /// The box around all points.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points.iter().copied())
    }

    /// The mean distance from a place where points lie to the nearest other such place (m); `None` when all points lie
    /// in one place. Takes about n log n time for n points, however unevenly they lie.
    pub fn spacing(&self) -> Option<f64> {
        Self::spacing_of(&self.points)
    }

    /// [`Self::spacing`] of points that are no cloud.
    pub fn spacing_of(points: &[DVec3]) -> Option<f64> {
        let places = Places::new(points);
        if places.points.len() < 2 {
            return None;
        }
        let distances = (0..places.points.len()).map(|i| places.to_nearest(i));
        Some(distances.sum::<f64>() / places.points.len() as f64)
    }
}

/// Places, all different, as a k-d tree [Bentley 1975]: of every range that is longer than a leaf the middle place
/// divides the others along the longest side of their box.
struct Places {
    points: Vec<DVec3>,
    /// For the middle of each range the axis that it divides.
    axes: Vec<u8>,
}

impl Places {
    fn new(points: &[DVec3]) -> Self {
        let mut points = points.to_vec();
        let order = |p: &DVec3, q: &DVec3| {
            let by_axis = |axis: usize| p[axis].total_cmp(&q[axis]);
            by_axis(0).then(by_axis(1)).then(by_axis(2))
        };
        // Zeros of both signs are one place.
        points.iter_mut().for_each(|p| *p += DVec3::ZERO);
        points.sort_unstable_by(order);
        points.dedup();
        let mut axes = vec![0; points.len()];
        divide(&mut points, &mut axes);
        Self { points, axes }
    }

    /// The distance from place `i` to the nearest other one.
    fn to_nearest(&self, i: usize) -> f64 {
        let mut nearest = f64::INFINITY;
        self.search(i, 0, self.points.len(), &mut nearest);
        nearest
    }

    /// Lowers `nearest` to the least distance from place `i` to another of `first..end`.
    fn search(&self, i: usize, first: usize, end: usize, nearest: &mut f64) {
        let mut compare = |j: usize| {
            if j != i {
                *nearest = nearest.min(self.points[j].distance(self.points[i]));
            }
        };
        if end - first <= LEAF {
            (first..end).for_each(compare);
            return;
        }
        let middle = first + (end - first) / 2;
        compare(middle);
        let axis = usize::from(self.axes[middle]);
        let beyond = self.points[i][axis] - self.points[middle][axis];
        let (low, high) = ((first, middle), (middle + 1, end));
        let (near, far) = if beyond < 0.0 { (low, high) } else { (high, low) };
        self.search(i, near.0, near.1, nearest);
        if beyond.abs() < *nearest {
            self.search(i, far.0, far.1, nearest);
        }
    }
}

/// Orders a range of places into a tree, see [`Places`].
fn divide(points: &mut [DVec3], axes: &mut [u8]) {
    if points.len() <= LEAF {
        return;
    }
    let axis = Bounds::of(points.iter().copied()).size().max_position();
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |p, q| p[axis].total_cmp(&q[axis]));
    axes[middle] = axis as u8;
    let (low, high) = points.split_at_mut(middle);
    let (low_axes, high_axes) = axes.split_at_mut(middle);
    divide(low, low_axes);
    divide(&mut high[1..], &mut high_axes[1..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extreme;
    use crate::verify::Random;

    /// The definition, all pairs.
    fn by_all_pairs(points: &[DVec3]) -> f64 {
        let mut places: Vec<DVec3> = Vec::new();
        for p in points {
            if !places.contains(p) {
                places.push(*p);
            }
        }
        let to_nearest = |p: &DVec3| {
            let others = places.iter().filter(|q| *q != p);
            others.map(|q| q.distance(*p)).fold(f64::INFINITY, extreme::least)
        };
        places.iter().map(to_nearest).sum::<f64>() / places.len() as f64
    }

    #[test]
    fn spacing_is_that_of_all_pairs() {
        let mut random = Random::new(1);
        let mut point = |size: DVec3| size * (random.vector(0.5) + 0.5);
        for size in [DVec3::ONE, DVec3::new(1.0, 1.0, 0.0), DVec3::Y, DVec3::new(1e-12, 3.0, 1e9)] {
            for count in [2, 9, 100, 700] {
                let mut points: Vec<_> = (0..count).map(|_| point(size)).collect();
                // One far away, one place twice, one with a zero of the other sign.
                points.extend([DVec3::splat(1e12), points[0], DVec3::ZERO, -DVec3::ZERO]);
                let (got, want) =
                    (PointCloud::new(points.clone()).unwrap().spacing(), by_all_pairs(&points));
                let error = (got.unwrap() - want).abs() / want;
                assert!(error < 1e-12, "{size} {count}: {got:?}, wanted {want}");
            }
        }
    }

    #[test]
    fn the_spacing_of_a_grid_is_its_edge() {
        let along = |i: usize| 0.25 * (i % 30) as f64;
        let points = (0..27_000).map(|i| DVec3::new(along(i), along(i / 30), along(i / 900)));
        assert_eq!(PointCloud::new(points.collect()).unwrap().spacing(), Some(0.25));
    }

    #[test]
    fn one_place_has_no_spacing() {
        for count in [1, 2, 1000] {
            let cloud = PointCloud::new(vec![DVec3::Y; count]).unwrap();
            assert_eq!(cloud.spacing(), None);
            assert_eq!(cloud.bounds().diagonal(), 0.0);
        }
    }

    #[test]
    fn bad_clouds_are_refused() {
        let refused = |points: Vec<DVec3>, word: &str| {
            let message = PointCloud::new(points).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        };
        refused(vec![], "no points");
        refused(vec![DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)], "point 1 is at");
        refused(vec![DVec3::splat(1e300)], "point 0 is at");
    }
}
