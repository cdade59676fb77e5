//! The response of manifolds: what a step starts from, and iterations of their impulses.

use glam::{DVec3, Vec3, Vec4};

use super::touching::{Given, beside, line_now, normal_now, places, round, wrench};
use crate::Result;
use crate::extreme;
use crate::gpu::Telemetry;
use crate::gpu::types::{
    Collide, Impulse, LIST_LOADS, LIST_MANIFOLDS, Lines, MANIFOLD, Manifold, ManifoldPoint, NONE,
    PUSH_WORD, REBOUND_SPEED, REBOUND_WORD, ROUND_WORDS, Row, STEP_WORDS, Segment, Sim,
    WRENCH_ROWS,
};
use crate::reference::rigid::manifolds::{self as reference, Pass, common_point};
use crate::reference::rigid::parts::Part;
use crate::verify::collide::gap::tallied;
use crate::verify::poses::{COUNT, exact, with_poses};
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random, TOLERANCE};

/// Gaps and where impulses act; what comes at the other side; the wrench of the impulses that the step starts from, with the
/// share of what is going to act; and which do. Where a side sleeps nothing acts. Far from the origin, too.
pub fn prepare(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    for (middle, speed) in [(0.0, 1.0), (0.0, 0.1), (3000.0, 1.0)] {
        let given = Given::new(bench, middle, speed, 700);
        let sim = with_poses(&bench.case.sim);
        let touching = given.list();
        let unsaid = vec![7_u32; touching.len().next_multiple_of(64) + 1];
        let after = given.run_over(bench, sim, touching.len(), &[("acting", &unsaid)])?;
        let points: Vec<ManifoldPoint> = after.get("manifold_points");
        let places: Vec<Vec4> = after.get("manifold_places");
        let wrenches: Vec<Vec4> = after.get("wrenches");
        let manifolds: Vec<Manifold> = after.get("manifolds");
        let mut acting = Vec::new();
        for (c, manifold) in manifolds.iter().enumerate() {
            let got = wrench(&wrenches, c);
            let all = MANIFOLD as usize * c..MANIFOLD as usize * (c + 1);
            let is_listed = given.range().contains(&c) && given.manifolds[c].count > 0;
            let own = if is_listed { given.points_of(c) } else { all.start..all.start };
            errors.holds(points[own.end..all.end] == given.points[own.end..all.end]);
            errors.holds(places[own.end..all.end] == given.places[own.end..all.end]);
            if !is_listed {
                errors.holds(got == wrench(&given.wrenches, c) && *manifold == given.manifolds[c]);
                continue;
            }
            errors.kept(manifold, &given.manifolds[c], |m, got| {
                (m.normal, m.line, m.push) = (got.normal, got.line, Vec4::ZERO);
            });
            let poses = given.ends(bench, c).map(|p| exact(&given.poses[p]));
            if let Some((n, scale)) =
                normal_now(&given.manifolds[c], &given.points[all.start], &poses)
            {
                errors.vector(manifold.normal, n, scale);
            }
            let before = given.manifolds[c].line.as_dvec3();
            errors.vector(
                manifold.line,
                line_now(&given.manifolds[c], &poses).unwrap_or(before),
                4.0,
            );
            prepared(
                bench,
                &given,
                (c, manifold),
                (&points[own.clone()], &places[own.clone()], got),
                errors,
            );
            if got[0].w > 0.0 {
                acting.push(c as u32);
            }
        }
        let mut words: Vec<u32> = after.get("acting");
        let mut wanted = Vec::new();
        for touching in touching.chunks(64) {
            let own = touching.iter().copied().filter(|c| acting.contains(c));
            wanted.extend(own.chain(std::iter::repeat(NONE)).take(64));
        }
        wanted.push(7);
        // Those of a workgroup in any order; NONE is the largest number.
        let count = words.len() - 1;
        words[..count].chunks_mut(64).for_each(<[u32]>::sort_unstable);
        errors.words(&words, &wanted);
    }
    Ok(())
}

/// Lines of both sides of what bears, from where impulses act along the normal out of the other side; scale: what the place is
/// made of.
pub fn lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (given, length) = (Given::new(bench, 0.0, 1.0, 760), 0.3);
    let list = given.list();
    for body in 0..3 {
        // The last of them stand behind the list.
        let count = MANIFOLD as usize * (list.len() + 1);
        let lines = Lines { count: count as u32, scale: length, body, ..Lines::default() };
        let none = Segment { value: -77.0, body: 77, ..Segment::default() };
        let arrays: &Arrays<'_> = &[("lines", &[lines]), ("segments", &vec![none; count + 1])];
        let sim = with_poses(&bench.case.sim);
        let got: Vec<Segment> = given.run_over(bench, sim, count, arrays)?.get("segments");
        errors.holds(got[count] == none);
        let mut shown = 0;
        for (t, got) in got[..count].iter().enumerate() {
            errors.holds(got.body == body);
            let wanted = list.get(t / MANIFOLD as usize).and_then(|c| {
                let at = given.points_of(*c as usize).nth(t % MANIFOLD as usize)?;
                given.line(bench, at, body)
            });
            let Some((place, way, gap, scale)) = wanted else {
                errors.holds(got.start == got.end && got.value == 0.0);
                continue;
            };
            shown += 1;
            errors.vector(got.start, place, scale);
            errors.vector(got.end, place + f64::from(length) * way, scale + 1.0);
            errors.number(got.value, -gap, scale);
        }
        errors.holds(shown > 0 || bench.len() < 9);
    }
    Ok(())
}

fn prepared(
    bench: &Bench<'_>,
    given: &Given,
    (c, manifold): (usize, &Manifold),
    (points, seen, got): (&[ManifoldPoint], &[Vec4], [Vec4; 3]),
    errors: &mut ErrorStats,
) {
    let ends = given.ends(bench, c);
    let parts = ends.map(|p| Part::whole(&exact(&given.poses[p]), given.poses[p].spin.as_dvec3()));
    let poses = ends.map(|p| exact(&given.poses[p]));
    let (n, h) = (manifold.normal.as_dvec3(), f64::from(bench.case.sim.step));
    let radii = manifold.radii.as_dvec2();
    let moves = parts.map(|part| part.inverse_mass > 0.0);
    let (mut impulse, mut moments) = (DVec3::ZERO, [manifold.rolling_impulse.as_dvec3(); 2]);
    let mut scales = [0.0, f64::from(manifold.rolling_impulse.length())];
    let (mut acts, mut unsure) = (false, false);
    let (mut fast_points, mut unsure_fast) = (0, false);
    for (k, point) in given.points[given.points_of(c)].iter().enumerate() {
        let (got, seen) = (&points[k], seen[k]);
        let arms = [point.a, point.b].map(|x| f64::from(x.length()));
        let on = places(manifold, k, point, &poses);
        let gap = n.dot(on[0] - on[1]);
        let on = beside(manifold, line_now(manifold, &poses).unwrap_or_default(), on);
        let apart = poses[0].position.distance(poses[1].position);
        // Not how far they are from the origin.
        let near = 2.0 * (arms[0] + arms[1] + apart + radii.x + radii.y + 0.6);
        errors.number(seen.w, gap, near);
        let place = common_point(on, moves, round(manifold));
        let far = near + poses[0].position.length() + poses[1].position.length();
        errors.vector(seen.truncate(), place, far);
        let velocity = parts[0].velocity_at(place) - parts[1].velocity_at(place);
        let closing = -velocity.dot(n);
        let fast: f64 = parts.iter().map(|p| p.velocity.length() + p.spin.length() * far).sum();
        // An impact is over in the step after it.
        let has_landed = point.approach > REBOUND_SPEED && point.impulse.w > 0.0;
        let from = if has_landed { Vec4::ZERO } else { point.impulse };
        errors.holds(got.impulse == from);
        let approach = if from.w > 0.0 { 0.0 } else { closing.max(0.0) };
        errors.number(got.approach, approach, fast);
        let [normal, tangent] = [f64::from(from.w) * n, from.truncate().as_dvec3()];
        let size = normal.length() + tangent.length();
        errors.kept(got, point, |p, got| (p.approach, p.impulse) = (got.approach, got.impulse));
        let start = normal + tangent;
        impulse += start;
        for (moment, part) in moments.iter_mut().zip(&parts) {
            *moment += (place - part.position).cross(start);
        }
        scales[0] += size;
        scales[1] += far * size;
        fast_points += u32::from(closing > f64::from(REBOUND_SPEED));
        unsure_fast |= (closing - f64::from(REBOUND_SPEED)).abs() < 1e-5 * fast;
        acts |= from.w > 0.0 || gap < h * closing;
        unsure |= (gap - h * closing).abs() < 1e-5 * (near + h * fast);
    }
    let heavier = parts[0].inverse_mass.max(parts[1].inverse_mass);
    let asleep = ends.iter().any(|p| given.poses[*p].island > 0);
    // Rounding may decide whether it acts.
    let acts = if unsure { got[0].w > 0.0 } else { acts && heavier > 0.0 && !asleep };
    if !acts {
        errors.holds(got == [Vec4::ZERO; 3]);
        return;
    }
    errors.number(got[0].w, 1.0 / heavier, 1.0 / heavier);
    errors.holds(unsure_fast || got[1].w == f32::from(fast_points > 1));
    errors.vector(got[0].truncate(), impulse, scales[0]);
    for (got, moment) in got[1..].iter().zip(moments) {
        errors.vector(got.truncate(), moment, scales[1]);
    }
    let power = power(&parts, impulse, moments);
    let fast = |part: &Part| part.velocity.length() * scales[0] + part.spin.length() * scales[1];
    errors.number(got[2].w, 0.5 * power, parts.iter().map(fast).sum());
}

/// How fast an impulse on the first, at moments about both centres, and its opposite on the second do work.
fn power(parts: &[Part], impulse: DVec3, moments: [DVec3; 2]) -> f64 {
    let of = |k: usize| impulse.dot(parts[k].velocity) + moments[k].dot(parts[k].spin);
    of(0) - of(1)
}

/// An iteration while what is inside is parted; the passes of rebounds run where something that rebounds has landed, those that push
/// where something is deep.
pub fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let words = vec![0_u32; ROUND_WORDS as usize];
    let arrays: &Arrays<'_> = &[("dispatches", &words)];
    iterations(bench, errors, Pass::Solve, arrays, |given, after, got, errors| {
        let landed = |c: usize| {
            let own = &got[given.points_of(c)];
            own.iter().any(|point| point.approach > REBOUND_SPEED && point.impulse.w > 0.0)
        };
        let rebounds = |c: usize| given.manifolds[c].restitution > 0.0 && landed(c);
        let acts = |c: &usize| given.range().contains(c) && given.acts(*c);
        let any = (0..given.len()).filter(acts).any(rebounds);
        let mut wanted = words.clone();
        if any {
            wanted[REBOUND_WORD as usize..][..6].copy_from_slice(&[5, 6, 1, 7, 8, 1]);
        }
        if (0..given.len()).filter(acts).any(|c| is_deep(bench, &light(bench), given, c)) {
            wanted[PUSH_WORD as usize..][..6].copy_from_slice(&[5, 6, 1, 7, 8, 1]);
        }
        errors.words(&after.get::<u32>("dispatches"), &wanted);
    })
}

/// With so little gravity that bodies are pushed.
fn light(bench: &Bench<'_>) -> Sim {
    Sim { gravity: Vec3::new(0.03, -0.1, 0.05), ..with_poses(&bench.case.sim) }
}

/// Whether a point is deeper than impulses part.
fn is_deep(bench: &Bench<'_>, sim: &Sim, given: &Given, c: usize) -> bool {
    let h = f64::from(sim.step);
    exact_manifold(sim, given, c).iterate(split_parts(bench, given, c), Pass::Solve, h).is_deep
}

/// The parts of its bodies that a manifold has.
fn split_parts(bench: &Bench<'_>, given: &Given, c: usize) -> [Part; 2] {
    let share = f64::from(given.wrenches[WRENCH_ROWS as usize * c].w);
    given.ends(bench, c).map(|p| given.parts[p].0.split(share, given.parts[p].1))
}

/// What pushes the bodies of each manifold apart for the move, as one impulse at each point; the work of the passes before.
pub fn push(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    // In a long step bodies close gaps.
    let long = Sim { step: 0.1, gravity: Vec3::ZERO, ..light(bench) };
    for (speed, seed, sim) in
        [(1.0, 730, light(bench)), (0.04, 735, light(bench)), (1.0, 737, long)]
    {
        let h = f64::from(sim.step);
        let given = Given::new(bench, 0.0, speed, seed);
        let after = given.run(bench, sim, &[])?;
        let (manifolds, wrenches): (Vec<Manifold>, Vec<Vec4>) =
            (after.get("manifolds"), after.get("wrenches"));
        errors.holds(after.get::<ManifoldPoint>("manifold_points") == given.points);
        let mut pushed = 0;
        for (c, (got, before)) in manifolds.iter().zip(&given.manifolds).enumerate() {
            let [force, a, b] = wrench(&wrenches, c);
            let last = wrench(&given.wrenches, c);
            if !given.range().contains(&c) || !given.acts(c) {
                errors.holds(got == before && [force, a, b] == last);
                continue;
            }
            let parts = split_parts(bench, &given, c);
            let mut wanted = exact_manifold(&sim, &given, c);
            let act = wanted.push(parts, h);
            let (fast, far, stiff) = scales(&parts, &wanted, h);
            let size = fast / stiff[0] * (stiff[1] / stiff[0]);
            errors.kept(got, before, |m, got| m.push = got.push);
            for (k, point) in wanted.points.iter().enumerate() {
                errors.number(got.push[k], point.push, size);
                pushed += u32::from(point.push > 0.0);
            }
            let none = wanted.points.len()..MANIFOLD as usize;
            errors.holds(none.clone().all(|k| got.push[k] == before.push[k]));
            errors.holds(force.w == last[0].w && a.w == last[1].w);
            errors.vector(force.truncate(), act.impulse, 4.0 * size);
            for (got, moment) in [a, b].iter().zip(act.moments) {
                errors.vector(got.truncate(), moment, 4.0 * far * size);
            }
            let [impulse, at_a, at_b] = last.map(|row| row.truncate().as_dvec3());
            let work = f64::from(last[2].w)
                + 0.5 * power(&parts, impulse, [at_a, at_b])
                + 0.5 * power(&parts, act.impulse, act.moments);
            errors.number(b.w, work, f64::from(last[2].w).abs() + 10.0 * fast + 4.0 * size * fast);
        }
        errors.holds(pushed > 9 || bench.len() < 9);
    }
    Ok(())
}

/// What velocities of points are added up from \[m/s\], how far these are from the origin, and the least and the largest mobility.
fn scales(parts: &[Part; 2], manifold: &reference::Manifold, h: f64) -> (f64, f64, [f64; 2]) {
    let mut fast: f64 = parts.iter().map(|p| p.velocity.length()).sum();
    let (mut least, mut largest, mut far) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for point in &manifold.points {
        let mobility = parts[0].mobility(point.place) + parts[1].mobility(point.place);
        let arms = parts.map(|p| point.place.length() + p.position.length());
        fast = parts.iter().zip(arms).fold(fast, |v, (p, arm)| v + p.spin.length() * arm);
        least = least.min(mobility.inverse().col_sum_most().recip());
        largest = largest.max(mobility.col_sum_most());
        far = far.max(arms[0]).max(arms[1]);
    }
    let bias = manifold.points.iter().map(|p| p.gap.abs() / h);
    (fast + bias.fold(3.0, extreme::greatest), far, [least, largest])
}

/// One while it stays there, at points that have moved; how deep what bears was.
pub fn relax(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let step = Telemetry::len(bench.case.bodies.len(), bench.case.sim.slot as usize);
    let status = vec![0_u32; step + STEP_WORDS as usize];
    iterations(bench, errors, Pass::Relax, &[("status", &status)], |given, after, got, errors| {
        let moved: Vec<Vec4> = after.get("manifold_places");
        let words: Vec<u32> = after.get("status");
        errors.words(&words[..step], &vec![0; step]);
        let acts = |c: &usize| given.range().contains(c) && given.acts(*c);
        let depth = |c: usize| {
            let own = given.points_of(c);
            let gap = given.places[own.clone()].iter().map(|at| at.w).fold(f32::INFINITY, f32::min);
            let bears = got[own].iter().any(|point| point.impulse.w > 0.0);
            (bears && gap < 0.0).then(|| f64::from(-gap) / f64::from(given.manifolds[c].size))
        };
        let depths: Vec<f64> = (0..given.len()).filter(acts).filter_map(depth).collect();
        tallied(&words[step..], &depths, 1.0, errors);
        for c in 0..given.len() {
            let own = if acts(&c) { given.points_of(c) } else { 0..0 };
            let shift = given.shift(bench, c);
            for (k, (moved, before)) in
                moved[own.clone()].iter().zip(&given.places[own]).enumerate()
            {
                let shift = shift + given.shift_out(bench, c, k);
                let place = before.truncate().as_dvec3();
                let scale = place.length() + shift.length();
                errors.vector(moved.truncate(), place + shift, scale);
                errors.holds(moved.w == before.w);
            }
        }
    })
}

/// The impulses of each manifold as those of one contact, at its deepest point.
pub fn total(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 0.0, 1.0, 740);
    let none = vec![Impulse { body: 5, ..Impulse::default() }; given.len()];
    let no_rows = vec![Row { gap: 7.0, ..Row::default() }; given.len()];
    let arrays: &Arrays<'_> = &[("impulses", &none), ("rows", &no_rows)];
    let after = given.run(bench, with_poses(&bench.case.sim), arrays)?;
    let (got, seen): (Vec<Impulse>, Vec<Row>) = (after.get("impulses"), after.get("rows"));
    for c in 0..given.len() {
        let own = given.points_of(c);
        if !given.range().contains(&c) || own.is_empty() {
            errors.holds(got[c] == none[c] && seen[c] == no_rows[c]);
            continue;
        }
        let wanted: f64 = given.points[own.clone()].iter().map(|p| f64::from(p.impulse.w)).sum();
        errors.number(got[c].normal, wanted, wanted);
        let tangents = given.points[own.clone()].iter().map(|p| p.impulse.truncate().as_dvec3());
        let size = tangents.clone().map(DVec3::length).sum();
        errors.vector(got[c].tangent, tangents.sum(), size);
        let feature_b = given.manifolds[c].colliders.y;
        let begun = Impulse { feature_b, body: NONE, ..Impulse::default() };
        errors.kept(&got[c], &begun, |i, got| (i.normal, i.tangent) = (got.normal, got.tangent));
        let deepest = given.places[own].iter().min_by(|a, b| a.w.total_cmp(&b.w));
        let (point, gap) = deepest.map_or((Vec3::ZERO, -3e38), |at| (at.truncate(), -at.w));
        errors.holds(seen[c] == Row { point, gap, ..Row::default() });
    }
    Ok(())
}

/// Impulses of a step of another length.
pub fn scale(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 0.0, 1.0, 770);
    let sim = Sim { step_ratio: 0.7, ..with_poses(&bench.case.sim) };
    let (after, ratio) = (given.run(bench, sim, &[])?, f64::from(sim.step_ratio));
    let (got, points): (Vec<Manifold>, Vec<ManifoldPoint>) =
        (after.get("manifolds"), after.get("manifold_points"));
    for (c, (got, before)) in got.iter().zip(&given.manifolds).enumerate() {
        let is_listed = given.range().contains(&c) && before.count > 0;
        let all = MANIFOLD as usize * c..MANIFOLD as usize * (c + 1);
        let own = if is_listed { given.points_of(c) } else { all.start..all.start };
        let turn = before.rolling_impulse.as_dvec3();
        let factor = if is_listed { ratio } else { 1.0 };
        errors.vector(got.rolling_impulse, factor * turn, turn.length());
        errors.kept(got, before, |m, got| m.rolling_impulse = got.rolling_impulse);
        errors.holds(points[own.end..all.end] == given.points[own.end..all.end]);
        for (got, before) in points[own.clone()].iter().zip(&given.points[own]) {
            let wanted = before.impulse.as_dvec4();
            errors.number(got.impulse.w, ratio * wanted.w, wanted.w);
            let wanted = wanted.truncate();
            errors.vector(got.impulse.truncate(), ratio * wanted, wanted.length());
            errors.kept(got, before, |p, got| p.impulse = got.impulse);
        }
    }
    Ok(())
}

/// Of contacts with particles nothing is left to act; the rest of their rows, and manifolds', stay.
pub fn ended(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (mut random, records) = (Random::new(750), bench.len() + 9);
    for (first, room) in [(records - 4, records), (records, records - 6), (0, records)] {
        let row = |_| Row { delta: random.vector(1.0).as_vec3(), gap: 0.3, ..Row::default() };
        let rows: Vec<Row> = (0..records).map(row).collect();
        let mut lists = vec![0; LIST_LOADS as usize + bench.len() + COUNT];
        lists[LIST_MANIFOLDS as usize] = first as u32;
        let collide = Collide { capacity: room as u32, ..Collide::default() };
        let arrays: &Arrays<'_> =
            &[("collide", &[collide]), ("contact_lists", &lists), ("rows", &rows)];
        let after = bench.run(with_poses(&bench.case.sim), records, arrays)?;
        let wanted = |(c, row): (usize, &Row)| match c < first.min(room) {
            true => Row { delta: Vec3::ZERO, ..*row },
            false => *row,
        };
        let wanted: Vec<_> = rows.iter().enumerate().map(wanted).collect();
        let got = after.get::<Row>("rows");
        errors.holds(got == wanted);
        let deltas = |rows: &[Row]| -> Vec<u32> {
            rows.iter().flat_map(|row| row.delta.to_array().map(f32::to_bits)).collect()
        };
        errors.words(&deltas(&got), &deltas(&wanted));
    }
    Ok(())
}

/// One that makes what came at the other side leave it.
pub fn rebound(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    iterations(bench, errors, Pass::Rebound, &[], |_, _, _, _| ())
}

type Further<'a> = &'a dyn Fn(&Given, &Written, &[ManifoldPoint], &mut ErrorStats);

/// Iterations against those of the reference, of fast and of slow poses; and what holds of all: impulses push, friction is in its
/// cone, and both sides' moments are those of one impulse and its opposite at the same place.
fn iterations(
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    pass: Pass,
    arrays: &Arrays<'_>,
    further: impl Fn(&Given, &Written, &[ManifoldPoint], &mut ErrorStats),
) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let further: Further<'_> = &further;
    for (speed, seed) in [(1.0, 710), (0.04, 720)] {
        let given = Given::new(bench, 0.0, speed, seed);
        let after = given.run(bench, light(bench), arrays)?;
        let got = Got {
            points: after.get("manifold_points"),
            manifolds: after.get("manifolds"),
            wrenches: after.get("wrenches"),
        };
        let mut unsure = 0;
        for c in 0..given.len() {
            if !given.range().contains(&c) || !given.acts(c) {
                errors.holds(got.stays(&given, c));
                errors.holds(wrench(&got.wrenches, c) == wrench(&given.wrenches, c));
            } else {
                unsure += u32::from(!iterated(bench, &given, c, pass, &got, errors));
            }
        }
        errors.holds(20 * unsure <= 40 + given.len() as u32);
        further(&given, &after, &got.points, errors);
    }
    Ok(())
}

/// What an iteration left.
struct Got {
    points: Vec<ManifoldPoint>,
    manifolds: Vec<Manifold>,
    wrenches: Vec<Vec4>,
}

impl Got {
    /// Whether a manifold is as it was.
    fn stays(&self, given: &Given, c: usize) -> bool {
        let all = MANIFOLD as usize * c..MANIFOLD as usize * (c + 1);
        self.points[all.clone()] == given.points[all] && self.manifolds[c] == given.manifolds[c]
    }
}

/// A manifold as the reference has it.
fn exact_manifold(sim: &Sim, given: &Given, c: usize) -> reference::Manifold {
    let manifold = &given.manifolds[c];
    let point = |k: usize| {
        let (point, at) = (&given.points[k], given.places[k]);
        reference::Point {
            place: at.truncate().as_dvec3(),
            gap: at.w.into(),
            normal: point.impulse.w.into(),
            tangent: point.impulse.truncate().as_dvec3(),
            approach: point.approach.into(),
            push: manifold.push[k % MANIFOLD as usize].into(),
        }
    };
    reference::Manifold {
        normal: manifold.normal.as_dvec3(),
        points: given.points_of(c).map(point).collect(),
        friction: manifold.friction.into(),
        restitution: manifold.restitution.into(),
        rolling: manifold.rolling.into(),
        rolling_impulse: manifold.rolling_impulse.as_dvec3(),
        lands: given.wrenches[WRENCH_ROWS as usize * c + 1].w > 0.0,
        kick: f64::from(sim.step) * sim.gravity.as_dvec3().length(),
    }
}

/// Compares one manifold; false: rounding may decide something of it.
fn iterated(
    bench: &Bench<'_>,
    given: &Given,
    c: usize,
    pass: Pass,
    got: &Got,
    errors: &mut ErrorStats,
) -> bool {
    let manifold = &given.manifolds[c];
    let mut parts = split_parts(bench, given, c);
    if pass == Pass::Relax {
        // They have moved since.
        let h = f64::from(bench.case.sim.step);
        parts.iter_mut().for_each(|part| part.position += h * part.velocity);
    }
    let mut wanted = exact_manifold(&light(bench), given, c);
    if pass == Pass::Relax {
        let shift = given.shift(bench, c);
        for (k, point) in wanted.points.iter_mut().enumerate() {
            point.place += shift + given.shift_out(bench, c, k);
        }
        wanted.normal = given.normal_after(bench, c);
    }
    let before = wanted.clone();
    let h = f64::from(bench.case.sim.step);
    let last = wrench(&given.wrenches, c);
    let [impulse, at_a, at_b] = last.map(|row| row.truncate().as_dvec3());
    let work = f64::from(last[2].w) + 0.5 * power(&parts, impulse, [at_a, at_b]);
    let act = match pass {
        Pass::Rebound => wanted.rebound(parts, h, work),
        _ => wanted.iterate(parts, pass, h),
    };
    let [force, a, b] = wrench(&got.wrenches, c);
    let points = &got.points[given.points_of(c)];
    let (fast, far, [least, largest]) = scales(&parts, &before, h);
    let start: f64 = before.points.iter().map(|p| p.normal + p.tangent.length() + p.push).sum();
    let size = (start + fast / least) * (1.0 + largest / least);
    let turns_on = pass == Pass::Relax && given.turns_on(c);
    for (k, (got, old)) in points.iter().zip(&given.points[given.points_of(c)]).enumerate() {
        if turns_on {
            // A root loses half of the digits near 0.
            let wanted = given.approach_after(bench, c, k);
            let root = fast * TOLERANCE.sqrt() / TOLERANCE;
            let scale = if wanted > 0.1 * fast { 1e2 * fast } else { root };
            errors.number(got.approach, wanted, scale);
        }
        let [normal, tangent] = [got.impulse.w, got.impulse.truncate().length()].map(f64::from);
        errors.holds(normal >= 0.0);
        let most = f64::from(manifold.friction) * normal;
        errors.holds(tangent <= most * (1.0 + 1e-5) + 1e-6);
        errors.kept(got, old, |p, got| {
            p.impulse = got.impulse;
            if turns_on {
                p.approach = got.approach;
            }
        });
    }
    // M_a − M_b = (x_b − x_a) × J: as of one impulse and its opposite at one place.
    let [force_d, a_d, b_d] = [force, a, b].map(|v| v.truncate().as_dvec3());
    let apart = (parts[1].position - parts[0].position).cross(force_d);
    errors.vector(
        (a_d - b_d - apart).as_vec3(),
        DVec3::ZERO,
        4.0 * far * (force_d.length() + start + 0.1),
    );
    errors.holds(force.w == last[0].w);
    errors.holds((a.w > 0.0) == before.lands);
    let normal = got.manifolds[c].normal;
    errors.kept(&got.manifolds[c], manifold, |m, got| {
        m.rolling_impulse = got.rolling_impulse;
        if pass == Pass::Relax {
            m.normal = got.normal;
        }
    });
    errors.vector(normal, before.normal, 4.0 + fast);
    if act.closest < 1e-4 {
        return false;
    }
    if pass == Pass::Rebound {
        errors.holds(act.work <= 1e-9 + (-work).max(0.0));
    } else {
        let half = 0.5 * power(&parts, act.impulse, act.moments);
        errors.number(b.w, work + half, work.abs() + 10.0 * fast + 4.0 * size * fast);
    }
    for (got, wanted) in points.iter().zip(&wanted.points) {
        errors.number(got.impulse.w, wanted.normal, size);
        errors.vector(got.impulse.truncate(), wanted.tangent, size);
    }
    errors.vector(force.truncate(), act.impulse, 4.0 * size);
    let rolling = got.manifolds[c].rolling_impulse;
    errors.vector(rolling, wanted.rolling_impulse, far * size);
    for (got, moment) in [a, b].iter().zip(act.moments) {
        errors.vector(got.truncate(), moment, 4.0 * far * size);
    }
    true
}

/// The largest sum of magnitudes of a column.
trait ColumnSum {
    fn col_sum_most(&self) -> f64;
}

impl ColumnSum for glam::DMat3 {
    fn col_sum_most(&self) -> f64 {
        [0, 1, 2].map(|k| self.col(k).abs().element_sum()).into_iter().fold(0.0, extreme::greatest)
    }
}
