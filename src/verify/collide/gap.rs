//! The pass that follows contacts from step to step, on random contacts.

use super::linked::{Linked, exact, kept_scales, room};
use super::respond::inverse_masses;
use crate::Result;
use crate::extreme;
use crate::gpu::Telemetry;
use crate::gpu::types::{
    Collide, Contact, DEPTH_UNIT, IN_FRONT, Impulse, LIST_AGE, LIST_LONG, LIST_SEARCH,
    LIST_TOUCHED, MANIFOLD, Manifold, ManifoldPoint, NO_POINT, NONE, Row, STATUS_RECORDS,
    STATUS_SEARCHES, STATUS_SLICES, STATUS_SWEEPS, STATUS_TOUCHING, STEP_CONTACTS, STEP_DEEPEST,
    STEP_DEPTH, STEP_DROPPED, STEP_INSIDE, STEP_LOST, STEP_OVERFLOWED, STEP_POINTS, STEP_WORDS,
    Side, Sim, TOUCH_SOLID, UNREACHED,
};
use crate::reference::contact::project::push;
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::touch::{Touch, push_terms};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Rows, counts, and the impulses to go on from: those of the search in the step after it, else those of the last step.
pub fn prepare(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let step = Telemetry::len(bench.case.bodies.len(), 1);
    for (missing, age, source) in [(0, 0, 0), (3, 2, 0), (0, 2, 1)] {
        let mut random = Random::new(62);
        let mut linked = Linked::new(bench, &mut random);
        let records = linked.len();
        let contacts = &mut linked.touch.contacts;
        for c in (1..records).step_by(3) {
            contacts[c].feature_a = contacts[c - 1].feature_a;
        }
        // The last ones are edges'.
        for contact in &mut contacts[records * 3 / 4..] {
            contact.feature_a += bench.len() as u32;
        }
        let count = records.saturating_sub(missing);
        let words = &mut linked.touch.lists.words;
        (words[LIST_AGE as usize], words[LIST_SEARCH as usize]) = (age, 1);
        words[LIST_LONG as usize] = 1;
        words[LIST_TOUCHED as usize] = 5;
        let last = linked.impulses(&mut random);
        let held = linked.impulses(&mut random);
        let [room] = room(count);
        let arrays: &Arrays<'_> = &[
            ("collide", &[Collide { source, ..room }]),
            ("impulses", &last),
            ("impulses_warm_start", &held),
            ("status", &vec![0_u32; step + STEP_WORDS as usize]),
        ];
        let sim = Sim { slot: 1, ..bench.case.sim };
        let after = linked.run(bench, sim, records, arrays)?;
        let start: Vec<Impulse> = after.get("impulses_warm_start");
        for (c, start) in start.iter().enumerate() {
            match c >= count || age == 0 {
                true => errors.holds(*start == held[c]),
                false => kept(start, &last[c], errors),
            }
        }
        let depths = rows(&linked, count, source, (&start, &after.get("rows")), errors);
        let words: Vec<u32> = after.get("status");
        let words = words.split_at(step);
        let sizes = [bench.len(), records];
        counted(&linked.touch.contacts[..count], sizes, &depths, words, errors);
    }
    Ok(())
}

/// Compares the rows of the first `count` records: gaps, scale the sum of the magnitudes that they are added up from; how far
/// they are pushed apart, of the gap that the kernel has found or of the estimate; W; the impulses that these start from.
/// Returns g over the size of those that are inside.
fn rows(
    linked: &Linked,
    count: usize,
    source: u32,
    (start, got): (&[Impulse], &Vec<Row>),
    errors: &mut ErrorStats,
) -> Vec<f64> {
    let Touch { contacts, scene, rows, .. } = &linked.touch;
    let (splits, mut depths) = (inverse_masses(linked), Vec::new());
    for (contact, c) in linked.touch.wanted.iter().zip(&linked.real).filter(|(_, c)| **c < count) {
        let (got, origin) = (&got[*c], scene.position[contact.points[0].0]);
        let parts = contact.participants();
        let offset: glam::DVec3 =
            parts.iter().map(|(k, w)| *w * (scene.position[*k] - origin)).sum();
        let gap = contact.reach - offset.dot(contact.direction);
        let away = |(k, w): &(usize, f64)| w.abs() * scene.position[*k].distance(origin);
        let reach = parts.iter().map(away).sum::<f64>() + contact.reach;
        errors.number(got.gap, gap, reach);
        let found = f64::from(got.gap);
        if found > 0.0 {
            depths.push(found / contact.edge);
        }
        let deep = Wanted { depth: found, ..contact.clone() };
        match source {
            0 => errors.number(got.push, push(&deep, scene.step), push_terms(&deep, scene.step)),
            _ => errors.holds(got.push == contacts[*c].gap.max(0.0)),
        }
        errors.number(got.inverse_mass, splits[*c], splits[*c]);
        errors.holds(got.share == 0.0 && got.kappa == 1.0);
        errors.number(got.bias, (-found).max(0.0) / scene.step, found.abs() / scene.step);
        let (normal, tangent) = (f64::from(start[*c].normal), start[*c].tangent.as_dvec3());
        let whole = normal * contact.direction + tangent;
        errors.vector(got.delta, whole, normal.abs() + tangent.length());
    }
    let untouched = |c: &usize| *c >= count || !linked.real.contains(c);
    errors.holds((0..linked.len()).filter(untouched).all(|c| got[c] == rows[c]));
    depths
}

/// What is kept of an impulse, to start from.
fn kept(got: &Impulse, before: &Impulse, errors: &mut ErrorStats) {
    let last = exact(before);
    let ([normal, tangent], wanted) = (kept_scales(&last), last.kept());
    errors.holds(got.feature_b == before.feature_b);
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
            errors.holds(got.feature_b == some[c].feature_b);
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
    let point = |c: usize| (contacts[c].feature_a as usize) < particles;
    let first = |c: usize| c == 0 || contacts[c - 1].feature_a != contacts[c].feature_a;
    let first = |c: usize| point(c) && first(c);
    let lost = |c: usize| !contacts[c].is_contact();
    let unreached = count(&|c| lost(c) && contacts[c].missed & UNREACHED != 0);
    let mut wanted = vec![0; others.len()];
    wanted[STATUS_TOUCHING as usize] = 1;
    wanted[STATUS_RECORDS as usize] = records as u32;
    wanted[STATUS_SEARCHES as usize] = 1;
    wanted[STATUS_SLICES as usize] = 1;
    wanted[STATUS_SWEEPS as usize] = u32::from(unreached > 0);
    errors.words(others, &wanted);
    for (word, wanted) in [
        (STEP_POINTS, count(&first)),
        (
            STEP_OVERFLOWED,
            count(&|c| first(c) && contacts[c].missed & 1 != 0 && contacts[c].reach == 0.0),
        ),
        (
            STEP_DROPPED,
            count(&|c| first(c) && contacts[c].missed & 1 != 0 && contacts[c].reach > 0.0),
        ),
        (STEP_LOST, count(&|c| point(c) && lost(c) && contacts[c].missed & IN_FRONT == 0)),
        // And the manifolds that have points.
        (STEP_CONTACTS, 5 + count(&|c| !lost(c))),
    ] {
        errors.words(&[step[word as usize]], &[wanted]);
    }
    tallied(step, depths, 1e2, errors);
}

/// Compares how deep contacts are inside, in mean edges, in what a step counted. `rounding`: of the deepest.
pub fn tallied(step: &[u32], depths: &[f64], rounding: f64, errors: &mut ErrorStats) {
    errors.words(&[step[STEP_INSIDE as usize]], &[depths.len() as u32]);
    let parts = |rounded: f64| -> f64 {
        let unit = f64::from(DEPTH_UNIT) * rounded;
        depths.iter().map(|d| (d.min(1e3) * unit).floor()).sum()
    };
    let sum = f64::from(step[STEP_DEPTH as usize]);
    errors.holds((parts(1.0 - 1e-5)..=parts(1.0 + 1e-5)).contains(&sum));
    let deepest = depths.iter().copied().fold(0.0, extreme::greatest);
    errors.number(f32::from_bits(step[STEP_DEEPEST as usize]), deepest, deepest * rounding);
}

/// Records of bodies that have been put elsewhere, of a range of particles and some bodies; the others stay to the bit.
pub fn forget(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let bodies = bench.case.bodies.len();
    for missing in [0, 3] {
        let mut random = Random::new(64);
        let mut linked = Linked::new(bench, &mut random);
        for contact in &mut linked.touch.contacts {
            contact.bodies.y = match random.index(0, 5) {
                0 => NONE,
                1 => TOUCH_SOLID | 1,
                _ => random.index(0, bodies.max(1)) as u32,
            };
            // Of two poses.
            if bench.case.content.poses && contact.is_contact() && random.index(0, 3) == 0 {
                let n = bench.len() as u32;
                (contact.a, contact.b) = (Side::of(&[(n, 1.0)]), Side::of(&[(n + 1, -1.0)]));
            }
        }
        let is_manifold = |contact: &Contact| {
            let first = bench.len() as u32;
            let [a, b] = [contact.a.dofs.x, contact.b.dofs.x];
            bench.case.content.poses && contact.is_contact() && a >= first && b >= first
        };
        let some = linked.impulses(&mut random);
        let given = &linked.touch.contacts;
        let count = given.len().saturating_sub(missing);
        let range = bench.len() / 5..bench.len() / 3;
        let is_gone = |body: usize| body % 5 == 3;
        let mut words = vec![range.start as u32, range.end as u32];
        words.extend((0..bodies).map(|body| u32::from(is_gone(body))));
        let manifolds = vec![Manifold { count: 3, ..Manifold::default() }; given.len()];
        let points = vec![ManifoldPoint::default(); MANIFOLD as usize * given.len()];
        let arrays: &Arrays<'_> = &[
            ("collide", &room(count)),
            ("impulses", &some),
            ("forgotten", &words),
            ("manifolds", &manifolds),
            ("manifold_points", &points),
        ];
        let after = linked.run(bench, bench.case.sim, given.len(), arrays)?;
        let nothing = Impulse { feature_b: NONE, body: NONE, ..Impulse::default() };
        let (mut wanted, mut left) = (given.clone(), some);
        let gone = |contact: &Contact| {
            let within = |(i, _): (u32, f32)| range.contains(&(i as usize));
            let other = (contact.bodies.y as usize) < bodies && is_gone(contact.bodies.y as usize);
            let own = is_manifold(contact) && is_gone(contact.bodies.x as usize);
            other || own || contact.a.parts().chain(contact.b.parts()).any(within)
        };
        let (mut manifolds, mut points) = (manifolds.clone(), points.clone());
        for c in (0..count).filter(|c| gone(&given[*c])) {
            if is_manifold(&given[c]) {
                manifolds[c].count = 0;
                let first = MANIFOLD as usize * c;
                points[first..first + MANIFOLD as usize]
                    .iter_mut()
                    .for_each(|point| point.distance = NO_POINT);
            }
            (wanted[c].a.dofs.x, wanted[c].bodies.y) = (NONE, NONE);
            left[c] = nothing;
        }
        // The bodies of the records as words, of which one is perturbed to see that it matters.
        let bodies = |contacts: &[Contact]| contacts.iter().map(|c| c.bodies.y).collect::<Vec<_>>();
        let got: Vec<Contact> = after.get("contacts");
        errors.words(&bodies(&got), &bodies(&wanted));
        errors.holds(got == wanted && after.get::<Impulse>("impulses") == left);
        errors.holds(after.get::<Manifold>("manifolds") == manifolds);
        errors.holds(after.get::<ManifoldPoint>("manifold_points") == points);
    }
    Ok(())
}
