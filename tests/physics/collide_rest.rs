//! Stacks come to rest and stay.

use pliant::internals::extreme::greatest;
use pliant::report::Measure;
use pliant::scene::{Body, DampingMode, Integrator, Scene};

use crate::collide_support::*;
use crate::support::*;

/// Three cubes of the spec's table, set on each other half a millimetre apart.
fn tower() -> Scene {
    standing(
        [0.5005, 1.501, 2.5015].map(|y| Body { position: [0.0, y, 0.0], ..block(5, 0.2, 2.0) }),
    )
}

/// For some seconds after it has come to rest the speed and the way of the centres are looked at once a second.
fn stands(name: &str, scene: &Scene, rest: u32, seconds: u32) {
    let mut world = world(scene);
    advance(&mut world, 0.5 * f64::from(rest));
    let resting = advance(&mut world, 0.5 * f64::from(rest));
    let (mut fastest, mut farthest) = (0.0_f64, 0.0_f64);
    for _ in 0..seconds {
        let now = advance(&mut world, 1.0);
        fastest = greatest(fastest, rms(&now.velocities));
        for body in 0..3 {
            let way = centre(&world, &now, body).distance(centre(&world, &resting, body));
            farthest = greatest(farthest, way);
        }
    }
    let end = world.read().unwrap();
    assert!(fastest < 1e-3, "{name}: {fastest:e} m/s");
    assert!(farthest < 1e-3, "{name}: {farthest:e} m");
    assert!(depths(&world, &end).max < 1e-3, "{name}: {:?}", depths(&world, &end));
}

#[test]
fn tower_of_the_spec_stands() {
    stands("spec", &tower(), 12, 2);
}

/// The same for the whole minute of the spec.
#[test]
#[ignore = "a core for over a minute"]
fn tower_of_the_spec_stands_for_a_minute() {
    stands("spec", &tower(), 20, 40);
}

#[test]
fn tower_of_the_scene_stands() {
    stands("scene", &scene_file("soft_three_cubes.toml"), 15, 2);
}

/// Nothing moves at rest, so damping has no part in it, whatever the mode and the integrator.
#[test]
fn rest_does_not_depend_on_damping() {
    let rest = |integrator: Integrator, mode: Option<DampingMode>| {
        let mut scene = standing([0.25025, 0.751].map(|y| {
            let body = lattice("brick", [3; 3], [0.5; 3], 1000.0, springs(1e5, 3e-2));
            Body { position: [0.0, y, 0.0], damping_mode: mode, ..body }
        }));
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let end = advance(&mut world, 4.0);
        let energy = Measure::new(&world, &end).unwrap().energy;
        assert!(rms(&end.velocities) < 1e-3, "{integrator:?} {mode:?}");
        energy.elastic
    };
    let wanted = rest(Integrator::Verlet, Some(DampingMode::Exact));
    for (integrator, mode) in [
        (Integrator::Verlet, Some(DampingMode::Capped)),
        (Integrator::Verlet, Some(DampingMode::Explicit)),
        (Integrator::Leapfrog, Some(DampingMode::Exact)),
    ] {
        let got = rest(integrator, mode);
        let off = (got / wanted - 1.0).abs();
        assert!(off < 0.01, "{integrator:?} {mode:?}: {got} J, not {wanted} J");
    }
}

/// A stack from below, each body on the one before.
fn stack(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let at = |i: usize| [0.0, 0.1503 + 0.3003 * i as f64, 0.0];
    let placed = |(i, body)| Body { position: at(i), ..body };
    standing(bodies.into_iter().enumerate().map(placed))
}

fn weighing(density: f64) -> Body {
    brick([3; 3], [0.3; 3], [0.0; 3], density, 1e6)
}

#[test]
fn hundred_times_heavier_bodies_neither_sink_nor_topple() {
    for (name, densities) in
        [("heavy on light", [100.0, 10_000.0]), ("light on heavy", [10_000.0, 100.0])]
    {
        let mut world = world(&stack(densities.map(weighing)));
        let start = world.read().unwrap();
        let end = advance(&mut world, 3.2);
        let found = depths(&world, &end);
        let way = centre(&world, &end, 1) - centre(&world, &start, 1);
        // The lower one is squeezed by the load on it: p/E of its height, p of the upper one's weight.
        let squeezed = 0.3 * (densities[1] * 0.3 + 0.5 * densities[0] * 0.3) * G / 1e6
            + 0.15 * densities[1] * 0.15 * G / 1e6;
        assert!(rms(&end.velocities) < 1e-3, "{name}: {:e} m/s", rms(&end.velocities));
        assert!(way.x.hypot(way.z) < 1e-4, "{name}: {way}");
        assert!((way.y + squeezed).abs() < 0.02 * 0.3, "{name}: {way}");
        assert!(found.max < 1e-3, "{name}: {found:?}");
    }
}

/// The one integrator with which they do not says so.
#[test]
fn restless_integrators_are_warned_of() {
    for (integrator, count, wanted) in
        [(Integrator::Rk4, 2, true), (Integrator::Rk4, 1, false), (Integrator::Verlet, 2, false)]
    {
        let mut scene = stack((0..count).map(|_| weighing(1000.0)));
        scene.world.integrator = integrator;
        let world = world(&scene);
        let warned = world.warnings().iter().any(|w| w.contains("come to rest"));
        assert_eq!(warned, wanted, "{integrator:?} {count}");
    }
}
