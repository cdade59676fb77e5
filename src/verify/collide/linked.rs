//! The passes that enter contacts in the lists of their participants and follow them from step to step, on random
//! contacts.

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::oracle::Oracle;
use super::super::tally::Tally;
use super::super::touch::{Touch, rows, uniform};
use crate::Result;
use crate::gpu::types::{
    Collide, Contact, DEPTH_UNIT, Impulse, LOAD_UNIT, NONE, ROW_WORDS, Sim, TALLY_CONTACTS,
    TALLY_CROWDED, TALLY_DEEPEST, TALLY_DEPTH, TALLY_INSIDE, TALLY_LOST, TALLY_POINTS,
    TALLY_RECORDS, TALLY_SWEEPS, TALLY_TOUCHING, TALLY_WORDS,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::impulse::{self, Memory, warm_start};
use crate::reference::contact::weighted;

/// The contacts of a case, and which of the records they are.
pub fn contacts(bench: &Bench<'_>, random: &mut Random) -> (Touch, Vec<usize>) {
    let oracle = Oracle::new(bench.case, &bench.case.sim, &bench.case.particles);
    let mut touch = Touch::random(bench, &oracle, random);
    for contact in &mut touch.contacts {
        let lost = contact.particles.x == NONE;
        contact.edge = random.between(0.1, 1.0) as f32;
        contact.restitution = random.between(-0.5, 0.9).max(0.0) as f32;
        contact.target_speed = random.between(-1.0, 1.0) as f32;
        contact.fresh = random.index(0, 2) as u32;
        contact.crowded = random.index(0, 2) as u32;
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
        let mut add = |i: u32, w: f32| loads[i as usize] += (w.abs() * LOAD_UNIT).ceil() as u32;
        let (particles, weights) = (contact.particles.to_array(), contact.weights.to_array());
        particles
            .into_iter()
            .zip(weights)
            .for_each(|(i, w)| add(i, w));
        if contact.second != NONE {
            add(contact.second, contact.second_weight);
        }
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
        body,
        ..Impulse::default()
    }
}

/// An impulse as the reference has it.
pub fn exact(impulse: &Impulse) -> impulse::Impulse {
    impulse::Impulse {
        normal: f64::from(impulse.normal),
        tangential: impulse.tangent.as_dvec3(),
    }
}

/// The last step's impulses, up to three of each particle, and where each particle's begin.
fn last_step(bench: &Bench<'_>, touch: &Touch, random: &mut Random) -> (Vec<Impulse>, Vec<u32>) {
    let (mut impulses, mut first) = (Vec::new(), vec![0]);
    for feature in 0..bench.len() {
        let now = touch
            .contacts
            .iter()
            .find(|c| c.feature as usize == feature);
        let held = now
            .map(|c| c.body)
            .filter(|_| random.between(0.0, 1.0) < 0.7);
        let mut bodies: Vec<u32> = held.into_iter().collect();
        bodies.extend((4..6).filter(|_| random.between(0.0, 1.0) < 0.3));
        impulses.extend(bodies.into_iter().map(|body| impulse(body, random)));
        first.push(impulses.len() as u32);
    }
    (impulses, first)
}

/// Lists, loads and the impulses to start from; those beyond the room that there is are left alone.
pub fn link(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, particles) = (bench.context, bench.len());
    let mut random = Random::new(61);
    let (touch, _) = contacts(bench, &mut random);
    let (last, last_first) = last_step(bench, &touch, &mut random);
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
        let warm = Buffer::new(context, "impulses_warm", &unwritten)?;
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
            warm.bind("impulses_warm"),
        ];
        bench.run(kernel, bench.case.sim, records, &others);
        tally.case();
        let count = records.min(room);
        let linked = &touch.contacts[..count];
        let (got, wanted) = (rows.read(context)?, lists(linked, particles, &mut random));
        tally.holds(got[2 * particles..2 * particles + 2] == [records as u32, 7]);
        for i in 0..particles {
            let [mut a, mut b] = [&got, &wanted].map(|rows| nodes(rows, particles, i));
            a.sort_unstable();
            b.sort_unstable();
            tally.words(&a, &b);
            tally.words(&[got[2 * i + 1]], &[wanted[2 * i + 1]]);
        }
        let memory = |s: usize| {
            let feature = last_first.partition_point(|f| *f as usize <= s) - 1;
            ((feature, last[s].body as usize), exact(&last[s]))
        };
        let memory: Memory = (0..last.len().min(room)).map(memory).collect();
        let got = warm.read(context)?;
        tally.holds(got[count..] == unwritten[count..]);
        warm_impulses(&touch, &got[..count], &memory, tally);
    }
    Ok(())
}

/// Impulses to start from; scale of λ_t: its length before, times how much the cone leaves of it.
fn warm_impulses(touch: &Touch, got: &[Impulse], memory: &Memory, tally: &mut Tally) {
    let mut wanted = touch.wanted.iter().zip(warm_start(&touch.wanted, memory));
    for (got, contact) in got.iter().zip(&touch.contacts) {
        tally.holds(got.body == contact.body);
        if contact.particles.x == NONE {
            tally.holds(
                *got == Impulse {
                    body: contact.body,
                    ..Impulse::default()
                },
            );
            continue;
        }
        let (contact, wanted) = wanted.next().expect("one for each");
        let key = (contact.feature, contact.body);
        let last = memory.get(&key).copied().unwrap_or_default();
        let across = last
            .tangential
            .reject_from_normalized(contact.direction)
            .length();
        let share = (contact.friction * last.normal / across.max(f64::MIN_POSITIVE)).min(1.0);
        tally.number(got.normal, wanted.normal, wanted.normal);
        tally.vector(
            got.tangent,
            wanted.tangential,
            last.tangential.length() * share,
        );
    }
}

/// Gaps, target speeds, counts, and the impulses to go on from.
pub fn gap(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs) = (bench.context, &bench.case.particles);
    let bodies = bench.case.bodies.len();
    for missing in [0, 3] {
        let mut random = Random::new(62);
        let (mut touch, _) = contacts(bench, &mut random);
        for c in (1..touch.contacts.len()).step_by(3) {
            touch.contacts[c].feature = touch.contacts[c - 1].feature;
        }
        // The last ones are edges'.
        let edges = touch.contacts.len() * 3 / 4;
        for contact in &mut touch.contacts[edges..] {
            contact.feature += bench.len() as u32;
        }
        let records = touch.contacts.len();
        let count = records.saturating_sub(missing);
        let rows = lists(&touch.contacts, bench.len(), &mut random);
        let rows = Buffer::new(context, "rows", &rows)?;
        let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
        let some: Vec<_> = (0..records).map(|_| impulse(0, &mut random)).collect();
        let held: Vec<_> = (0..records).map(|_| impulse(0, &mut random)).collect();
        let impulses = Buffer::new(context, "impulses", &some)?;
        let warm = Buffer::new(context, "impulses_warm", &held)?;
        let dispatches = Buffer::new(context, "dispatches", &[3_u32; 21])?;
        let rounds = Buffer::new(context, "rounds", &[3_u32; 6])?;
        let words = 1 + bodies + 3 * TALLY_WORDS as usize;
        let status = Buffer::<u32>::zeroed(context, "status", words)?;
        let collide = Collide {
            capacity: count as u32,
            ..Collide::default()
        };
        let collide = uniform(context, collide);
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contacts.bind("contacts"),
            impulses.bind("impulses"),
            warm.bind("impulses_warm"),
            dispatches.bind("dispatches"),
            rounds.bind("rounds"),
            status.bind("status"),
        ];
        bench.write(inputs, inputs);
        let sim = Sim {
            slot: 1,
            ..bench.case.sim
        };
        bench.run(kernel, sim, records, &others);
        tally.case();
        tally.words(&dispatches.read(context)?, &[0; 21]);
        tally.words(&rounds.read(context)?, &[0; 6]);
        let got = contacts.read(context)?;
        tally.holds(got[count..] == touch.contacts[count..]);
        for (c, got) in warm.read(context)?.iter().enumerate() {
            let kept = c >= count || touch.contacts[c].fresh != 0;
            tally.holds(*got == if kept { held[c] } else { some[c] });
        }
        let depths = follow(bench, &touch, &got[..count], tally);
        let words = status.read(context)?;
        counted(
            &touch.contacts[..count],
            [bench.len(), records],
            &depths,
            &words[1 + bodies..],
            tally,
        );
    }
    Ok(())
}

/// Compares gaps and target speeds; scale: the sum of the magnitudes that they are added up from. Returns g over the edge
/// of those that are inside.
fn follow(bench: &Bench<'_>, touch: &Touch, got: &[Contact], tally: &mut Tally) -> Vec<f64> {
    let (scene, sim) = (&touch.scene, &bench.case.sim);
    let (mut wanted, mut depths) = (touch.wanted.iter(), Vec::new());
    for (got, before) in got.iter().zip(&touch.contacts) {
        let (gap, target_speed) = (got.gap, got.target_speed);
        tally.holds(
            *got == Contact {
                gap,
                target_speed,
                fresh: 0,
                ..*before
            },
        );
        if before.particles.x == NONE {
            tally.holds((gap, target_speed) == (before.gap, before.target_speed));
            continue;
        }
        let contact = wanted.next().expect("one for each");
        let (parts, origin) = (contact.participants(), scene.position[contact.feature]);
        let offset: glam::DVec3 = parts
            .iter()
            .map(|(k, w)| *w * (scene.position[*k] - origin))
            .sum();
        let gap = -offset.dot(contact.direction);
        let approach = -weighted(&parts, &scene.velocity).dot(contact.direction);
        let reach: f64 = parts
            .iter()
            .map(|(k, w)| w.abs() * scene.position[*k].distance(origin))
            .sum();
        let speeds: f64 = parts
            .iter()
            .map(|(k, w)| w.abs() * scene.velocity[*k].length())
            .sum();
        tally.number(got.gap, gap, reach);
        let closing = gap.min(0.0) / f64::from(sim.step);
        let restitution = f64::from(before.restitution);
        let bounces = restitution > 0.0 && approach > f64::from(sim.restitution_speed);
        let target = if bounces {
            closing.max(restitution * approach)
        } else {
            closing
        };
        let uncertain = if gap < 1e-6 * reach {
            reach / f64::from(sim.step)
        } else {
            0.0
        };
        tally.number(got.target_speed, target, uncertain + speeds);
        if gap > 0.0 {
            depths.push(gap / f64::from(before.edge));
        }
    }
    depths
}

/// Compares what was counted.
fn counted(
    contacts: &[Contact],
    [particles, records]: [usize; 2],
    depths: &[f64],
    words: &[u32],
    tally: &mut Tally,
) {
    let count =
        |which: &dyn Fn(usize) -> bool| (0..contacts.len()).filter(|c| which(*c)).count() as u32;
    let point = |c: usize| (contacts[c].feature as usize) < particles;
    let first = |c: usize| c == 0 || contacts[c - 1].feature != contacts[c].feature;
    let first = |c: usize| point(c) && first(c);
    let lost = |c: usize| contacts[c].particles.x == NONE;
    let unreached = count(&|c| lost(c) && contacts[c].unreached != 0);
    let (submission, steps) = words.split_at(TALLY_WORDS as usize);
    let (other, step) = steps.split_at(TALLY_WORDS as usize);
    let mut wanted = [0; TALLY_WORDS as usize];
    wanted[TALLY_TOUCHING as usize] = 1;
    wanted[TALLY_RECORDS as usize] = records as u32;
    wanted[TALLY_SWEEPS as usize] = u32::from(unreached > 0);
    tally.words(submission, &wanted);
    tally.words(other, &[0; TALLY_WORDS as usize]);
    for (word, wanted) in [
        (TALLY_POINTS, count(&first)),
        (
            TALLY_CROWDED,
            count(&|c| first(c) && contacts[c].crowded != 0),
        ),
        (TALLY_LOST, count(&|c| point(c) && lost(c))),
        (TALLY_CONTACTS, count(&|c| !lost(c))),
        (TALLY_INSIDE, depths.len() as u32),
    ] {
        tally.words(&[step[word as usize]], &[wanted]);
    }
    let parts = |rounded: f64| -> f64 {
        let unit = f64::from(DEPTH_UNIT) * rounded;
        depths.iter().map(|d| (d.min(1e3) * unit).floor()).sum()
    };
    let sum = f64::from(step[TALLY_DEPTH as usize]);
    tally.holds((parts(1.0 - 1e-5)..=parts(1.0 + 1e-5)).contains(&sum));
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    tally.number(
        f32::from_bits(step[TALLY_DEEPEST as usize]),
        deepest,
        deepest * 1e2,
    );
}
