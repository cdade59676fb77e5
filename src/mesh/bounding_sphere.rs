//! Spheres around points.

use glam::DVec3;

use super::Bounds;
use crate::extreme;

/// A ball that holds points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// [m]
    pub centre: DVec3,
    /// [m]
    pub radius: f64,
}

/// Points this much of the radius outside count as inside: rounding must not let a point that the sphere goes through make
/// another one.
const INSIDE: f64 = 1e-12;

impl BoundingSphere {
    /// Around the points' box; of no points one of radius 0 at the origin.
    #[must_use]
    pub fn of_box(points: &[DVec3]) -> Self {
        if points.is_empty() {
            return Self { centre: DVec3::ZERO, radius: 0.0 };
        }
        let bounds = Bounds::of(points.iter().copied());
        Self { centre: bounds.centre(), radius: 0.5 * bounds.size().length() }
    }

    /// The smallest around the points (Welzl 1991, "Smallest enclosing disks (balls and ellipsoids)"): that of the points before, or
    /// one through the next point, which then is moved to the front; of no points one of radius 0 at the origin. The order in which
    /// points are looked at is random, from a fixed seed, so that it takes a time in proportion to their number.
    #[must_use]
    pub fn smallest(points: &[DVec3]) -> Self {
        let mut points = points.to_vec();
        shuffle(&mut points);
        let end = points.len();
        let mut sphere = Self::around(&mut points, end, &mut Vec::new());
        // All are inside, whatever has been rounded.
        let reaches = points.iter().map(|x| x.distance(sphere.centre));
        sphere.radius = reaches.fold(0.0, extreme::greatest);
        sphere
    }

    /// The smallest around the first `end` points that goes through those of the border.
    fn around(points: &mut [DVec3], end: usize, border: &mut Vec<DVec3>) -> Self {
        let mut sphere = Self::through(border);
        if border.len() == 4 {
            return sphere;
        }
        for i in 0..end {
            let point = points[i];
            if sphere.holds(point) {
                continue;
            }
            border.push(point);
            sphere = Self::around(points, i, border);
            border.pop();
            points[..=i].rotate_right(1);
        }
        sphere
    }

    fn holds(&self, point: DVec3) -> bool {
        point.distance(self.centre) <= self.radius * (1.0 + INSIDE)
    }

    /// The smallest through up to four points; of those that do not tell one, as points on a line, that through those before.
    /// Nothing is in that through none.
    fn through(points: &[DVec3]) -> Self {
        let Some((first, others)) = points.split_first() else {
            return Self { centre: DVec3::ZERO, radius: f64::NEG_INFINITY };
        };
        // The centre c is as far from all of them: (p - first) (c - first) = (p - first)²/2, in what they span.
        let mut basis: Vec<DVec3> = Vec::new();
        let mut centre = DVec3::ZERO;
        for point in others {
            let way = point - first;
            let across = basis.iter().fold(way, |rest, axis| rest - axis * axis.dot(rest));
            let length = across.length();
            if length <= INSIDE * way.length() {
                continue;
            }
            let axis = across / length;
            centre += axis * ((0.5 * way.length_squared() - way.dot(centre)) / way.dot(axis));
            basis.push(axis);
        }
        Self { centre: first + centre, radius: centre.length() }
    }
}

/// In a random order, always the same (Fisher and Yates, with Marsaglia's xorshift64).
fn shuffle(points: &mut [DVec3]) {
    let mut word = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..points.len()).rev() {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        points.swap(last, (word % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cloud;

    /// The smallest sphere by brute force: of all through two, three or four points in whose span the centre lies, the smallest that
    /// holds all.
    fn by_brute_force(points: &[DVec3]) -> f64 {
        let mut least = f64::INFINITY;
        let n = points.len();
        let mut consider = |some: &[usize]| {
            let chosen: Vec<_> = some.iter().map(|i| points[*i]).collect();
            let Some(centre) = circumcentre(&chosen) else { return };
            let radius = centre.distance(chosen[0]);
            if points.iter().all(|x| x.distance(centre) <= radius * (1.0 + 1e-9)) {
                least = least.min(radius);
            }
        };
        for a in 0..n {
            for b in 0..a {
                consider(&[a, b]);
                for c in 0..b {
                    consider(&[a, b, c]);
                    (0..c).for_each(|d| consider(&[a, b, c, d]));
                }
            }
        }
        least
    }

    /// By Cramer's rule, of two to four points, in their line, plane or space.
    fn circumcentre(points: &[DVec3]) -> Option<DVec3> {
        let [a, b] = [points[0], points[1]];
        let ways: Vec<_> = points[1..].iter().map(|x| x - a).collect();
        let normal = match ways[..] {
            [_] => return Some(0.5 * (a + b)),
            [p, q] => p.cross(q),
            _ => DVec3::ZERO,
        };
        let third = *ways.get(2).unwrap_or(&normal);
        let rows = glam::DMat3::from_cols(ways[0], ways[1], third).transpose();
        let square = |x: &DVec3| 0.5 * x.length_squared();
        let far = DVec3::new(square(&ways[0]), square(&ways[1]), ways.get(2).map_or(0.0, square));
        (rows.determinant().abs() > 1e-9).then(|| a + rows.inverse() * far)
    }

    #[test]
    fn no_smaller_sphere_holds_the_points() {
        for seed in 0..60 {
            let count = 2 + seed as usize % 9;
            let mut points = cloud(seed, count);
            // Some lie in a plane, some on a sphere or twice in one place.
            match seed % 4 {
                1 => points.iter_mut().for_each(|x| x.z = 0.25),
                2 => points.iter_mut().for_each(|x| *x = x.normalize()),
                3 => points.extend(points.clone()),
                _ => {}
            }
            let sphere = BoundingSphere::smallest(&points);
            assert!(points.iter().all(|x| x.distance(sphere.centre) <= sphere.radius));
            let least = by_brute_force(&points);
            assert!((sphere.radius / least - 1.0).abs() < 1e-9, "{seed}: {sphere:?}, {least}");
            assert!(sphere.radius <= BoundingSphere::of_box(&points).radius * (1.0 + 1e-12));
        }
    }

    #[test]
    fn spheres_of_few_and_of_many_points_are_sound() {
        let none = BoundingSphere { centre: DVec3::ZERO, radius: 0.0 };
        assert_eq!([BoundingSphere::smallest(&[]), BoundingSphere::of_box(&[])], [none; 2]);
        let one = BoundingSphere::smallest(&[DVec3::ONE; 5]);
        assert_eq!(one, BoundingSphere { centre: DVec3::ONE, radius: 0.0 });
        let line: Vec<_> = (0..9).map(|k| DVec3::X * f64::from(k)).collect();
        let sphere = BoundingSphere::smallest(&line);
        assert!(
            sphere.centre.distance(4.0 * DVec3::X) < 1e-9 && (sphere.radius - 4.0).abs() < 1e-9
        );
        // On a sphere of radius 3 far out, where all of them are of the border.
        let far = DVec3::new(1e3, -2e3, 5e2);
        let ball: Vec<_> = cloud(7, 20_000).iter().map(|x| far + 3.0 * x.normalize()).collect();
        let sphere = BoundingSphere::smallest(&ball);
        assert!(
            sphere.centre.distance(far) < 1e-2 && (sphere.radius - 3.0).abs() < 1e-4,
            "{sphere:?}"
        );
        assert!(ball.iter().all(|x| x.distance(sphere.centre) <= sphere.radius));
    }

    #[test]
    fn the_sphere_of_a_box_goes_through_its_corners() {
        let sphere = BoundingSphere::of_box(&[DVec3::ZERO, DVec3::new(2.0, 4.0, 4.0), DVec3::ONE]);
        assert_eq!(sphere, BoundingSphere { centre: DVec3::new(1.0, 2.0, 2.0), radius: 3.0 });
    }
}
