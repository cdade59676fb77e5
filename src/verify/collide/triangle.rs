//! The pass that turns ways out into contacts.

use glam::DVec3;

use super::super::tally::Tally;
use super::depth::shape;
use super::search::{Search, known};
use crate::gpu::types::{Contact, HIT_STRIDE, MAX_HITS, NONE};
use crate::reference::contact::penetration::Penetration;
use crate::reference::contact::triangles::{self, Outcome, contact_triangles};
use crate::reference::contact::{Record, Scene};

/// Of bodies that lie anyhow, at most one record in so many is left out.
const COMPARED: usize = 20;

/// Which records have a contact, with which triangle, and how deep; left out are those that the reference decides
/// otherwise when all inputs are shaken by some f32 epsilons.
pub fn contacts(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let (records, tested) = (search.records(), search.tested());
    let exact = |p: &crate::gpu::types::Penetration| {
        known(p).then(|| Penetration {
            depth: f64::from(p.depth),
            direction: p.direction.as_dvec3(),
        })
    };
    let found = search.sweeps.last().expect("there is the border's");
    let ways: Vec<_> = found.iter().map(exact).collect();
    let outcomes =
        |scene: &Scene, tested: &[DVec3]| contact_triangles(scene, tested, &records, &ways);
    let wanted = outcomes(&search.scene, &tested);
    let others = [3, 4, 5, 6].map(|seed| {
        let (scene, tested) = search.shaken(seed);
        outcomes(&scene, &tested)
    });
    let contacts = triangles::contacts(&search.scene, &records, &ways, &wanted);
    let mut contacts = contacts.iter();
    let mut compared = 0;
    tally.holds(search.contacts.len() == records.len());
    for (r, record) in records.iter().enumerate() {
        let got = &search.contacts[r];
        let contact = matches!(wanted[r], Outcome::Found(_))
            .then(|| contacts.next())
            .flatten();
        constants(search, record, got, &found[r], tally);
        if others.iter().any(|other| !alike(wanted[r], other[r])) {
            continue;
        }
        compared += 1;
        tally.holds((got.particles.x == NONE) == contact.is_none());
        tally.holds((got.unreached != 0) == (wanted[r] == Outcome::Undirected));
        if let (Some(contact), true) = (contact, got.particles.x != NONE) {
            compare(&search.scene, got, contact, tally);
        }
    }
    if search.world.posed {
        tally.holds((records.len() - compared) * COMPARED <= records.len());
    }
}

fn alike(one: Outcome, other: Outcome) -> bool {
    match (one, other) {
        (Outcome::Found(a), Outcome::Found(b)) => a.triangle == b.triangle,
        _ => one == other,
    }
}

/// What a contact takes over from its record and its bodies.
fn constants(
    search: &Search<'_>,
    record: &Record,
    got: &Contact,
    way: &crate::gpu::types::Penetration,
    tally: &mut Tally,
) {
    let list = &search.hits[1].tets[HIT_STRIDE as usize * record.feature..];
    let crowded = u32::from(list[MAX_HITS as usize] != NONE);
    tally.words(
        &[got.feature, got.body, got.fresh, got.crowded, got.second],
        &[record.feature as u32, record.body as u32, 1, crowded, NONE],
    );
    tally.holds(got.normal == way.direction && got.depth == way.depth);
    if got.particles.x == NONE {
        return;
    }
    let bodies = &search.bench.case.bodies;
    let (own, other) = (
        &bodies[search.scene.body[record.feature]],
        &bodies[record.body],
    );
    tally.holds(got.particles.x as usize == record.feature && got.weights.x == 1.0);
    tally.holds(got.restitution == own.restitution.max(other.restitution));
    tally.holds(got.edge == own.edge.min(other.edge));
}

/// g; scale: the distance of the triangle and g, over n·r. Barycentric coordinates; scale: the longest edge times what
/// the contact point is added up from, over twice the area.
fn compare(scene: &Scene, got: &Contact, wanted: &triangles::Contact, tally: &mut Tally) {
    let corners = wanted.corners.map(|i| scene.position[i]);
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let x = scene.position[wanted.feature];
    let shape = shape(corners);
    let along = normal.normalize().dot(wanted.direction);
    let gap = (x.distance(a) + wanted.depth.abs()) * shape / along;
    tally.number(got.gap, wanted.depth, gap);
    tally.number(got.friction, wanted.friction, wanted.friction);
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let y = x + wanted.depth * wanted.direction;
    let terms = longest + y.distance(a) + x.length() + gap;
    let scale = longest * terms * shape / normal.length();
    shares(got, wanted.corners, wanted.barycentric, scale, tally);
}

/// Compares barycentric coordinates.
pub fn shares(got: &Contact, corners: [usize; 3], wanted: [f64; 3], scale: f64, tally: &mut Tally) {
    // At an edge or a corner another triangle will do, if the weights of the same particles are the same.
    let share = |corners: &[u32], shares: &[f64], i: u32| -> f64 {
        corners
            .iter()
            .position(|corner| *corner == i)
            .map_or(0.0, |k| shares[k])
    };
    let got_corners = &got.particles.to_array()[1..];
    let got_shares = got.weights.to_array().map(|w| -f64::from(w));
    let corners = corners.map(|i| i as u32);
    for &i in got_corners.iter().chain(&corners) {
        let share_got = share(got_corners, &got_shares[1..], i);
        tally.number(share_got as f32, share(&corners, &wanted, i), scale);
    }
}
