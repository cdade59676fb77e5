//! Finite elements at rest under loads: closed forms, and point by point the reference's own equilibrium.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::System;
use pliant::internals::reference::fem::{Problem, equilibrium};
use pliant::scene::{Body, Constant, Event, Fem, Integrator, Law, Mass, Region, Scene, Step};

use crate::bar_support::*;
use crate::support::*;

pub const DENSITY: f64 = 1000.0;

/// A bar of cubes along x from the origin, without damping of its own, held at x = 0.
pub fn bar(cubes: [u32; 3], cell: f64, fem: Fem) -> Scene {
    let size = cubes.map(|n| f64::from(n) * cell);
    let body = lattice("bar", cubes, size, DENSITY, fem.into());
    held(Body { position: size.map(|length| 0.5 * length), ..body })
}

/// Gravity and line forces on a world's particles [N].
pub fn loads(world: &World) -> Vec<DVec3> {
    let (model, scene) = (world.model(), world.scene());
    let gravity = DVec3::from(scene.world.gravity);
    let mut load: Vec<_> = model.masses.iter().map(|m| *m * gravity).collect();
    for event in &scene.events {
        if let Event::LineForce { point, force, .. } = event {
            load[model.nearest(0, DVec3::from(*point))] += DVec3::from(*force);
        }
    }
    load
}

/// The reference's equilibrium of a world's loads.
fn reference(world: &World) -> Vec<DVec3> {
    let system = system(world);
    let load = loads(world);
    balance(&system, &load, &system.position, 1e-8 * total(&load))
}

/// Σ |f| [N]
pub fn total(load: &[DVec3]) -> f64 {
    load.iter().map(|f| f.length()).sum()
}

/// The reference's equilibrium of a system's elements under loads [N], looked for from `start` [m] until no force is
/// larger than `tolerance` [N].
pub fn balance(system: &System, load: &[DVec3], start: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    // Numbered along x, so that neighbours are near each other.
    let mut order: Vec<_> = (0..load.len()).collect();
    order.sort_by(|a, b| system.position[*a].x.total_cmp(&system.position[*b].x));
    let mut rank = vec![0; order.len()];
    for (k, i) in order.iter().enumerate() {
        rank[*i] = k;
    }
    let mut elements = system.elements.clone();
    for element in &mut elements {
        element.corners = element.corners.map(|i| rank[i]);
    }
    let problem = Problem {
        elements,
        start: order.iter().map(|i| start[*i]).collect(),
        held: order.iter().map(|i| system.pinned(*i)).collect(),
        load: order.iter().map(|i| load[*i]).collect(),
    };
    let found = equilibrium(&problem, tolerance).unwrap();
    rank.iter().map(|k| found[*k]).collect()
}

/// Largest distance from the reference, over the largest displacement.
fn off(start: &[DVec3], got: &[DVec3], wanted: &[DVec3]) -> f64 {
    apart(got, wanted) / apart(start, wanted)
}

fn law(young: f64, poisson: f64, law: Law) -> Fem {
    Fem { law, ..Fem::undamped(young, poisson) }
}

/// A mesh of scattered points under one deformation: only the surface's points feel a force.
#[test]
fn fem_patch_of_uniform_strain() {
    for kind in Law::ALL {
        let mut body = from_mesh(random_mesh([4, 4, 4], 0.2, 0.0, 9));
        (body.kind, body.mass) = (law(1e5, 0.35, kind).into(), Mass::Density(DENSITY));
        (body.rotation, body.stretch) = ([0.3, 0.7, -0.4], [1.3, 0.8, 1.1]);
        let scene = floating(body, Integrator::SymplecticEuler, Step::Fixed(1e-4));
        let mut world = world(&scene);
        world.step(1).unwrap();
        let v = doubles(&world.read().unwrap().velocities);
        let mut outer = vec![false; v.len()];
        for i in world.model().triangles.iter().flatten() {
            outer[*i as usize] = true;
        }
        // Accelerations times masses, over the largest.
        let force = |outer_ones: bool| {
            let chosen = (0..v.len()).filter(|i| outer[*i] == outer_ones);
            let force = chosen.map(|i| v[i].length() * world.model().masses[i]);
            force.fold(0.0, extreme::greatest)
        };
        let ratio = force(false) / force(true);
        assert!(outer.iter().filter(|outer| !**outer).count() == 27);
        assert!(ratio < 3e-6, "{}: {ratio}", kind.name());
    }
}

/// ν = 0: the free end of a hanging column sinks by ρ g L²/2E.
#[test]
fn fem_column_stretches_under_its_own_weight() {
    let (young, length, gravity) = (1e6, 1.0, 9.81);
    for kind in Law::ALL {
        let mut scene = bar([8, 2, 2], 0.125, law(young, 0.0, kind));
        scene.world.gravity = [gravity, 0.0, 0.0];
        let (world, start, x) = settled(&mut scene, slowest(young, length), 14.0);
        let sunk = layer(&start, length, |i| x[i].x - length);
        let wanted = DENSITY * gravity * length * length / (2.0 * young);
        let off = off(&start, &x, &reference(&world));
        assert!((sunk / wanted - 1.0).abs() < 0.02, "{}: {sunk}", kind.name());
        assert!(off < 1e-3, "{}: {off}", kind.name());
    }
}

/// A hanging column whose upper half is four times as stiff, by a region: its end sinks by ρ g L² (3/E + 1/E')/8.
#[test]
fn fem_stiffness_differs_from_region_to_region() {
    let (young, length, gravity) = ([4e6, 1e6], 1.0, 9.81);
    let mut scene = bar([8, 2, 2], 0.125, Fem::undamped(young[1], 0.0));
    scene.world.gravity = [gravity, 0.0, 0.0];
    scene.bodies[0].regions = vec![Region {
        within: within([-1.0; 3], [0.0, 1.0, 1.0]),
        constants: vec![(Constant::Young, young[0])],
    }];
    let (world, start, x) = settled(&mut scene, slowest(young[1], length), 14.0);
    let sunk = layer(&start, length, |i| x[i].x - length);
    let wanted = DENSITY * gravity * length * length * (3.0 / young[0] + 1.0 / young[1]) / 8.0;
    let off = off(&start, &x, &reference(&world));
    assert!((sunk / wanted - 1.0).abs() < 0.02, "{sunk}");
    assert!(off < 1e-3, "{off}");
}

/// A long bar under a pull of E/500: its middle contracts by ν of what it stretches.
#[test]
fn fem_bar_contracts_by_poissons_ratio() {
    let (young, poisson, strain) = (1e6, 0.3, 2e-3);
    for kind in Law::ALL {
        let mut scene = bar([16, 2, 2], 0.5, law(young, poisson, kind));
        pull(&mut scene, DVec3::X * young * strain);
        let (world, start, x) = settled(&mut scene, slowest(young, 8.0), 14.0);
        let stretch = (layer(&start, 5.0, |i| x[i].x) - layer(&start, 3.0, |i| x[i].x)) / 2.0 - 1.0;
        let half = |i: usize| (x[i].y - 0.5) * (start[i].y - 0.5).signum();
        let side = |i: usize| {
            if (start[i].y - 0.5).abs() > 0.1 { half(i) } else { 0.25 }
        };
        // Six of nine points of a layer lie on the sides y = 0 and y = 1.
        let width = 3.0 * (layer(&start, 4.0, side) - 0.25 / 3.0);
        let ratio = (1.0 - width) / stretch;
        let off = off(&start, &x, &reference(&world));
        assert!((ratio / poisson - 1.0).abs() < 0.02, "{}: {ratio}", kind.name());
        assert!((strain / stretch - 1.0).abs() < 0.02, "{}: {stretch}", kind.name());
        assert!(off < 2e-3, "{}: {off}", kind.name());
    }
}

/// Of a block with ν = 0.49 that a load [N] presses down: by how much of its height, and what is left of its volume.
fn squeezed(kind: Law, load: f64) -> [f64; 2] {
    let mut scene = bar([4, 4, 4], 0.25, law(1e5, 0.49, kind));
    pull(&mut scene, -DVec3::X * load);
    let (world, start, x) = settled(&mut scene, 10.0, 14.0);
    let volume = |x: &[DVec3]| volumes(&world, x).sum::<f64>();
    let pressed = 1.0 - layer(&start, 1.0, |i| x[i].x);
    let ratio = volume(&x) / volume(&start);
    println!("{} under {load:e} N: {pressed:.3} m down, volume {ratio:.4}", kind.name());
    [pressed, ratio]
}

/// ν = 0.49, pressed by E/4 and by E/10: only neo-Hookean keeps its volume when squeezed by a sixth, all do when
/// squeezed by a tenth or less. Corotated, whose volume term is linear in the stretches, loses 4 % then; St
/// Venant–Kirchhoff bears no more than E/√27 = 0.19 E, and collapses.
#[test]
fn fem_squeezed_block_keeps_its_volume() {
    for kind in Law::ALL {
        let [pressed, ratio] = squeezed(kind, 1e4);
        assert!(pressed > 0.06, "{}: {pressed}", kind.name());
        assert!((ratio - 1.0).abs() < 0.02, "{}: {ratio}", kind.name());
    }
    let [pressed, ratio] = squeezed(Law::NeoHookean, 2.5e4);
    assert!(pressed > 0.15, "{pressed}");
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    let [pressed, ratio] = squeezed(Law::Corotated, 2.5e4);
    assert!(pressed > 0.15, "{pressed}");
    assert!(ratio > 0.94 && ratio < 0.98, "{ratio}");
    let [pressed, ratio] = squeezed(Law::StVenant, 2.5e4);
    assert!(pressed > 0.4 && ratio < 0.7, "{pressed} {ratio}");
}
