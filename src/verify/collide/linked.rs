//! The pass that enters contacts in the lists of their participants, on random contacts.

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::errors::ErrorStats;
use super::super::oracle::Oracle;
use super::super::touch::{Touch, rows, uniform};
use crate::Result;
use crate::gpu::types::{
    Body, Collide, Contact, Impulse, LOAD_UNIT, NONE, ROW_SORTED, ROW_WORDS, Tested,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::impulse::{self, Memory, taken_along, warm_start};

/// The contacts of a case, and which of the records they are.
pub fn contacts(bench: &Bench<'_>, random: &mut Random) -> (Touch, Vec<usize>) {
    let oracle = Oracle::new(bench.case, &bench.case.sim, &bench.case.particles);
    let mut touch = Touch::random(bench, &oracle, random);
    for contact in &mut touch.contacts {
        let lost = contact.particles.x == NONE;
        contact.target_speed = random.between(-1.0, 1.0) as f32;
        contact.fresh = random.index(0, 2) as u32;
        contact.overflowed = random.index(0, 2) as u32;
        contact.unreached = if lost { random.index(0, 2) as u32 } else { 0 };
    }
    let real: Vec<_> = (0..touch.contacts.len())
        .filter(|c| touch.contacts[*c].particles.x != NONE)
        .collect();
    for (wanted, c) in touch.wanted.iter_mut().zip(&real) {
        wanted.target = f64::from(touch.contacts[*c].target_speed);
    }
    (touch, real)
}

/// The lists of contacts in any order, with the participants' loads.
pub fn lists(contacts: &[Contact], particles: usize, random: &mut Random) -> Vec<u32> {
    let seed = random.index(0, 1 << 30) as u64;
    let mut rows = rows(contacts, particles, |nodes| {
        let mut random = Random::new(seed);
        for k in 1..nodes.len() {
            nodes.swap(k, random.index(0, k + 1));
        }
    });
    let loads = loads(contacts, particles);
    for (row, load) in rows.chunks_exact_mut(2).zip(loads) {
        row[1] = load;
    }
    rows
}

/// The sum of each particle's weights' magnitudes, each rounded up to whole parts.
fn loads(contacts: &[Contact], particles: usize) -> Vec<u32> {
    let mut loads = vec![0; particles];
    for contact in contacts.iter().filter(|c| c.particles.x != NONE) {
        let mut add = |i: u32, w: f32| {
            if i != NONE {
                loads[i as usize] += (w.abs() * LOAD_UNIT).ceil() as u32;
            }
        };
        let (particles, weights) = (contact.particles.to_array(), contact.weights.to_array());
        particles
            .into_iter()
            .zip(weights)
            .for_each(|(i, w)| add(i, w));
        add(contact.second, contact.second_weight);
    }
    loads
}

/// A list's nodes, as far as it goes.
pub fn nodes(rows: &[u32], particles: usize, i: usize) -> Vec<u32> {
    let next = &rows[2 * particles + ROW_WORDS as usize..];
    let follow = |node: &u32| next.get(*node as usize).copied().filter(|n| *n != NONE);
    let first = Some(rows[2 * i]).filter(|n| *n != NONE);
    std::iter::successors(first, follow)
        .take(next.len())
        .collect()
}

/// Some impulse.
pub fn impulse(body: u32, random: &mut Random) -> Impulse {
    Impulse {
        tangent: random.vector(1.0).as_vec3(),
        normal: random.between(0.0, 2.0) as f32,
        normal_change: random.between(-3.0, 3.0) as f32,
        tangent_change: random.between(0.0, 2.0) as f32,
        partner: body,
        ..Impulse::default()
    }
}

/// An impulse as the reference has it.
pub fn exact(impulse: &Impulse) -> impulse::Impulse {
    impulse::Impulse {
        normal: f64::from(impulse.normal),
        tangential: impulse.tangent.as_dvec3(),
        normal_change: f64::from(impulse.normal_change),
        tangential_change: f64::from(impulse.tangent_change),
    }
}

/// Sizes of what an impulse to start from is added up from: λ_n, λ_t.
pub fn kept_scales(last: &impulse::Impulse) -> [f64; 2] {
    [
        last.normal + last.normal_change.abs(),
        last.tangential.length() + last.tangential_change,
    ]
}

/// Makes some features touch several triangles of a body: partners with even numbers from `first` on.
fn on_triangles(touch: &mut Touch, real: &[usize], first: u32, random: &mut Random) {
    let mut before = None;
    for (wanted, &c) in touch.wanted.iter_mut().zip(real) {
        let contact = &mut touch.contacts[c];
        if contact.second != NONE || contact.particles.z == NONE {
            before = None;
            continue;
        }
        if let Some((last, feature, body)) = before
            && last + 1 == c
            && random.between(0.0, 1.0) < 0.7
        {
            (contact.feature, contact.body) = (feature, body);
            wanted.feature = feature as usize;
        }
        contact.partner = first + 2 * c as u32;
        wanted.partner = contact.partner as usize;
        before = Some((c, contact.feature, contact.body));
    }
}

/// The last step's impulses, some of each particle, and where each particle's begin; triangles that are touched no more
/// have odd numbers from `triangles` on.
fn last_step(
    bench: &Bench<'_>,
    touch: &Touch,
    triangles: u32,
    random: &mut Random,
) -> (Vec<Impulse>, Vec<u32>) {
    let (mut impulses, mut first) = (Vec::new(), vec![0]);
    for feature in 0..bench.len() {
        let now = touch.contacts.iter();
        let mut partners = Vec::new();
        for now in now.filter(|c| c.feature as usize == feature) {
            if random.between(0.0, 1.0) < 0.5 {
                partners.push((now.partner, now.body));
            }
            if now.partner >= triangles && random.between(0.0, 1.0) < 0.5 {
                partners.push((now.partner + 1, now.body));
            }
        }
        // What the case does not have, beyond any of its triangles.
        partners.extend(
            (1 << 20..(1 << 20) + 2)
                .filter(|_| random.between(0.0, 1.0) < 0.3)
                .map(|b| (b, b)),
        );
        partners.sort_unstable();
        impulses.extend(partners.into_iter().map(|(partner, body)| Impulse {
            body,
            ..impulse(partner, random)
        }));
        first.push(impulses.len() as u32);
    }
    (impulses, first)
}

/// Bodies with their own friction and edges.
fn bodies(bench: &Bench<'_>, random: &mut Random) -> Vec<Body> {
    let body = |body: &Body| Body {
        friction: random.between(0.0, 0.9) as f32,
        edge: random.between(0.1, 1.0) as f32,
        ..*body
    };
    bench.case.bodies.iter().map(body).collect()
}

/// The bodies of particles, at no places.
fn tested(touch: &Touch) -> Vec<Tested> {
    let of_body = |body: &usize| Tested {
        body: *body as u32,
        ..Tested::default()
    };
    touch.scene.body.iter().map(of_body).collect()
}

/// Friction and edge of contacts by those of their two bodies; records that no contact came of stay.
fn constants(touch: &mut Touch, bodies: &[Body], got: &[Contact], errors: &mut ErrorStats) {
    let mut wanted = touch.wanted.iter_mut();
    for (before, got) in touch.contacts.iter().zip(got) {
        if before.particles.x == NONE {
            errors.holds(got == before);
            continue;
        }
        let own = &bodies[touch.scene.body[before.particles.x as usize]];
        let other = &bodies[before.body as usize];
        let friction = (f64::from(own.friction) * f64::from(other.friction)).sqrt();
        errors.number(got.friction, friction, friction);
        errors.holds(
            *got == Contact {
                friction: got.friction,
                edge: own.edge.min(other.edge),
                ..*before
            },
        );
        wanted.next().expect("one for each").friction = friction;
    }
}

/// What contacts have of their bodies, lists, loads and the impulses to start from; those beyond the room that there is are
/// left alone.
pub fn link(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, particles) = (bench.context, bench.len());
    let mut random = Random::new(61);
    let (mut touch, real) = contacts(bench, &mut random);
    let triangles = (bench.case.bodies.len() + particles) as u32;
    on_triangles(&mut touch, &real, triangles, &mut random);
    let body_values = bodies(bench, &mut random);
    let bodies = Buffer::new(context, "bodies", &body_values)?;
    let tested = Buffer::new(context, "tested", &tested(&touch))?;
    let (last, last_first) = last_step(bench, &touch, triangles, &mut random);
    let records = touch.contacts.len();
    let before = |c: u32| touch.contacts.iter().filter(|o| o.feature < c).count() as u32;
    let first: Vec<_> = (0..=particles as u32).map(before).collect();
    for room in [records.max(last.len()), records / 2] {
        let clear: Vec<u32> = [NONE, 0].repeat(particles);
        let mut empty = [clear, vec![7; 2]].concat();
        empty.resize(2 * particles + ROW_WORDS as usize + 8 * records, 7);
        let rows = Buffer::new(context, "rows", &empty)?;
        let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
        let record_first = Buffer::new(context, "record_first", &first)?;
        let record_first_last = Buffer::new(context, "record_first_last", &last_first)?;
        let impulses = Buffer::new(context, "impulses", &last)?;
        let unwritten = vec![impulse(NONE, &mut random); records];
        let warm = Buffer::new(context, "impulses_warm_start", &unwritten)?;
        let collide = uniform(
            context,
            Collide {
                capacity: room as u32,
                feature_count: particles as u32,
                ..Collide::default()
            },
        );
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contacts.bind("contacts"),
            record_first.bind("record_first"),
            record_first_last.bind("record_first_last"),
            impulses.bind("impulses"),
            warm.bind("impulses_warm_start"),
            bodies.bind("bodies"),
            tested.bind("tested"),
        ];
        bench.dispatch(kernel, bench.case.sim, records, &others);
        errors.case();
        let count = records.min(room);
        let got = contacts.read(context)?;
        errors.holds(got[count..] == touch.contacts[count..]);
        constants(&mut touch, &body_values, &got[..count], errors);
        let linked = &touch.contacts[..count];
        let (got, wanted) = (rows.read(context)?, lists(linked, particles, &mut random));
        errors.holds(got[2 * particles..2 * particles + 2] == [records as u32, 7]);
        same_lists(&got, &wanted, particles, errors);
        let memory = |s: usize| {
            let feature = last_first.partition_point(|f| *f as usize <= s) - 1;
            ((feature, last[s].partner as usize), exact(&last[s]))
        };
        let memory: Memory = (0..last.len().min(room)).map(memory).collect();
        let body_of = |partner: usize| {
            let known = last.iter().map(|i| (i.partner, i.body));
            let known = known.chain(touch.contacts.iter().map(|c| (c.partner, c.body)));
            let is_it = |p: &u32| *p as usize == partner && *p >= triangles;
            known
                .clone()
                .find(|(p, _)| is_it(p))
                .map(|(_, body)| body as usize)
        };
        let now: Vec<_> = real
            .iter()
            .zip(&touch.wanted)
            .filter(|(c, _)| **c < room)
            .collect();
        let now: Vec<_> = now.into_iter().map(|(_, wanted)| wanted.clone()).collect();
        let memory = taken_along(&now, &memory, body_of);
        let got = warm.read(context)?;
        errors.holds(got[count..] == unwritten[count..]);
        warm_impulses(&touch, &got[..count], &memory, errors);
    }
    Ok(())
}

/// Lists with the same nodes in any order, and loads.
fn same_lists(got: &[u32], wanted: &[u32], particles: usize, errors: &mut ErrorStats) {
    for i in 0..particles {
        let [mut a, mut b] = [got, wanted].map(|rows| nodes(rows, particles, i));
        a.sort_unstable();
        b.sort_unstable();
        errors.words(&a, &b);
        errors.words(&[got[2 * i + 1]], &[wanted[2 * i + 1]]);
    }
}

/// Impulses to start from; the cone cuts λ_t at μ λ_n.
fn warm_impulses(touch: &Touch, got: &[Impulse], memory: &Memory, errors: &mut ErrorStats) {
    let mut wanted = touch.wanted.iter().zip(warm_start(&touch.wanted, memory));
    for (got, contact) in got.iter().zip(&touch.contacts) {
        errors.holds((got.partner, got.body) == (contact.partner, contact.body));
        if contact.particles.x == NONE {
            errors.holds(
                *got == Impulse {
                    partner: contact.partner,
                    body: contact.body,
                    ..Impulse::default()
                },
            );
            continue;
        }
        let (contact, wanted) = wanted.next().expect("one for each");
        let key = (contact.feature, contact.partner);
        let last = memory.get(&key).copied().unwrap_or_default();
        let [normal, tangent] = kept_scales(&last);
        errors.number(got.normal, wanted.normal, normal);
        errors.vector(
            got.tangent,
            wanted.tangential,
            tangent + contact.friction * normal,
        );
        errors.holds((got.normal_change, got.tangent_change) == (0.0, 0.0));
    }
}

/// Each particle's list of contacts holds what it did `before`, in ascending order.
pub(super) fn in_order(errors: &mut ErrorStats, before: &[u32], after: &[u32], count: usize) {
    for i in 0..count {
        let [got, mut wanted] = [after, before].map(|rows| nodes(rows, count, i));
        wanted.sort_unstable();
        let sorted = if wanted.is_empty() { 0 } else { ROW_SORTED };
        errors.words(&got, &wanted);
        errors.holds(after[2 * i + 1] == before[2 * i + 1] | sorted);
    }
}
