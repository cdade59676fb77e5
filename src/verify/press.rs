//! How solids press within implicit steps.

use std::ops::Range;

use glam::{DMat3, DVec3, Vec3, Vec4};

use super::states::bases;
use super::trial::{Arrays, Written};
use super::{Bench, ErrorStats, Oracle, Random, TOLERANCE, pushes};
use crate::Result;
use crate::family::fem::law::outer;
use crate::gpu::types::{
    ContactBlock, IMPLICIT_STEP, MAX_TOUCHING, Particle, SOLID_SLIDE, SOLID_STIFFNESS, Sim,
};
use crate::reference::contact::press::{Target, felt, next};
use crate::reference::solids::{self, Push};

pub const CHECKS: super::Checks = &[("augment_fixed", super::Check::Trial(press))];

/// A solid within a particle's reach.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Which one.
    pub solid: usize,
    /// Out of it.
    pub normal: DVec3,
    /// The multiplier \[kg m/s\].
    pub impulse: DVec3,
    /// What the iteration feels \[kg m/s\].
    pub felt: DVec3,
    /// What the cone leaves of its tangential part, and how far rounding may change that.
    pub share: [f64; 2],
    /// h² k of both parts \[kg\], and v* \[m/s\].
    pub gains: [f64; 3],
    /// Whether it presses.
    pub acts: bool,
    /// Of the multiplier.
    pub scale: f64,
    /// v·n less what it should be at least \[m/s\].
    pub ahead: f64,
    /// What that is the difference of \[m/s\].
    pub speeds: f64,
}

impl Touch {
    /// Whether the particle moves along the normal as it should at least, to rounding.
    pub fn at_least(&self) -> bool {
        self.ahead.abs() <= TOLERANCE * self.speeds
    }
}

/// What presses on a particle, with scales.
#[derive(Clone, Debug)]
pub struct Pressed {
    /// By which solids.
    pub touches: Vec<Touch>,
    /// f \[N\]
    pub force: DVec3,
    /// D \[N/m\]
    pub hold: DMat3,
    /// Of f.
    pub force_scale: f64,
    /// Of D.
    pub hold_scale: f64,
}

impl Default for Pressed {
    /// Nothing.
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            force: DVec3::ZERO,
            hold: DMat3::ZERO,
            force_scale: 0.0,
            hold_scale: 0.0,
        }
    }
}

/// Stiffness of the solids over that of a particle, and that along them over that across them.
pub fn stiffening(implicit: u32) -> [f64; 2] {
    match implicit {
        IMPLICIT_STEP => [SOLID_STIFFNESS, SOLID_SLIDE].map(f64::from),
        _ => [1.0; 2],
    }
}

/// What a particle keeps of a solid that it touched.
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    /// Which one.
    pub solid: usize,
    /// \[kg m/s\]
    pub impulse: DVec3,
    /// Whether it pressed.
    pub acted: bool,
}

/// What a particle keeps, of what all keep.
pub fn multipliers(kept: &[Vec4], particle: usize) -> Vec<Multiplier> {
    // A solid's number is kept with 1 added, negative where it did not press.
    let one = |j: &Vec4| Multiplier {
        solid: (j.w.abs() as usize).wrapping_sub(1),
        impulse: j.truncate().as_dvec3(),
        acted: j.w > 0.0,
    };
    kept[places(particle)].iter().map(one).collect()
}

/// Where a particle's multipliers are.
pub fn places(particle: usize) -> Range<usize> {
    let most = MAX_TOUCHING as usize;
    most * particle..most * (particle + 1)
}

/// n nᵀ and a share of what lies across n.
pub fn along(n: DVec3, share: f64) -> DMat3 {
    outer(n, n) * (1.0 - share) + DMat3::IDENTITY * share
}

/// How the solids press on point i at the velocities of `oracle`, from its place at the step's start, and the
/// multipliers that it keeps, of which those that acted follow. `stiffness`: across and, as a part of that, along them. `ratio`: what the multipliers
/// are multiplied by where they do not follow the iterate.
pub fn pressed(
    oracle: &Oracle<'_>,
    i: usize,
    start: DVec3,
    [stiffness, slide]: [f64; 2],
    kept: &[Multiplier],
    ratio: Option<f64>,
) -> Pressed {
    let (system, h) = (&oracle.system, oracle.h);
    let gain = h * h * stiffness;
    let mut wanted = Pressed::default();
    for k in 0..system.solids.len() {
        let place = wanted.touches.len();
        let Some((asked, speeds)) = asked(oracle, i, start, k, [gain, slide * gain]) else {
            continue;
        };
        if place >= MAX_TOUCHING as usize {
            continue;
        }
        let known = kept.get(place).filter(|own| own.solid == k);
        let (mut last, acted) = known.map_or((DVec3::ZERO, false), |own| (own.impulse, own.acted));
        let scale = last.length() + 2.0 * gain * speeds;
        last = match ratio {
            Some(ratio) => ratio * last,
            None if acted => next(last, &asked).0,
            None => last,
        };
        let (impulse, share) = felt(last, &asked);
        let (n, v) = (asked.normal, asked.velocity);
        let tangent = (last - last.dot(n) * n - slide * gain * (v - v.dot(n) * n)).length();
        let uncertain = scale / tangent.max(1e-3 * scale);
        let touch = Touch {
            solid: k,
            normal: n,
            impulse: last,
            felt: impulse,
            share: [share, 1.0 + uncertain],
            gains: [gain, slide * gain, asked.speed],
            acts: impulse.dot(n) > 0.0,
            scale,
            ahead: v.dot(n) - asked.speed,
            speeds,
        };
        wanted.force += impulse / h;
        wanted.force_scale += 2.0 * scale / h;
        if touch.acts {
            wanted.hold += stiffness * along(n, slide * share);
            // Well within the cone its share is 1.
            let cone = asked.friction * last.dot(n).min(impulse.dot(n));
            let within = cone >= 2.0 * tangent;
            wanted.hold_scale += stiffness * (1.0 + if within { 0.0 } else { uncertain });
        }
        wanted.touches.push(touch);
    }
    wanted
}

/// What solid k asks of a point within its reach, with these gains across and along it, and what its speeds are made of
/// \[m/s\].
fn asked(
    oracle: &Oracle<'_>,
    i: usize,
    start: DVec3,
    k: usize,
    [gain, slide_gain]: [f64; 2],
) -> Option<(Target, f64)> {
    let (system, h) = (&oracle.system, oracle.h);
    let material = system.material(i);
    let (depth, normal) = solids::depth(&system.solids[k], start);
    let (surface, _) = solids::motion(system, k).at(start, 0.0);
    let velocity = system.velocity[i] - surface;
    let depth = depth + material.radius;
    let approach = (-velocity.dot(normal)).max(0.0);
    let speed = depth.min(0.0) / h;
    let asked = Target {
        normal,
        velocity,
        speed,
        gain,
        slide_gain,
        friction: solids::friction(system, i, k),
    };
    let terms = velocity.length() + 2.0 * surface.length() + speed.abs() + start.length() / h;
    (-depth < material.margin + h * approach).then_some((asked, terms))
}

/// J', the force and the block of solids, at the first iteration of a step and at others, of both solvers, and where the
/// multipliers stay.
fn press(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let bases = bases(bench, 84);
    for (first_stage, implicit) in
        [(1, 0), (0, 0), (1, IMPLICIT_STEP), (0, IMPLICIT_STEP), (2, IMPLICIT_STEP)]
    {
        let sim = Sim { first_stage, implicit, step_ratio: 0.5, ..bench.case.sim };
        let mut random = Random::new(86);
        let press = |_| ContactBlock {
            force: Vec3::NAN,
            stiffness: random.between(1.0, 2e4) as f32,
            ..ContactBlock::default()
        };
        let contact_blocks: Vec<_> = inputs.iter().map(press).collect();
        let impulse = |_| {
            let solid = random.index(0, 5) as f32;
            random.multiplier(solid)
        };
        let places = MAX_TOUCHING as usize * bench.len();
        let impulses: Vec<Vec4> = (0..places).map(impulse).collect();
        let arrays: &Arrays<'_> =
            &[("base", &bases), ("contact_blocks", &contact_blocks), ("solid_impulses", &impulses)];
        let after = bench.run(sim, bench.len(), arrays)?;
        compare(&after, bench, &sim, &bases, (&contact_blocks, &impulses), errors);
    }
    Ok(())
}

/// Compares what presses on each particle, with bases x_n, what pressed before, and multipliers.
fn compare(
    after: &Written,
    bench: &Bench<'_>,
    sim: &Sim,
    bases: &[Particle],
    (contact_blocks, impulses): (&[ContactBlock], &[Vec4]),
    errors: &mut ErrorStats,
) {
    let oracle = bench.oracle_of(sim);
    let [factor, slide] = stiffening(sim.implicit);
    let ratio = match sim.first_stage {
        0 => None,
        // Of a step of half the length.
        1 => Some(0.5),
        _ => Some(1.0),
    };
    let left: Vec<Vec4> = after.get("solid_impulses");
    let pushes = pushes::read(after);
    for (i, got) in after.get::<ContactBlock>("contact_blocks").iter().enumerate() {
        errors.holds(got.stiffness == contact_blocks[i].stiffness);
        if !oracle.pushable(i) {
            errors.holds(got.force == Vec3::ZERO && got.diagonal == Vec3::ZERO);
            continue;
        }
        let inertia = oracle.system.mass(i) / (oracle.h * oracle.h);
        let stiffness = f64::from(contact_blocks[i].stiffness).max(inertia);
        let start = bases[i].position.as_dvec3();
        let own = multipliers(impulses, i);
        let wanted = pressed(&oracle, i, start, [factor * stiffness, slide], &own, ratio);
        errors.vector(got.force, wanted.force, wanted.force_scale);
        compare_pushes(&pushes[i], &wanted, sim.implicit == IMPLICIT_STEP, errors);
        let hold = got.matrix();
        errors.matrix(&hold, &wanted.hold, wanted.hold_scale);
        for (place, left) in left[places(i)].iter().enumerate() {
            match wanted.touches.get(place) {
                Some(touch) => {
                    let sign = if touch.acts { 1.0 } else { -1.0 };
                    errors.holds(left.w == sign * (touch.solid + 1) as f32);
                    errors.vector(left.truncate(), touch.impulse, touch.scale);
                }
                None => errors.holds(*left == Vec4::ZERO),
            }
        }
    }
}

/// Compares what is kept for contact events: what was felt, or what the pass after the sweeps needs.
fn compare_pushes(got: &[Push], wanted: &Pressed, together: bool, errors: &mut ErrorStats) {
    if together {
        let push = |touch: &Touch| Push {
            solid: touch.solid,
            normal: touch.felt.dot(touch.normal),
            impulse: touch.felt,
        };
        let pushes: Vec<_> = wanted.touches.iter().map(push).collect();
        let scale = wanted.touches.iter().map(|touch| 2.0 * touch.scale).sum();
        pushes::same(got, &pushes, scale, errors);
        return;
    }
    errors.holds(got.len() == wanted.touches.len());
    for (got, touch) in got.iter().zip(&wanted.touches) {
        errors.holds(got.solid == touch.solid);
        let [share, uncertain] = touch.share;
        errors.number(got.normal as f32, share, uncertain);
        let [gain, slide_gain, target] = touch.gains;
        errors.number(got.impulse.x as f32, gain, gain);
        errors.number(got.impulse.y as f32, slide_gain, slide_gain);
        errors.number(got.impulse.z as f32, target, touch.speeds);
    }
}
