//! What the integrators' kernels keep of the solids' pushes, behind the other words of `status`.

use glam::{DVec3, Vec3, Vec4};

use super::states::bases;
use super::trial::Written;
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random, Scaled};
use crate::Result;
use crate::gpu::types::{Conjugate, MAX_TOUCHING, PUSH_WORDS};
use crate::reference::Solid;
use crate::reference::solids::{self, Push};

pub const CHECKS: Checks =
    &[("solid_pushes", Check::Trial(after_sweeps)), ("newton_pushes", Check::Trial(after_newton))];

/// Pushes that a step's earlier passes have left: none on some particles, on others up to three, of solids that may touch
/// the particle and of others.
pub fn random(bench: &Bench<'_>, seed: u64) -> Vec<Vec<Push>> {
    among(bench.len(), 6, 3, &mut Random::new(seed))
}

/// Pushes on so many particles, up to `most` on each, by solids one after the other from any of the first `solids` on;
/// some of the touches do not push.
pub fn among(particles: usize, solids: usize, most: usize, random: &mut Random) -> Vec<Vec<Push>> {
    let own = |_| {
        let (first, count) = (random.index(0, solids), random.index(0, most + 1));
        let push = |solid| Push {
            solid,
            normal: f64::from((random.between(-1.0, 2.0) as f32).max(0.0)),
            impulse: random.vector(2.0).as_vec3().as_dvec3(),
        };
        (first..first + count).map(push).collect()
    };
    (0..particles).map(own).collect()
}

/// `status` with these pushes, and behind them what the kernels must not take for one.
pub fn status(bench: &Bench<'_>, pushes: &[Vec<Push>]) -> Vec<u32> {
    let mut status = bench.status();
    let words = &mut status[bench.status_words()..];
    words.fill(7);
    let each = words.chunks_mut((PUSH_WORDS * MAX_TOUCHING) as usize);
    for (words, pushes) in each.zip(pushes) {
        let places = words.chunks_mut(PUSH_WORDS as usize);
        for (k, place) in places.enumerate() {
            if let Some(push) = pushes.get(k) {
                let impulse = push.impulse.as_vec3();
                let numbers = [push.normal as f32, impulse.x, impulse.y, impulse.z];
                place[0] = push.solid as u32 + 1;
                place[1..].copy_from_slice(&numbers.map(f32::to_bits));
            } else if k == pushes.len() {
                place[0] = 0;
            }
        }
    }
    status
}

/// The pushes that are kept.
pub fn read(after: &Written) -> Vec<Vec<Push>> {
    let push = |words: &[u32]| {
        let [normal, x, y, z] = [1, 2, 3, 4].map(|k| f32::from_bits(words[k]));
        Push {
            solid: words[0] as usize - 1,
            normal: f64::from(normal),
            impulse: Vec3::new(x, y, z).as_dvec3(),
        }
    };
    let own = |words: &[u32]| {
        let places = words.chunks(PUSH_WORDS as usize);
        places.take_while(|words| words[0] != 0).map(push).collect()
    };
    let words = after.push_words();
    let each = words.chunks((PUSH_WORDS * MAX_TOUCHING) as usize);
    each.map(own).collect()
}

/// The pushes on velocities `v` at `x`, after those that were
/// there `already`. With scales: of the velocities that they change, and of what rounding of the distances does to these.
pub fn wanted(
    oracle: &Oracle<'_>,
    x: &[DVec3],
    v: &Scaled,
    already: &[Vec<Push>],
) -> Vec<(Vec<Push>, f64)> {
    let (system, mut velocities) = (&oracle.system, v.value.clone());
    let pushes = solids::apply_impulses(system, oracle.h, x, &mut velocities);
    let with = |(i, pushes): (usize, &Vec<Push>)| {
        let mut all = already.get(i).cloned().unwrap_or_default();
        for push in pushes {
            if let Some(known) = all.iter_mut().find(|known| known.solid == push.solid) {
                known.normal += push.normal;
                known.impulse += push.impulse;
            } else if all.len() < MAX_TOUCHING as usize {
                all.push(*push);
            }
        }
        let speed = v.scale[i] + oracle.contact_scale(i, x[i], v.value[i]);
        (all, system.mass(i) * speed)
    };
    pushes.iter().enumerate().map(with).collect()
}

/// Compares what is kept with these, but for held particles, and that no fault is noted.
pub fn compare(
    after: &Written,
    oracle: &Oracle<'_>,
    wanted: &[(Vec<Push>, f64)],
    errors: &mut ErrorStats,
) {
    errors.holds(after.status()[0] == u32::MAX);
    for (i, got) in read(after).iter().enumerate() {
        if oracle.pushable(i) {
            let (wanted, scale) = &wanted[i];
            same(got, wanted, *scale, errors);
        }
    }
}

/// Compares the pushes on a particle, solid by solid: near the end of a solid's reach rounding decides whether there is one,
/// of nothing.
pub fn same(got: &[Push], wanted: &[Push], scale: f64, errors: &mut ErrorStats) {
    let solids = || got.iter().map(|push| push.solid);
    let first = |(k, solid)| solids().take(k).all(|s| s != solid);
    errors.holds(solids().enumerate().all(first));
    let of = |pushes: &[Push], solid: usize| {
        let own = pushes.iter().find(|push| push.solid == solid);
        own.map_or((0.0, DVec3::ZERO), |push| (push.normal, push.impulse))
    };
    for solid in solids().chain(wanted.iter().map(|push| push.solid)) {
        let ((normal, impulse), (wanted, wanted_impulse)) = (of(got, solid), of(wanted, solid));
        let scale = scale + wanted + wanted_impulse.length();
        errors.number(normal as f32, wanted, scale);
        errors.vector(impulse.as_vec3(), wanted_impulse, scale);
    }
}

/// What is left of the particles' equations is taken from the push that is then the largest.
fn after_newton(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let oracle = bench.oracle();
    let mut random = Random::new(92);
    let bases = bases(bench, 93);
    let conjugate =
        |_| Conjugate { residual: random.vector(100.0).as_vec3(), ..Conjugate::default() };
    let conjugates: Vec<_> = (0..bench.len()).map(conjugate).collect();
    // Of some nothing is felt.
    let given = near(&oracle, &self::random(bench, 94), |push| {
        let felt = f64::from(u8::from(random.index(0, 3) > 0));
        let normal = felt * push.normal;
        Push { normal, ..*push }
    });
    let after = bench.run_each(&[
        ("base", &bases),
        ("conjugates", &conjugates),
        ("status", &status(bench, &given)),
    ])?;
    for (i, got) in read(&after).iter().enumerate() {
        let mut wanted = given[i].clone();
        if !oracle.pushable(i) {
            errors.holds(*got == wanted);
            continue;
        }
        let left = oracle.h * conjugates[i].residual.as_dvec3();
        let x = bases[i].position.as_dvec3();
        let normal = |push: &Push| solids::depth(&oracle.system.solids[push.solid], x).1;
        let along = |push: &Push| (push.impulse - left).dot(normal(push));
        let felt = wanted.iter_mut().filter(|push| push.normal > 0.0);
        let largest = felt.max_by(|a, b| along(a).total_cmp(&along(b)));
        let mut scale = 0.0;
        if let Some(push) = largest {
            let (n, size) = (normal(push), along(push));
            scale = left.length() + push.impulse.length();
            scale *= 1.0 + reach_over_arm(&oracle.system.solids[push.solid], x);
            push.normal = size.max(0.0);
            push.impulse = push.impulse - left - size.min(0.0) * n;
        }
        same(got, &wanted, scale, errors);
    }
    Ok(())
}

/// The impulses that the last of a vertex's sweeps solved for.
fn after_sweeps(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let oracle = bench.oracle();
    let mut random = Random::new(95);
    let bases = bases(bench, 96);
    // A share, gains and the least velocity, where a push will be.
    let given = near(&oracle, &self::random(bench, 97), |push| Push {
        normal: f64::from(random.between(0.0, 1.0) as f32),
        impulse: DVec3::new(
            f64::from(random.between(0.1, 3.0) as f32),
            f64::from(random.between(0.1, 3.0) as f32),
            push.impulse.x,
        ),
        ..*push
    });
    let multipliers: Vec<_> =
        (0..MAX_TOUCHING as usize * bench.len()).map(|_| random.multiplier(1.0)).collect();
    let after = bench.run_each(&[
        ("base", &bases),
        ("solid_impulses", &multipliers),
        ("status", &status(bench, &given)),
    ])?;
    for (i, got) in read(&after).iter().enumerate() {
        if !oracle.pushable(i) {
            errors.holds(*got == given[i]);
            continue;
        }
        errors.holds(got.len() == given[i].len());
        for (place, (got, left)) in got.iter().zip(&given[i]).enumerate() {
            let last = multipliers[MAX_TOUCHING as usize * i + place];
            let (wanted, scale) = swept(&oracle, i, bases[i].position.as_dvec3(), left, last);
            same(&[*got], &[wanted], scale, errors);
        }
    }
    Ok(())
}

/// The push on point i, with its scale, of a solid that it met at x, by what the last sweep `left`: a share, gains and the
/// least velocity; and the multiplier that it began with, which has not acted where w is negative.
fn swept(oracle: &Oracle<'_>, i: usize, x: DVec3, left: &Push, last: Vec4) -> (Push, f64) {
    let solid = &oracle.system.solids[left.solid];
    let (_, n) = solids::depth(solid, x);
    let (surface, _) = solids::motion(&oracle.system, left.solid).at(x, 0.0);
    let v = oracle.system.velocity[i] - surface;
    let [gain, slide_gain, target] = left.impulse.to_array();
    let multiplier = last.truncate().as_dvec3();
    let normal = multiplier.dot(n) + gain * (target - v.dot(n));
    let tangent = multiplier - slide_gain * v;
    let push = Push {
        solid: left.solid,
        normal,
        impulse: normal * n + left.normal * (tangent - tangent.dot(n) * n),
    };
    let none = Push { normal: 0.0, impulse: DVec3::ZERO, ..push };
    let speed = oracle.system.velocity[i].length() + 2.0 * surface.length() + target.abs();
    let size = multiplier.length() + (gain + slide_gain) * speed;
    let scale = 2.0 * size * (1.0 + reach_over_arm(solid, x));
    (if last.w > 0.0 { push } else { none }, scale)
}

/// Those of the pushes that are of solids which there are, changed.
fn near(
    oracle: &Oracle<'_>,
    pushes: &[Vec<Push>],
    mut change: impl FnMut(&Push) -> Push,
) -> Vec<Vec<Push>> {
    let count = oracle.system.solids.len();
    let mut own = |pushes: &Vec<Push>| {
        let known = pushes.iter().filter(|push| push.solid < count);
        known.map(&mut change).collect()
    };
    pushes.iter().map(&mut own).collect()
}

/// How much larger the numbers are that a normal comes from than the arm that it is the direction of.
fn reach_over_arm(solid: &Solid, x: DVec3) -> f64 {
    let depth = solids::depth(solid, x).0;
    match *solid {
        Solid::Plane { .. } => 0.0,
        Solid::Sphere { centre, radius } => {
            (x.length() + centre.length() + radius) / x.distance(centre)
        }
        Solid::Box { centre, .. } if depth < 0.0 => (x.length() + centre.length()) / -depth,
        Solid::Box { .. } => 0.0,
    }
}
