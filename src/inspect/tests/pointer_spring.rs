//! A world that a user pulls at.

use crate::extreme::greatest;
use glam::{DVec3, Vec3};

use super::{context, scene, world};
use crate::World;
use crate::scene::{Integrator, Scene, Step};
use crate::world::PointerSpring;

/// A free cube that is at rest, and one that hangs by its side.
fn cubes(integrator: Integrator, adaptive: bool) -> Scene {
    let step = match (adaptive, integrator.is_implicit()) {
        (true, _) => "step = \"adaptive\"\nstep_error = 1e-4",
        (false, true) => "step = 0.0166666666666",
        (false, false) => "step = 0.001",
    };
    let damping =
        if integrator.is_implicit() || adaptive { "" } else { "damping_mode = \"explicit\"" };
    let name = integrator.name();
    let cube = format!(
        "mesh = {{ lattice = [2, 2, 2], size = [0.5, 0.5, 0.5] }}\ndensity = 100.0\nyoung = 1e4\n\
         relaxation = 0.02\n{damping}\n"
    );
    scene(&format!(
        r#"
        [world]
        gravity = [0.0, 0.0, 0.0]
        integrator = "{name}"
        {step}
        [[body]]
        name = "free"
        {cube}
        [[body]]
        name = "held"
        position = [2.0, 0.0, 0.0]
        pin = [{{ box = [[-1, 0.2, -1], [1, 1, 1]] }}]
        {cube}
        [[event]]
        kind = "line_force"
        body = "held"
        point = [0.0, -0.25, 0.0]
        force = [1.0, 0.0, 0.0]
        from = 0.0
        to = 0.1
        "#
    ))
}

/// Σ m v of a body, by the velocities that the integrator keeps.
fn momentum(world: &World, body: usize) -> DVec3 {
    let particles = world.particles().read(context()).unwrap();
    let range = world.model().bodies[body].particles.clone();
    let masses = &world.model().masses;
    range.map(|i| masses[i] * particles[i].velocity.as_dvec3()).sum()
}

/// Pulls at the free cube for some frames; the impulse that it should have had.
fn pull(world: &mut World, target: Vec3) -> DVec3 {
    let pointer_spring =
        PointerSpring { particle: 3, target, rate: 20.0, damping: 0.5, ..PointerSpring::default() };
    let mut impulse = DVec3::ZERO;
    for _ in 0..12 {
        // A target that is renewed in each frame is still one pull.
        world.set_pointer_spring(Some(pointer_spring)).unwrap();
        let p = world.particles().read(context()).unwrap()[3];
        let damping = f64::from(pointer_spring.damping) * p.velocity.as_dvec3();
        let force = f64::from(pointer_spring.rate) * (target - p.position).as_dvec3() - damping;
        let before = world.time();
        match world.is_adaptive() {
            true => world.step(2).unwrap(),
            false => world.step_frame().unwrap(),
        }
        world.wait().unwrap();
        impulse += (world.time() - before) * force;
        let segment = world.update_pointer_spring().unwrap().read(context()).unwrap()[0];
        let p = world.particles().read(context()).unwrap()[3];
        let ends = (segment.start, segment.end, segment.body);
        assert_eq!(ends, (p.position, target, 0));
        let size = (20.0 * (target - p.position) - 0.5 * p.velocity).length();
        assert!((segment.value - size).abs() < 1e-5 * size);
    }
    impulse
}

#[test]
fn a_free_cube_takes_up_the_impulse_of_a_pull() {
    for integrator in Integrator::ALL {
        for adaptive in [false, true] {
            if adaptive && !matches!(integrator, Integrator::Verlet | Integrator::Vbd) {
                continue;
            }
            let mut world = world(&cubes(integrator, adaptive));
            let impulse = pull(&mut world, Vec3::new(1.0, 2.0, -1.0));
            let velocity = match integrator {
                Integrator::Leapfrog => world.read().unwrap().velocities,
                _ => {
                    let particles = world.particles().read(context()).unwrap();
                    particles.iter().map(|p| p.velocity).collect()
                }
            };
            let masses = &world.model().masses;
            let body = world.model().bodies[0].particles.clone();
            let got: DVec3 = body.map(|i| masses[i] * velocity[i].as_dvec3()).sum();
            // Velocities at half steps lag behind by half of one, which may change from the first step to the last.
            let lags = match (integrator, adaptive) {
                (Integrator::Leapfrog, _) => 0.5,
                (Integrator::Verlet, true) => 1.0,
                _ => 0.0,
            };
            let lag = lags * world.stepping().step * 20.0 * 3.0;
            let error = got.distance(impulse);
            assert!(error < lag + 1e-3 * impulse.length() && impulse.length() > 0.5);
            // Let go: its momentum stays, and the other body never felt anything.
            world.set_pointer_spring(None).unwrap();
            assert!(world.update_pointer_spring().is_none() && world.pointer_spring().is_none());
            let before = momentum(&world, 0);
            (0..5).for_each(|_| world.step_frame().unwrap());
            let moved = momentum(&world, 0).distance(before);
            assert!(moved < lag + 1e-3 * impulse.length(), "{integrator:?}: {moved}");
        }
    }
}

#[test]
fn runs_with_a_pull_repeat_and_saves_know_nothing_of_it() {
    let scene = cubes(Integrator::Verlet, false);
    let run = |released: bool| {
        let mut world = world(&scene);
        pull(&mut world, Vec3::new(0.0, 1.0, 0.5));
        if released {
            world.set_pointer_spring(None).unwrap();
        }
        let bytes = world.save().unwrap();
        (world, bytes)
    };
    let ((mut one, saved), (mut other, _)) = (run(true), run(true));
    let (_, pulled) = run(false);
    assert_eq!(saved, pulled, "a save has no pull");
    let mut resumed = World::resume(context(), &scene, &saved).unwrap();
    for world in [&mut one, &mut other, &mut resumed] {
        (0..10).for_each(|_| world.step_frame().unwrap());
    }
    let hash = one.state_hash().unwrap();
    assert_eq!(hash, other.state_hash().unwrap());
    assert_eq!(hash, resumed.state_hash().unwrap(), "it goes on as if there were no pull");
}

/// A pull that is set and let go of before any step, and pulls of no strength.
#[test]
fn a_pull_without_force_changes_nothing() {
    let scene = cubes(Integrator::Verlet, false);
    let hash = |pointer_springs: &[Option<PointerSpring>]| {
        let mut world = world(&scene);
        for pointer_spring in pointer_springs {
            world.set_pointer_spring(*pointer_spring).unwrap();
        }
        (0..5).for_each(|_| world.step_frame().unwrap());
        world.read().unwrap();
        world.state_hash().unwrap()
    };
    let pointer_spring =
        |rate| PointerSpring { particle: 1, target: Vec3::ONE, rate, ..PointerSpring::default() };
    let plain = hash(&[]);
    assert_eq!(plain, hash(&[Some(pointer_spring(50.0)), None]));
    assert_eq!(plain, hash(&[Some(pointer_spring(0.0))]));
    assert_ne!(plain, hash(&[Some(pointer_spring(50.0))]));
    let mut world = world(&scene);
    let count = world.model().positions.len();
    for wrong in [
        PointerSpring { particle: count, ..pointer_spring(1.0) },
        PointerSpring { target: Vec3::NAN, ..pointer_spring(1.0) },
        pointer_spring(-1.0),
        pointer_spring(f32::NAN),
        PointerSpring { damping: -1.0, ..pointer_spring(1.0) },
        PointerSpring { most: f32::INFINITY, ..pointer_spring(1.0) },
    ] {
        assert!(world.set_pointer_spring(Some(wrong)).is_err(), "{wrong:?}");
        assert!(world.pointer_spring().is_none());
    }
}

/// A stiff block swings about the point that it is pulled to: ever wider without damping, whose sign the holding of the
/// force turns; with the damping that this has, about as wide; with more it comes to rest.
#[test]
fn damping_brings_what_is_pulled_to_rest() {
    let swing = |damping: f32| {
        let scene = scene(
            r#"
            [world]
            gravity = [0.0, 0.0, 0.0]
            fps = 60.0
            integrator = "verlet"
            step = 8.33333333e-4
            [[body]]
            name = "free"
            mesh = { lattice = [2, 2, 2], size = [1.0, 1.0, 1.0] }
            density = 10.0
            young = 1e5
            relaxation = 0.001
            "#,
        );
        let mut world = world(&scene);
        let particle = world.model().nearest(0, DVec3::ZERO);
        let (target, pull) = (0.3 * Vec3::X, PointerSpring::default());
        let pointer_spring = PointerSpring { particle, target, rate: 500.0, damping, ..pull };
        world.set_pointer_spring(Some(pointer_spring)).unwrap();
        let mut widest = [0.0_f32; 2];
        for frame in 0..360 {
            world.step_frame().unwrap();
            let segment = world.update_pointer_spring().unwrap().read(context()).unwrap()[0];
            let most = &mut widest[frame / 180];
            *most = greatest(*most, segment.start.distance(segment.end));
        }
        widest[1] / widest[0]
    };
    let held = 500.0 / 60.0 / 2.0;
    let swings = [0.0, held, 10.0 * held].map(swing);
    let held = (0.7..1.15).contains(&swings[1]);
    assert!(swings[0] > 1.3 && held && swings[2] < 0.05, "in the second half: {swings:?}");
}

/// Soft and stiff bodies of every kind are still there after a far and strong pull at a corner and at a side.
#[test]
fn bodies_bear_a_limited_pull() {
    #[rustfmt::skip]
    let cases = [
        ("young = 1e4\nrelaxation = 0.02", 1000.0),
        ("young = 1e5\nrelaxation = 0.02", 1000.0),
        ("young = 3e6\nrelaxation = 0.005", 1000.0),
        ("young = 1e5\nrelaxation = 0.01", 10.0),
        ("kind = \"fem\"\nyoung = 1e5\npoisson = 0.4\nrelaxation = 0.02", 1000.0),
        ("kind = \"shape\"\nfrequency = 10.0\nrelaxation = 0.01", 300.0),
    ];
    for (material, density) in cases {
        for integrator in [Integrator::Verlet, Integrator::Vbd] {
            if integrator == Integrator::Vbd && material.contains("shape") {
                continue;
            }
            let mut scene = scene(&format!(
                r#"
                [[body]]
                name = "free"
                mesh = {{ lattice = [4, 4, 4], size = [1.0, 1.0, 1.0] }}
                density = {density}
                {material}
                "#
            ));
            scene.world.integrator = integrator;
            let heavy = 40.0 * density as f32;
            let places = match integrator {
                Integrator::Verlet => &[Vec3::ONE, Vec3::X][..],
                _ => &[Vec3::ONE],
            };
            for place in places.iter().copied() {
                let stepped = pulled(&scene, place, heavy, true);
                assert!(stepped.is_ok(), "{material} {integrator:?} {place}: {stepped:?}");
            }
            let soft = material.starts_with("young = 1e5") && density > 100.0;
            if soft && integrator == Integrator::Verlet {
                let torn = pulled(&scene, Vec3::ONE, heavy, false);
                assert!(torn.is_err(), "there is a reason for the limit");
            }
        }
    }
}

/// Three seconds of a pull at what is nearest to a place, to twice as far out.
fn pulled(scene: &Scene, place: Vec3, rate: f32, limited: bool) -> crate::Result<()> {
    // An automatic step is halved where a pull makes it too long.
    let mut scene = scene.clone();
    scene.world.step = Step::Fixed(world(&scene).stepping().step);
    let mut world = world(&scene);
    let particle = world.model().nearest(0, place.as_dvec3());
    let most = match limited {
        true => world.pointer_spring_limit(particle)?,
        false => f32::MAX,
    };
    let (target, damping) = (2.0 * place, rate / 120.0);
    world.set_pointer_spring(Some(PointerSpring { particle, target, rate, damping, most }))?;
    (0..180).try_for_each(|_| world.step_frame())?;
    world.wait()
}
