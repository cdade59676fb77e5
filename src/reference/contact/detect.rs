//! Which particles and edges are inside which bodies.

use crate::extreme;
use glam::DVec3;

use super::border;
use super::boxes::{self, Aabb, BodyPairs};
use super::edges;
use super::inside::{self, Tetrahedra};
use super::penetration::{self, Penetration};
use super::spheres;
use super::triangles::{self, Contact, Outcome};
use super::{Record, Scene};

/// So many bodies are recorded per particle.
pub const BODIES_PER_PARTICLE: usize = 4;

/// A body that holds a particle, and its tetrahedron that does.
///
/// Of several that which the particle is deepest in, by the least of its barycentric coordinates: on a face, or in the room
/// beside a rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The body.
    pub body: usize,
    /// The tetrahedron.
    pub tet: usize,
}

/// The bodies other than its own, among those that its body touches, that [hold](Tetrahedra::hold) each particle at its
/// tested position: ascending, all of them. Particles whose tested position is outside of their body's overlap box are
/// in none. The tested position of a sphere is its centre.
///
/// `slack` is [`inside::SLACK`] in the engine; what it finds in f32 lies between the hits with a slightly smaller and
/// those with a slightly larger one.
pub fn points_in_tets(
    scene: &Scene,
    tested: &[DVec3],
    pairs: &BodyPairs,
    slack: f64,
) -> Vec<Vec<Hit>> {
    let tetrahedra = Tetrahedra::new(scene);
    let tets = scene.tets_of_bodies();
    let boxes = body_reaches(scene, tested);
    let lifts = boxes::lifts(scene);
    let hit = |i: usize, body: usize| {
        let holds = |&t: &usize| tetrahedra.hold(t, tested[i], lifts[i], slack);
        let held = tets[body].iter().copied().filter(holds);
        Some(Hit { body, tet: tetrahedra.deepest(held, tested[i])? })
    };
    let hits = |i: usize| {
        let own = scene.body[i];
        let touched = pairs.touches[own].iter().copied();
        touched
            .filter(|_| pairs.overlap[own].holds(tested[i]))
            .filter(|&o| boxes[o].holds(tested[i]))
            .filter_map(|o| hit(i, o))
            .collect()
    };
    (0..tested.len()).map(hits).collect()
}

/// The bodies other than its own, among those that its body touches, that a fast particle meets on its way, each with the
/// tetrahedron that it enters first, of equal ones the first; none of particles without a way. `ways`: where each begins, and
/// all of it. `slack` as in [`points_in_tets`].
pub fn ways_in_tets(
    scene: &Scene,
    ways: &[Option<[DVec3; 2]>],
    pairs: &BodyPairs,
    slack: f64,
) -> Vec<Vec<Hit>> {
    let tetrahedra = Tetrahedra::new(scene);
    let tets = scene.tets_of_bodies();
    let lifts = boxes::lifts(scene);
    let hit = |i: usize, way: [DVec3; 2], body: usize| {
        let enters = |&tet: &usize| {
            tetrahedra.part_of_way(tet, way, lifts[i], slack).map(|[enters, _]| (enters, tet))
        };
        let entered = tets[body].iter().filter_map(enters);
        let (_, tet) = entered.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Hit { body, tet })
    };
    let hits = |(i, way): (usize, &Option<[DVec3; 2]>)| {
        let touched = pairs.touches[scene.body[i]].iter();
        let hit = |way| touched.filter_map(|&body| hit(i, way, body)).collect();
        way.map_or_else(Vec::new, hit)
    };
    ways.iter().enumerate().map(hits).collect()
}

/// Boxes outside of which no tetrahedron of a body holds anything, whatever small slack it is given.
fn body_reaches(scene: &Scene, tested: &[DVec3]) -> Vec<Aabb> {
    let lifts = tested.iter().zip(&scene.position).map(|(q, x)| q.distance(*x));
    let lift = lifts.fold(0.0, extreme::greatest);
    let boxes = boxes::body_boxes(scene).into_iter().zip(&scene.bodies);
    boxes.map(|(own, body)| own.inflated(body.edge + 4.0 * lift)).collect()
}

/// For each surface particle of a body with self-contact the body's own tetrahedron that holds it at its tested position,
/// as [`Hit`] tells, among those without the particle or an edge neighbour of it as a corner. `folded`: whether a body is
/// folded, and may hold a point of its own at q. `slack` as in [`points_in_tets`].
pub fn self_in_tets(
    scene: &Scene,
    tested: &[DVec3],
    folded: impl Fn(usize, DVec3) -> bool,
    slack: f64,
) -> Vec<Option<Hit>> {
    let tetrahedra = Tetrahedra::new(scene);
    let lifts = boxes::lifts(scene);
    let neighbours = scene.neighbours();
    let tets = scene.tets_of_bodies();
    let mut hits = vec![None; tested.len()];
    let on_surface = scene.surface.iter().flatten().copied();
    for i in on_surface.filter(|&i| folded(scene.body[i], tested[i])) {
        let body = scene.body[i];
        let apart = |t: usize| {
            let mut corners = scene.tets[t].iter();
            corners.all(|c| *c != i && !neighbours[i].contains(c))
        };
        let holds = |&t: &usize| apart(t) && tetrahedra.hold(t, tested[i], lifts[i], slack);
        let held = tets[body].iter().copied().filter(holds);
        hits[i] = tetrahedra.deepest(held, tested[i]).map(|tet| Hit { body, tet });
    }
    hits
}

/// The records of particles, in order of particle, then body, from [`points_in_tets`] and [`self_in_tets`]. Of each
/// particle only the lowest [`BODIES_PER_PARTICLE`] bodies are kept.
pub fn particle_records(others: &[Vec<Hit>], own: &[Option<Hit>]) -> Vec<Record> {
    let mut records = Vec::new();
    for (feature, (others, own)) in others.iter().zip(own).enumerate() {
        let mut hits: Vec<Hit> = others.iter().chain(own).copied().collect();
        hits.sort_unstable();
        let kept = hits.iter().take(BODIES_PER_PARTICLE);
        records.extend(kept.map(|&Hit { body, tet }| Record { feature, body, tet, along: 0.0 }));
    }
    records
}

/// What all stages of detection find, one after the other.
#[derive(Debug, Clone)]
pub struct Detection {
    /// Tested positions q \[m\].
    pub tested: Vec<DVec3>,
    /// The broad phase.
    pub pairs: BodyPairs,
    /// Records of particles, then of edges.
    pub records: Vec<Record>,
    /// Per record depth and direction, where there are any.
    pub penetration: Vec<Option<Penetration>>,
    /// How many sweeps found a further one.
    pub sweeps: usize,
    /// Per record its contact triangle.
    pub outcomes: Vec<Outcome>,
    /// The contacts, in order of feature: those of the records and those of spheres.
    pub contacts: Vec<Contact>,
}

impl Detection {
    /// The records of particles.
    pub fn particles(&self) -> &[Record] {
        let count = self.records.partition_point(|record| record.feature < self.tested.len());
        &self.records[..count]
    }
}

/// Runs all stages of detection at the scene's positions; no particle is tested ahead of its own, and nothing is
/// remembered.
pub fn detect(scene: &Scene) -> Detection {
    let tested = boxes::tested_points(scene);
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    let mut others = points_in_tets(scene, &tested, &pairs, inside::SLACK);
    for (hits, body) in others.iter_mut().zip(&scene.body) {
        // Of these it is the spheres' stages that make something.
        hits.retain(|_| scene.bodies[*body].radius <= 0.0);
    }
    let folded = |body: usize, q| pairs.fold[body].holds(q);
    let own = self_in_tets(scene, &tested, folded, inside::SLACK);
    let mut records = particle_records(&others, &own);
    let nothing = vec![None; records.len()];
    let border = border::border_penetration(scene, &tested, &records, &nothing);
    let (mut penetration, sweeps) = penetration::propagate(scene, &tested, &records, &border);
    let mut outcomes = triangles::contact_triangles(scene, &tested, &records, &penetration);
    let of_edges = edges::edge_records(scene, &tested, &pairs);
    let of_edges = edges::edge_outcomes(scene, &tested, &of_edges, &records, &outcomes);
    for (record, way, outcome) in of_edges {
        records.push(record);
        penetration.push(way);
        outcomes.push(outcome);
    }
    let mut contacts = triangles::contacts(scene, &records, &penetration, &outcomes);
    contacts.extend(spheres::contacts(scene));
    contacts.sort_by_key(|contact| contact.feature);
    Detection { tested, pairs, records, penetration, sweeps, outcomes, contacts }
}
