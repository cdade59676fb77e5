//! The pass that turns penetration vectors into contacts.

use glam::DVec3;

use super::depth::shape;
use super::search::{Search, exact, known};
use crate::Result;
use crate::gpu::types::{
    Contact, HIT_STRIDE, IN_FRONT, MAX_HITS, NONE, Penetration, Side, UNREACHED,
};
use crate::reference::contact::geometry::longest_edge;
use crate::reference::contact::triangles::{self, Outcome, contact_triangles};
use crate::reference::contact::{Record, Scene};
use crate::verify::ErrorStats;

/// Of bodies that lie anyhow, at most one record in so many is left out.
const COMPARED: usize = 20;

/// Which records have a contact, with which triangle, and how deep; left out are those that the reference decides
/// otherwise when all inputs are shaken by some f32 epsilons.
pub fn contacts(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (records, tested) = (search.records(), search.tested());
    let after: Vec<Contact> = search.after("contact_triangles").get("contacts");
    let last = search.after("contact_match").array("contacts");
    let (_, of_spheres, of_edges) = search.contacts_of(&after);
    let (_, last_of_spheres, last_of_edges) = search.contacts_of(&last.decode::<Contact>());
    errors.holds((of_spheres, of_edges) == (last_of_spheres, last_of_edges));
    let found = search.found.sweeps.last().expect("there is the border's");
    let ways: Vec<_> = found.iter().map(exact).collect();
    let outcomes =
        |scene: &Scene, tested: &[DVec3]| contact_triangles(scene, tested, &records, &ways);
    let wanted = outcomes(&search.scene, &tested);
    let others = [3, 4, 5, 6, 7, 8].map(|seed| {
        let both = search.shaken(seed);
        both.map(|(scene, tested)| outcomes(&scene, &tested))
    });
    let contacts = triangles::contacts(&search.scene, &records, &ways, &wanted);
    let mut contacts = contacts.iter();
    let mut compared = 0;
    if search.found.contacts.len() != records.len() {
        errors.holds(false);
        return Ok(());
    }
    for (r, record) in records.iter().enumerate() {
        let got = &search.found.contacts[r];
        let contact = matches!(wanted[r], Outcome::Found(_)).then(|| contacts.next()).flatten();
        errors.holds(*got == taken_over(begun(search, record, &found[r]), found[r].depth, got));
        if others.iter().flatten().any(|other| !alike(wanted[r], other[r])) {
            continue;
        }
        compared += 1;
        errors.holds(got.is_contact() == contact.is_some());
        if let (Some(contact), true, Outcome::Found(found)) = (contact, got.is_contact(), wanted[r])
        {
            compare(&search.scene, got, contact, found.turned_at, errors);
        }
    }
    if search.world.posed {
        errors.holds((records.len() - compared) * COMPARED <= records.len());
    }
    Ok(())
}

fn alike(one: Outcome, other: Outcome) -> bool {
    match (one, other) {
        (Outcome::Found(a), Outcome::Found(b)) => {
            (a.triangle, a.turned_at) == (b.triangle, b.turned_at)
        }
        _ => one == other,
    }
}

/// What a record's contact begins with.
fn begun(search: &Search<'_>, record: &Record, found: &Penetration) -> Contact {
    let hits = &search.found.hits.tets[HIT_STRIDE as usize * record.feature..];
    Contact {
        a: Side::of(&[]),
        b: Side::of(&[]),
        feature_a: record.feature as u32,
        feature_b: record.body as u32,
        bodies: [search.scene.body[record.feature], record.body].map(|b| b as u32).into(),
        normal: found.direction,
        missed: u32::from(hits[MAX_HITS as usize] != NONE)
            | if known(found) { 0 } else { UNREACHED },
        ..Contact::default()
    }
}

/// A record's contact as it began, with what makes it one as it is in `got`; `depth`: the estimate \[m\].
fn taken_over(begun: Contact, depth: f32, got: &Contact) -> Contact {
    if !got.is_contact() {
        let in_front = begun.missed & UNREACHED == 0 && depth <= 0.0;
        return Contact { missed: begun.missed | if in_front { IN_FRONT } else { 0 }, ..begun };
    }
    Contact {
        normal: got.normal,
        gap: got.gap,
        a: Side::of(&[(begun.feature_a, 1.0)]),
        b: Side { dofs: got.b.dofs.with_w(NONE), weights: got.b.weights.with_w(0.0) },
        ..begun
    }
}

/// r, the record's own or with the scale of the triangle that turned it. g; scale: the distance of the triangle and g,
/// over n·r. Barycentric coordinates; scale: the longest edge times what the contact point is added up from, over twice
/// the area.
fn compare(
    scene: &Scene,
    got: &Contact,
    wanted: &triangles::Contact,
    turned_at: Option<usize>,
    errors: &mut ErrorStats,
) {
    let turned = turned_at.map_or(0.0, |t| shape(scene.surface[t].map(|i| scene.position[i])));
    errors.vector(got.normal, wanted.direction, turned);
    let of_triangle = wanted.corners().expect("the other side is a triangle");
    let corners = of_triangle.map(|i| scene.position[i]);
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let x = scene.position[wanted.feature];
    let shape = shape(corners);
    let along = normal.normalize().dot(wanted.direction);
    let gap = (x.distance(a) + wanted.depth.abs()) * (shape + turned) / along;
    errors.number(got.gap, wanted.depth, gap);
    let y = x + wanted.depth * wanted.direction;
    let terms = longest_edge(&corners) + y.distance(a) + x.length() + gap;
    let scale = longest_edge(&corners) * terms * shape / normal.length();
    shares(got, &wanted.others, scale, errors);
}

/// Compares barycentric coordinates.
pub fn shares(got: &Contact, wanted: &[(usize, f64)], scale: f64, errors: &mut ErrorStats) {
    // At an edge or a corner another triangle will do, if the weights of the same particles are the same.
    let share = |parts: &[(usize, f64)], i: usize| -> f64 {
        let part = parts.iter().find(|(corner, _)| *corner == i);
        part.map_or(0.0, |(_, share)| *share)
    };
    let got: Vec<_> = got.b.parts().map(|(i, w)| (i as usize, -f64::from(w))).collect();
    for &(i, _) in got.iter().chain(wanted) {
        errors.number(share(&got, i) as f32, share(wanted, i), scale);
    }
}
