//! Which cubes of a lattice a triangle touches.

use super::topology::TET_FACES;
use glam::{DVec3, UVec3};

/// True when a triangle and an axis-aligned box have a point in common: exact, by the separating axis theorem with
/// the thirteen candidate axes of Akenine-Möller 2001 (three box normals, the triangle's, nine edge products).
pub fn triangle_touches_box(triangle: [DVec3; 3], centre: DVec3, half: DVec3) -> bool {
    let x = triangle.map(|p| p - centre);
    let edges = [x[1] - x[0], x[2] - x[1], x[0] - x[2]];
    let separates = |axis: DVec3| {
        let along = x.map(|p| p.dot(axis));
        let reach = half.dot(axis.abs());
        along.iter().all(|&s| s > reach) || along.iter().all(|&s| s < -reach)
    };
    // A zero axis, from a degenerate triangle or an edge along an axis, separates nothing: no s exceeds 0.
    !(DVec3::AXES.into_iter().any(separates)
        || separates(edges[0].cross(edges[1]))
        || edges.iter().any(|e| DVec3::AXES.into_iter().any(|axis| separates(e.cross(axis)))))
}

/// True when a triangle and a tetrahedron of positive volume, whose faces are moved inward by `margin`, have a point in
/// common: what its four half-spaces leave of the triangle (Sutherland & Hodgman 1974).
pub fn triangle_touches_tet(triangle: [DVec3; 3], tet: [DVec3; 4], margin: f64) -> bool {
    let mut polygon = triangle.to_vec();
    for [a, b, c] in TET_FACES.map(|face| face.map(|k| tet[k])) {
        let normal = (b - a).cross(c - a).normalize();
        let beyond = |x: DVec3| normal.dot(x - a) + margin;
        let mut left = Vec::with_capacity(polygon.len() + 1);
        for (i, &to) in polygon.iter().enumerate() {
            let from = polygon[(i + polygon.len() - 1) % polygon.len()];
            let (p, q) = (beyond(from), beyond(to));
            if (p > 0.0) != (q > 0.0) {
                left.push(from + p / (p - q) * (to - from));
            }
            if q <= 0.0 {
                left.push(to);
            }
        }
        polygon = left;
    }
    !polygon.is_empty()
}

/// Calls `visit` for every unit cube in `low..high` (cube (a, b, c) spans a..a+1 and so on) that, shrunk by `margin`
/// on every side, touches the triangle. Halves the range and drops whatever the triangle misses, so the cost follows
/// the number of cubes found.
pub fn for_each_touched(
    triangle: [DVec3; 3],
    margin: f64,
    low: UVec3,
    high: UVec3,
    visit: &mut impl FnMut(UVec3),
) {
    let (min, max) = (low.as_dvec3(), high.as_dvec3());
    if !triangle_touches_box(triangle, 0.5 * (min + max), 0.5 * (max - min) - margin) {
        return;
    }
    let size = high - low;
    if size == UVec3::ONE {
        return visit(low);
    }
    let longest = size.max_element();
    let axis = (0..3).find(|&i| size[i] == longest).expect("one of three is the longest");
    let middle = low[axis] + longest / 2;
    let (mut first_high, mut second_low) = (high, low);
    first_high[axis] = middle;
    second_low[axis] = middle;
    for_each_touched(triangle, margin, low, first_high, visit);
    for_each_touched(triangle, margin, second_low, high, visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thirteen_axes_each_decide() {
        let touches = |t: [[f64; 3]; 3]| {
            triangle_touches_box(t.map(DVec3::from_array), DVec3::ZERO, DVec3::ONE)
        };
        assert!(touches([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]]));
        assert!(
            touches([[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [0.0, 9.0, 0.5]]),
            "corners outside, face through"
        );
        assert!(!touches([[1.1, 0.0, 0.0], [2.0, 0.0, 0.0], [1.1, 1.0, 0.0]]), "box normal");
        assert!(!touches([[3.1, 0.0, 0.0], [0.0, 3.1, 0.0], [0.0, 0.0, 3.1]]), "triangle normal");
        assert!(touches([[2.9, 0.0, 0.0], [0.0, 2.9, 0.0], [0.0, 0.0, 2.9]]));
        assert!(!touches([[2.1, 0.0, 0.0], [0.0, 2.1, 0.0], [5.0, 5.0, 4.0]]), "edge product");
        assert!(touches([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0]]), "contact counts");
    }

    #[test]
    fn the_subdivision_finds_what_testing_every_cube_finds() {
        let high = UVec3::new(7, 5, 9);
        let triangle =
            [DVec3::new(0.3, 0.2, 0.1), DVec3::new(6.8, 3.1, 8.2), DVec3::new(1.1, 4.9, 5.0)];
        let mut found = Vec::new();
        for_each_touched(triangle, 1e-7, UVec3::ZERO, high, &mut |cube| {
            found.push(cube.to_array())
        });
        found.sort_unstable();
        let mut all = Vec::new();
        for a in 0..high.x {
            for b in 0..high.y {
                for c in 0..high.z {
                    let centre = DVec3::new(a.into(), b.into(), c.into()) + 0.5;
                    if triangle_touches_box(triangle, centre, DVec3::splat(0.5 - 1e-7)) {
                        all.push([a, b, c]);
                    }
                }
            }
        }
        assert_eq!(found, all);
        assert!(found.len() > 20);
    }
}
