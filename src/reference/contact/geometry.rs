//! Points in tetrahedra, and where segments and rays cross the surface of a body.

use crate::extreme;
use std::collections::BTreeSet;

use glam::DVec3;

use super::{Record, Scene};

/// A tetrahedron or triangle is flat where its volume or area is no more than this times the third or second power of
/// its longest edge: what is left then is rounding.
const FLAT: f64 = 1e-12;
/// A point that counts as inside may be outside by rounding (of a kernel's f32, too); it still finds the face that it
/// lies on within this many mean edges behind it.
const BEHIND: f64 = 1e-4;
/// How far outside of a tetrahedron, in barycentric coordinates, a line still touches it.
const TOUCH: f64 = 1e-9;

/// Barycentric coordinates of `p` by signed volumes, whatever the orientation; None where the tetrahedron is flat.
pub fn barycentric(p: DVec3, corners: [DVec3; 4]) -> Option<[f64; 4]> {
    let volume = |[a, b, c, d]: [DVec3; 4]| (b - a).dot((c - a).cross(d - a));
    let whole = volume(corners);
    if whole.abs() <= FLAT * longest_edge(&corners).powi(3) {
        return None;
    }
    Some(std::array::from_fn(|k| {
        let mut part = corners;
        part[k] = p;
        volume(part) / whole
    }))
}

/// Whether `p` is inside the tetrahedron, its faces included; never for a flat one.
pub fn in_tet(p: DVec3, corners: [DVec3; 4]) -> bool {
    barycentric(p, corners).is_some_and(|b| b.iter().all(|&share| share >= 0.0))
}

/// Barycentric coordinates of `p`, a point in the triangle's plane, by areas signed along its normal; None where the
/// triangle is flat. They sum to 1.
pub fn barycentric_in_triangle(p: DVec3, corners: [DVec3; 3]) -> Option<[f64; 3]> {
    let [a, b, c] = corners;
    let normal = area_vector(corners)?;
    let area = |b: DVec3, c: DVec3| (b - p).cross(c - p).dot(normal) / normal.length_squared();
    Some([area(b, c), area(c, a), area(a, b)])
}

/// Twice the area along the normal; None where the triangle is flat.
pub fn area_vector(corners: [DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners;
    let cross = (b - a).cross(c - a);
    (cross.length() > FLAT * longest_edge(&corners).powi(2)).then_some(cross)
}

/// The longest way from one of these points to another \[m\].
pub fn longest_edge(corners: &[DVec3]) -> f64 {
    let lengths = corners.iter().flat_map(|a| corners.iter().map(|b| a.distance(*b)));
    lengths.fold(0.0, extreme::greatest)
}

/// How far a part of an edge is from the edge's middle, in lengths of the edge.
pub fn from_middle([from, to]: [f64; 2]) -> f64 {
    (from - 0.5).max(0.5 - to).max(0.0)
}

/// Where a line goes through a surface triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The parameter t of the point origin + t direction.
    pub t: f64,
    /// The surface triangle.
    pub triangle: usize,
    /// Its unit normal, outwards.
    pub normal: DVec3,
}

impl Crossing {
    /// Whether the line comes out of the body here.
    pub fn leaves(&self, direction: DVec3) -> bool {
        direction.dot(self.normal) > 0.0
    }
}

/// Where the line origin + t direction goes through a surface triangle, edges included; None for flat triangles and
/// lines in their plane. The three tests see a shared edge from both sides with opposite signs, so no line slips
/// between two triangles.
pub fn crossing(
    scene: &Scene,
    triangle: usize,
    origin: DVec3,
    direction: DVec3,
) -> Option<Crossing> {
    let corners = scene.corners(scene.surface[triangle]);
    let area = area_vector(corners)?;
    let along = direction.dot(area);
    let [a, b, c] = corners.map(|corner| corner - origin);
    let side = [a.cross(b), b.cross(c), c.cross(a)].map(|edge| edge.dot(direction));
    let through = side.iter().all(|&s| s * along.signum() >= 0.0);
    (along != 0.0 && through).then(|| Crossing {
        t: a.dot(area) / along,
        triangle,
        normal: area.normalize(),
    })
}

/// Where segments that start inside a body leave it.
pub struct Exits<'a> {
    scene: &'a Scene,
    surface: Vec<Vec<usize>>,
    tets: Vec<Vec<usize>>,
}

impl<'a> Exits<'a> {
    /// The bodies of a scene.
    pub fn new(scene: &'a Scene) -> Self {
        Self { scene, surface: scene.surface_of_bodies(), tets: scene.tets_of_bodies() }
    }

    /// The first exit of origin + t direction, 0 ≤ t ≤ `limit`, out of a body: the smallest t over all its surface
    /// triangles that the line leaves through. Of equal ones the triangle with the lowest index.
    pub fn first(
        &self,
        body: usize,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
    ) -> Option<Crossing> {
        self.first_of(self.surface[body].iter().copied(), body, origin, direction, limit)
    }

    /// The first exit out of the fold that holds the tetrahedron `tet`, for bodies that overlap themselves: only faces
    /// of tetrahedra count that hang together with `tet`, face by face, along the segment.
    pub fn first_out_of_fold(
        &self,
        tet: usize,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
    ) -> Option<Crossing> {
        let body = self.scene.body[self.scene.tets[tet][0]];
        let fold = self.fold(body, tet, origin, direction, limit);
        let of_fold = |&t: &usize| {
            let triangle = &self.scene.surface[t];
            fold.iter().any(|&o| triangle.iter().all(|c| self.scene.tets[o].contains(c)))
        };
        let triangles = self.surface[body].iter().copied().filter(of_fold);
        self.first_of(triangles, body, origin, direction, limit)
    }

    /// The first exit out of a record's body, in self-contact out of the fold that its particle is in.
    pub fn first_of_record(
        &self,
        record: &Record,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
    ) -> Option<Crossing> {
        match self.scene.body[record.feature] == record.body {
            true => self.first_out_of_fold(record.tet, origin, direction, limit),
            false => self.first(record.body, origin, direction, limit),
        }
    }

    /// The tetrahedron that holds the end of a segment which stays inside the fold of `tet`: of those that hang together
    /// with it along the segment, the one that the end is deepest in.
    pub fn end_in_fold(&self, tet: usize, origin: DVec3, direction: DVec3) -> usize {
        let body = self.scene.body[self.scene.tets[tet][0]];
        let depth = |t: usize| {
            let corners = self.scene.corners(self.scene.tets[t]);
            let shares = barycentric(origin + direction, corners);
            shares.map_or(f64::NEG_INFINITY, |s| s.into_iter().fold(f64::INFINITY, extreme::least))
        };
        let fold = self.fold(body, tet, origin, direction, 1.0);
        let deepest = fold.into_iter().max_by(|a, b| depth(*a).total_cmp(&depth(*b)));
        deepest.unwrap_or(tet)
    }

    fn first_of(
        &self,
        triangles: impl Iterator<Item = usize>,
        body: usize,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
    ) -> Option<Crossing> {
        let behind = BEHIND * self.scene.bodies[body].edge;
        triangles
            .filter_map(|t| crossing(self.scene, t, origin, direction))
            .filter(|c| c.leaves(direction))
            .filter(|c| c.t * direction.length() >= -behind && c.t <= limit)
            .min_by(|a, b| a.t.total_cmp(&b.t))
    }

    /// The tetrahedra that the segment meets and that hang together with `tet` over shared faces.
    fn fold(
        &self,
        body: usize,
        tet: usize,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
    ) -> BTreeSet<usize> {
        let met: Vec<usize> = self.tets[body]
            .iter()
            .copied()
            .filter(|&t| interval_in_tet(self.scene, t, origin, direction, limit, TOUCH).is_some())
            .collect();
        let shares_face = |a: usize, b: usize| {
            let other = &self.scene.tets[b];
            self.scene.tets[a].iter().filter(|c| other.contains(c)).count() == 3
        };
        let mut fold = BTreeSet::from([tet]);
        let mut open = vec![tet];
        while let Some(inside) = open.pop() {
            for &t in &met {
                if shares_face(inside, t) && fold.insert(t) {
                    open.push(t);
                }
            }
        }
        fold
    }
}

/// The part \[t0, t1\] of origin + t direction, 0 ≤ t ≤ `limit`, whose barycentric coordinates in a tetrahedron are all
/// at least −`slack`; None where there is none.
pub fn interval_in_tet(
    scene: &Scene,
    tet: usize,
    origin: DVec3,
    direction: DVec3,
    limit: f64,
    slack: f64,
) -> Option<[f64; 2]> {
    let corners = scene.corners(scene.tets[tet]);
    interval_in_corners(corners, [origin, direction], limit, [slack; 4])
}

/// The same with a slack for each corner's coordinate.
pub fn interval_in_corners(
    corners: [DVec3; 4],
    [origin, direction]: [DVec3; 2],
    limit: f64,
    slacks: [f64; 4],
) -> Option<[f64; 2]> {
    let from = barycentric(origin, corners)?;
    let to = barycentric(origin + direction, corners)?;
    let (mut low, mut high) = (0.0_f64, limit);
    for ((from, to), slack) in from.into_iter().zip(to).zip(slacks) {
        let (start, slope) = (from + slack, to - from);
        if slope > 0.0 {
            low = low.max(-start / slope);
        } else if slope < 0.0 {
            high = high.min(-start / slope);
        } else if start < 0.0 {
            return None;
        }
    }
    (low <= high).then_some([low, high])
}
