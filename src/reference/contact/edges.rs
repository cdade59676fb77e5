//! Edges that pass through other bodies: where, and along which penetration vector.
//!
//! A tested edge goes straight from q_a to q_b, a point of it at y = q_a + t (q_b − q_a); the edge's own point there is
//! x = x_a + t (x_b − x_a), and that is what is pushed. Both by brute force over all surface triangles.

use crate::extreme;
use std::ops::RangeInclusive;

use glam::{DMat2, DVec2, DVec3};

use super::boxes::{self, Aabb, BodyPairs};
use super::detect::BODIES_PER_PARTICLE;
use super::geometry::{
    Crossing, Exits, area_vector, barycentric_in_triangle, from_middle, interval_in_tet,
};
use super::penetration::Penetration;
use super::triangles::{ContactTriangle, FACING, Outcome};
use super::{Record, Scene};

/// The least part of an edge inside a tetrahedron that counts.
const PART: f64 = 1e-4;
/// Two faces are one where the cosine between their normals is above this.
const SAME_FACE: f64 = 0.9;
/// Two lines or faces cross where the square of the sine between them is no less than this: 15°.
const CROSSING_SINE2: f64 = 0.067;
/// How far from a ridge, of the way to either end of the stretch, the faces beside it are looked for.
const ASIDE: f64 = 0.01;
/// How far from its middle an edge has contacts of its own where one of its ends is inside, too.
const CENTRAL: f64 = 0.25;

/// The part of a tested edge inside a body, t from 0 at its first end to 1 at its second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Where it begins.
    pub first: f64,
    /// Where it ends.
    pub last: f64,
    /// The face through which the edge comes in; None where its first end is inside.
    pub enters: Option<Crossing>,
    /// The face through which it leaves; None where its second end is inside.
    pub leaves: Option<Crossing>,
}

impl Stretch {
    /// Whether a way leaves through one of the faces at its ends, to n · n_A > 0.9.
    pub fn passes(&self, way: &EdgeWay) -> bool {
        let faces = [self.enters, self.leaves].into_iter().flatten();
        faces.into_iter().any(|face| face.normal.dot(way.face.normal) > SAME_FACE)
    }
}

/// A penetration vector of a body from a point of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeWay {
    /// t, where on the edge.
    pub along: f64,
    /// Where on the tested edge.
    pub tested: f64,
    /// r, the unit vector out of the body.
    pub direction: DVec3,
    /// The face through which the way from the tested point leaves the body.
    pub face: Crossing,
    /// g \[m\]: how far x is behind the face's plane along r; negative: in front of it.
    pub gap: f64,
    /// Whether r is normal to the edge and to a ridge of the body, and not taken from a face.
    pub over_ridge: bool,
}

/// The edges of a scene's surfaces in its bodies.
pub struct Edges<'a> {
    scene: &'a Scene,
    tested: &'a [DVec3],
    exits: Exits<'a>,
    /// The largest margin of all bodies \[m\].
    margin: f64,
}

impl<'a> Edges<'a> {
    /// Those of a scene at tested positions \[m\].
    pub fn new(scene: &'a Scene, tested: &'a [DVec3]) -> Self {
        let margins = scene.bodies.iter().map(|body| body.margin);
        Self {
            scene,
            tested,
            exits: Exits::new(scene),
            margin: margins.fold(0.0, extreme::greatest),
        }
    }

    /// The tested positions \[m\].
    pub fn tested(&self) -> &'a [DVec3] {
        self.tested
    }

    /// The tested edge's first end and the way to its second.
    fn tested_line(&self, ends: [usize; 2]) -> (DVec3, DVec3) {
        let [a, b] = ends.map(|i| self.tested[i]);
        (a, b - a)
    }

    /// The edge's first end and the way to its second.
    fn line(&self, ends: [usize; 2]) -> (DVec3, DVec3) {
        let [a, b] = ends.map(|i| self.scene.position[i]);
        (a, b - a)
    }

    /// The tested point that a way begins at and the edge's own.
    fn points(&self, ends: [usize; 2], way: &EdgeWay) -> [DVec3; 2] {
        let ((q, tested), (a, edge)) = (self.tested_line(ends), self.line(ends));
        [q + way.tested * tested, a + way.along * edge]
    }

    /// The part of the tested edge inside the record's body, around the middle of its part in the record's tetrahedron.
    /// None where it misses that.
    pub fn stretch(&self, ends: [usize; 2], record: &Record) -> Option<Stretch> {
        let (a, way) = self.tested_line(ends);
        let part = interval_in_tet(self.scene, record.tet, a, way, 1.0, 0.0)?;
        let middle = 0.5 * (part[0] + part[1]);
        let inside = a + middle * way;
        let enters = self.exits.first(record.body, inside, -way, middle);
        let leaves = self.exits.first(record.body, inside, way, 1.0 - middle);
        Some(Stretch {
            first: enters.map_or(0.0, |face| middle - face.t),
            last: leaves.map_or(1.0, |face| middle + face.t),
            enters,
            leaves,
        })
    }

    /// How far the edge's point at t is behind a face's plane along r.
    fn gap(&self, ends: [usize; 2], along: f64, face: &Crossing, r: DVec3) -> f64 {
        let (a, edge) = self.line(ends);
        (self.corner(face) - a - along * edge).dot(face.normal) / r.dot(face.normal)
    }

    fn corner(&self, face: &Crossing) -> DVec3 {
        self.scene.position[self.scene.surface[face.triangle][0]]
    }

    /// Where the way from the tested point at t along a unit vector leaves the body within the tested edge's length.
    fn exit(
        &self,
        ends: [usize; 2],
        body: usize,
        along: f64,
        direction: DVec3,
    ) -> Option<Crossing> {
        let (a, way) = self.tested_line(ends);
        let back = way.length() * direction;
        self.exits.first(body, a + along * way, back, 1.0)
    }

    /// The way from the middle of the stretch: back into the edge's own body to a face of the other; r is the face's
    /// normal without its part along the tested edge.
    fn over_face(&self, ends: [usize; 2], body: usize, stretch: &Stretch) -> Option<EdgeWay> {
        let along = 0.5 * (stretch.first + stretch.last);
        let face = self.exit(ends, body, along, -edge_normal(self.scene, ends))?;
        let across = face.normal.reject_from(self.tested_line(ends).1);
        let direction = across.normalize_or_zero();
        Some(EdgeWay {
            along,
            tested: along,
            direction,
            face,
            gap: self.gap(ends, along, &face, direction),
            over_ridge: false,
        })
    }

    /// The way normal to the edge and to the line in which the planes meet that the stretch begins and ends at, out over
    /// both, from where the edge is over that line to the one of the two faces that r leads out of the more directly. None
    /// where planes or lines hardly cross, where the edge ends before it is over that line, and where another face cuts the
    /// line off: where of the ways along r from the tested edge, a hundredth of the way to either end of the stretch aside,
    /// one leaves the body through another face than that at this end.
    pub fn over_ridge(&self, ends: [usize; 2], body: usize, stretch: &Stretch) -> Option<EdgeWay> {
        let faces = [stretch.enters?, stretch.leaves?];
        let [n, m] = faces.map(|face| face.normal);
        let (a, edge) = self.line(ends);
        let (q, tested_edge) = self.tested_line(ends);
        let ridge = n.cross(m);
        let normal = edge.cross(ridge);
        let sine2 = ridge.length_squared();
        if sine2 < CROSSING_SINE2
            || normal.length_squared() < CROSSING_SINE2 * sine2 * edge.length_squared()
        {
            return None;
        }
        let r = normal.normalize();
        let direction = if r.dot(n + m) < 0.0 { -r } else { r };
        // a + t edge + s r is in both planes
        let over = |a: DVec3, edge: DVec3| {
            let planes = DMat2::from_cols(
                DVec2::new(n.dot(edge), m.dot(edge)),
                DVec2::new(n.dot(direction), m.dot(direction)),
            );
            let heights = faces.map(|face| (self.corner(&face) - a).dot(face.normal));
            (planes.inverse() * DVec2::from_array(heights)).to_array()
        };
        let ([along, _], [tested, _]) = (over(a, edge), over(q, tested_edge));
        let tested = tested.max(stretch.first).min(stretch.last);
        let beside = |end: f64, normal: DVec3| {
            let face = self.exit(ends, body, tested + ASIDE * (end - tested), direction)?;
            (face.normal.dot(normal) > SAME_FACE).then_some(face)
        };
        let sides = [beside(stretch.first, n)?, beside(stretch.last, m)?];
        let face = sides[usize::from(n.dot(direction) <= m.dot(direction))];
        let gap = self.gap(ends, along, &face, direction);
        let way = EdgeWay { along, tested, direction, face, gap, over_ridge: true };
        (0.0..=1.0).contains(&along).then_some(way)
    }

    /// Whether the edge is what touches along a way over a ridge, and not one of its own faces: whether −r = α n + β m with
    /// α, β ≥ 0, n and m the unit normals of its faces, which are not one; and r is not nearly in the surface.
    pub fn touches(&self, ends: [usize; 2], way: &EdgeWay) -> bool {
        let &[n, m] = &edge_faces(self.scene, ends)[..] else { return false };
        // the normal equations of the fit, times their determinant
        let [p, q, c] = [-n.dot(way.direction), -m.dot(way.direction), n.dot(m)];
        let apart = 1.0 - c * c > PART;
        apart && p - c * q >= 0.0 && q - c * p >= 0.0 && self.looks_against(ends, way)
    }

    /// Whether r does not graze the face (n · r ≥ 0.1) and looks against the edge's normal m (r · m ≤ −0.1).
    fn looks_against(&self, ends: [usize; 2], way: &EdgeWay) -> bool {
        way.face.normal.dot(way.direction) >= FACING
            && way.direction.dot(edge_normal(self.scene, ends)) <= -FACING
    }

    /// The shorter way of one record, over a face or, where the body holds no end, over the ridge that the edge crosses if it
    /// [touches](Self::touches) that. No way that takes all of the edge out of both faces that it passes is shorter, so ways
    /// over these are left out where there is a ridge, and one over another face that is longer than over the ridge, whether
    /// the edge touches that or not.
    pub fn nearest(&self, ends: [usize; 2], record: &Record, held: bool) -> Option<EdgeWay> {
        let stretch = self.stretch(ends, record)?;
        let face = self.over_face(ends, record.body, &stretch);
        let ridge = self.over_ridge(ends, record.body, &stretch).filter(|_| !held);
        let Some(ridge) = ridge else {
            return face;
        };
        let by_other = face.filter(|way| !stretch.passes(way) && way.gap <= ridge.gap);
        let by_passed = face.filter(|way| stretch.passes(way));
        by_other.or(if self.touches(ends, &ridge) { Some(ridge) } else { by_passed })
    }

    /// Whether the body does not hold the edge's own point of a way, only the tested one.
    pub fn outside(&self, ends: [usize; 2], body: usize, way: &EdgeWay) -> bool {
        let [y, x] = self.points(ends, way);
        self.exits.first(body, y, x - y, 1.0).is_some()
    }

    /// M = |y − x| \[m\], y the tested point of a way, and the largest margin of all bodies.
    fn reach(&self, ends: [usize; 2], way: &EdgeWay) -> f64 {
        let [y, x] = self.points(ends, way);
        y.distance(x) + self.margin
    }

    /// The range of the gaps of contacts at x \[m\]: at most twice the [margin](Self::reach) in front of the face; behind
    /// it no more than the tested edge's length, where x is outside twice the margin.
    pub fn gaps(&self, ends: [usize; 2], body: usize, way: &EdgeWay) -> RangeInclusive<f64> {
        let far = 2.0 * self.reach(ends, way);
        let length = self.tested_line(ends).1.length();
        -far..=if self.outside(ends, body, way) { far } else { length }
    }

    /// The nearest way of one record, if the body holds an end or not. None where it does not
    /// [look against](Self::looks_against) the edge, and where its gap is out of [range](Self::gaps).
    pub fn penetration_vector(
        &self,
        ends: [usize; 2],
        record: &Record,
        held: bool,
    ) -> Option<EdgeWay> {
        let way = self.nearest(ends, record, held)?;
        let gaps = self.gaps(ends, record.body, &way);
        (self.looks_against(ends, &way) && gaps.contains(&way.gap)).then_some(way)
    }

    /// The contact of one record of the edge between `ends`: its penetration vector, unless the body holds an end, which has a
    /// contact of its own, `held` deep (0 where that has a gap or none was found). Then it is in the edge's middle half
    /// only, and where the edge was none in the last search (`known`), deeper by more than the largest margin.
    pub fn contact(
        &self,
        ends: [usize; 2],
        record: &Record,
        known: bool,
        held: Option<f64>,
    ) -> Option<EdgeWay> {
        let way = self.penetration_vector(ends, record, held.is_some())?;
        let central = (way.along - 0.5).abs() <= CENTRAL;
        let counts = |depth: f64| central && (known || way.gap > depth + self.margin);
        held.is_none_or(counts).then_some(way)
    }

    /// The same as penetration and outcome. The depth of the penetration is that of the tested point.
    fn outcome(
        &self,
        ends: [usize; 2],
        record: &Record,
        held: Option<f64>,
    ) -> Option<(Record, Penetration, ContactTriangle)> {
        let way = self.contact(ends, record, false, held)?;
        let along = way.along;
        let [y, x] = self.points(ends, &way);
        let corners = self.scene.corners(self.scene.surface[way.face.triangle]);
        let (n, direction) = (way.face.normal, way.direction);
        let penetration =
            Penetration { depth: (corners[0] - y).dot(n) / direction.dot(n), direction };
        let triangle = ContactTriangle {
            triangle: way.face.triangle,
            direction,
            turned_at: None,
            depth: way.gap,
            barycentric: barycentric_in_triangle(x + way.gap * direction, corners)?,
        };
        Some((Record { along, ..*record }, penetration, triangle))
    }
}

/// How deep the contacts of an edge's ends with a body are, the deeper one, 0 where it has a gap or there is none; None
/// where the body holds no end. `gaps`: g of the contact of each record of particles, None where it has none.
pub fn held(
    ends: [usize; 2],
    body: usize,
    records: &[Record],
    gaps: &[Option<f64>],
) -> Option<f64> {
    let of_ends = records.iter().zip(gaps);
    of_ends
        .filter(|(r, _)| r.body == body && ends.contains(&r.feature))
        .map(|(_, gap)| gap.map_or(0.0, |gap| gap.max(0.0)))
        .reduce(f64::max)
}

/// The outward unit normals of the triangles at a surface edge.
fn edge_faces(scene: &Scene, ends: [usize; 2]) -> Vec<DVec3> {
    let beside = scene.surface.iter();
    let beside = beside.filter(|t| ends.iter().all(|end| t.contains(end)));
    let normals = beside.filter_map(|t| area_vector(scene.corners(*t)));
    normals.map(DVec3::normalize).collect()
}

/// The outward unit normal of a surface edge: the mean of its triangles' unit normals, 0 where they cancel.
pub fn edge_normal(scene: &Scene, ends: [usize; 2]) -> DVec3 {
    edge_faces(scene, ends).into_iter().sum::<DVec3>().normalize_or_zero()
}

/// The records of the surface edges, in order of edge, then body: of each body that its body touches, of the tetrahedra
/// that hold more than 1e-4 of the tested edge, that whose part comes [nearest to the edge's middle](from_middle), t the
/// middle of that part; of equal ones the lowest. Of each edge only the lowest [`BODIES_PER_PARTICLE`] bodies are kept.
pub fn edge_records(scene: &Scene, tested: &[DVec3], pairs: &BodyPairs) -> Vec<Record> {
    let tets = scene.tets_of_bodies();
    let boxes = boxes::body_boxes(scene);
    let mut records = Vec::new();
    for (edge, [a, b]) in scene.surface_edges().into_iter().enumerate() {
        let line = Aabb::around([tested[a], tested[b]]);
        let record = |&body: &usize| {
            if line.intersection(boxes[body]).is_empty() {
                return None;
            }
            let parts = tets[body].iter().filter_map(|&tet| {
                let way = tested[b] - tested[a];
                let part = interval_in_tet(scene, tet, tested[a], way, 1.0, 0.0)?;
                (part[1] - part[0] > PART).then_some((tet, part))
            });
            let nearest =
                |(_, p): &(_, _), (_, q): &(_, _)| from_middle(*p).total_cmp(&from_middle(*q));
            let (tet, [from, to]) = parts.min_by(nearest)?;
            Some(Record { feature: tested.len() + edge, body, tet, along: 0.5 * (from + to) })
        };
        let touched = pairs.touches[scene.body[a]].iter();
        records.extend(touched.filter_map(record).take(BODIES_PER_PARTICLE));
    }
    records
}

/// What becomes of the records of edges, none of which was a contact in the last search: each with where on the edge its
/// contact is, how deep it is and in which direction, and its triangle. `particles` and `outcomes`: the records of particles,
/// and what became of them.
pub fn edge_outcomes(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    particles: &[Record],
    outcomes: &[Outcome],
) -> Vec<(Record, Option<Penetration>, Outcome)> {
    let surface_edges = scene.surface_edges();
    let edges = Edges::new(scene, tested);
    let gap = |outcome: &Outcome| match outcome {
        Outcome::Found(triangle) => Some(triangle.depth),
        _ => None,
    };
    let gaps: Vec<_> = outcomes.iter().map(gap).collect();
    let outcome = |record: &Record| {
        let ends = surface_edges[record.feature - tested.len()];
        let held = held(ends, record.body, particles, &gaps);
        match edges.outcome(ends, record, held) {
            Some((record, way, triangle)) => (record, Some(way), Outcome::Found(triangle)),
            None => (*record, None, Outcome::Lost),
        }
    };
    records.iter().map(outcome).collect()
}
