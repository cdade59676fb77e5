//! How deep a feature is inside a body, and which way out.
//!
//! Particles next to one that is outside look at the faces that the edges between them go through; the others follow
//! from their neighbours, sweep by sweep (Heidelberger et al. 2004, eq. 1 to 4; with unit normals of faces where those
//! interpolate vertex normals).

use std::collections::BTreeMap;

use glam::DVec3;

use super::boxes::lifts;
use super::detect::EdgePassage;
use super::geometry::{Crossing, Exits, area_vector, barycentric};
use super::inside::start;
use super::triangles::FACING;
use super::{Record, Scene, weighted};

/// Directions that cancel to less than this have none.
const CANCELLED: f64 = 1e-6;
/// A particle that came in is looked for this many steps back.
const STEPS_BACK: f64 = 1.5;

/// Depth and direction of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// h \[m\].
    pub depth: f64,
    /// r, the unit vector out of the body.
    pub direction: DVec3,
}

/// A place on the way from a colliding particle to one outside where the surface is crossed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intersection {
    /// The record, an index.
    pub record: usize,
    /// The neighbour outside; None for the way the particle came.
    pub outside: Option<usize>,
    /// The surface triangle.
    pub triangle: usize,
    /// x_e − q_i \[m\], from where the line begins.
    pub arm: DVec3,
    /// n_e, its unit normal, outwards.
    pub normal: DVec3,
}

/// The intersections of every record (i, B) of a particle: of each edge from i to a neighbour that is not recorded
/// inside B the first exit out of B, seen from q_i (or from [`start`] where that is a little outside); then that of the
/// way i came, to where it was 1.5 steps ago in the frame of the recorded tetrahedron, unless that is shorter than
/// the floor. Only faces that look against the particle count, n_e · n_i ≤ −0.1; n_i is 0 and every face counts for
/// particles inside their body. Records of edges have none here.
///
/// # Panics
/// Where a record's body is not that of its tetrahedron.
pub fn intersections(scene: &Scene, tested: &[DVec3], records: &[Record]) -> Vec<Intersection> {
    let neighbours = scene.neighbours();
    let recorded = index(records);
    let exits = Exits::new(scene);
    let lifts = lifts(scene);
    let mut found = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let i = record.feature;
        if i >= tested.len() {
            continue;
        }
        assert_eq!(scene.body[scene.tets[record.tet][0]], record.body);
        let from = start(scene, record.tet, tested[i]);
        let outward = lifts[i].normalize_or_zero();
        let mut note = |outside: Option<usize>, direction: DVec3| {
            let exit = first_exit(scene, &exits, record, from, direction);
            let against = |c: &Crossing| outward == DVec3::ZERO || c.normal.dot(outward) <= -FACING;
            found.extend(exit.filter(against).map(|c| Intersection {
                record: index,
                outside,
                triangle: c.triangle,
                arm: c.t * direction,
                normal: c.normal,
            }));
        };
        for &j in &neighbours[i] {
            if !recorded.contains_key(&(j, record.body)) {
                note(Some(j), tested[j] - from);
            }
        }
        let back = way_back(scene, tested[i], record);
        if back.length() > scene.floor {
            note(None, back);
        }
    }
    found
}

/// Where the segment from `q` leaves the record's body, in self-contact the fold that `q` is in.
fn first_exit(
    scene: &Scene,
    exits: &Exits,
    record: &Record,
    q: DVec3,
    direction: DVec3,
) -> Option<Crossing> {
    if scene.body[record.feature] == record.body {
        exits.first_out_of_fold(record.tet, q, direction, 1.0)
    } else {
        exits.first(record.body, q, direction, 1.0)
    }
}

/// x_i − q − (v_i − v_B(q)) h · 1.5 \[m\], from the tested position to where the particle was; v_B the velocity of the
/// recorded tetrahedron at `q`.
fn way_back(scene: &Scene, q: DVec3, record: &Record) -> DVec3 {
    let corners = scene.tets[record.tet];
    let Some(shares) = barycentric(q, scene.corners(corners)) else {
        return DVec3::ZERO;
    };
    let parts: Vec<(usize, f64)> = corners.into_iter().zip(shares).collect();
    let relative = scene.velocity[record.feature] - weighted(&parts, &scene.velocity);
    scene.position[record.feature] - q - STEPS_BACK * scene.step * relative
}

/// The penetration of the border points among the particles' records: with w = 1/|x_e − q_i|² over their intersections
/// h_i = Σ w (x_e − q_i)·n_e / Σ w and r_i = Σ w n_e normalised. None for records without intersections, or whose
/// normals cancel.
pub fn border_penetration(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
) -> Vec<Option<Penetration>> {
    mean_penetrations(scene, records.len(), &intersections(scene, tested, records))
}

/// The same from given intersections of `records` records.
pub fn mean_penetrations(
    scene: &Scene,
    records: usize,
    places: &[Intersection],
) -> Vec<Option<Penetration>> {
    let mut means = vec![Mean::default(); records];
    for place in places {
        let weight = weight(scene, place.arm);
        let depth = place.arm.dot(place.normal);
        means[place.record].add(weight, depth, place.normal);
    }
    means.iter().map(Mean::penetration).collect()
}

/// One sweep: every record (i, B) of a particle without a penetration gets one from the records (j, B) of its edge
/// neighbours that have one: with w = 1/|q_j − q_i|², h_i = Σ w ((q_j − q_i)·r_j + h_j) / Σ w and r_i = Σ w r_j
/// normalised.
pub fn propagate_sweep(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    penetration: &[Option<Penetration>],
) -> Vec<Option<Penetration>> {
    let neighbours = scene.neighbours();
    let recorded = index(records);
    let next = |(index, record): (usize, &Record)| {
        let i = record.feature;
        if penetration[index].is_some() || i >= tested.len() {
            return penetration[index];
        }
        let mut mean = Mean::default();
        for &j in &neighbours[i] {
            let known = recorded.get(&(j, record.body));
            if let Some(known) = known.and_then(|&other| penetration[other]) {
                let arm = tested[j] - tested[i];
                let depth = arm.dot(known.direction) + known.depth;
                mean.add(weight(scene, arm), depth, known.direction);
            }
        }
        mean.penetration()
    };
    records.iter().enumerate().map(next).collect()
}

/// Sweeps until one finds nothing more; returns how many found something, too. What is then left is an island without a
/// border, which has no direction.
pub fn propagate(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    border: &[Option<Penetration>],
) -> (Vec<Option<Penetration>>, usize) {
    let known = |p: &[Option<Penetration>]| p.iter().flatten().count();
    let mut penetration = border.to_vec();
    for sweeps in 0.. {
        let next = propagate_sweep(scene, tested, records, &penetration);
        if known(&next) == known(&penetration) {
            return (penetration, sweeps);
        }
        penetration = next;
    }
    unreachable!("a sweep without end would know more records than there are")
}

/// The penetrations of edges that pass through bodies, each at the middle of its first stretch inside. The edge goes
/// back into its own body, against its own outward normal; n is the normal of the face through which that way leaves
/// the other body within the edge's length. r is n without its part along the edge, normalised: of two edges that
/// cross, that leaves the direction across both. h is the distance to the face's plane along r. None where there is no
/// such way, or where n · r < 0.1.
///
/// (The faces through which the edge itself enters and leaves would not do: an edge that lies in a contact plane passes
/// through the sides of the body above it, and they point sideways.)
pub fn edge_penetrations(
    scene: &Scene,
    tested: &[DVec3],
    passages: &[EdgePassage],
) -> Vec<Option<Penetration>> {
    let edges = scene.surface_edges();
    let exits = Exits::new(scene);
    let penetration = |passage: &EdgePassage| {
        let ends = edges[passage.record.feature - tested.len()];
        let way_out = edge_way_out(scene, &exits, tested, ends, &passage.record);
        way_out.map(|(_, penetration)| penetration)
    };
    passages.iter().map(penetration).collect()
}

/// The same of one record of the edge between `ends`, and the face that the way back leads through.
pub fn edge_way_out(
    scene: &Scene,
    exits: &Exits<'_>,
    tested: &[DVec3],
    ends: [usize; 2],
    record: &Record,
) -> Option<(Crossing, Penetration)> {
    let [a, b] = ends.map(|i| tested[i]);
    let edge = b - a;
    let back = -edge.length() * edge_normal(scene, ends);
    let exit = exits.first(record.body, a + record.along * edge, back, 1.0)?;
    let across = exit.normal.reject_from(edge);
    let facing = across.length();
    let penetration = Penetration {
        depth: exit.t * back.dot(exit.normal) / facing,
        direction: across / facing,
    };
    (facing >= FACING).then_some((exit, penetration))
}

/// The outward unit normal of a surface edge: the mean of its triangles' unit normals, 0 where they cancel.
pub fn edge_normal(scene: &Scene, ends: [usize; 2]) -> DVec3 {
    let beside = scene.surface.iter();
    let beside = beside.filter(|t| ends.iter().all(|end| t.contains(end)));
    let normals = beside.filter_map(|t| area_vector(scene.corners(*t)));
    normals
        .map(DVec3::normalize)
        .sum::<DVec3>()
        .normalize_or_zero()
}

/// The index of each (feature, body) among the records.
fn index(records: &[Record]) -> BTreeMap<(usize, usize), usize> {
    let key = |(index, r): (usize, &Record)| ((r.feature, r.body), index);
    records.iter().enumerate().map(key).collect()
}

/// 1/max(|arm|², floor²) \[1/m²\].
fn weight(scene: &Scene, arm: DVec3) -> f64 {
    1.0 / arm.length_squared().max(scene.floor * scene.floor)
}

/// Weighted sums of depths and directions.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    weight: f64,
    depth: f64,
    direction: DVec3,
}

impl Mean {
    fn add(&mut self, weight: f64, depth: f64, direction: DVec3) {
        self.weight += weight;
        self.depth += weight * depth;
        self.direction += weight * direction;
    }

    /// None without data, or where the directions cancel.
    fn penetration(&self) -> Option<Penetration> {
        (self.direction.length() > CANCELLED * self.weight).then(|| Penetration {
            depth: self.depth / self.weight,
            direction: self.direction.normalize(),
        })
    }
}
