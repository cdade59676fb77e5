//! Tying a surface to ready tetrahedra.

use super::embed::barycentric;
use super::{Bounds, Embedding, Surface, TetMesh};
use crate::error::{Error, Result};
use glam::DVec3;

/// Tetrahedra in a leaf of the tree.
const LEAF: usize = 8;

/// How far outside of the tetrahedra a skin point may lie, in diagonals of their box.
const FARTHEST: f64 = 0.25;

/// Ties every point of a surface to the tetrahedron that it lies in, or to the nearest one, whose barycentric
/// coordinates there are then partly negative. The surface is welded first; one that encloses a negative volume is
/// turned over. It need not be closed.
///
/// # Errors
/// [`Error::Mesh`] when the surface does not pass [`Surface::check`], has no triangle left after welding, or lies farther
/// outside of the tetrahedra than a quarter of their box's diagonal.
pub fn immerse(surface: &Surface, mesh: &TetMesh) -> Result<Embedding> {
    surface.check()?;
    let mut skin = surface.welded();
    if skin.triangles.is_empty() {
        return Err(Error::Mesh(
            "no triangle is left after welding: all have corners in the same place".into(),
        ));
    }
    if skin.volume() < 0.0 {
        skin.flip();
    }
    let tree = Tree::new(mesh);
    let farthest = FARTHEST * mesh.bounds().diagonal();
    let (mut tets, mut weights) = (Vec::new(), Vec::new());
    for (i, &point) in skin.points.iter().enumerate() {
        let (tet, distance) = tree.nearest(point);
        if distance > farthest {
            return Err(Error::Mesh(format!(
                "point {i} of the welded surface, {point} m, lies {distance:.3e} m outside of the tetrahedra, wanted at most {farthest:.3e} m"
            )));
        }
        tets.push(tet);
        weights.push(barycentric(point, tree.corners(tet)));
    }
    Ok(Embedding {
        skin,
        tets,
        weights,
    })
}

/// For each point the tetrahedron that it lies in, or the nearest one; its distance from that, and its barycentric
/// coordinates there, partly negative outside. NaN in tetrahedra that are flat.
pub(crate) fn nearest_tets(points: &[DVec3], mesh: &TetMesh) -> Vec<(u32, f64, [f64; 4])> {
    let tree = Tree::new(mesh);
    let nearest = points.iter().map(|point| {
        let (tet, distance) = tree.nearest(*point);
        (tet, distance, barycentric(*point, tree.corners(tet)))
    });
    nearest.collect()
}

/// A binary tree of boxes over the tetrahedra.
struct Tree<'a> {
    mesh: &'a TetMesh,
    /// The tetrahedra, so ordered that each node has a range of them.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    bounds: Bounds,
    /// Its part of the order.
    first: usize,
    count: usize,
    /// The second child, the first one follows its parent; `None`: a leaf.
    second: Option<usize>,
}

impl<'a> Tree<'a> {
    fn new(mesh: &'a TetMesh) -> Self {
        let mut tree = Self {
            mesh,
            order: (0..mesh.tets.len() as u32).collect(),
            nodes: Vec::new(),
        };
        tree.add(0, mesh.tets.len());
        tree
    }

    /// Adds the node of a range, with all below it: halves of equally many tetrahedra, divided along the box's
    /// longest side.
    fn add(&mut self, first: usize, count: usize) -> usize {
        let mesh = self.mesh;
        let corners = |tet: u32| mesh.tets[tet as usize].map(|i| mesh.points[i as usize]);
        let order = &mut self.order[first..first + count];
        let bounds = Bounds::of(order.iter().flat_map(|&tet| corners(tet)));
        let index = self.nodes.len();
        if count > LEAF {
            let axis = bounds.size().max_position();
            let along = |tet: u32| corners(tet).iter().map(|x| x[axis]).sum::<f64>();
            order.select_nth_unstable_by(count / 2, |&a, &b| along(a).total_cmp(&along(b)));
        }
        self.nodes.push(Node {
            bounds,
            first,
            count,
            second: None,
        });
        if count > LEAF {
            self.add(first, count / 2);
            self.nodes[index].second = Some(self.add(first + count / 2, count - count / 2));
        }
        index
    }

    fn corners(&self, tet: u32) -> [DVec3; 4] {
        self.mesh.tets[tet as usize].map(|i| self.mesh.points[i as usize])
    }

    /// The tetrahedron nearest to a point, of equally near ones that with the lowest number, and its distance.
    fn nearest(&self, point: DVec3) -> (u32, f64) {
        let mut best = (u32::MAX, f64::INFINITY);
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            if box_distance(point, &node.bounds) > best.1 {
                continue;
            }
            if let Some(second) = node.second {
                // The nearer child lies on top of the stack.
                let distance = |i: usize| box_distance(point, &self.nodes[i].bounds);
                let mut children = [index + 1, second];
                children.sort_by(|&a, &b| distance(b).total_cmp(&distance(a)));
                open.extend(children);
                continue;
            }
            for &tet in &self.order[node.first..node.first + node.count] {
                let distance = tet_distance(point, self.corners(tet));
                if distance < best.1 || (distance == best.1 && tet < best.0) {
                    best = (tet, distance);
                }
            }
        }
        best
    }
}

fn box_distance(point: DVec3, bounds: &Bounds) -> f64 {
    point.distance(point.clamp(bounds.min, bounds.max))
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
        .fold(f64::INFINITY, f64::min)
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
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::mesh::surface::tests::{cube_surface, sphere};

    fn lattice() -> TetMesh {
        TetMesh::lattice([4, 3, 5], DVec3::new(2.0, 1.5, 2.5)).unwrap()
    }

    fn placed(mesh: &TetMesh, embedding: &Embedding) -> Vec<DVec3> {
        let corner = |tet: u32, k: usize| mesh.points[mesh.tets[tet as usize][k] as usize];
        let ties = embedding.tets.iter().zip(&embedding.weights);
        ties.map(|(&tet, w)| (0..4).map(|k| w[k] * corner(tet, k)).sum())
            .collect()
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
            immerse(&ball, &mesh).unwrap()
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
        let tree = Tree::new(&mesh);
        for point in spread(500, 2.0) {
            let distance = |t: u32| tet_distance(point, tree.corners(t));
            let all = (0..mesh.tets.len() as u32).map(|t| (t, distance(t)));
            let want = all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert_eq!(tree.nearest(point), want, "{point}");
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
            let sampled = distances.fold(f64::INFINITY, f64::min);
            let got = tet_distance(point, corners);
            assert!(
                got <= sampled + 1e-12 && sampled < got + 0.04,
                "{point}: {got} {sampled}"
            );
        }
    }

    #[test]
    fn surfaces_elsewhere_and_surfaces_of_nothing_are_refused() {
        let mesh = lattice();
        let mut cube = cube_surface(2, DVec3::ONE);
        cube.points.iter_mut().for_each(|x| x.y += 3.0);
        let message = immerse(&cube, &mesh).unwrap_err().to_string();
        assert!(message.contains("outside of the tetrahedra"), "{message}");
        cube.points.fill(DVec3::ZERO);
        assert!(immerse(&cube, &mesh).is_err());
        assert!(immerse(&Surface::default(), &mesh).is_err());
    }
}
