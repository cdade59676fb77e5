//! The pass that makes contacts of edges that pass through other bodies.

use glam::DVec3;

use super::depth::{reach, shape};
use super::edges::ends;
use super::search::{Search, known};
use super::triangle::shares;
use crate::Result;
use crate::gpu::types::{Contact, NONE};
use crate::reference::contact::Record;
use crate::reference::contact::edges::{EdgeWay, Edges, held};
use crate::reference::contact::geometry::{Crossing, barycentric_in_triangle, longest_edge};
use crate::verify::ErrorStats;

/// Of bodies that lie anyhow, at most one record in so many is left out.
const COMPARED: usize = 10;

/// What can become of a record of an edge, by the reference.
type Cases = [bool; 16];

/// What the reference decides about a record: the face of its contact, and which cases it is of.
type Decision = (Option<usize>, Cases);

/// The records of a search's edges, and what else their contacts depend on.
struct Passages<'a> {
    search: &'a Search<'a>,
    records: Vec<Record>,
    particles: Vec<Record>,
    /// g of the contacts of `particles`.
    gaps: Vec<Option<f64>>,
}

/// Which records have a contact: with which triangle, from where on the edge, and how deep. Left out are those that the
/// reference decides otherwise when all inputs are shaken by some f32 epsilons. Where every case is to occur, the others
/// have to be of each of them.
pub fn edge_contacts(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("edge_contacts");
    let (_, _, contacts) = search.contacts_of(&after.get::<Contact>("contacts"));
    let passages = Passages::new(search);
    let tested = search.tested();
    let edges = Edges::new(&search.scene, &tested);
    let decisions = passages.decisions(&edges);
    let others = [7, 8].map(|seed| {
        let both = search.shaken(seed);
        both.map(|(scene, tested)| passages.decisions(&Edges::new(&scene, &tested)))
    });
    let count = passages.records.len();
    errors.holds(contacts.len() == count);
    let (mut compared, mut seen) = (0, Cases::default());
    for (r, got) in contacts.iter().enumerate() {
        passages.constants(r, got, errors);
        if others.iter().flatten().any(|other| other[r] != decisions[r]) {
            continue;
        }
        compared += 1;
        seen.iter_mut().zip(decisions[r].1).for_each(|(s, c)| *s |= c);
        let wanted = passages.contact(&edges, r);
        errors.holds(got.is_contact() == wanted.is_some());
        if let (Some(way), true) = (wanted, got.is_contact()) {
            passages.compare(&edges, r, got, &way, errors);
        }
    }
    if search.world.posed {
        errors.holds((count - compared) * COMPARED <= count);
    }
    if search.world.every_edge_case {
        errors.holds(seen.iter().all(|case| *case));
    }
    Ok(())
}

impl<'a> Passages<'a> {
    fn new(search: &'a Search<'a>) -> Self {
        let gap = |c: &Contact| c.is_contact().then_some(f64::from(c.gap));
        Self {
            search,
            records: search.edge_records(),
            particles: search.records(),
            gaps: search.found.contacts.iter().map(gap).collect(),
        }
    }

    fn ends(&self, r: usize) -> [usize; 2] {
        ends(self.search, self.records[r].feature - self.search.bench.len())
    }

    /// Whether it was a contact in the last search.
    fn known(&self, r: usize) -> bool {
        known(&self.search.found.recalled[self.search.records().len() + r])
    }

    fn held(&self, r: usize) -> Option<f64> {
        let body = self.records[r].body;
        held(self.ends(r), body, &self.particles, &self.gaps)
    }

    fn contact(&self, edges: &Edges<'_>, r: usize) -> Option<EdgeWay> {
        edges.contact(self.ends(r), &self.records[r], self.known(r), self.held(r))
    }

    fn decisions(&self, edges: &Edges<'_>) -> Vec<Decision> {
        let decision = |r| {
            let face = self.contact(edges, r).map(|way| way.face.triangle);
            (face, self.cases(edges, r))
        };
        (0..self.records.len()).map(decision).collect()
    }

    /// Found over a ridge; over a face with a ridge that the edge does not touch, and without a ridge. No way although
    /// there is one over a face, as that is longer than over the ridge. Found and too deep with the edge's own point
    /// outside, and found with it inside. Found without an end that the body holds and with one, remembered and not;
    /// dropped for such an end because it is not in the middle, and because it is not deeper. With an end's contact that
    /// is deep, that has a gap, that was lost.
    fn cases(&self, edges: &Edges<'_>, r: usize) -> Cases {
        let (ends, record, known, held) =
            (self.ends(r), &self.records[r], self.known(r), self.held(r));
        let mut cases = Cases::default();
        let Some(stretch) = edges.stretch(ends, record) else { return cases };
        let body = record.body;
        let ridge = edges.over_ridge(ends, body, &stretch).filter(|_| held.is_none());
        let Some(nearest) = edges.nearest(ends, record, held.is_some()) else {
            cases[3] = ridge.is_some();
            return cases;
        };
        let outside = edges.outside(ends, body, &nearest);
        let deep = nearest.gap > *edges.gaps(ends, body, &nearest).end();
        let out = edges.penetration_vector(ends, record, held.is_some()).is_some();
        let found = self.contact(edges, r).is_some();
        let central = (nearest.along - 0.5).abs() <= 0.25;
        let of_end = |wanted: fn(Option<f64>) -> bool| {
            let mut all = self.particles.iter().zip(&self.gaps);
            out && all.any(|(p, g)| p.body == body && ends.contains(&p.feature) && wanted(*g))
        };
        [
            found && nearest.over_ridge,
            found && !nearest.over_ridge && ridge.is_some(),
            found && ridge.is_none(),
            false,
            found && outside,
            found && !outside,
            deep && outside,
            found && held.is_none() && known,
            found && held.is_none() && !known,
            found && held.is_some() && known,
            found && held.is_some() && !known,
            out && !found && !central,
            out && !found && central,
            of_end(|gap| gap.is_some_and(|gap| gap > 0.0)),
            of_end(|gap| gap.is_some_and(|gap| gap < 0.0)),
            of_end(|gap| gap.is_none()),
        ]
    }

    /// What a contact takes over from its record, whatever came of it.
    fn constants(&self, r: usize, got: &Contact, errors: &mut ErrorStats) {
        let record = &self.records[r];
        errors.words(
            &[got.feature_a, got.bodies.y, got.missed],
            &[record.feature as u32, record.body as u32, 0],
        );
        let participants =
            if got.is_contact() { self.ends(r).map(|i| i as u32) } else { [NONE; 2] };
        errors.holds(got.a.dofs.to_array()[..2] == participants);
    }

    /// Scales are those of contacts of points; to the distance of the triangle comes how far the place on the edge is
    /// off, and over a ridge how far r is.
    fn compare(
        &self,
        edges: &Edges<'_>,
        r: usize,
        got: &Contact,
        way: &EdgeWay,
        errors: &mut ErrorStats,
    ) {
        let scene = &self.search.scene;
        let triangle = scene.surface[way.face.triangle];
        let corners = triangle.map(|i| scene.position[i]);
        let [a, b, c] = corners;
        let [from, to] = self.ends(r).map(|i| scene.position[i]);
        let (edge, x) = (to - from, from.lerp(to, way.along));
        let (out, n) = (way.direction, way.face.normal);
        let facing = n.dot(out);
        let place = self.place_scale(edges, r, way);
        errors.number(got.a.weights.y, way.along, place);
        errors.number(got.a.weights.x, 1.0 - way.along, place);
        let (turned, tilted) = if way.over_ridge {
            let turned = self.ridge_scales(edges, r)[1];
            (turned, turned / facing)
        } else {
            [shape(corners) / facing; 2].into()
        };
        errors.vector(got.normal, out, turned);
        let moved = place * edge.length();
        let slid = moved * n.dot(edge.normalize()).abs() / facing;
        let flat = (x.distance(a) + x.length()) * shape(corners) / facing;
        let gap = flat + way.gap.abs() * tilted + slid;
        errors.number(got.gap, way.gap, gap);
        let y = x + way.gap * out;
        let terms = longest_edge(&corners) + y.distance(a) + moved + gap + x.length();
        let scale = longest_edge(&corners) * terms * shape(corners) / (b - a).cross(c - a).length();
        let barycentric = barycentric_in_triangle(y, corners).expect("faces have an area");
        let wanted: Vec<_> = triangle.into_iter().zip(barycentric).collect();
        shares(got, &wanted, scale, errors);
    }

    /// What t is added up from: over a ridge that of the solution, else of the ends of the stretch.
    fn place_scale(&self, edges: &Edges<'_>, r: usize, way: &EdgeWay) -> f64 {
        let stretch = edges.stretch(self.ends(r), &self.records[r]);
        let stretch = stretch.expect("there is a way");
        let [a, b] = self.ends(r).map(|i| edges.tested()[i]);
        let end = |face: Option<Crossing>| {
            let Some(face) = face else { return 1.0 };
            // As far as a face is uncertain, over the cosine between it and the edge.
            let corners = self.corners(&face);
            1.0 + reach(a, corners) / face.normal.dot(b - a).abs()
        };
        let (first, last) = (end(stretch.enters), end(stretch.leaves));
        if way.over_ridge { self.ridge_scales(edges, r)[0] } else { 0.5 * (first + last) }
    }

    /// What t and r are added up from over a ridge. The ridge is the cross product of two normals, r that of edge and
    /// ridge; t is where the distances of the two faces, over the sine between them, are made up for, over the sine
    /// between edge and ridge.
    fn ridge_scales(&self, edges: &Edges<'_>, r: usize) -> [f64; 2] {
        let stretch = edges.stretch(self.ends(r), &self.records[r]);
        let faces = stretch.and_then(|s| Some([s.enters?, s.leaves?]));
        let faces = faces.expect("a ridge is between two faces");
        let [a, b] = self.ends(r).map(|i| self.search.scene.position[i]);
        let ridge = faces[0].normal.cross(faces[1].normal);
        let sine = ridge.length();
        let across = (b - a).cross(ridge).length() / a.distance(b);
        let normals: f64 = faces.iter().map(|f| shape(self.corners(f))).sum();
        let apart: f64 = faces.iter().map(|f| a.distance(self.corners(f)[0])).sum();
        let turned = (1.0 + normals) / across;
        let place = (1.0 + apart / a.distance(b)) * (normals / sine + turned) / across;
        [1.0 + place, turned]
    }

    fn corners(&self, face: &Crossing) -> [DVec3; 3] {
        let scene = &self.search.scene;
        scene.surface[face.triangle].map(|i| scene.position[i])
    }
}
