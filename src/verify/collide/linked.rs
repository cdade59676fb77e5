//! The pass that enters contacts in the lists of their participants, on random contacts.

use glam::Vec4;

use super::lists::{slice_sums, with_sums};
use crate::Result;
use crate::gpu::types::{
    Body, Collide, Contact, IN_FRONT, Impulse, LIST_LOADS, LIST_LONG, LIST_RECORDS, NONE, Pose,
    Row, SLICE, Side, Sim, UNREACHED,
};
use crate::reference::contact::impulse::{self, Memory, taken_along, warm_start};
use crate::verify::touch::{Lists, Touch};
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// Random contacts of a case, in lists.
pub struct Linked {
    pub touch: Touch,
    /// Which of the records are contacts.
    pub real: Vec<usize>,
}

impl Linked {
    /// Contacts of all kinds.
    pub fn new(bench: &Bench<'_>, random: &mut Random) -> Self {
        let mut touch = Touch::random(bench, &bench.oracle(), random);
        for contact in &mut touch.contacts {
            let lost = if contact.is_contact() { 0 } else { random.index(0, 3) };
            contact.missed = random.index(0, 2) as u32 | [0, UNREACHED, IN_FRONT][lost];
        }
        Self { real: touch.real(), touch }
    }

    /// So many records, the same over and over; every other contact is of the first particle.
    pub fn crowded(bench: &Bench<'_>, count: usize, random: &mut Random) -> Self {
        let mut touch = Self::new(bench, random).touch;
        touch.contacts = touch.contacts.iter().cycle().take(count).copied().collect();
        touch.rows = touch.rows.iter().cycle().take(count).copied().collect();
        for contact in touch.contacts.iter_mut().step_by(2).filter(|c| c.is_contact()) {
            contact.a = Side::of(&[(0, 1.0)]);
        }
        touch.renew();
        touch.lists = Lists::new(&touch.contacts, [bench.len(), 0]);
        Self { real: touch.real(), touch }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.touch.contacts.len()
    }

    /// Runs the kernel on them and on what is given.
    pub fn run(
        &self,
        bench: &Bench<'_>,
        sim: Sim,
        threads: usize,
        given: &Arrays<'_>,
    ) -> Result<Written> {
        let Touch { contacts, lists, rows, .. } = &self.touch;
        let own: &Arrays<'_> = &[
            ("contact_lists", &lists.words),
            ("list_first", &lists.first),
            ("entries", &lists.entries),
            ("rows", rows),
            ("contacts", contacts),
            ("poses", &[Pose::default(); 1]),
            ("wrenches", &[Vec4::ZERO; 1]),
        ];
        bench.run(sim, threads, &[own, given].concat())
    }

    /// The rows of the contacts and the sums over slices of long lists.
    pub fn with_sums(&self, rows: &[Row]) -> Vec<Row> {
        let Touch { lists, contacts, .. } = &self.touch;
        with_sums(rows, &slice_sums(lists, contacts, rows, &|_, _| None))
    }

    /// The uniform with room for the records.
    pub fn room(&self) -> [Collide; 1] {
        room(self.len())
    }

    /// Some impulse of each record.
    pub fn impulses(&self, random: &mut Random) -> Vec<Impulse> {
        (0..self.len() as u32).map(|c| impulse(c, random)).collect()
    }
}

/// The uniform with room for so many records.
pub fn room(records: usize) -> [Collide; 1] {
    [Collide { capacity: records as u32, ..Collide::default() }]
}

/// Some impulse.
pub fn impulse(body: u32, random: &mut Random) -> Impulse {
    Impulse {
        tangent: random.vector(1.0).as_vec3(),
        normal: random.between(0.0, 2.0) as f32,
        normal_change: random.between(-3.0, 3.0) as f32,
        tangent_change: random.between(0.0, 2.0) as f32,
        feature_b: body,
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
    [last.normal + last.normal_change.abs(), last.tangential.length() + last.tangential_change]
}

/// Makes some features touch several triangles of a body: partners with even numbers from `first` on.
fn on_triangles(touch: &mut Touch, first: u32, random: &mut Random) {
    let mut before = None;
    for c in touch.real() {
        let contact = &mut touch.contacts[c];
        if contact.a.dofs.y != NONE || contact.b.dofs.y == NONE {
            before = None;
            continue;
        }
        if let Some((last, feature, body)) = before
            && last + 1 == c
            && random.between(0.0, 1.0) < 0.7
        {
            (contact.feature_a, contact.bodies.y) = (feature, body);
        }
        contact.feature_b = first + 2 * c as u32;
        before = Some((c, contact.feature_a, contact.bodies.y));
    }
    touch.renew();
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
        for now in now.filter(|c| c.feature_a as usize == feature) {
            if random.between(0.0, 1.0) < 0.5 {
                partners.push((now.feature_b, now.bodies.y));
            }
            if now.feature_b >= triangles && random.between(0.0, 1.0) < 0.5 {
                partners.push((now.feature_b + 1, now.bodies.y));
            }
        }
        // What the case does not have, beyond any of its triangles.
        partners.extend(
            (1 << 20..(1 << 20) + 2).filter(|_| random.between(0.0, 1.0) < 0.3).map(|b| (b, b)),
        );
        partners.sort_unstable();
        impulses.extend(
            partners
                .into_iter()
                .map(|(partner, body)| Impulse { body, ..impulse(partner, random) }),
        );
        first.push(impulses.len() as u32);
    }
    (impulses, first)
}

/// Bodies with their own friction and edges.
fn bodies(bench: &Bench<'_>, random: &mut Random) -> Vec<Body> {
    let body = |body: &Body| Body {
        friction: random.between(0.0, 0.9) as f32,
        edge: random.between(0.1, 1.0) as f32,
        thickness: random.between(0.1, 1.0) as f32,
        ..*body
    };
    bench.case.bodies.iter().map(body).collect()
}

/// Friction and edge of contacts by those of their two bodies; records that no contact came of stay.
fn constants(touch: &mut Touch, bodies: &[Body], got: &[Contact], errors: &mut ErrorStats) {
    let mut wanted = touch.wanted.iter_mut();
    for (before, got) in touch.contacts.iter().zip(got) {
        if !before.is_contact() {
            errors.holds(got == before);
            continue;
        }
        let [own, other] = before.bodies.to_array().map(|body| &bodies[body as usize]);
        let friction = (f64::from(own.friction) * f64::from(other.friction)).sqrt();
        errors.number(got.friction, friction, friction);
        errors.holds(
            *got == Contact { friction: got.friction, size: own.edge.min(other.edge), ..*before },
        );
        wanted.next().expect("one for each").friction = friction;
    }
}

/// What contacts have of their bodies, how many each participant has and their loads, and the impulses to start from; those
/// beyond the room that there is are left alone.
pub fn setup(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let particles = bench.len();
    let mut random = Random::new(61);
    let mut touch = Linked::new(bench, &mut random).touch;
    let triangles = (bench.case.bodies.len() + particles) as u32;
    on_triangles(&mut touch, triangles, &mut random);
    let bodies = bodies(bench, &mut random);
    let (last, last_first) = last_step(bench, &touch, triangles, &mut random);
    let records = touch.contacts.len();
    let before = |c: u32| touch.contacts.iter().filter(|o| o.feature_a < c).count() as u32;
    let first: Vec<_> = (0..=particles as u32).map(before).collect();
    for room in [records.max(last.len()), records / 2] {
        let mut empty = vec![0_u32; LIST_LOADS as usize + particles];
        empty[..LIST_LOADS as usize].fill(7);
        let unwritten = vec![impulse(NONE, &mut random); records];
        let collide = Collide {
            capacity: room as u32,
            feature_count: particles as u32,
            ..Collide::default()
        };
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("contact_lists", &empty),
            ("list_counts", &vec![0_u32; particles]),
            ("contacts", &touch.contacts),
            ("record_first", &first),
            ("record_first_last", &last_first),
            ("impulses", &last),
            ("impulses_warm_start", &unwritten),
            ("bodies", &bodies),
        ];
        let after = bench.run(bench.case.sim, records, arrays)?;
        let count = records.min(room);
        let got: Vec<Contact> = after.get("contacts");
        errors.holds(got[count..] == touch.contacts[count..]);
        constants(&mut touch, &bodies, &got[..count], errors);
        let mut wanted = Lists::new(&touch.contacts[..count], [particles, 0]);
        wanted.words[..LIST_LOADS as usize].fill(7);
        wanted.words[LIST_RECORDS as usize] = records as u32;
        if wanted.counts.iter().any(|count| *count > SLICE) {
            wanted.words[LIST_LONG as usize] = 1;
        }
        errors.words(&after.get::<u32>("contact_lists"), &wanted.words);
        errors.words(&after.get::<u32>("list_counts"), &wanted.counts);
        let got: Vec<Impulse> = after.get("impulses_warm_start");
        errors.holds(got[count..] == unwritten[count..]);
        let memory = memory(&touch, (&last, &last_first), triangles, room);
        warm_impulses(&touch, &got[..count], &memory, errors);
    }
    Ok(())
}

/// What the first `room` contacts start from: the last step's impulses of the same triangle, or of the same body.
fn memory(
    touch: &Touch,
    (last, first): (&[Impulse], &[u32]),
    triangles: u32,
    room: usize,
) -> Memory {
    let remembered = |s: usize| {
        let feature = first.partition_point(|f| *f as usize <= s) - 1;
        ((feature, last[s].feature_b as usize), exact(&last[s]))
    };
    let memory: Memory = (0..last.len().min(room)).map(remembered).collect();
    let bodies = last.iter().map(|i| (i.feature_b, i.body));
    let bodies = bodies.chain(touch.contacts.iter().map(|c| (c.feature_b, c.bodies.y)));
    let bodies: Vec<_> = bodies.filter(|(p, _)| *p >= triangles).collect();
    let body_of = |partner: usize| {
        let of_body = bodies.iter().find(|(p, _)| *p as usize == partner);
        of_body.map(|(_, body)| *body as usize)
    };
    let records = touch.contacts[..room.min(touch.contacts.len())].iter();
    let now = records.filter(|c| c.is_contact()).count();
    taken_along(&touch.wanted[..now], &memory, body_of)
}

/// Impulses to start from; the cone cuts λ_t at μ λ_n.
fn warm_impulses(touch: &Touch, got: &[Impulse], memory: &Memory, errors: &mut ErrorStats) {
    let mut wanted = touch.wanted.iter().zip(warm_start(&touch.wanted, memory));
    for (got, contact) in got.iter().zip(&touch.contacts) {
        errors.holds((got.feature_b, got.body) == (contact.feature_b, contact.bodies.y));
        if !contact.is_contact() {
            errors.holds(
                *got == Impulse {
                    feature_b: contact.feature_b,
                    body: contact.bodies.y,
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
        errors.vector(got.tangent, wanted.tangential, tangent + contact.friction * normal);
        errors.holds((got.normal_change, got.tangent_change) == (0.0, 0.0));
    }
}
