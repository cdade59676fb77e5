//! What a ray meets, and what is nearest to it.

use glam::{DMat3, DVec3};

/// Where a viewer points: along a unit vector, or with direction 0 at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts \[m\].
    pub origin: DVec3,
    /// A unit vector, or 0.
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
        let (b, c) = (
            self.direction.dot(away),
            away.length_squared() - radius * radius,
        );
        let square = b * b - c;
        if square < 0.0 {
            return None;
        }
        let half = square.sqrt();
        [-b - half, -b + half].into_iter().find(|t| *t >= 0.0)
    }

    /// Distance of a point from the nearest point of the ray \[m\].
    pub fn distance(&self, x: DVec3) -> f64 {
        let t = self.direction.dot(x - self.origin).max(0.0);
        x.distance(self.origin + t * self.direction)
    }
}

/// The least of some distances and which one it is, the first of equal ones.
pub fn least(distances: impl IntoIterator<Item = (u32, Option<f64>)>) -> Option<(u32, f64)> {
    let known = distances.into_iter().filter_map(|(i, d)| Some((i, d?)));
    known.fold(None, |best: Option<(u32, f64)>, next| match best {
        Some(best) if best.1 <= next.1 => Some(best),
        _ => Some(next),
    })
}
