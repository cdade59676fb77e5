//! The kernels of the selectable rules: halves, pressures, and the source's friction.

use crate::extreme::greatest;
use glam::{DVec3, Vec3, Vec4};

use super::touch::Touch;
use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{Collide, STATUS_SHIFT, Shift, Sim};
use crate::reference::contact::{pressure, source};
use crate::reference::force::elastic_forces;

pub const CHECKS: Checks = &[
    ("project_half", Check::Trial(half)),
    ("internal_force", Check::Trial(force)),
    ("pressure_shift", Check::Trial(shift)),
    ("source_friction", Check::Trial(friction)),
];

/// Runs the kernel on these contacts, lists of them and shifts.
fn run(bench: &Bench<'_>, touch: &Touch, shifts: &Vec<Shift>) -> Result<Written> {
    let particles = bench.case.particles.iter();
    let halves: Vec<_> = particles.map(|p| p.velocity.extend(0.0)).collect();
    bench.run_each(&[
        ("contacts", &touch.contacts),
        ("list_first", &touch.lists.first),
        ("entries", &touch.lists.entries),
        ("rows", &touch.rows),
        ("collide", &[Collide::default()]),
        ("shifts", shifts),
        ("half_velocity", &halves),
    ])
}

/// x + s/2; and what the later passes start from.
fn half(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let touch = Touch::random(bench, &bench.oracle(), &mut Random::new(54));
    let stale = Shift { takes_part: 1, way: Vec3::X, ..Shift::default() };
    let after = run(bench, &touch, &vec![stale; bench.len()])?;
    let ways = ways(&touch);
    let wanted = pressure::half_displacements(&touch.scene, &touch.wanted, &ways);
    let longest = longest_ways(&touch, &ways);
    let shifts: Vec<Shift> = after.get("shifts");
    for (i, (got, shift)) in after.particles().iter().zip(&shifts).enumerate() {
        let x = touch.scene.position[i];
        errors.vector(got.position, x + wanted[i], x.length() + longest[i]);
        errors.vector(shift.way, 0.5 * wanted[i], longest[i]);
        errors.holds((shift.takes_part == 1) == (longest[i] > 0.0));
        errors.kept(got, &bench.case.particles[i], |p, got| p.position = got.position);
    }
    let shift = f32::from_bits(bench.told(&after, STATUS_SHIFT, errors));
    let square = |far: f64| 4.0 * far * far;
    let far = wanted.iter().map(|way| square(way.length()));
    let scale = longest.iter().map(|far| square(*far)).fold(0.0, greatest);
    errors.number(shift, far.fold(0.0, greatest), scale);
    Ok(())
}

/// How far each contact is pushed apart.
fn ways(touch: &Touch) -> Vec<DVec3> {
    let push = |c: usize| f64::from(touch.rows[c].push);
    let contacts = touch.real().into_iter().zip(&touch.wanted);
    contacts.map(|(c, contact)| push(c) * contact.direction).collect()
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
fn force(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    // Sweeps or not, the force is without damping.
    for damping_stages in [1, 3] {
        let sim = Sim { damping_stages, ..bench.case.sim };
        let oracle = bench.oracle_of(&sim);
        let touch = Touch::random(bench, &oracle, &mut Random::new(55));
        let (fans, fan_corners) = touch.fans();
        let shift =
            |i: u32| Shift { takes_part: u32::from(i % 5 != 2), way: Vec3::Y, ..Shift::default() };
        let before: Vec<_> = (0..bench.len() as u32).map(shift).collect();
        let arrays: &Arrays<'_> =
            &[("fans", &fans), ("fan_corners", &fan_corners), ("shifts", &before)];
        let after = bench.run(sim, bench.len(), arrays)?;
        let x = &oracle.system.position;
        let (forces, scale) = (elastic_forces(&oracle.system, x), oracle.elastic_scale(x));
        let areas = pressure::areas(&touch.scene, x);
        for (i, got) in after.get::<Shift>("shifts").iter().enumerate() {
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

/// Forward or back by random forces, and without any, where the body's index decides.
fn shift(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, inputs) = (bench.oracle(), &bench.case.particles);
    for force in [1.0, 0.0] {
        let mut random = Random::new(56);
        let touch = Touch::random(bench, &oracle, &mut random);
        let ways = ways(&touch);
        let takes_part = longest_ways(&touch, &ways);
        let shift = |i: usize| Shift {
            way: random.vector(0.01).as_vec3() * f32::from(u8::from(inputs[i].inverse_mass > 0.0)),
            takes_part: u32::from(takes_part[i] > 0.0),
            force: (force * random.vector(1.0)).as_vec3(),
            area: random.between(-0.1, 1.0).max(0.0) as f32,
        };
        let before: Vec<_> = (0..bench.len()).map(shift).collect();
        let after = run(bench, &touch, &before)?;
        let next: Vec<_> = before.iter().map(|s| s.way.as_dvec3()).collect();
        let pressures: Vec<_> = before.iter().map(pressure_of).collect();
        let signs = pressure::signs(&touch.scene, &touch.wanted, &ways, &next, &pressures);
        let left: Vec<Shift> = after.get("shifts");
        for (i, got) in after.particles().iter().enumerate() {
            if before[i].takes_part == 0 {
                errors.holds(*got == inputs[i] && left[i] == before[i]);
                continue;
            }
            let way = before[i].way.as_dvec3();
            let wanted = oracle.system.position[i] + signs[i] * way;
            errors.vector(got.position, wanted, wanted.length() + way.length());
            let way = 0.5 * before[i].way;
            errors.holds(left[i] == Shift { way, ..before[i] });
        }
        let ways = before.iter().filter(|s| s.takes_part > 0);
        let far = ways.map(|s| s.way.as_dvec3().length_squared());
        let far = far.fold(0.0, greatest);
        let shift = f32::from_bits(bench.told(&after, STATUS_SHIFT, errors));
        errors.number(shift, far, far);
    }
    Ok(())
}

fn pressure_of(shift: &Shift) -> DVec3 {
    if shift.area > 0.0 { shift.force.as_dvec3() / f64::from(shift.area) } else { DVec3::ZERO }
}

/// Velocities after the source's friction: of points that it slows, and of those that it stops.
fn friction(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, inputs) = (bench.oracle(), &bench.case.particles);
    for strength in [20.0, 1e4] {
        let mut random = Random::new(57);
        let touch = Touch::random(bench, &oracle, &mut random);
        let shift = |_| Shift { force: random.vector(strength).as_vec3(), ..Shift::default() };
        let before: Vec<_> = (0..bench.len()).map(shift).collect();
        let after = run(bench, &touch, &before)?;
        let forces: Vec<_> = before.iter().map(|s| s.force.as_dvec3()).collect();
        let wanted = source::slowed(&touch.scene, &touch.wanted, &forces);
        let halves: Vec<Vec4> = after.get("half_velocity");
        for (i, got) in after.particles().iter().enumerate() {
            // Just before a point stops, its speed is the difference of two of like size.
            let scale = 2.0 * oracle.system.velocity[i].length();
            errors.vector(got.velocity, wanted[i], scale);
            errors.vector(halves[i].truncate(), wanted[i], scale);
            errors.kept(got, &inputs[i], |p, got| p.velocity = got.velocity);
        }
    }
    Ok(())
}
