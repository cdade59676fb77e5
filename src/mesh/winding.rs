//! Generalised winding numbers (Jacobson, Kavan, Sorkine-Hornung 2013): how often a surface goes around a point.

use crate::extreme;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Triangles in a leaf, summed exactly.
const LEAF: usize = 8;

/// A node is seen as one dipole from farther away than this many of its radii; the winding number is then good to
/// about one in a hundred.
const FAR: f64 = 3.0;

/// A surface prepared for winding numbers: a tree of boxes over the triangles, each node also a dipole (Barill,
/// Dickson, Schmidt, Levin, Jacobson 2018, first order).
#[derive(Clone, Debug)]
pub struct WindingTree {
    triangles: Vec<[DVec3; 3]>,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    /// Centroid, weighted by area.
    centre: DVec3,
    /// Sum of area times normal.
    dipole: DVec3,
    /// Distance from the centre to the farthest corner.
    radius: f64,
    /// The triangles of the subtree.
    first: usize,
    count: usize,
    /// The second child; the first follows this node. 0 for a leaf.
    second: usize,
}

impl WindingTree {
    /// A tree over `triangles`, in any order.
    pub fn new(mut triangles: Vec<[DVec3; 3]>) -> Self {
        let mut nodes = Vec::with_capacity(triangles.len() / LEAF * 4 + 1);
        let count = triangles.len();
        build(&mut triangles, 0, count, &mut nodes);
        Self { triangles, nodes }
    }

    /// The winding number at `point`: 1 inside a closed surface, 0 outside, −1 inside one that is inside out, a
    /// fraction near an opening. On the surface itself the mean of both sides.
    pub fn winding_number(&self, point: DVec3) -> f64 {
        let mut sum = 0.0;
        let mut open = Vec::with_capacity(64);
        open.push(0);
        while let Some(i) = open.pop() {
            let node = &self.nodes[i];
            let arm = node.centre - point;
            let distance = arm.length();
            if distance > FAR * node.radius {
                sum += node.dipole.dot(arm) / distance.powi(3);
            } else if node.second == 0 {
                let leaf = &self.triangles[node.first..node.first + node.count];
                sum += leaf.iter().map(|&t| solid_angle(t, point)).sum::<f64>();
            } else {
                open.extend([node.second, i + 1]);
            }
        }
        sum / (2.0 * TAU)
    }
}

/// Appends the subtree over `triangles`, which begin at `first` in the whole, split at the median of the widest axis
/// (so the depth is logarithmic); returns its index.
fn build(triangles: &mut [[DVec3; 3]], first: usize, count: usize, nodes: &mut Vec<Node>) -> usize {
    let index = nodes.len();
    nodes.push(dipole(triangles, first));
    if count > LEAF {
        let middle = |t: &[DVec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
        let bounds = super::Bounds::of(triangles.iter().map(middle));
        let axis = bounds.size().max_position();
        let half = count / 2;
        triangles.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        let (low, high) = triangles.split_at_mut(half);
        build(low, first, half, nodes);
        nodes[index].second = build(high, first + half, count - half, nodes);
    }
    index
}

/// The node of `triangles` as a leaf.
fn dipole(triangles: &[[DVec3; 3]], first: usize) -> Node {
    let (mut area, mut moment, mut dipole) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for &[a, b, c] in triangles {
        let normal = 0.5 * (b - a).cross(c - a);
        let weight = normal.length();
        area += weight;
        moment += weight * (a + b + c) / 3.0;
        dipole += normal;
    }
    let centre =
        if area > 0.0 { moment / area } else { triangles.first().map_or(DVec3::ZERO, |t| t[0]) };
    let radius =
        triangles.iter().flatten().map(|x| x.distance(centre)).fold(0.0, extreme::greatest);
    Node { centre, dipole, radius, first, count: triangles.len(), second: 0 }
}

/// The signed solid angle of a triangle seen from `point` (sr) (van Oosterom & Strackee 1983, eq. 8): positive when
/// the point lies behind it. 0 in its plane.
fn solid_angle(triangle: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|x| x - point);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    if numerator == 0.0 {
        return 0.0;
    }
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    let angle = 2.0 * numerator.atan2(denominator);
    debug_assert!(angle.abs() <= 2.0 * PI);
    angle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::surface::tests::{cube_surface, joined, sphere};
    use crate::mesh::{Bounds, Surface};

    fn tree(surface: &Surface) -> WindingTree {
        WindingTree::new((0..surface.triangles.len()).map(|i| surface.corners(i)).collect())
    }

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let angle = solid_angle([DVec3::X, DVec3::Y, DVec3::Z], DVec3::ZERO);
        assert!((angle - 0.5 * PI).abs() < 1e-15, "{angle}");
        assert_eq!(solid_angle([DVec3::X, DVec3::Y, DVec3::ZERO], DVec3::new(0.2, 0.2, 0.0)), 0.0);
    }

    #[test]
    fn closed_surfaces_wind_once_inside_and_not_outside() {
        let sphere = sphere(80);
        let tree = tree(&sphere);
        for x in [0.0, 0.3, 0.6, 0.9, 0.98] {
            for direction in [DVec3::X, DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.48, 0.6, 0.64)] {
                assert!((tree.winding_number(x * direction) - 1.0).abs() < 0.02);
                assert!(tree.winding_number((2.0 - x) * direction).abs() < 0.02);
            }
        }
    }

    #[test]
    fn the_tree_agrees_with_the_plain_sum_on_an_open_surface() {
        let mut open = sphere(40);
        open.triangles.truncate(open.triangles.len() * 3 / 5);
        let tree = tree(&open);
        let Bounds { min, max } = open.bounds();
        for i in 0..500 {
            let t = DVec3::new(
                f64::from(i % 7) / 6.0,
                f64::from(i % 11) / 10.0,
                f64::from(i % 13) / 12.0,
            );
            let point = min + t * (max - min);
            let plain: f64 =
                (0..open.triangles.len()).map(|i| solid_angle(open.corners(i), point)).sum::<f64>()
                    / (4.0 * PI);
            let got = tree.winding_number(point);
            assert!((got - plain).abs() < 0.02, "{point}: {got} {plain}");
        }
    }

    #[test]
    fn overlapping_shells_wind_twice_and_flipped_ones_backwards() {
        let cube = cube_surface(1, DVec3::ONE);
        let both = tree(&joined(&cube, &cube));
        assert!((both.winding_number(DVec3::splat(0.1)) - 2.0).abs() < 1e-12);
        let mut flipped = cube;
        flipped.flip();
        assert!((tree(&flipped).winding_number(DVec3::splat(0.1)) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_winds_around_nothing() {
        assert_eq!(WindingTree::new(vec![]).winding_number(DVec3::ZERO), 0.0);
    }
}
