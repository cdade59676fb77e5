//! Held triangle meshes: each triangle is a collider that knows what its neighbours let it push along, and a layer of tetrahedra
//! under them is what bodies that deform meet.

use std::sync::Arc;

use glam::DVec3;

use super::shape::Part;
use crate::extreme;
use crate::gpu::types::COLLIDER_TRIANGLE;
use crate::mesh::{Surface, TetMesh, wound_unlike};
use crate::{Error, Result};

/// Triangles of a mesh at the most: bodies look at one after the other of those around them.
const MOST_TRIANGLES: usize = 1 << 17;

/// A triangle lower than this has no area, in its longest edge: single precision cannot tell where it looks.
const THINNEST: f64 = 1e-5;

/// How thick the layer is, in mean edges and as a part of the box's diagonal: the lesser counts.
const THICKNESS: [f64; 2] = [0.5, 0.05];

/// How often the layer is halved around points where it would fold.
const HALVINGS: usize = 24;

/// A prism of the layer folds where a tetrahedron of it keeps less than this of the volume that it has under a flat mesh.
const FOLDED: f64 = 0.05;

/// A triangle of a mesh, along the axes of its pose, its middle at the origin.
#[derive(Clone, Debug)]
pub struct Facet {
    /// Anticlockwise seen from the front.
    pub corners: [DVec3; 3],
    /// Of each edge, from its corner to the next, the unit vector square to it along the triangle on its other side; where there is
    /// none, along this triangle, as if it had a second one on its back.
    pub wings: [DVec3; 3],
    /// What is around each corner.
    pub rings: [Arc<Ring>; 3],
    /// Whether it touches on its front alone: it is of a closed mesh.
    pub is_closed: bool,
}

/// What of a mesh is around a point.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// Out of the front: the mean normal, weighted by the triangles' angles [Bærentzen and Aanæs 2005].
    pub normal: DVec3,
    /// Unit vectors along the edges from it.
    pub ways: Vec<DVec3>,
}

/// Refuses a surface that cannot be touched.
///
/// # Errors
/// [`Error::Mesh`]: too many triangles, one without area, two that look to opposite sides of the edge between them, or a closed
/// surface that is inside out: it is touched on its front alone.
pub fn check(surface: &Surface) -> Result<()> {
    let count = surface.triangles.len();
    if count > MOST_TRIANGLES {
        return Err(Error::Mesh(format!(
            "has {count} triangles, wanted at most {MOST_TRIANGLES}: simplify it, or split it into several bodies"
        )));
    }
    for i in 0..count {
        let [a, b, c] = surface.corners(i);
        let longest =
            [b - a, c - b, a - c].map(DVec3::length).into_iter().fold(0.0, extreme::greatest);
        let height = (b - a).cross(c - a).length() / longest;
        if height.is_nan() || height <= THINNEST * longest {
            return Err(Error::Mesh(format!(
                "triangle {i} is degenerate ({height:e} m high on an edge of {longest:e} m), wanted triangles with an area: \
                 remove it and close the gap"
            )));
        }
    }
    let edges = passed(surface);
    match edges.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(&[(_, a), (_, b)]) => Err(wound_unlike([a / 3, b / 3])),
        _ if surface.open_edges() > 0 => Ok(()),
        _ => surface.check_outside(surface.volume()),
    }
}

/// The edges as they are passed, in order, each with 3 times its triangle and the number of its first corner there.
fn passed(surface: &Surface) -> Vec<([u32; 2], usize)> {
    let of = |(t, &[a, b, c]): (usize, &[u32; 3])| {
        [([a, b], 3 * t), ([b, c], 3 * t + 1), ([c, a], 3 * t + 2)]
    };
    let mut edges: Vec<_> = surface.triangles.iter().enumerate().flat_map(of).collect();
    edges.sort_unstable();
    edges
}

/// The unit normal of a triangle's front.
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Colliders of the triangles of a surface that has passed [`check`], in its coordinates.
pub fn facets(surface: &Surface) -> Vec<Part> {
    let edges = passed(surface);
    let is_closed = surface.open_edges() == 0;
    let rings: Vec<_> = rings(surface).into_iter().map(Arc::new).collect();
    let part = |t: usize| {
        let corners = surface.corners(t);
        let numbers = surface.triangles[t];
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let wing = |k: usize| {
            let [i, j] = [numbers[k], numbers[(k + 1) % 3]];
            // Who passes it the other way; else this one.
            let beside = edges.binary_search_by(|(edge, _)| edge.cmp(&[j, i]));
            let other = beside.map_or(3 * t + k, |at| edges[at].1);
            let apex = surface.corners(other / 3)[(other % 3 + 2) % 3] - corners[k];
            let along = (corners[(k + 1) % 3] - corners[k]).normalize_or_zero();
            (apex - apex.dot(along) * along).normalize_or_zero()
        };
        let facet = Facet {
            corners: corners.map(|x| x - middle),
            wings: [0, 1, 2].map(wing),
            rings: numbers.map(|i| rings[i as usize].clone()),
            is_closed,
        };
        let bound = facet.corners.iter().map(|x| x.length()).fold(0.0, extreme::greatest);
        Part {
            position: middle,
            bound,
            facet: Some(facet),
            ..Part::simple(COLLIDER_TRIANGLE, DVec3::ZERO, 0.0)
        }
    };
    (0..surface.triangles.len()).map(part).collect()
}

/// What is around each point.
fn rings(surface: &Surface) -> Vec<Ring> {
    let mut rings = vec![Ring::default(); surface.points.len()];
    let mut ways: Vec<Vec<u32>> = vec![Vec::new(); surface.points.len()];
    for (t, numbers) in surface.triangles.iter().enumerate() {
        let corners = surface.corners(t);
        let normal = normal(corners);
        for k in 0..3 {
            let [next, last] = [(k + 1) % 3, (k + 2) % 3];
            let angle = (corners[next] - corners[k]).angle_between(corners[last] - corners[k]);
            rings[numbers[k] as usize].normal += angle * normal;
            ways[numbers[k] as usize].extend([numbers[next], numbers[last]]);
        }
    }
    for (i, (ring, mut ways)) in rings.iter_mut().zip(ways).enumerate() {
        ways.sort_unstable();
        ways.dedup();
        let way = |j: u32| (surface.points[j as usize] - surface.points[i]).normalize_or_zero();
        ring.ways = ways.into_iter().map(way).collect();
        ring.normal = ring.normal.normalize_or_zero();
    }
    rings
}

/// A layer of tetrahedra behind a surface that has passed [`check`]: under each triangle a prism of three, those of triangle t
/// from 3 t on. Its upper points are the surface's, with the same numbers.
///
/// # Errors
/// [`Error::Mesh`]: a point around which triangles look to opposite sides.
pub fn layer(surface: &Surface) -> Result<TetMesh> {
    let count = surface.points.len();
    let normals: Vec<_> = rings(surface).into_iter().map(|ring| ring.normal).collect();
    let mut depths = vec![thickness(surface); count];
    let lower = |i: u32, depths: &[f64]| {
        surface.points[i as usize] - depths[i as usize] * normals[i as usize]
    };
    let folds = |t: usize, depths: &[f64]| {
        let mut corners = surface.triangles[t];
        let [a, b, c] = surface.corners(t);
        let n = (b - a).cross(c - a);
        let depth = corners.iter().map(|i| depths[*i as usize]).fold(f64::INFINITY, extreme::least);
        corners.sort_unstable();
        let [x, y] =
            [corners.map(|i| surface.points[i as usize]), corners.map(|i| lower(i, depths))];
        // Turned over by the sorting or not, all three have the sign of the first under a flat mesh.
        let sign = n.dot((x[1] - x[0]).cross(x[2] - x[0])).signum();
        let six = |[a, b, c, d]: [DVec3; 4]| -sign * (b - a).cross(c - a).dot(d - a);
        let volumes = [
            six([x[0], x[1], x[2], y[2]]),
            -six([x[0], x[1], y[1], y[2]]),
            six([x[0], y[0], y[1], y[2]]),
        ];
        volumes.into_iter().any(|volume| volume.is_nan() || volume <= FOLDED * depth * n.length())
    };
    for _ in 0..HALVINGS {
        let folded: Vec<_> = (0..surface.triangles.len()).filter(|t| folds(*t, &depths)).collect();
        if folded.is_empty() {
            break;
        }
        let mut points: Vec<_> = folded.iter().flat_map(|t| surface.triangles[*t]).collect();
        points.sort_unstable();
        points.dedup();
        points.into_iter().for_each(|i| depths[i as usize] *= 0.5);
    }
    if let Some(t) = (0..surface.triangles.len()).find(|t| folds(*t, &depths)) {
        return Err(Error::Mesh(format!(
            "triangle {t} faces the opposite way to its neighbours at a corner, wanted consistent winding: flip it, or separate \
             them"
        )));
    }
    let mut points = surface.points.clone();
    points.extend((0..count as u32).map(|i| lower(i, &depths)));
    let prism = |corners: &[u32; 3]| {
        let mut corners = *corners;
        corners.sort_unstable();
        let [a, b, c] = corners;
        let [d, e, f] = corners.map(|i| i + count as u32);
        // The diagonals go from the lower number above to the higher one below, from both sides of an edge.
        [[a, b, c, f], [a, b, e, f], [a, d, e, f]]
    };
    TetMesh::new(points, surface.triangles.iter().flat_map(prism).collect())
}

/// How thick the layer is where it does not fold [m]: half of a mean edge, no more than a twentieth of the diagonal of the box, nor
/// than what a mesh that encloses something has of volume under its area.
fn thickness(surface: &Surface) -> f64 {
    let (mut edges, mut area) = (0.0, 0.0);
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t);
        edges += [b - a, c - b, a - c].map(DVec3::length).iter().sum::<f64>();
        area += 0.5 * (b - a).cross(c - a).length();
    }
    let mean = edges / (3 * surface.triangles.len()) as f64;
    let open = (THICKNESS[0] * mean).min(THICKNESS[1] * surface.bounds().diagonal());
    let volume = surface.volume();
    if surface.open_edges() > 0 || volume <= 0.0 { open } else { open.min(volume / area) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Shape;

    /// Two triangles on the edge from (0, 0, 0) to (0, 0, 1), the second folded back by this angle from the plane of the first.
    fn fold(angle: f64) -> Surface {
        let (sine, cosine) = angle.sin_cos();
        let points =
            vec![DVec3::ZERO, DVec3::Z, DVec3::new(-1.0, 0.0, 0.5), DVec3::new(cosine, -sine, 0.5)];
        Surface { points, triangles: vec![[0, 2, 1], [0, 1, 3]], ..Surface::default() }
    }

    #[test]
    fn wings_lie_along_the_neighbours_and_back_along_open_edges() {
        for angle in [-1.0, 0.0, 0.7] {
            let surface = fold(angle);
            check(&surface).unwrap();
            let [first, second] = facets(&surface).try_into().expect("two");
            let [first, second] = [first, second].map(|part| part.facet.expect("a triangle"));
            let across = surface.points[3] - DVec3::Z * 0.5;
            // The edge from point 1 back to point 0 is the last of the first triangle.
            assert!(first.wings[2].distance(across) < 1e-12, "{:?}", first.wings);
            assert!(second.wings[0].distance(-DVec3::X) < 1e-12, "{:?}", second.wings);
            assert!(first.wings[0].dot(first.corners[2] - first.corners[0]) > 0.0);
            assert!(!first.is_closed && first.rings[0].ways.len() == 3);
            assert!(first.rings[0].normal.dot(DVec3::Y) > 0.5);
        }
    }

    /// As much volume as is under the area where it is flat; nothing folds where it is bent, whatever its form.
    #[test]
    fn layers_fill_what_is_behind_the_triangles() {
        let flat = layer(&fold(0.0)).unwrap();
        let depth = thickness(&fold(0.0));
        assert!((flat.total_volume() / depth - 1.0).abs() < 1e-12, "{}", flat.total_volume());
        for surface in [fold(-2.9), fold(2.9), Shape::Bipyramid { triangles: 80 }.surface()] {
            let mesh = layer(&surface).unwrap();
            assert_eq!(mesh.tets.len(), 3 * surface.triangles.len());
            assert_eq!(mesh.points[..surface.points.len()], surface.points);
            // Prisms beside each other share whole faces.
            let sides = surface.open_edges();
            assert_eq!(mesh.surface_triangles().len(), 2 * surface.triangles.len() + 2 * sides);
        }
        let mut turned = Shape::Box { size: [1.0; 3] }.surface();
        turned.flip();
        assert_eq!(layer(&turned).unwrap().tets.len(), 36);
    }

    #[test]
    fn what_cannot_be_touched_is_refused() {
        let refused = |surface: Surface, words: &str| {
            let error = check(&surface).and_then(|()| layer(&surface).map(|_| ()));
            let message = error.unwrap_err().to_string();
            assert!(message.contains(words), "{message}, wanted {words}");
        };
        let mut thin = fold(0.3);
        thin.points[2] = DVec3::new(-1e-7, 0.0, 0.5);
        refused(thin, "is degenerate");
        let mut turned = fold(0.3);
        turned.triangles[0].swap(0, 1);
        refused(turned, "inconsistently wound at their common edge");
        let mut closed = Shape::Box { size: [1.0; 3] }.surface();
        check(&closed).unwrap();
        closed.flip();
        refused(closed, "is inside out, its volume -1.000e0 m³, wanted triangles");
        let mut open = Shape::Box { size: [1.0; 3] }.surface();
        open.flip();
        open.triangles.pop();
        check(&open).unwrap();
        let both_sides = Surface { triangles: vec![[0, 1, 2], [2, 1, 0]], ..fold(0.0) };
        check(&both_sides).unwrap();
    }
}
