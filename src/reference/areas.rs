//! Area constraints: C = (A − A0)/A0, E = ½ k_A C², undamped.

use glam::DVec3;

use super::Area;
use super::contact::geometry::longest_edge;

/// The area of a triangle \[m²\].
pub fn area(corners: [usize; 3], x: &[DVec3]) -> f64 {
    let [a, b, c] = corners.map(|i| x[i]);
    0.5 * (b - a).cross(c - a).length()
}

/// ∂C/∂x for the corners \[1/m\]: at each the height over the opposite edge, times its length over 2 A0; 0 for a triangle
/// without area (to rounding), which has no direction to grow in.
pub fn gradients(area: &Area, x: &[DVec3]) -> [DVec3; 3] {
    let longest = longest_edge(&area.corners.map(|i| x[i]));
    if self::area(area.corners, x) <= 1e-14 * longest * longest {
        return [DVec3::ZERO; 3];
    }
    std::array::from_fn(|k| {
        let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| x[area.corners[k]]);
        let edge = c - b;
        let along = edge.normalize_or_zero();
        let height = (a - b) - along * along.dot(a - b);
        height.normalize_or_zero() * (0.5 * edge.length() / area.rest)
    })
}

/// Their changes when the points move by `w`, to first order, by the second derivatives of A = |m|/2,
/// m = (b − a) × (c − a): d²A = (|dm|² − (n·dm)²)/(2|m|) + n·d²m/2.
pub fn gradient_changes(area: &Area, x: &[DVec3], w: &[DVec3]) -> [DVec3; 3] {
    let [a, b, c] = area.corners.map(|i| x[i]);
    let m = (b - a).cross(c - a);
    if m == DVec3::ZERO {
        return [DVec3::ZERO; 3];
    }
    let n = m.normalize();
    // dm when corner k moves by v: v × (the edge opposite, against its direction).
    let edges = [b - c, c - a, a - b];
    let change = |k: usize, v: DVec3| v.cross(edges[k]);
    let by_w: DVec3 = (0..3).map(|k| change(k, w[area.corners[k]])).sum();
    std::array::from_fn(|k| {
        let entry = |axis: DVec3| {
            let own = change(k, axis);
            let bent = (own.dot(by_w) - own.dot(n) * n.dot(by_w)) / m.length();
            // d²m along the axis at k and along w: axis × (the change of the opposite edge).
            let [p, q] = [(k + 1) % 3, (k + 2) % 3].map(|k| w[area.corners[k]]);
            0.5 * (bent + n.dot(axis.cross(p - q))) / area.rest
        };
        DVec3::from_array(DVec3::AXES.map(entry))
    })
}
