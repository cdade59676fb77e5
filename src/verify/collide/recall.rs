//! The pass that remembers the contacts of the last search, and some to remember.

use glam::{DVec3, UVec2, Vec3};

use super::depth::{begun, compare, shape, words};
use super::search::{Search, exact, known};
use crate::Result;
use crate::gpu::types::{Contact, NONE, Penetration, Side};
use crate::reference::contact::recall::recalled as recalled_of;
use crate::reference::contact::triangles;
use crate::reference::contact::{Record, Scene};
use crate::verify::trial::{Arrays, Written};
use crate::verify::{ErrorStats, Random, touch};

/// What is remembered of the last search; by the source's response nothing. Scales: of a normal its triangle's shape, of the distance from its plane what it
/// is added up from.
pub fn recall(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let scene = &search.scene;
    let records = [search.records(), search.edge_records()].concat();
    let passes = search.passes("contact_match");
    let [by_source, recalled] = [&passes[0], &passes[1]].map(|after| {
        let mut all: Vec<Penetration> = after.get("penetrations_out");
        all.truncate(records.len() + search.sphere_records());
        let of_spheres = |p: &Penetration| p.tet == NONE;
        let (of_spheres, recalled): (Vec<_>, Vec<_>) = all.into_iter().partition(of_spheres);
        begun_of_spheres(search, &of_spheres, errors);
        errors.holds(recalled.len() == records.len());
        recalled
    });
    let last: Vec<Contact> = passes[1].get("contacts");
    let known_of = LastSearch::new(search, &records).contacts.len();
    let real = last[..known_of].iter().filter(|c| c.is_contact());
    let last: Vec<_> = real.map(|c| touch::exact(c, scene.step)).collect();
    let wanted = recalled_of(scene, &records, &last);
    for (record, got) in records.iter().zip(&by_source) {
        errors.words(&words(got, got.sweep), &begun(record));
        errors.holds(!known(got) && got.depth == 0.0);
    }
    for ((record, got), wanted) in records.iter().zip(&recalled).zip(&wanted) {
        errors.words(&words(got, got.sweep), &begun(record));
        let Some(wanted) = wanted else {
            errors.holds(!known(got) && got.depth == 0.0);
            continue;
        };
        let Some(x) = scene.position.get(record.feature) else {
            errors.holds(exact(got) == Some(*wanted));
            continue;
        };
        let same =
            |c: &&triangles::Contact| (c.feature, c.partner) == (record.feature, record.body);
        let contact = last.iter().find(same).expect("it is remembered");
        let corners = contact.corners().expect("a triangle").map(|i| scene.position[i]);
        let scale = [x.distance(corners[0]) * shape(corners), shape(corners)];
        compare(got, Some(*wanted), scale, errors);
    }
    of_poses(search, &records, &passes[1], errors)
}

/// Of a contact with a pose the normal and the depth are remembered as they were.
fn of_poses(
    search: &Search<'_>,
    records: &[Record],
    passed: &Written,
    errors: &mut ErrorStats,
) -> Result<()> {
    let mut last: Vec<Contact> = passed.get("contacts");
    let pose = Side::of(&[(search.bench.len() as u32, 0.0)]);
    last.iter_mut().filter(|c| c.is_contact()).for_each(|contact| contact.b = pose);
    let known_of = LastSearch::new(search, records);
    let arrays: &Arrays<'_> = &[("contacts", &last), ("record_first_last", &known_of.first)];
    let after = search.again("contact_match", search.features(), arrays)?;
    let mut got: Vec<Penetration> = after.get("penetrations_out");
    got.truncate(records.len() + search.sphere_records());
    got.retain(|p| p.tet != NONE);
    for (record, got) in records.iter().zip(&got) {
        let same = |c: &&Contact| {
            let key = (c.feature_a as usize, c.bodies.y as usize);
            c.is_contact() && key == (record.feature, record.body)
        };
        let (direction, depth) = match last[..known_of.contacts.len()].iter().find(same) {
            Some(contact) => (contact.normal, contact.gap.max(0.0)),
            None => (Vec3::ZERO, 0.0),
        };
        errors.holds(got.direction == direction && got.depth == depth);
    }
    Ok(())
}

/// The records of spheres are begun, too, and nothing is recalled of them.
fn begun_of_spheres(search: &Search<'_>, got: &[Penetration], errors: &mut ErrorStats) {
    let counts = (0..).zip(&search.found.partner_counts);
    let features = counts.flat_map(|(feature, count)| (0..*count).map(move |_| feature));
    let begun = features.map(|feature| Penetration {
        feature,
        tet: NONE,
        body: NONE,
        ..Penetration::default()
    });
    errors.holds(got.iter().copied().eq(begun));
}

/// The records of a search as contacts.
#[derive(Debug)]
pub struct LastSearch {
    /// In order of feature.
    pub contacts: Vec<Contact>,
    /// Where those of each feature begin.
    pub first: Vec<u32>,
}

impl LastSearch {
    /// About half of the `records` that a search finds, and some of bodies that it does not.
    pub fn new(search: &Search<'_>, records: &[Record]) -> Self {
        let (mut random, scene) = (Random::new(99), &search.scene);
        let surface = scene.surface_of_bodies();
        let (mut contacts, mut first) = (Vec::new(), vec![0]);
        let mut next = records.iter().peekable();
        for feature in 0..search.features() {
            let edge = feature.checked_sub(search.bench.len());
            let particle = edge.map_or(feature, |e| search.found.edges[e].ends.x as usize);
            let mut bodies = Vec::new();
            if random.between(0.0, 1.0) < 0.1 {
                bodies.push(scene.bodies.len());
            }
            while let Some(record) = next.next_if(|r| r.feature == feature) {
                if random.between(0.0, 1.0) < 0.6 {
                    bodies.push(record.body);
                }
            }
            for body in bodies {
                let of_body = surface.get(body).map_or(&[][..], Vec::as_slice);
                contacts.push(Contact {
                    feature_a: feature as u32,
                    feature_b: body as u32,
                    bodies: UVec2::new(0, body as u32),
                    ..contact(scene, particle, of_body, &mut random)
                });
            }
            first.push(contacts.len() as u32);
        }
        Self { contacts, first }
    }
}

/// Some contact of particle `i` with the nearest or any one of the triangles `surface`; one in four is none.
fn contact(scene: &Scene, i: usize, surface: &[usize], random: &mut Random) -> Contact {
    let away = |t: &usize| -> f64 {
        let corners = scene.surface[*t].iter();
        corners.map(|k| scene.position[*k].distance(scene.position[i])).sum()
    };
    let any = random.index(0, surface.len().max(1));
    let nearest = surface
        .iter()
        .min_by(|a, b| away(a).total_cmp(&away(b)))
        .filter(|_| random.between(0.0, 1.0) < 0.5);
    let triangle = nearest.or(surface.get(any));
    let none = triangle.is_none() || random.between(0.0, 1.0) < 0.25;
    let corners = triangle.map_or([0; 3], |t| scene.surface[*t].map(|k| k as u32));
    let ([a, b, c], own) = (corners, [(i as u32, 1.0)]);
    Contact {
        normal: random.vector(1.0).normalize_or(DVec3::X).as_vec3(),
        gap: random.between(-0.05, 0.1) as f32,
        a: Side::of(if none { &[] } else { &own }),
        b: Side::of(&[(a, -0.25), (b, -0.25), (c, -0.5)]),
        ..Contact::default()
    }
}
