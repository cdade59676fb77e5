//! Areas that are kept: equilibria, step bounds, momentum, repeats.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::reference::force::undamped_acceleration;
use pliant::internals::reference::{System, areas};
use pliant::scene::{Body, DampingMode, Integrator, Scene, Step};

use crate::shell_support::*;
use crate::stability::{omega, stays_small};
use crate::support::*;

/// Bodies that keep areas: triangle and tetrahedron thick, open and closed.
pub fn bodies() -> Vec<(&'static str, Body)> {
    let mut bodies = vec![
        ("sheet", shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.1))),
        ("ball", shell(ball(3))),
        ("slab", slab()),
    ];
    bodies.iter_mut().for_each(|(_, body)| body.area = 20.0);
    bodies[1].1.scale = [0.3; 3];
    bodies
}

/// Follows the accelerations, at rest again whenever they point back (Cundall 1976), until they vanish: a place of
/// equilibrium in f64.
fn wait_submission(system: &mut System, step: f64, least: f64) -> usize {
    let still = vec![DVec3::ZERO; system.position.len()];
    let mut v = still.clone();
    for iteration in 0..200_000 {
        let a = undamped_acceleration(system, &system.position, &still);
        if longest(&a) < least {
            return iteration;
        }
        let power: f64 = (0..a.len())
            .filter(|i| !system.pinned(*i))
            .map(|i| v[i].dot(a[i]) * system.mass(i))
            .sum();
        if power < 0.0 {
            v.clone_from(&still);
        }
        for i in 0..a.len() {
            v[i] += step * a[i];
            system.position[i] += step * v[i];
        }
    }
    panic!("no equilibrium");
}

/// The world at its equilibrium under drag, and the same from the reference.
fn settled(body: Body, gravity: DVec3) -> (World, Vec<DVec3>, System) {
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    scene.world.gravity = gravity.to_array();
    scene.world.drag = 3.0;
    let mut world = world(&scene);
    let mut system = system(&world);
    system.drag = 0.0;
    wait_submission(&mut system, 0.5 * world.stepping().step, 1e-7);
    for _ in 0..60 {
        world.step((1.0 / world.stepping().step) as u64).unwrap();
        if rms(&world.read().unwrap().velocities) < 2e-6 {
            break;
        }
    }
    let [found, _] = read(&mut world);
    (world, found, system)
}

/// Mean relative change of area of the triangles at positions `x`.
fn area_change(world: &World, x: &[DVec3]) -> f64 {
    let model = world.model();
    let change = |corners: &[u32; 3]| {
        let corners = corners.map(|i| i as usize);
        let rest = areas::area(corners, &model.rest_positions);
        (areas::area(corners, x) / rest - 1.0).abs()
    };
    let sum: f64 = model.triangles.iter().map(change).sum();
    sum / model.triangles.len() as f64
}

fn hung_by_its_upper_edge(mut body: Body) -> Body {
    body.pin = vec![within([-1.0, 0.199, -1.0], [1.0, 1.0, 1.0])];
    body
}

/// Hung in its own plane, so that the equilibrium is one that is stable; the same on the device and in f64.
#[test]
fn sheets_keep_their_area_under_load() {
    let of_triangles =
        hung_by_its_upper_edge(shell(sheet([5, 4], [0.5, 0.4], Cut::Alternating, 0.1)));
    let of_tetrahedra = hung_by_its_upper_edge(slab());
    let mut by_modulus = of_triangles.clone();
    by_modulus.kind = springs(2e4, 0.0);
    for (name, body) in [
        ("triangles", of_triangles),
        ("triangles by modulus", by_modulus),
        ("tetrahedra", of_tetrahedra),
    ] {
        let mut changes = [0.0; 2];
        for (area, change) in [0.0, 100.0].into_iter().zip(&mut changes) {
            let mut body = body.clone();
            body.area = area;
            let (world, found, system) = settled(body, DVec3::NEG_Y * 9.81);
            let off = apart(&found, &system.position);
            let moved = apart(&found, &world.model().positions);
            *change = area_change(&world, &found);
            assert!(moved > 1e-3, "{name}: {moved}");
            assert!(off < 5e-4 * moved, "{name}: {off:e} of {moved:e} m");
        }
        assert!(changes[1] < 0.2 * changes[0], "{name}: {changes:?}");
    }
}

#[test]
fn areas_make_bodies_stiffer() {
    for (name, body) in bodies() {
        let without = omega(&Body { area: 0.0, ..body.clone() });
        assert!(omega(&body) > 1.2 * without, "{name}");
    }
}

#[test]
fn bounds_with_areas_hold_from_both_sides() {
    for (name, body) in bodies() {
        let omega = omega(&body);
        for (integrator, bound) in [
            (Integrator::Verlet, 2.0 / omega),
            (Integrator::SymplecticEuler, 2.0 / omega),
            (Integrator::Rk4, 8.0_f64.sqrt() / omega),
        ] {
            let label = format!("{name} {integrator:?}");
            let small = [0.95, 1.05].map(|share| stays_small(&body, integrator, share * bound));
            assert_eq!(small, [true, false], "{label}: stable beside {bound:e} s");
            let scene = floating(body.clone(), integrator, Step::Auto);
            let share = 0.8 * world(&scene).longest_step() / bound;
            assert!((0.6..0.85).contains(&share), "{label}: {share}");
        }
    }
}

/// A damped body that turns, is stretched and shaken.
fn tumbling(body: &Body, integrator: Integrator, mode: DampingMode) -> Scene {
    let mut body = body.clone();
    body.kind = constants(5.0, 1.0, 0.02);
    body.damping_mode = Some(mode);
    body.angular_velocity = [3.0, 5.0, -2.0];
    body.stretch = [1.1, 0.9, 1.0];
    floating(body, integrator, automatic(integrator))
}

#[test]
fn momentum_is_kept_and_energy_falls() {
    for (name, body) in bodies() {
        for integrator in Integrator::ALL {
            for &mode in modes(integrator) {
                let label = format!("{name} {integrator:?} {}", mode.name());
                let mut world = world(&tumbling(&body, integrator, mode));
                let system = system(&world);
                let measured = |world: &mut World| {
                    let energy = energies(&system, &world.read().unwrap()).total();
                    (momenta(world), energy)
                };
                let (start, energy) = measured(&mut world);
                world.step(if integrator.is_implicit() { 100 } else { 500 }).unwrap();
                let (now, end) = measured(&mut world);
                let [linear, angular] = now.off(&start);
                if integrator != Integrator::Euler {
                    assert!(end < energy, "{label}: {energy} J -> {end} J");
                }
                // At steps as long as theirs implicit integrators damp the rotation, and vbd is not near its solution.
                if integrator.is_implicit() {
                    continue;
                }
                assert!(linear < 1e-5, "{label}: linear {linear:e}");
                let first_order = integrator == Integrator::Euler;
                assert!(first_order || angular < 5e-4, "{label}: angular {angular:e}");
            }
        }
    }
}

#[test]
fn runs_repeat_and_resume_bit_for_bit() {
    for (name, body) in bodies() {
        for integrator in Integrator::ALL {
            let mode = *modes(integrator).last().unwrap();
            let scene = tumbling(&body, integrator, mode);
            assert_repeats(&format!("{name} {integrator:?}"), &scene, &[20, 20]);
        }
    }
}
