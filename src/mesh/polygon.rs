//! Polygons in space, cut into triangles.

use earcut::Earcut;
use glam::DVec3;
use std::collections::HashSet;

/// The triangles of a polygon with three corners or more, as numbers of its corners: a fan from the first corner if that
/// covers the polygon, as it does all convex ones; otherwise ears are cut off. Whatever the polygon, each of its edges is
/// that of one triangle, passed the same way, and each other edge that of two, so that a closed surface of polygons stays
/// closed.
pub fn triangles(corners: &[DVec3]) -> Vec<[u32; 3]> {
    let count = corners.len() as u32;
    let fan: Vec<_> = fan(count).collect();
    let area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let of = |triangle: [u32; 3]| triangle.map(|i| corners[i as usize]);
    let normal = normal(corners);
    if normal == DVec3::ZERO || fan.iter().all(|t| area(of(*t)).dot(normal) > 0.0) {
        return fan;
    }
    let (u, v) = normal.any_orthonormal_pair();
    let flat = corners.iter().map(|x| [(x - corners[0]).dot(u), (x - corners[0]).dot(v)]);
    let mut ears = Vec::new();
    Earcut::new().earcut(flat, &[], &mut ears);
    let ears = put_back(ears.as_chunks().0, count);
    if is_whole(&ears, count) { ears } else { fan }
}

/// The unit normal of a polygon, the mean over its area; 0 where it has none.
pub fn normal(corners: &[DVec3]) -> DVec3 {
    let from_first = corners.windows(2).map(|pair| {
        let [a, b] = [pair[0], pair[1]].map(|x| x - corners[0]);
        a.cross(b)
    });
    from_first.sum::<DVec3>().normalize_or_zero()
}

/// The triangles of a fan with so many corners, all from the first one.
pub fn fan(count: u32) -> impl Iterator<Item = [u32; 3]> {
    (2..count).map(|i| [0, i - 1, i])
}

/// Puts corners back that were left out as they lie in line with their neighbours: they divide the triangle there.
fn put_back(ears: &[[u32; 3]], count: u32) -> Vec<[u32; 3]> {
    let mut kept = vec![false; count as usize];
    ears.as_flattened().iter().for_each(|&i| kept[i as usize] = true);
    // From each corner on how far it is to the next that is kept.
    let mut ahead = vec![1; count as usize];
    for i in (0..2 * count as usize - 1).rev() {
        let (here, next) = (i % count as usize, (i + 1) % count as usize);
        ahead[here] = if kept[next] { 1 } else { (ahead[next] + 1).min(count) };
    }
    let (mut open, mut whole) = (ears.to_vec(), Vec::new());
    while let Some([a, b, c]) = open.pop() {
        let divided = [[a, b, c], [b, c, a], [c, a, b]].into_iter().find(|[a, b, _]| {
            let parts = ahead[*a as usize];
            parts > 1 && (a + parts) % count == *b
        });
        match divided {
            Some([a, _, c]) => {
                let parts = (a..a + ahead[a as usize]).map(|i| [i % count, (i + 1) % count, c]);
                open.extend(parts);
            }
            None => whole.push([a, b, c]),
        }
    }
    whole
}

/// Whether triangles have each edge of a polygon once, and every other edge once in each direction.
fn is_whole(triangles: &[[u32; 3]], count: u32) -> bool {
    let edges = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let passed: HashSet<_> = edges().collect();
    let outer = |[a, b]: [u32; 2]| b == (a + 1) % count;
    passed.len() == 3 * triangles.len()
        && (0..count).all(|i| passed.contains(&[i, (i + 1) % count]))
        && edges().all(|[a, b]| outer([a, b]) != passed.contains(&[b, a]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    /// Numbers between −1 and 1.
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }

        fn index(&mut self, low: usize, high: usize) -> usize {
            low + ((0.5 + 0.5 * self.number()) * (high - low) as f64) as usize
        }

        fn vector(&mut self) -> DVec3 {
            DVec3::new(self.number(), self.number(), self.number())
        }
    }

    fn area(corners: &[DVec3], triangle: [u32; 3], normal: DVec3) -> f64 {
        let [a, b, c] = triangle.map(|i| corners[i as usize]);
        0.5 * (b - a).cross(c - a).dot(normal)
    }

    /// The triangles of a polygon lie side by side: none is turned over, and together they are as large as it is.
    fn assert_covers(corners: &[DVec3], normal: DVec3, want: f64) {
        let triangles = triangles(corners);
        assert!(is_whole(&triangles, corners.len() as u32), "{corners:?}: {triangles:?}");
        let areas: Vec<_> = triangles.iter().map(|t| area(corners, *t, normal)).collect();
        let least = areas.iter().copied().fold(0.0, f64::min);
        assert!(least > -1e-12, "{corners:?}: {areas:?}");
        let sum: f64 = areas.iter().sum();
        assert!((sum - want).abs() < 1e-9 * want, "{sum} is not {want}");
    }

    /// Stars with random rays, whose sides are divided, in random planes, the corners a little off them.
    #[test]
    fn random_polygons_are_covered_and_stay_closed() {
        let mut random = Random(7);
        for round in 0..2000 {
            let (rays, parts) = (random.index(3, 12), random.index(1, 4));
            let turn = DQuat::from_scaled_axis(3.0 * random.vector());
            let off = if round % 2 == 0 { 0.0 } else { 1e-3 };
            let tips: Vec<_> = (0..rays)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / rays as f64;
                    DVec3::new(angle.cos(), angle.sin(), 0.0) * (0.55 + 0.45 * random.number())
                })
                .collect();
            let sides = (0..rays).map(|k| (tips[k], tips[(k + 1) % rays]));
            let want = 0.5 * sides.clone().map(|(a, b)| a.cross(b).z).sum::<f64>();
            let flat = sides
                .flat_map(|(a, b)| (0..parts).map(move |j| a.lerp(b, j as f64 / parts as f64)));
            let corners: Vec<_> =
                flat.map(|x| turn * (x + off * random.number() * DVec3::Z) + DVec3::X).collect();
            assert_covers(&corners, turn * DVec3::Z, want);
        }
    }

    #[test]
    fn convex_polygons_stay_fans() {
        let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.1), DVec3::Y];
        assert_eq!(triangles(&square), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangles(&square[..3]), [[0, 1, 2]]);
    }

    /// Wherever the notch is among the corners.
    #[test]
    fn a_notched_quad_is_cut_at_its_notch() {
        let notch = DVec3::new(0.7, 0.7, 0.0);
        let at = |k: usize| {
            let mut corners = [DVec3::ZERO, DVec3::X, DVec3::ONE - DVec3::Z, DVec3::Y];
            corners[0] = notch;
            corners.rotate_right(k);
            corners
        };
        for k in 0..4 {
            let corners = at(k);
            let want = 0.5 * (corners[2] - corners[0]).cross(corners[3] - corners[1]).z;
            assert_covers(&corners, DVec3::Z, want);
        }
    }

    /// Nothing that a file may hold panics or opens the surface.
    #[test]
    fn any_corners_give_whole_triangles() {
        let mut random = Random(11);
        for _ in 0..2000 {
            let grid = random.index(1, 4) as f64;
            let corners: Vec<_> = (0..random.index(3, 14))
                .map(|_| (random.vector() * grid).round() * DVec3::new(1.0, 1.0, 0.0))
                .collect();
            let triangles = triangles(&corners);
            assert!(is_whole(&triangles, corners.len() as u32), "{corners:?}: {triangles:?}");
        }
        for x in [f64::INFINITY, f64::NAN, 1e200, 1e-200] {
            let corners = [DVec3::ZERO, DVec3::X * x, DVec3::splat(x), DVec3::Y * x];
            assert!(is_whole(&triangles(&corners), 4));
        }
    }
}
