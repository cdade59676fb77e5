//! Steps of bodies whose constants differ within them: bounds, damping, stability.

use pliant::World;
use pliant::scene::{
    Body, Constant, DampingMode, Integrator, MeshSource, Scene, ShapeMatching, Step,
};

use crate::fields_support::*;
use crate::stability::omega;
use crate::support::*;

/// Bodies with constants that differ strongly, the integrators' damping bounds included.
pub fn heterogeneous() -> Vec<(&'static str, Body)> {
    let stiff = [(Constant::Young, 4e6)];
    let damped = [(Constant::Relaxation, 0.02)];
    let light = [(Constant::Density, 50.0)];
    let body = |constants: &[_]| {
        let mut body = bar(springs(1e5, 1e-3), vec![region(CORE, constants)]);
        body.mesh = MeshSource::Lattice { cubes: [4, 2, 2], size: [0.8, 0.4, 0.4] };
        body.regions[0].within = RIGHT;
        body
    };
    vec![("stiff", body(&stiff)), ("damped", body(&damped)), ("light", body(&light))]
}

#[test]
fn the_step_follows_the_stiffest_part() {
    for (name, body) in heterogeneous() {
        let omega = omega(&body);
        let mut scene = floating(body, Integrator::Verlet, Step::Auto);
        let step = 0.8 * world(&scene).longest_step();
        assert!((0.68..0.78).contains(&(step * omega / 2.0)), "{name}");
        scene.bodies[0].regions.clear();
        let plain = 0.8 * world(&scene).longest_step();
        assert!(name == "damped" || step < 0.5 * plain, "{name}: {step} {plain}");
    }
}

#[test]
fn exact_damping_follows_the_most_damped_part() {
    for (name, mut body) in heterogeneous() {
        body.kind = springs(1e5, 0.05);
        if name == "damped" {
            body.regions[0].constants = vec![(Constant::Relaxation, 2.0)];
        }
        let mut scene = floating(body, Integrator::Verlet, Step::Fixed(1e-3));
        let with = world(&scene).stepping().damping_stages;
        scene.bodies[0].regions.clear();
        let without = world(&scene).stepping().damping_stages;
        assert!(with > 2 * without, "{name}");
    }
}

/// Automatic steps of every integrator: the energy of a shaken body only falls, its momentum stays.
#[test]
fn varied_bodies_are_stable_with_every_integrator() {
    for (name, body) in heterogeneous() {
        for integrator in Integrator::ALL {
            for &mode in modes(integrator) {
                let label = format!("{name} {integrator:?} {}", mode.name());
                let mut body = body.clone();
                body.damping_mode = Some(mode);
                body.velocity = [0.1, 0.2, 0.0];
                body.stretch = [1.05, 0.97, 1.0];
                let scene = solved_well(floating(body, integrator, automatic(integrator)));
                let mut world = world(&scene);
                let system = system(&world);
                let measured = |world: &mut World| {
                    let energy = energies(&system, &world.read().unwrap()).total();
                    (momenta(world).linear, energy)
                };
                let (p, before) = measured(&mut world);
                // Theirs are as long as frames.
                world.step(if integrator.is_implicit() { 120 } else { 300 }).unwrap();
                let (q, after) = measured(&mut world);
                let end = world.read().unwrap();
                let share = world.damping_share(&end).unwrap();
                assert!(integrator == Integrator::Euler || after < before, "{label}");
                assert!(after < 1.01 * before, "{label}: {before} -> {after}");
                assert!(p.distance(q) < 1e-4 * p.length(), "{label}: {p} {q}");
                let least = if mode == DampingMode::Capped { 0.0 } else { 0.999 };
                assert!(share > least && share <= 1.0, "{label}: {share}");
            }
        }
    }
}

/// Springs without damping, and bodies without springs, have no share in how much of it acts.
#[test]
fn the_damping_share_is_that_of_damped_springs() {
    let mut scene = floating(heterogeneous().swap_remove(1).1, Integrator::Verlet, Step::Auto);
    scene.bodies[0].damping_mode = Some(DampingMode::Capped);
    let share = |scene: &Scene| {
        let mut world = world(scene);
        world.step(10).unwrap();
        let state = world.read().unwrap();
        world.damping_share(&state).unwrap()
    };
    let alone = share(&scene);
    let mut other = bar(ShapeMatching::default().into(), Vec::new());
    other.name = "other".into();
    other.position = [5.0, 0.0, 0.0];
    scene.bodies.push(other);
    let beside = share(&scene);
    scene.bodies[1].kind = springs(1e3, 0.0);
    let undamped = share(&scene);
    assert!(alone < 0.9);
    assert!((beside / alone - 1.0).abs() < 1e-3 && (undamped / alone - 1.0).abs() < 1e-3);
}
