//! Steps of finite elements: momentum, every integrator against the reference, repeats, and how viscosity damps.

use pliant::internals::extreme::greatest;
use pliant::internals::verify::verify_scene;
use pliant::report::Measure;
use pliant::scene::{Body, DampingMode, Fem, Integrator, Kind, Law, Plasticity, Scene, Step};

use crate::support::*;

/// A block of 3³ cubes of 0.2 m, E = 10⁵ Pa, ν = 0.3, 1000 kg/m³.
fn block_of(law: Law, relaxation: f64) -> Body {
    let fem = Fem { law, relaxation: Some(relaxation), ..Fem::new(1e5, 0.3) };
    lattice("block", [3; 3], [0.6; 3], 1000.0, fem.into())
}

/// The integrators that take bodies of a law.
fn of(law: Law) -> impl Iterator<Item = Integrator> {
    let takes = move |i: &Integrator| *i != Integrator::Vbd || law == Law::NeoHookean;
    Integrator::ALL.into_iter().filter(takes)
}

/// Over 500 steps of a spinning block that starts scattered.
#[test]
fn fem_keeps_momentum() {
    for law in Law::ALL {
        for integrator in of(law) {
            for mode in modes(integrator) {
                // Angular momentum is kept to the method's order only.
                let step = match mode {
                    _ if integrator.is_implicit() => 5e-5,
                    DampingMode::Explicit => 1e-4,
                    _ => 1e-3,
                };
                let mut body = block_of(law, 2e-2);
                (body.damping_mode, body.scatter) = (Some(*mode), 0.02);
                body.angular_velocity = [3.0, 5.0, -2.0];
                let mut world = world(&solved_well(floating(body, integrator, Step::Fixed(step))));
                assert!(world.warnings().is_empty(), "{:?}", world.warnings());
                let start = momenta(&mut world);
                world.step(500).unwrap();
                let [linear, angular] = momenta(&mut world).off(&start);
                let name = format!("{} {integrator:?} {}", law.name(), mode.name());
                assert!(linear < 1e-5, "{name}: {linear:e}");
                assert!(angular < 5e-4, "{name}: {angular:e}");
            }
        }
    }
}

/// Two blocks that fall on the floor, one of them plastic and corotated, beside one of springs.
fn mixed(integrator: Integrator, modes: [DampingMode; 2], step: f64) -> Scene {
    let plasticity = Plasticity { yield_strain: 0.02, creep: 10.0, most: 0.3 };
    let mut first = block_of(Law::NeoHookean, 0.1);
    first.position = [0.0, 0.45, 0.0];
    first.rotation = [0.2, 0.3, 0.1];
    first.velocity = [0.5, -2.0, 0.0];
    first.damping_mode = Some(modes[0]);
    let mut second = block_of(Law::Corotated, 0.04);
    if let Kind::Fem(fem) = &mut second.kind {
        fem.plasticity = plasticity;
    }
    second.name = "plastic".into();
    second.position = [1.5, 0.6, 0.2];
    second.angular_velocity = [4.0, 2.0, 1.0];
    second.stretch = [1.1, 0.95, 1.0];
    second.damping_mode = Some(modes[1]);
    let mut third = Body { name: "springs".into(), ..block(2, 0.2, 0.2) };
    third.position = [-1.5, 0.5, 0.0];
    third.damping_mode = Some(modes[0]);
    let mut scene = on_floor([third, first, second], integrator);
    scene.world.drag = 0.2;
    scene.world.step = Step::Fixed(step);
    for body in &mut scene.bodies {
        body.mask = 0;
    }
    scene
}

#[test]
fn fem_steps_agree_with_the_reference() {
    use DampingMode::{Capped, Exact, Explicit};
    let check = |scene: &Scene, swept: bool| {
        assert_eq!(world(scene).stepping().damping_stages > 1, swept);
        for result in verify_scene(context(), scene).unwrap() {
            assert!(result.pass && result.cases > 10, "{result:?}");
        }
    };
    for integrator in EXPLICIT {
        check(&mixed(integrator, [Explicit, Explicit], 1e-4), false);
        if modes(integrator).contains(&Exact) {
            check(&mixed(integrator, [Exact, Capped], 2e-3), true);
        }
    }
    check(&mixed(Integrator::Verlet, [Capped, Exact], 2e-3), true);
}

/// What a save file brings back includes the plastic stretch: a bar that has flowed goes on from where it was.
#[test]
fn fem_runs_repeat_bit_for_bit() {
    use DampingMode::{Capped, Exact};
    let mut scene = mixed(Integrator::Verlet, [Exact, Capped], 2e-3);
    for body in &mut scene.bodies {
        body.mask = u32::MAX;
    }
    scene.bodies[1].position[0] = 0.8;
    assert_repeats("touching", &scene, &[1, 299, 300]);
    let scene = mixed(Integrator::Verlet, [Capped, Exact], 2e-3);
    assert_repeats("apart", &scene, &[500, 500]);
}

/// Undamped, a scattered block keeps its energy; what the report says is what the reference finds.
#[test]
fn fem_energy_is_kept() {
    for law in Law::ALL {
        let mut body = block_of(law, 0.0);
        (body.scatter, body.angular_velocity) = (0.02, [1.0, 2.0, 3.0]);
        let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(2e-4)));
        let system = system(&world);
        let mut measured = |steps: u64| {
            world.step(steps).unwrap();
            let snapshot = world.read().unwrap();
            let energy = Measure::new(&world, &snapshot).unwrap().energy;
            let wanted = energies(&system, &snapshot);
            assert!((energy.elastic / wanted.elastic - 1.0).abs() < 1e-9);
            energy
        };
        let start = measured(0);
        assert!(start.elastic > 0.1 * start.kinetic, "{start:?}");
        let drift = (0..20).map(|_| (measured(200).total() / start.total() - 1.0).abs());
        let worst = drift.fold(0.0, greatest);
        assert!(worst < 1e-3, "{}: {worst}", law.name());
    }
}

/// Steps that are chosen for a body keep it from gaining energy, whatever the integrator and the viscosity.
#[test]
fn fem_automatic_steps_are_stable() {
    for law in Law::ALL {
        for integrator in of(law) {
            let mut body = block_of(law, 0.02);
            (body.scatter, body.velocity) = (0.03, [0.0, 0.5, 0.0]);
            let mut world = world(&floating(body, integrator, Step::Auto));
            let system = system(&world);
            world.step((2.0 / world.stepping().step) as u64).unwrap();
            let end = energies(&system, &world.read().unwrap()).total();
            let moving: f64 = 0.125 * 0.216 * 1000.0;
            assert!((end / moving - 1.0).abs() < 1e-3, "{end} J of {moving} J are left");
        }
    }
}

/// A block of finite elements stands on one of springs, and the other way round; both pairs come to rest.
#[test]
fn fem_stacks_with_springs() {
    let springs = lattice("springs", [3; 3], [0.6; 3], 1000.0, springs(1e5, 0.02));
    let fem = block_of(Law::NeoHookean, 0.02);
    let mut scene = on_floor([], Integrator::Verlet);
    for (pair, [low, high]) in [[&springs, &fem], [&fem, &springs]].into_iter().enumerate() {
        for (k, body) in [low, high].into_iter().enumerate() {
            let mut body = body.clone();
            body.name = format!("{} {pair}", body.name);
            body.position = [2.0 * pair as f64, 0.301 + 0.602 * k as f64, 0.0];
            scene.bodies.push(body);
        }
    }
    let mut world = world(&scene);
    world.step((6.0 / world.stepping().step) as u64).unwrap();
    let end = world.read().unwrap();
    let speed = rms(&end.velocities);
    let heights = [0, 1, 2, 3].map(|body| centre(&world, &end, body).y);
    assert!(speed < 2e-3, "{speed}");
    for (k, height) in heights.iter().enumerate() {
        // The lower blocks give way by less than a tenth.
        let unloaded = 0.3 + 0.6 * (k % 2) as f64;
        assert!(*height < unloaded + 0.005 && *height > unloaded - 0.09, "{heights:?}");
    }
}
