//! Tying a surface to ready tetrahedra.

use super::embed::barycentric;
use super::nearest::NearestTree;
use super::{Embedding, Surface, TetMesh};
use crate::error::{Error, Result};
use crate::extreme;
use glam::DVec3;

/// How far outside of the tetrahedra a skin point may lie, in diagonals of their box.
const FARTHEST: f64 = 0.25;

/// Ties every point of a surface to the tetrahedron that it lies in, or to the nearest one, whose barycentric
/// coordinates there are then partly negative. The surface is welded first; one that encloses a negative volume is
/// turned over. It need not be closed.
///
/// # Errors
/// [`Error::Mesh`] when the surface does not pass [`Surface::check`], has no triangle left after welding, or lies farther
/// outside of the tetrahedra than a quarter of their box's diagonal.
pub fn bind_to_tets(surface: &Surface, mesh: &TetMesh) -> Result<Embedding> {
    surface.check()?;
    let mut skin = surface.welded();
    if skin.triangles.is_empty() {
        return Err(Error::Mesh(
            "no triangle is left after welding: all have coincident corners".into(),
        ));
    }
    if skin.volume() < 0.0 {
        skin.flip();
    }
    let tree = tree(mesh);
    let farthest = FARTHEST * mesh.bounds().diagonal();
    let (mut tets, mut weights) = (Vec::new(), Vec::new());
    for (i, &point) in skin.points.iter().enumerate() {
        let (tet, distance) = tree.nearest(point, tet_distance);
        if distance > farthest {
            return Err(Error::Mesh(format!(
                "point {i} of the welded surface, at {point} m, is {distance:.3e} m outside the tetrahedra, wanted at most \
                 {farthest:.3e} m"
            )));
        }
        tets.push(tet);
        weights.push(barycentric(point, tree.corners(tet)));
    }
    Ok(Embedding { skin, tets, weights })
}

/// For each point the tetrahedron that it lies in, or the nearest one; its distance from that, and its barycentric
/// coordinates there, partly negative outside. NaN in tetrahedra that are flat.
pub(crate) fn nearest_tets(points: &[DVec3], mesh: &TetMesh) -> Vec<(u32, f64, [f64; 4])> {
    let tree = tree(mesh);
    let nearest = points.iter().map(|point| {
        let (tet, distance) = tree.nearest(*point, tet_distance);
        (tet, distance, barycentric(*point, tree.corners(tet)))
    });
    nearest.collect()
}

/// A tree over the tetrahedra of a mesh.
fn tree(mesh: &TetMesh) -> NearestTree<4> {
    let corners = |tet: &[u32; 4]| tet.map(|i| mesh.points[i as usize]);
    NearestTree::new(mesh.tets.iter().map(corners).collect())
}

/// Distance from a point to a tetrahedron, 0 inside.
pub fn tet_distance(point: DVec3, corners: [DVec3; 4]) -> f64 {
    if barycentric(point, corners).iter().all(|&w| w >= 0.0) {
        return 0.0;
    }
    let [a, b, c, d] = corners;
    [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]
        .map(|face| triangle_distance(point, face))
        .into_iter()
        .fold(f64::INFINITY, extreme::least)
}

/// Distance from a point to a triangle.
pub fn triangle_distance(point: DVec3, corners: [DVec3; 3]) -> f64 {
    triangle_foot(point, corners).1
}

/// Barycentric coordinates of the point of a triangle that is nearest to another one, and how far that is: the foot on its
/// plane where that lies inside, else on the nearest edge.
pub fn triangle_foot(point: DVec3, corners: [DVec3; 3]) -> ([f64; 3], f64) {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let parts = [[b, c], [c, a], [a, b]]
        .map(|[from, to]| (to - from).cross(point - from).dot(normal) / normal.length_squared());
    if parts.iter().all(|part| *part >= 0.0) {
        return (parts, (point - a).dot(normal.normalize()).abs());
    }
    let mut best = ([0.0; 3], f64::INFINITY);
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let edge = to - from;
        let t = ((point - from).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        let distance = point.distance(from + t * edge);
        if distance < best.1 {
            best = ([0.0; 3], distance);
            best.0[k] = 1.0 - t;
            best.0[(k + 1) % 3] = t;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::surface::tests::{cube_surface, sphere};

    fn lattice() -> TetMesh {
        TetMesh::lattice([4, 3, 5], DVec3::new(2.0, 1.5, 2.5)).unwrap()
    }

    fn placed(mesh: &TetMesh, embedding: &Embedding) -> Vec<DVec3> {
        let corner = |tet: u32, k: usize| mesh.points[mesh.tets[tet as usize][k] as usize];
        let ties = embedding.tets.iter().zip(&embedding.weights);
        ties.map(|(&tet, w)| (0..4).map(|k| w[k] * corner(tet, k)).sum()).collect()
    }

    /// Points spread over a cube of half edge `half` (Roberts 2018, plastic numbers).
    fn spread(count: u32, half: f64) -> impl Iterator<Item = DVec3> {
        let x = move |i: u32, k: f64| 2.0 * half * ((f64::from(i) + 0.5) * k).fract() - half;
        (0..count).map(move |i| DVec3::new(x(i, 0.819_173), x(i, 0.671_044), x(i, 0.549_700)))
    }

    #[test]
    fn points_inside_and_outside_keep_their_place() {
        let mesh = lattice();
        let scaled = |factor: f64| {
            let mut ball = sphere(24);
            ball.points.iter_mut().for_each(|x| *x *= factor);
            bind_to_tets(&ball, &mesh).unwrap()
        };
        let (inside, outside) = (scaled(0.7), scaled(1.2));
        assert!(inside.weights.iter().flatten().all(|w| *w >= -1e-12));
        assert!(outside.weights.iter().flatten().any(|w| *w < -0.1));
        for embedding in [inside, outside] {
            for (got, want) in placed(&mesh, &embedding).iter().zip(&embedding.skin.points) {
                assert!(got.distance(*want) < 1e-12, "{got} {want}");
            }
        }
    }

    #[test]
    fn the_tree_finds_what_looking_at_every_tetrahedron_finds() {
        let mesh = lattice();
        let tree = tree(&mesh);
        for point in spread(500, 2.0) {
            let distance = |t: u32| tet_distance(point, tree.corners(t));
            let all = (0..mesh.tets.len() as u32).map(|t| (t, distance(t)));
            let want = all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert_eq!(tree.nearest(point, tet_distance), want, "{point}");
        }
    }

    #[test]
    fn the_distance_is_that_of_the_nearest_of_many_points() {
        const N: u32 = 60;
        let corners = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::Y, DVec3::Z];
        let mut samples = Vec::new();
        for (a, b) in (0..=N).flat_map(|a| (0..=N - a).map(move |b| (a, b))) {
            for c in 0..=N - a - b {
                let w = [a, b, c, N - a - b - c].map(|w| f64::from(w) / f64::from(N));
                samples.push((0..4).map(|k| w[k] * corners[k]).sum::<DVec3>());
            }
        }
        for point in spread(200, 2.0) {
            let distances = samples.iter().map(|sample| sample.distance(point));
            let sampled = distances.fold(f64::INFINITY, extreme::least);
            let got = tet_distance(point, corners);
            assert!(got <= sampled + 1e-12 && sampled < got + 0.04, "{point}: {got} {sampled}");
        }
    }

    #[test]
    fn surfaces_elsewhere_and_surfaces_of_nothing_are_refused() {
        let mesh = lattice();
        let mut cube = cube_surface(2, DVec3::ONE);
        cube.points.iter_mut().for_each(|x| x.y += 3.0);
        let message = bind_to_tets(&cube, &mesh).unwrap_err().to_string();
        assert!(message.contains("outside the tetrahedra"), "{message}");
        cube.points.fill(DVec3::ZERO);
        assert!(bind_to_tets(&cube, &mesh).is_err());
        assert!(bind_to_tets(&Surface::default(), &mesh).is_err());
    }
}
