//! The kernels of the selectable rules: halves, pressures, and the source's friction.

use crate::extreme::greatest;
use glam::{DVec3, Vec3};

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use super::oracle::Oracle;
use super::pressure_balance;
use super::touch::{Touch, push_terms, rows, uniform};
use crate::Result;
use crate::gpu::types::{Collide, Particle, Shift, Sim};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::triangles::Contact as Wanted;
use crate::reference::contact::{pressure, source};
use crate::reference::force::elastic_forces;

pub const CHECKS: super::Checks = &[
    ("project_half", super::Check::Case(half)),
    ("internal_force", super::Check::Case(force)),
    ("pressure_shift", super::Check::Case(shift)),
    ("source_friction", super::Check::Case(friction)),
];

/// x + s/2, gentle and as the source has it, from lists in any order; and what the later passes start from.
pub fn half(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, sim, inputs) = (bench.context, bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    for source in [0, 1] {
        let mut random = Random::new(54);
        let touch = Touch::random(bench, &oracle, &mut random);
        let mut keys: Vec<_> = touch
            .rows
            .iter()
            .map(|_| random.index(0, 1 << 30))
            .collect();
        keys.resize(8 * touch.contacts.len() + 8, 0);
        let shuffled = rows(&touch.contacts, bench.len(), |nodes| {
            nodes.sort_by_key(|&node| keys[node as usize]);
        });
        let lists = touch.lists(context, &shuffled)?;
        let stale = Shift {
            takes_part: 1,
            way: Vec3::X,
            ..Shift::default()
        };
        let shifts = Buffer::new(context, "shifts", &vec![stale; bench.len()])?;
        let collide = uniform(context, of_source(source));
        let mut others = lists.bindings().to_vec();
        others.extend([collide.bind("collide"), shifts.bind("shifts")]);
        bench.write(inputs, inputs);
        bench.dispatch(kernel, sim, bench.len(), &others);
        errors.case();
        errors.words(&lists.rows.read(context)?, &touch.rows);
        let got = (bench.written()?, shifts.read(context)?);
        moved_half(&got, bench, &touch, source, errors);
    }
    Ok(())
}

fn moved_half(
    got: &(Vec<Particle>, Vec<Shift>),
    bench: &Bench<'_>,
    touch: &Touch,
    source: u32,
    errors: &mut ErrorStats,
) {
    let ways = ways(touch, source);
    let wanted = pressure::half_displacements(&touch.scene, &touch.wanted, &ways);
    let takes_part = longest_ways(touch, &ways);
    let terms = if source == 1 { ways } else { terms(touch) };
    let longest = longest_ways(touch, &terms);
    for (i, (particle, shift)) in got.0.iter().zip(&got.1).enumerate() {
        let x = touch.scene.position[i];
        errors.vector(particle.position, x + wanted[i], x.length() + longest[i]);
        errors.vector(shift.way, 0.5 * wanted[i], longest[i]);
        errors.holds((shift.takes_part == 1) == (takes_part[i] > 0.0));
        let position = particle.position;
        errors.holds(
            *particle
                == Particle {
                    position,
                    ..bench.case.particles[i]
                },
        );
    }
}

fn of_source(source: u32) -> Collide {
    Collide {
        source,
        ..Collide::default()
    }
}

fn ways(touch: &Touch, source: u32) -> Vec<DVec3> {
    if source == 1 {
        pressure::whole_ways(&touch.wanted)
    } else {
        pressure::gentle_ways(&touch.wanted, touch.scene.step)
    }
}

/// What gentle ways are the differences of.
fn terms(touch: &Touch) -> Vec<DVec3> {
    let way = |c: &Wanted| push_terms(c, touch.scene.step) * c.direction;
    touch.wanted.iter().map(way).collect()
}

/// The longest way of each particle's contacts \[m\]; 0 where it takes part in none.
fn longest_ways(touch: &Touch, ways: &[DVec3]) -> Vec<f64> {
    let mut longest = vec![0.0_f64; touch.scene.position.len()];
    for (contact, way) in touch.wanted.iter().zip(ways) {
        for (k, _) in contact.participants() {
            longest[k] = greatest(longest[k], way.length());
        }
    }
    longest
}

/// Elastic force and area of the particles that take part.
pub fn force(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, inputs) = (bench.context, &bench.case.particles);
    // Sweeps or not, the force is without damping.
    for damping_stages in [1, 3] {
        let sim = Sim {
            damping_stages,
            ..bench.case.sim
        };
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let touch = Touch::random(bench, &oracle, &mut Random::new(55));
        let fans = touch.fans(context)?;
        let before: Vec<_> = (0..bench.len() as u32)
            .map(|i| Shift {
                takes_part: u32::from(i % 5 != 2),
                way: Vec3::Y,
                ..Shift::default()
            })
            .collect();
        let shifts = Buffer::new(context, "shifts", &before)?;
        let mut others = fans.bindings().to_vec();
        others.push(shifts.bind("shifts"));
        bench.write(inputs, inputs);
        bench.dispatch(kernel, sim, bench.len(), &others);
        let x = &oracle.system.position;
        let (forces, scale) = (elastic_forces(&oracle.system, x), oracle.elastic_scale(x));
        let areas = pressure::areas(&touch.scene, x);
        errors.case();
        for (i, got) in shifts.read(context)?.iter().enumerate() {
            if before[i].takes_part == 0 {
                errors.holds(*got == before[i]);
                continue;
            }
            errors.vector(got.force, forces[i], scale[i]);
            // A triangle's sides are as long as the coordinates that they are differences of.
            errors.number(got.area, areas[i], areas[i] + 3.0);
            errors.holds(got.way == Vec3::Y);
        }
    }
    Ok(())
}

/// Forward or back by random forces, and without any, where the body's index decides; then the two springs.
pub fn shift(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, sim, inputs) = (bench.context, bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    for (source, force) in [(0, 1.0), (1, 1.0), (1, 0.0)] {
        let mut random = Random::new(56);
        let touch = Touch::random(bench, &oracle, &mut random);
        let ways = ways(&touch, source);
        let takes_part = longest_ways(&touch, &ways);
        let shift = |i: usize| Shift {
            way: random.vector(0.01).as_vec3() * f32::from(u8::from(inputs[i].inverse_mass > 0.0)),
            takes_part: u32::from(takes_part[i] > 0.0),
            force: (force * random.vector(1.0)).as_vec3(),
            area: random.between(-0.1, 1.0).max(0.0) as f32,
        };
        let before: Vec<_> = (0..bench.len()).map(shift).collect();
        let shifts = Buffer::new(context, "shifts", &before)?;
        let lists = touch.lists(context, &touch.rows)?;
        let collide = uniform(context, of_source(source));
        let mut others = lists.bindings().to_vec();
        others.extend([collide.bind("collide"), shifts.bind("shifts")]);
        bench.write(inputs, inputs);
        bench.dispatch(kernel, sim, bench.len(), &others);
        let signs = {
            let next: Vec<_> = before.iter().map(|s| s.way.as_dvec3()).collect();
            let pressures: Vec<_> = before.iter().map(pressure_of).collect();
            pressure::signs(&touch.scene, &touch.wanted, &ways, &next, &pressures)
        };
        errors.case();
        let after = shifts.read(context)?;
        for (i, got) in bench.written()?.iter().enumerate() {
            if before[i].takes_part == 0 {
                errors.holds(*got == inputs[i] && after[i] == before[i]);
                continue;
            }
            let way = before[i].way.as_dvec3();
            let wanted = oracle.system.position[i] + signs[i] * way;
            errors.vector(got.position, wanted, wanted.length() + way.length());
            errors.holds(
                after[i]
                    == Shift {
                        way: 0.5 * before[i].way,
                        ..before[i]
                    },
            );
        }
    }
    pressure_balance::check(kernel, bench, errors)
}

fn pressure_of(shift: &Shift) -> DVec3 {
    if shift.area > 0.0 {
        shift.force.as_dvec3() / f64::from(shift.area)
    } else {
        DVec3::ZERO
    }
}

/// Velocities after the source's friction: of points that it slows, and of those that it stops.
pub fn friction(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, sim, inputs) = (bench.context, bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    for strength in [20.0, 1e4] {
        let mut random = Random::new(57);
        let touch = Touch::random(bench, &oracle, &mut random);
        let shift = |_| Shift {
            force: random.vector(strength).as_vec3(),
            ..Shift::default()
        };
        let before: Vec<_> = (0..bench.len()).map(shift).collect();
        let shifts = Buffer::new(context, "shifts", &before)?;
        let lists = touch.lists(context, &touch.rows)?;
        let collide = uniform(context, of_source(1));
        let halves: Vec<_> = inputs.iter().map(|p| p.velocity.extend(0.0)).collect();
        bench.state.half_velocity.write(context, 0, &halves);
        let mut others = lists.bindings().to_vec();
        others.extend([collide.bind("collide"), shifts.bind("shifts")]);
        bench.write(inputs, inputs);
        bench.dispatch(kernel, sim, bench.len(), &others);
        let forces: Vec<_> = before.iter().map(|s| s.force.as_dvec3()).collect();
        let wanted = source::slowed(&touch.scene, &touch.wanted, &forces);
        let halves = bench.state.half_velocity.read(context)?;
        errors.case();
        for (i, got) in bench.written()?.iter().enumerate() {
            // Just before a point stops, its speed is the difference of two of like size.
            let scale = 2.0 * oracle.system.velocity[i].length();
            errors.vector(got.velocity, wanted[i], scale);
            errors.vector(halves[i].truncate(), wanted[i], scale);
            let velocity = got.velocity;
            errors.holds(
                *got == Particle {
                    velocity,
                    ..inputs[i]
                },
            );
        }
    }
    Ok(())
}
