//! What rays meet, what holds points, what is in boxes.

use glam::{DMat3, DVec3};

use super::Solid;

/// A half line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts \[m\].
    pub origin: DVec3,
    /// A unit vector.
    pub direction: DVec3,
}

impl Ray {
    /// How far along the ray it meets a triangle \[m\]: o + t d = a + β (b − a) + γ (c − a) with t, β, γ ≥ 0 and β + γ ≤ 1.
    pub fn triangle(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let matrix = DMat3::from_cols(b - a, c - a, -self.direction);
        if matrix.determinant() == 0.0 {
            return None;
        }
        let DVec3 { x, y, z } = matrix.inverse() * (self.origin - a);
        (x >= 0.0 && y >= 0.0 && x + y <= 1.0 && z >= 0.0).then_some(z)
    }

    /// The same of a ball's surface: the least t ≥ 0 with |o + t d − c| = r.
    pub fn sphere(&self, centre: DVec3, radius: f64) -> Option<f64> {
        let away = self.origin - centre;
        let (b, c) = (self.direction.dot(away), away.length_squared() - radius * radius);
        let square = b * b - c;
        if square < 0.0 {
            return None;
        }
        let half = square.sqrt();
        [-b - half, -b + half].into_iter().find(|t| *t >= 0.0)
    }
}

/// How far along a ray it meets the surface of a solid \[m\], from whatever side, and the outward normal there.
pub fn solid_ahead(solid: &Solid, ray: &Ray) -> Option<(f64, DVec3)> {
    let at = |t: f64| ray.origin + t * ray.direction;
    match *solid {
        Solid::Plane { normal, offset, .. } => {
            let t = (offset - normal.dot(ray.origin)) / normal.dot(ray.direction);
            (t >= 0.0 && t.is_finite()).then_some((t, normal))
        }
        Solid::Sphere { centre, radius, .. } => {
            let t = ray.sphere(centre, radius)?;
            Some((t, (at(t) - centre) / radius))
        }
        Solid::Box { centre, half_size, rotation, .. } => {
            let sides = (0..6).map(|side| {
                let axis = side % 3;
                let normal = rotation.col(axis) * if side < 3 { 1.0 } else { -1.0 };
                let t =
                    (half_size[axis] - normal.dot(ray.origin - centre)) / normal.dot(ray.direction);
                let own = rotation.transpose() * (at(t) - centre);
                let others = [(axis + 1) % 3, (axis + 2) % 3];
                let on = others.iter().all(|k| own[*k].abs() <= half_size[*k]);
                (t >= 0.0 && on).then_some((t, normal))
            });
            sides.flatten().min_by(|a, b| a.0.total_cmp(&b.0))
        }
    }
}

/// A tetrahedron is flat where six times its volume is no more than this times the lengths of three of its edges.
const FLAT: f64 = 1e-6;

/// Barycentric coordinates of a point in a tetrahedron; none in a flat one.
pub fn barycentric([a, b, c, d]: [DVec3; 4], p: DVec3) -> Option<[f64; 4]> {
    let edges = DMat3::from_cols(b - a, c - a, d - a);
    let lengths = (b - a).length() * (c - a).length() * (d - a).length();
    if edges.determinant().abs() <= FLAT * lengths {
        return None;
    }
    let DVec3 { x, y, z } = edges.inverse() * (p - a);
    Some([1.0 - x - y - z, x, y, z])
}

/// Whether a tetrahedron has a point in the box from `low` to `high`: convex bodies meet where an edge of one has a part in
/// the other.
pub fn meets_box(corners: [DVec3; 4], [low, high]: [DVec3; 2]) -> bool {
    let of_tet = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
    let of_tet = of_tet.map(|(i, j)| [corners[i], corners[j]]);
    let in_box = |[a, b]: [DVec3; 2]| {
        let sides =
            (0..3).flat_map(|k| [[a[k] - low[k], b[k] - low[k]], [high[k] - a[k], high[k] - b[k]]]);
        is_positive_somewhere(sides)
    };
    let place = |k: usize| {
        let take = |axis: usize| {
            if k >> axis & 1 == 0 { low[axis] } else { high[axis] }
        };
        DVec3::new(take(0), take(1), take(2))
    };
    let of_box = (0..8).flat_map(|k| [1, 2, 4].map(|axis| (k, k | axis)));
    let of_box = of_box.filter(|(k, l)| k != l).map(|(k, l)| [place(k), place(l)]);
    let [a, b, c, d] = corners;
    let faces = [[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let in_tet = |[from, to]: [DVec3; 2]| {
        let weights = barycentric(corners, from);
        let ray = Ray { origin: from, direction: (to - from).normalize_or_zero() };
        let crosses =
            |face: &[DVec3; 3]| ray.triangle(*face).is_some_and(|t| t <= from.distance(to));
        weights.is_some_and(|w| w.iter().all(|w| *w >= 0.0)) || faces.iter().any(crosses)
    };
    of_tet.into_iter().any(in_box) || of_box.into_iter().any(in_tet)
}

/// Whether numbers that go from one to another along a line, each pair linearly, are all at least 0 at some place of it.
fn is_positive_somewhere(pairs: impl Iterator<Item = [f64; 2]>) -> bool {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for [a, b] in pairs {
        if a < 0.0 && b < 0.0 {
            return false;
        }
        if a < 0.0 {
            from = from.max(a / (a - b));
        } else if b < 0.0 {
            to = to.min(a / (a - b));
        }
    }
    from <= to
}

#[cfg(test)]
mod tests {
    use super::*;

    const TET: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];

    #[test]
    fn a_box_in_reach_of_a_corner_meets_a_tetrahedron() {
        let around = |x: f64, half: f64| [DVec3::splat(x - half), DVec3::splat(x + half)];
        // Its slanted face lies at x + y + z = 1.
        assert!(meets_box(TET, around(0.1, 0.01)) && meets_box(TET, around(0.5, 5.0)));
        assert!(meets_box(TET, around(0.4, 0.0667)) && !meets_box(TET, around(0.4, 0.0666)));
        assert!(!meets_box(TET, around(-0.2, 0.1)));
        // A flat one that goes through a box which none of its edges meets, and beside it.
        let flat = [[-9.0, -9.0], [9.0, -9.0], [0.0, 9.0], [9.0, -9.0]];
        let flat = flat.map(|[x, z]| DVec3::new(x, 0.5, z));
        assert!(meets_box(flat, around(0.4, 0.2)) && !meets_box(flat, around(0.0, 0.4)));
        let mirrored = [TET[1], TET[0], TET[2], TET[3]];
        assert!(
            meets_box(mirrored, around(0.1, 0.01)) && !meets_box(mirrored, around(0.4, 0.0666))
        );
    }

    #[test]
    fn weights_make_up_the_point() {
        let p = DVec3::new(0.2, 0.3, 0.1);
        assert_eq!(barycentric(TET, p).map(|w| (w[0] - 0.4).abs() < 1e-15), Some(true));
        assert_eq!(barycentric([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Y], p), None);
    }

    #[test]
    fn solids_are_met_from_both_sides() {
        let ray = |origin, direction| Ray { origin, direction };
        let quarter = Solid::Box {
            centre: DVec3::X,
            half_size: DVec3::new(0.5, 1.0, 2.0),
            rotation: DMat3::from_rotation_y(0.5 * std::f64::consts::PI),
        };
        let met = |origin, direction| solid_ahead(&quarter, &ray(origin, direction));
        let (t, normal) = met(DVec3::new(1.0, 3.0, 0.0), -DVec3::Y).expect("met");
        assert!((t - 2.0).abs() < 1e-12 && normal.distance(DVec3::Y) < 1e-12);
        let (t, normal) = met(DVec3::X, DVec3::X).expect("met from inside");
        assert!((t - 2.0).abs() < 1e-12 && normal.distance(DVec3::X) < 1e-12);
        assert_eq!(met(DVec3::X * 9.0, DVec3::X), None);
        let plane = Solid::Plane { normal: DVec3::Y, offset: 0.5 };
        let met = |direction| solid_ahead(&plane, &ray(-DVec3::Y, direction));
        assert_eq!(met(DVec3::Y), Some((1.5, DVec3::Y)));
        assert_eq!((met(DVec3::X), met(-DVec3::Y)), (None, None));
    }
}
