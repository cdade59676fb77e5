//! The pass that follows contacts from step to step, on random contacts.

use super::linked::{Linked, exact, kept_scales, room};
use super::respond::{self, inverse_masses};
use crate::Result;
use crate::extreme;
use crate::gpu::Telemetry;
use crate::gpu::types::{
    Contact, DEPTH_UNIT, Impulse, NONE, Row, STATUS_RECORDS, STATUS_SWEEPS, STATUS_TOUCHING,
    STEP_CONTACTS, STEP_DEEPEST, STEP_DEPTH, STEP_DROPPED, STEP_INSIDE, STEP_LOST, STEP_OVERFLOWED,
    STEP_POINTS, STEP_WORDS, Sim,
};
use crate::reference::contact::project::push;
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::touch::{Touch, push_terms};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Gaps, target speeds, counts, and the impulses to go on from.
pub fn gap(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let step = Telemetry::len(bench.case.bodies.len(), 1);
    for missing in [0, 3] {
        let mut random = Random::new(62);
        let mut linked = Linked::new(bench, &mut random);
        let records = linked.len();
        let contacts = &mut linked.touch.contacts;
        for c in (1..records).step_by(3) {
            contacts[c].feature = contacts[c - 1].feature;
        }
        // The last ones are edges'.
        for contact in &mut contacts[records * 3 / 4..] {
            contact.feature += bench.len() as u32;
        }
        let count = records.saturating_sub(missing);
        let last = linked.impulses(&mut random);
        let held = linked.impulses(&mut random);
        let rows = vec![Row { push: 7.0, ..Row::default() }; records];
        let arrays: &Arrays<'_> = &[
            ("collide", &room(count)),
            ("impulses", &last),
            ("impulses_warm_start", &held),
            ("dispatches", &[3_u32; 21]),
            ("rows", &rows),
            ("status", &vec![0_u32; step + STEP_WORDS as usize]),
        ];
        let sim = Sim { slot: 1, ..bench.case.sim };
        let after = linked.run(bench, sim, records, arrays)?;
        errors.words(&after.get::<u32>("dispatches"), &[0; 21]);
        let (got, contacts): (Vec<Contact>, _) = (after.get("contacts"), &linked.touch.contacts);
        errors.holds(got[count..] == contacts[count..]);
        let warm: Vec<Impulse> = after.get("impulses_warm_start");
        for (c, warm) in warm.iter().enumerate() {
            match c >= count || contacts[c].fresh != 0 {
                true => errors.holds(*warm == held[c]),
                false => kept(warm, &last[c], errors),
            }
        }
        begun(&linked, &warm, (&rows, &after.get("rows")), &got[..count], errors);
        let depths = follow(bench, &linked.touch, &got[..count], errors);
        let words: Vec<u32> = after.get("status");
        let words = words.split_at(step);
        let sizes = [bench.len(), records];
        counted(&contacts[..count], sizes, &depths, words, errors);
    }
    Ok(())
}

/// The rows of the first records: the impulses that these start from, W, and how far they are pushed apart.
fn begun(
    linked: &Linked,
    start: &[Impulse],
    (before, got): (&[Row], &Vec<Row>),
    contacts: &[Contact],
    errors: &mut ErrorStats,
) {
    let scene = &linked.touch.scene;
    let loads = respond::loads(&linked.lists, scene.position.len());
    let splits = inverse_masses(linked, &loads);
    let mut wanted = linked.touch.wanted.iter();
    for (c, got) in got.iter().enumerate() {
        let of = wanted.clone().next().filter(|_| linked.real.contains(&c));
        let Some(contact) = of.filter(|_| c < contacts.len()) else {
            errors.holds(*got == before[c]);
            continue;
        };
        wanted.next();
        let (normal, tangent) = (f64::from(start[c].normal), start[c].tangent.as_dvec3());
        let whole = normal * contact.direction + tangent;
        errors.vector(got.delta, whole, normal.abs() + tangent.length());
        errors.number(got.inverse_mass, splits[c], splits[c]);
        // Of the depth that the kernel has found.
        let deep = Wanted { depth: f64::from(contacts[c].gap), ..contact.clone() };
        errors.number(got.push, push(&deep, scene.step), push_terms(&deep, scene.step));
    }
}

/// What is kept of an impulse, to start from.
fn kept(got: &Impulse, before: &Impulse, errors: &mut ErrorStats) {
    let last = exact(before);
    let ([normal, tangent], wanted) = (kept_scales(&last), last.kept());
    errors.holds(got.partner == before.partner);
    errors.holds((got.normal_change, got.tangent_change) == (0.0, 0.0));
    errors.number(got.normal, wanted.normal, normal);
    errors.vector(got.tangent, wanted.tangential, tangent);
}

/// The impulses of a step of another length, of as many records as there are.
pub fn scale(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let ratio = 0.5;
    for missing in [0, 3] {
        let mut random = Random::new(63);
        let linked = Linked::new(bench, &mut random);
        let count = linked.len().saturating_sub(missing);
        let some = linked.impulses(&mut random);
        let arrays: &Arrays<'_> = &[("collide", &room(count)), ("impulses", &some)];
        let sim = Sim { step_ratio: ratio as f32, ..bench.case.sim };
        let after = linked.run(bench, sim, linked.len(), arrays)?;
        for (c, got) in after.get::<Impulse>("impulses").iter().enumerate() {
            if c >= count {
                errors.holds(*got == some[c]);
                continue;
            }
            errors.holds(got.partner == some[c].partner);
            let numbers = |i: &Impulse| [i.normal, i.normal_change, i.tangent_change];
            for (got, before) in numbers(got).into_iter().zip(numbers(&some[c])) {
                errors.number(got, ratio * f64::from(before), f64::from(before).abs());
            }
            let before = some[c].tangent.as_dvec3();
            errors.vector(got.tangent, ratio * before, before.length());
        }
    }
    Ok(())
}

/// Compares gaps and target speeds; scale: the sum of the magnitudes that they are added up from. Returns g over the edge
/// of those that are inside.
fn follow(bench: &Bench<'_>, touch: &Touch, got: &[Contact], errors: &mut ErrorStats) -> Vec<f64> {
    let (scene, sim) = (&touch.scene, &bench.case.sim);
    let (mut wanted, mut depths) = (touch.wanted.iter(), Vec::new());
    for (got, before) in got.iter().zip(&touch.contacts) {
        let (gap, target_speed) = (got.gap, got.target_speed);
        errors.holds(*got == Contact { gap, target_speed, fresh: 0, ..*before });
        if before.particles.x == NONE {
            errors.holds((gap, target_speed) == (before.gap, before.target_speed));
            continue;
        }
        let contact = wanted.next().expect("one for each");
        let (parts, origin) = (contact.participants(), scene.position[contact.feature]);
        let offset: glam::DVec3 =
            parts.iter().map(|(k, w)| *w * (scene.position[*k] - origin)).sum();
        let gap = contact.reach - offset.dot(contact.direction);
        let reach: f64 =
            parts.iter().map(|(k, w)| w.abs() * scene.position[*k].distance(origin)).sum::<f64>()
                + contact.reach;
        errors.number(got.gap, gap, reach);
        let closing = gap.min(0.0) / f64::from(sim.step);
        let uncertain = if gap < 1e-6 * reach { reach / f64::from(sim.step) } else { 0.0 };
        errors.number(got.target_speed, closing, uncertain);
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
    (others, step): (&[u32], &[u32]),
    errors: &mut ErrorStats,
) {
    let count =
        |which: &dyn Fn(usize) -> bool| (0..contacts.len()).filter(|c| which(*c)).count() as u32;
    let point = |c: usize| (contacts[c].feature as usize) < particles;
    let first = |c: usize| c == 0 || contacts[c - 1].feature != contacts[c].feature;
    let first = |c: usize| point(c) && first(c);
    let lost = |c: usize| contacts[c].particles.x == NONE;
    let unreached = count(&|c| lost(c) && contacts[c].unreached != 0);
    let mut wanted = vec![0; others.len()];
    wanted[STATUS_TOUCHING as usize] = 1;
    wanted[STATUS_RECORDS as usize] = records as u32;
    wanted[STATUS_SWEEPS as usize] = u32::from(unreached > 0);
    errors.words(others, &wanted);
    for (word, wanted) in [
        (STEP_POINTS, count(&first)),
        (
            STEP_OVERFLOWED,
            count(&|c| first(c) && contacts[c].overflowed != 0 && contacts[c].reach == 0.0),
        ),
        (
            STEP_DROPPED,
            count(&|c| first(c) && contacts[c].overflowed != 0 && contacts[c].reach > 0.0),
        ),
        (STEP_LOST, count(&|c| point(c) && lost(c))),
        (STEP_CONTACTS, count(&|c| !lost(c))),
        (STEP_INSIDE, depths.len() as u32),
    ] {
        errors.words(&[step[word as usize]], &[wanted]);
    }
    let parts = |rounded: f64| -> f64 {
        let unit = f64::from(DEPTH_UNIT) * rounded;
        depths.iter().map(|d| (d.min(1e3) * unit).floor()).sum()
    };
    let sum = f64::from(step[STEP_DEPTH as usize]);
    errors.holds((parts(1.0 - 1e-5)..=parts(1.0 + 1e-5)).contains(&sum));
    let deepest = depths.iter().copied().fold(0.0, extreme::greatest);
    errors.number(f32::from_bits(step[STEP_DEEPEST as usize]), deepest, deepest * 1e2);
}

/// Records of bodies that have been put elsewhere, of a range of particles and some bodies; the others stay to the bit.
pub fn forget(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let bodies = bench.case.bodies.len();
    for missing in [0, 3] {
        let mut random = Random::new(64);
        let mut linked = Linked::new(bench, &mut random);
        for contact in &mut linked.touch.contacts {
            contact.body = match random.index(0, 4) {
                0 => NONE,
                _ => random.index(0, bodies.max(1)) as u32,
            };
        }
        let some = linked.impulses(&mut random);
        let given = &linked.touch.contacts;
        let count = given.len().saturating_sub(missing);
        let range = bench.len() / 5..bench.len() / 3;
        let is_gone = |body: usize| body % 5 == 3;
        let mut words = vec![range.start as u32, range.end as u32];
        words.extend((0..bodies).map(|body| u32::from(is_gone(body))));
        let arrays: &Arrays<'_> =
            &[("collide", &room(count)), ("impulses", &some), ("forgotten", &words)];
        let after = linked.run(bench, bench.case.sim, given.len(), arrays)?;
        let nothing = Impulse { partner: NONE, body: NONE, ..Impulse::default() };
        let (mut wanted, mut left) = (given.clone(), some);
        let gone = |contact: &Contact| {
            let particles = contact.particles.to_array().into_iter();
            let within = |i: u32| i != NONE && range.contains(&(i as usize));
            let other = contact.body != NONE && is_gone(contact.body as usize);
            other || particles.chain([contact.second]).any(within)
        };
        for c in (0..count).filter(|c| gone(&given[*c])) {
            (wanted[c].particles.x, wanted[c].body) = (NONE, NONE);
            left[c] = nothing;
        }
        // The bodies of the records as words, of which one is perturbed to see that it matters.
        let bodies = |contacts: &[Contact]| contacts.iter().map(|c| c.body).collect::<Vec<_>>();
        let got: Vec<Contact> = after.get("contacts");
        errors.words(&bodies(&got), &bodies(&wanted));
        errors.holds(got == wanted && after.get::<Impulse>("impulses") == left);
    }
    Ok(())
}
