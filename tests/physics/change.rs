//! Worlds that change while they run.

use glam::DVec3;
use pliant::World;
use pliant::internals::extreme;
use pliant::report::Measure;
use pliant::scene::{Body, Fem, Integrator, Kind, Plasticity, Scene, Solid, Step};

use crate::support::*;

fn soft(name: &str, young: f64) -> Body {
    lattice(name, [3; 3], [0.6; 3], 1000.0, springs(young, 0.02))
}

fn at(body: Body, height: f64) -> Body {
    Body { position: [0.0, height, 0.0], ..body }
}

fn set_young(scene: &Scene, young: f64) -> Scene {
    let mut scene = scene.clone();
    for body in &mut scene.bodies {
        body.kind = soft("", young).kind;
    }
    scene
}

fn tumbling() -> Scene {
    let mut body = soft("a", 1e5);
    body.velocity = [1.0, 2.0, -0.5];
    body.angular_velocity = [1.0, -2.0, 0.5];
    floating(body, Integrator::Verlet, Step::Auto)
}

fn measure(world: &mut World) -> Measure {
    let state = world.read().unwrap();
    Measure::new(world, &state).unwrap()
}

fn run_to(world: &mut World, time: f64) {
    while world.time() < time - 1e-9 {
        world.step_frame().unwrap();
    }
}

/// Of bodies that start alike in one place one is asked how stiff it is, and the others have its rates; all have, as nearly
/// as 40 iterations tell, those of a world of their own.
#[test]
fn bodies_that_start_alike_are_as_stiff() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let mut scene = floating(soft("0", 1e5), integrator, Step::Auto);
        let further = [4e5, 1e5, 1e5, 4e5, 1e5, 4e5, 1e5, 1e5, 1e5, 4e5, 4e5];
        for (k, young) in further.into_iter().enumerate() {
            scene.bodies.push(soft(&format!("{}", k + 1), young));
        }
        scene.bodies[3].rotation = [0.3, 0.2, 0.1];
        scene.bodies[5].stretch = [1.5, 1.0, 1.0];
        scene.bodies[6].position = [3.0, 0.0, 0.0];
        scene.world.contact = false;
        let rates = world(&scene).report().unwrap().stiffness.clone();
        for (body, rate) in scene.bodies.iter().zip(&rates) {
            let mut alone = scene.clone();
            alone.bodies = vec![body.clone()];
            let own = world(&alone).report().unwrap().stiffness[0];
            let off = rate / own - 1.0;
            assert!(off.abs() < 1e-3, "{}, {integrator:?}: {off:e}", body.name);
        }
        for (alike, own) in [(vec![2, 7, 8, 9], 0), (vec![4, 10, 11], 1)] {
            assert!(alike.iter().all(|k| rates[*k] == rates[own]), "{rates:?}");
        }
        assert!((rates[1] / rates[0] - 2.0).abs() < 1e-3, "{rates:?}");
        assert!(rates[5] / rates[0] > 1.05, "{rates:?}");
    }
}

/// Only what changes is estimated anew, where it is: the step follows the stiffest body, and comes back.
#[test]
fn one_body_changes_and_changes_back() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler] {
        let mut scene = floating(soft("0", 1e5), integrator, Step::Auto);
        for k in 1..5 {
            let mut body = soft(&format!("{k}"), 1e5);
            body.position[0] = 2.0 * f64::from(k);
            body.rotation[0] = 0.2 * f64::from(k);
            scene.bodies.push(body);
        }
        scene.bodies[2].stretch = [1.2, 0.9, 1.0];
        let mut world = world(&scene);
        run_to(&mut world, 0.1);
        world.wait().unwrap();
        let step = world.stepping().step;
        let rates = world.report().unwrap().stiffness.clone();
        let mut stiff = world.scene().clone();
        stiff.bodies[2].kind = soft("", 16e5).kind;
        world.change(&stiff).unwrap();
        let changed = world.report().unwrap().stiffness.clone();
        for k in [0, 1, 3, 4] {
            let off = changed[k] / rates[k] - 1.0;
            assert!(off.abs() < 1e-5, "{k}: {changed:?} {rates:?}");
        }
        let stiffer = changed[2] / rates[0];
        assert!((stiffer - 4.0).abs() < 0.01, "{changed:?} {rates:?}");
        if integrator == Integrator::Verlet {
            let shorter = step / world.stepping().step;
            assert!((shorter - 4.0).abs() < 0.4, "{shorter}");
        }
        run_to(&mut world, 0.2);
        world.change(&scene).unwrap();
        if integrator == Integrator::Verlet {
            assert!((world.stepping().step / step - 1.0).abs() < 0.05);
        }
        run_to(&mut world, 0.3);
        world.wait().unwrap();
    }
}

#[test]
fn a_change_keeps_places_motion_and_time() {
    for integrator in Integrator::ALL {
        let mut world = world(&tumbling());
        run_to(&mut world, 0.25);
        let before = world.read().unwrap();
        let places = world.mesh_positions(&before, 0).unwrap();
        let old = measure(&mut world).momentum;
        let mut scene = set_young(world.scene(), 3e5);
        scene.world.integrator = integrator;
        scene.world.step = automatic(integrator);
        let longest = world.longest_step();
        world.change(&scene).unwrap();
        assert_eq!((world.steps(), world.time()), (before.steps, before.time));
        let after = world.read().unwrap();
        assert_eq!(places, world.mesh_positions(&after, 0).unwrap());
        let new = measure(&mut world).momentum;
        for (old, new) in [(old.linear, new.linear), (old.angular, new.angular)] {
            let (old, new) = (DVec3::from(old), DVec3::from(new));
            let off = old.distance(new) / old.length();
            assert!(off < 1e-5, "{integrator:?}: {old} to {new}");
        }
        if integrator == Integrator::Verlet {
            let ratio = world.longest_step() / longest;
            assert!((ratio * 3.0_f64.sqrt() - 1.0).abs() < 2e-3, "{ratio}");
        }
        let centre = |world: &mut World| DVec3::from(measure(world).bodies[0].centroid);
        let start = centre(&mut world);
        run_to(&mut world, 0.5);
        let way = centre(&mut world) - start;
        let want = 0.25 * DVec3::new(1.0, 2.0, -0.5);
        assert!(way.distance(want) < 1e-5, "{integrator:?}: {way}");
        assert!((world.time() - 0.5).abs() < 1e-6);
    }
}

/// A stack at rest feels nothing of a change that changes nothing, and settles anew after one that does.
#[test]
fn contacts_keep_their_impulses() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let bodies = [("low", 0.301), ("high", 0.902)].map(|(name, y)| at(soft(name, 1e6), y));
        let mut world = world(&on_floor(bodies, integrator));
        run_to(&mut world, 2.0);
        let kinetic = |world: &mut World| measure(world).energy.kinetic;
        let rest = kinetic(&mut world);
        assert!(rest < 1e-6, "{integrator:?}: {rest} J");
        for frame in 0..5 {
            let same = world.scene().clone();
            world.change(&same).unwrap();
            world.step_frame().unwrap();
            let now = kinetic(&mut world);
            assert!(now < 1e-6, "{integrator:?}, frame {frame}: {now} J");
        }
        let softer = set_young(world.scene(), 5e5);
        world.change(&softer).unwrap();
        let end = world.time() + 2.0;
        let mut most = 0.0_f64;
        while world.time() < end {
            world.step_frame().unwrap();
            most = extreme::greatest(most, kinetic(&mut world));
        }
        let last = kinetic(&mut world);
        assert!(most > 1e-3 && last < 1e-6, "{most} J, {last} J");
    }
}

#[test]
fn friction_acts_from_the_next_frame_on() {
    let mut scene = on_floor([at(soft("a", 1e6), 0.301)], Integrator::Verlet);
    // A slope of 0.3.
    scene.world.gravity = [0.3 * 9.81, -9.81, 0.0];
    scene.world.friction = 1.0;
    let mut world = world(&scene);
    run_to(&mut world, 1.0);
    let speed = |world: &mut World| measure(world).bodies[0].linear_momentum[0] / 216.0;
    assert!(speed(&mut world).abs() < 1e-3);
    scene.world.friction = 0.0;
    world.change(&scene).unwrap();
    world.step_frame().unwrap();
    let (found, want) = (speed(&mut world), 0.3 * 9.81 / 60.0);
    assert!((found - want).abs() < 0.1 * want, "{found}, wanted {want}");
}

/// Contact can be taken away and given back.
#[test]
fn contact_on_and_off() {
    let mut scene = on_floor([at(soft("a", 1e5), 0.301)], Integrator::Verlet);
    let mut world = world(&scene);
    let height = |world: &mut World| measure(world).bodies[0].centroid[1];
    run_to(&mut world, 1.0);
    let rest = height(&mut world);
    assert!((0.28..0.3).contains(&rest), "{rest}");
    scene.world.contact = false;
    world.change(&scene).unwrap();
    run_to(&mut world, 1.2);
    let sunk = rest - height(&mut world);
    let want = 0.5 * 9.81 * 0.2_f64.powi(2);
    assert!((sunk - want).abs() < 0.01 * want, "{sunk}, wanted {want}");
    scene.world.contact = true;
    world.change(&scene).unwrap();
    // What is inside a solid comes out at 0.1 m/s.
    run_to(&mut world, 3.8);
    let lowest = measure(&mut world).bodies[0].aabb[0][1];
    assert!(lowest > -1e-3, "{lowest} m");
}

/// Events go on by the scene's time, whatever the steps; where a step's length changes while one acts, to half of the
/// change.
#[test]
fn events_go_on() {
    let mut scene = tumbling();
    scene.bodies[0].velocity = [0.0; 3];
    scene.bodies[0].angular_velocity = [0.0; 3];
    scene.world.drag = 0.0;
    scene.events.push(line_force("a", [0.3; 3], [30.0, 0.0, 10.0], [0.3, 0.8]));
    let mut world = world(&scene);
    let half_step = 0.5 * world.stepping().step;
    let mut young = 1e5;
    for frame in 1..70 {
        world.step_frame().unwrap();
        if frame % 9 == 0 {
            young *= 1.3;
            world.change(&set_young(&scene, young)).unwrap();
        }
    }
    let found = DVec3::from(measure(&mut world).momentum.linear);
    let want = 0.5 * DVec3::new(30.0, 0.0, 10.0);
    let time = world.time();
    assert!((time - 69.0 / 60.0).abs() < 1e-6, "{time} s");
    let most = half_step * want.length() / 0.5;
    assert!(found.distance(want) < most, "{found}, {most}");
}

/// The permanent stretch of finite elements survives, whatever the order of the particles.
#[test]
fn plastic_flow_is_kept() {
    let plasticity = Plasticity { yield_strain: 0.02, creep: 20.0, most: 1.0 };
    let fem = Fem { relaxation: Some(0.02), plasticity, ..Fem::new(1e5, 0.3) };
    let mut body = lattice("a", [4, 2, 2], [0.8, 0.4, 0.4], 1000.0, fem.into());
    body.stretch = [1.3, 1.0, 1.0];
    let mut world = world(&floating(body, Integrator::Verlet, Step::Auto));
    run_to(&mut world, 0.3);
    let before = world.read().unwrap().plastic;
    let far = |plastic: &[glam::DMat3]| {
        let off = plastic.iter().map(|s| (*s - glam::DMat3::IDENTITY).to_cols_array());
        off.flatten().map(f64::abs).fold(0.0, extreme::greatest)
    };
    assert!(far(&before) > 0.05, "{}", far(&before));
    let mut scene = world.scene().clone();
    let Kind::Fem(fem) = &mut scene.bodies[0].kind else { panic!("finite elements") };
    fem.young = Some(2e5);
    scene.world.integrator = Integrator::ImplicitEuler;
    world.change(&scene).unwrap();
    assert_eq!(world.read().unwrap().plastic, before);
}

#[test]
fn refused_changes_leave_the_world_alone() {
    let scene = tumbling();
    let mut world = world(&scene);
    run_to(&mut world, 0.1);
    let before = (world.state_hash().unwrap(), world.time(), world.steps());
    type Edit = fn(&mut Scene);
    let edits: [(Edit, &str); 5] = [
        (|s| s.bodies.push(soft("b", 1e5)), "2 bodies"),
        (|s| s.bodies[0].name = "b".into(), "a body \"b\""),
        (|s| s.bodies[0].mesh = Body::lattice("", [4; 3], [0.6; 3]).mesh, "another mesh"),
        (|s| *s = set_young(s, f64::NAN), "young"),
        (|s| s.world.friction = -1.0, "friction"),
    ];
    for (edit, names) in edits {
        let mut other = scene.clone();
        edit(&mut other);
        let error = world.change(&other).unwrap_err().to_string();
        assert!(error.contains(names), "{error}, wanted {names}");
        let after = (world.state_hash().unwrap(), world.time(), world.steps());
        assert_eq!(after, before);
    }
    world.step_frame().unwrap();
}

/// A changed world is saved and resumed like any other, and repeats.
#[test]
fn changed_worlds_are_saved() {
    let mut scene = tumbling();
    scene.bodies[0].position = [0.0, 0.5, 0.0];
    scene.world.gravity = [0.0, -9.81, 0.0];
    scene.world.floor = Some(0.0);
    scene.solids.push(Solid::sphere([0.2, 0.0, 0.0], 0.2));
    let changed = set_young(&scene, 2e5);
    let run = || {
        let mut world = world(&scene);
        run_to(&mut world, 0.3);
        world.change(&changed).unwrap();
        run_to(&mut world, 0.5);
        world
    };
    let mut world = run();
    let bytes = world.save().unwrap();
    let mut resumed = World::resume(context(), &changed, &bytes).unwrap();
    let now = |world: &World| (world.time(), world.steps());
    assert_eq!(now(&resumed), now(&world));
    run_to(&mut world, 0.8);
    run_to(&mut resumed, 0.8);
    assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
    assert_eq!(world.steps(), resumed.steps());
    let mut again = run();
    run_to(&mut again, 0.8);
    assert_eq!(again.state_hash().unwrap(), world.state_hash().unwrap());

    let error = self::world(&changed).restore(&bytes).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("last changed at"), "{error}");
}

/// What a world handed over makes another one, on another device, too.
#[test]
fn a_handover_outlives_its_world() {
    let scene = tumbling();
    let mut first = world(&scene);
    run_to(&mut first, 0.2);
    let (handover, state) = (first.hand_over().unwrap(), first.read().unwrap());
    drop(first);
    let context = pliant::Context::new().unwrap();
    let mut second = World::take_over(&context, &scene, &handover).unwrap();
    let now = second.read().unwrap();
    assert_eq!(state.positions, now.positions);
    let off = apart(&doubles(&state.velocities), &doubles(&now.velocities));
    assert!(off < 1e-4, "{off} m/s");
    assert_eq!((now.time, now.steps), (state.time, state.steps));
    run_to(&mut second, 0.3);
}
