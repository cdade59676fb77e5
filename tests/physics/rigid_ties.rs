//! Rigid bodies that are tied to places, solids and other bodies, against closed forms.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use pliant::report::RunReport;
use pliant::scene::{
    AttachedPoints, AttachedTo, Attachment, Body, Integrator, Kind, Mass, Rigid, Scene, Solid, Step,
};
use pliant::world::RigidMotion;
use pliant::{Error, World};

use crate::attach::to;
use crate::rigid::{ball, cuboid, measure};
use crate::support::*;

const G: f64 = 9.81;

const IMPLICIT: [Integrator; 2] = [Integrator::ImplicitEuler, Integrator::Vbd];

/// With a cube far away that deforms: implicit integrators solve for it, and with it for what is rigid.
fn beside_a_cube(mut scene: Scene) -> Scene {
    let mut cube = lattice("far", [1; 3], [0.1; 3], 1000.0, springs(1e5, 5e-3));
    cube.position = [30.0, 0.0, 0.0];
    cube.mask = 0;
    scene.bodies.push(cube);
    scene
}

fn points_in(min: [f64; 3], max: [f64; 3]) -> AttachedPoints {
    AttachedPoints::Within(within(min, max))
}

/// What is tied may overlap.
fn passing(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = scene_of(bodies);
    for body in &mut scene.bodies {
        body.mask = 0;
    }
    scene
}

fn held(body: Body) -> Body {
    Body { kind: Kind::Rigid(Rigid { held: true, ..Rigid::default() }), ..body }
}

/// A rod of 0.1 × 1 × 0.1 m that hangs on two corners of its upper end, which are at (0.05, 0.5, ±0.05) of it, turned by `angle`
/// from where it would be at rest. These are on an axis 0.5025 m from its middle.
fn pendulum(angle: f64, hold: AttachedTo) -> Scene {
    let hinge = DVec3::new(0.05, 0.5, 0.0);
    let turn = 0.1_f64.atan() + angle;
    let place = -glam::DQuat::from_rotation_z(turn).mul_vec3(hinge);
    let rod =
        Body { rotation: [0.0, 0.0, turn], ..cuboid("rod", [0.1, 1.0, 0.1], place.to_array()) };
    let post = held(cuboid("post", [0.2; 3], [0.0; 3]));
    let mut scene = passing([rod, post]);
    scene.solids.push(Solid::sphere([0.0, 5.0, 0.0], 0.1));
    scene.attachments.push(Attachment {
        stiffness: Some(1e5),
        ..Attachment::new("rod", points_in([0.04, 0.49, -0.06], [0.06, 0.51, 0.06]), hold)
    });
    scene
}

/// T = 2π √(I/(m g l)), I about the axis, of small swings 1 + angle²/16 times as long.
#[test]
fn a_rod_swings_as_a_physical_pendulum() {
    let (angle, l2) = (0.1, 0.2525_f64);
    let inertia = (1.0 + 0.01) / 12.0 + l2;
    let wanted = TAU * (inertia / (G * l2.sqrt())).sqrt() * (1.0 + angle * angle / 16.0);
    let holds = [AttachedTo::Place, AttachedTo::Solid(1), to("post")];
    let others = [Integrator::Leapfrog, Integrator::Rk4, IMPLICIT[0], IMPLICIT[1]];
    let all = others.map(|integrator| (integrator, AttachedTo::Place)).into_iter();
    let all = all.chain(holds.map(|hold| (Integrator::Verlet, hold)));
    for (integrator, hold) in all.chain([(IMPLICIT[0], to("post"))]) {
        let mut scene = pendulum(angle, hold.clone());
        if integrator.is_implicit() {
            scene = beside_a_cube(scene);
        }
        scene.world.integrator = integrator;
        scene.world.step = Step::Fixed(1e-3);
        let mut world = world(&scene);
        let (mut crossings, mut last, mut widest) = (Vec::new(), 1.0, 0.0_f64);
        while world.time() < 2.3 * wanted {
            world.step(10).unwrap();
            let x = f64::from(world.pose(0).unwrap().centre.x);
            if x * last < 0.0 {
                crossings.push(world.time() - 1e-2 * x / (x - last));
            }
            if world.time() > 1.5 * wanted {
                widest = widest.max(x.abs());
            }
            last = x;
        }
        let found = crossings[2] - crossings[0];
        let name = integrator.name();
        println!("{name}, {hold:?}: {found} s, wanted {wanted} s; {widest} m wide");
        assert!((found / wanted - 1.0).abs() < 0.01, "{name}, {hold:?}: {found} s");
        // Implicit Euler damps a swing by 1 - (ω h)²/2 in each step.
        let kept = if integrator.is_implicit() { 0.97 } else { 1.0 };
        let start = kept * l2.sqrt() * angle.sin();
        assert!((widest / start - 1.0).abs() < 0.02, "{name}, {hold:?}: {widest} of {start} m");
    }
}

/// A box hangs by its weight over the stiffness of its ties below where it was tied, and does not fall asleep.
#[test]
fn what_hangs_sinks_by_its_weight_over_the_stiffness() {
    let hung = Body { mass: Mass::Body(8.0), ..cuboid("box", [0.2; 3], [0.0; 3]) };
    let mut scene = passing([hung]);
    scene.attachments.push(Attachment {
        stiffness: Some(1000.0),
        damping_ratio: 1.0,
        ..Attachment::new("box", points_in([-1.0, 0.09, -1.0], [1.0; 3]), AttachedTo::Place)
    });
    let implicit = |integrator: Integrator| {
        let mut scene = beside_a_cube(scene.clone());
        scene.world.integrator = integrator;
        scene.world.step = Step::Fixed(1.0 / 240.0);
        scene
    };
    for scene in [scene.clone(), implicit(IMPLICIT[0]), implicit(IMPLICIT[1])] {
        let mut world = world(&scene);
        let end = advance(&mut world, 6.0);
        let sunk = -f64::from(end.poses[0].centre.y);
        let wanted = 8.0 * G / 4000.0;
        println!("{:?}: {sunk} m of {wanted}", scene.world.integrator);
        assert!((sunk / wanted - 1.0).abs() < 1e-3, "{sunk} m of {wanted}");
        assert_eq!(world.asleep_count().unwrap(), 0);
    }
}

/// A rope that flies away and a ball tied to its end.
fn tug(integrator: Integrator, from_ball: bool) -> Scene {
    let mut rope = lattice("rope", [1, 6, 1], [0.1, 0.6, 0.1], 1000.0, springs(1e5, 5e-3));
    rope.position = [0.0, 0.41, 0.0];
    rope.velocity = [0.2, 1.0, 0.0];
    let mut scene = passing([rope, ball("ball", 0.1, [0.0; 3])]);
    scene.world.gravity = [0.0; 3];
    scene.world.integrator = integrator;
    let end = points_in([-1.0, -0.31, -1.0], [1.0, -0.29, 1.0]);
    let top = points_in([-1.0, 0.09, -1.0], [1.0; 3]);
    scene.attachments.push(match from_ball {
        true => Attachment::new("ball", top, to("rope")),
        false => Attachment::new("rope", end, to("ball")),
    });
    scene
}

/// [linear, angular] momentum.
fn momentum(world: &mut World) -> [DVec3; 2] {
    let state = world.read().unwrap();
    let momentum = measure(world, &state).momentum;
    [momentum.linear, momentum.angular].map(DVec3::from)
}

/// At every time, whatever velocities the integrator keeps and whichever of the two is the attachment's body.
#[test]
fn a_rope_that_takes_a_ball_along_keeps_both_momenta() {
    let all = Integrator::ALL.map(|integrator| (integrator, false)).into_iter();
    for (integrator, from_ball) in all.chain([Integrator::Verlet, IMPLICIT[1]].map(|i| (i, true))) {
        let mut scene = tug(integrator, from_ball);
        scene.world.step = automatic(integrator);
        let mut world = world(&scene);
        let start = momentum(&mut world);
        let mut most = [0.0_f64; 2];
        for _ in 0..20 {
            advance(&mut world, 0.05);
            let now = momentum(&mut world);
            for k in 0..2 {
                most[k] = most[k].max(now[k].distance(start[k]) / start[k].length());
            }
        }
        let end = world.read().unwrap();
        let ball = end.poses[0].velocity;
        let name = integrator.name();
        // Methods that move particles by a mean velocity add h² v × a in each step to what turns, or half of it; implicit Euler loses
        // angular momentum by itself.
        let by_mean =
            matches!(integrator, Integrator::Euler | Integrator::Midpoint | Integrator::Rk4);
        let most_turned = match (integrator.is_implicit(), by_mean) {
            (true, _) => 0.1,
            (false, true) => 1e-3,
            (false, false) => 1e-5,
        };
        println!("{name}, {from_ball}: p by {:e}, L by {:e}; {ball} m/s", most[0], most[1]);
        assert!(most[0] < 1e-5 && most[1] < most_turned, "{name}, {from_ball}: {most:?}");
        assert!(ball.y > 0.3, "{name}, {from_ball}: the ball is taken along, {ball} m/s");
    }
}

/// A stiffer attachment that shortens steps while the rope pulls, and lets them be long again.
#[test]
fn steps_of_other_lengths_keep_momentum() {
    let mut world = world(&tug(Integrator::Verlet, false));
    let start = momentum(&mut world);
    advance(&mut world, 0.05);
    let end = points_in([-1.0, -0.31, -1.0], [1.0, -0.29, 1.0]);
    let stiff = Attachment { stiffness: Some(1e6), ..Attachment::new("rope", end, to("ball")) };
    for _ in 0..4 {
        let tie = world.attach(&stiff).unwrap();
        advance(&mut world, 0.02);
        world.detach(tie).unwrap();
        advance(&mut world, 0.03);
    }
    let counts = world.step_counts();
    assert!(counts.shortest < 0.6 * counts.longest, "{counts:?}");
    let now = momentum(&mut world);
    let off = [0, 1].map(|k| now[k].distance(start[k]) / start[k].length());
    println!("p by {:e}, L by {:e}", off[0], off[1]);
    assert!(off[0] < 1e-5 && off[1] < 1e-4, "{off:?}");
}

/// Two boxes tied by the corners of a side: they turn as one.
#[test]
fn rigid_bodies_that_are_tied_keep_both_momenta() {
    let a = Body {
        velocity: [0.3, -0.2, 0.1],
        angular_velocity: [1.0, 2.0, -1.5],
        ..cuboid("a", [0.2; 3], [0.0; 3])
    };
    let b = cuboid("b", [0.3, 0.1, 0.2], [0.25, 0.03, -0.02]);
    let mut scene = passing([a, b]);
    scene.world.gravity = [0.0; 3];
    scene.attachments.push(Attachment::new("a", points_in([0.09, -1.0, -1.0], [1.0; 3]), to("b")));
    let mut world = world(&scene);
    let start = momentum(&mut world);
    let energy = |world: &mut World| {
        let state = world.read().unwrap();
        measure(world, &state).energy.kinetic
    };
    let first = energy(&mut world);
    for _ in 0..10 {
        advance(&mut world, 0.2);
        let now = momentum(&mut world);
        let off = [0, 1].map(|k| now[k].distance(start[k]) / start[k].length());
        println!("p by {:e}, L by {:e}", off[0], off[1]);
        assert!(off[0] < 1e-5 && off[1] < 5e-5, "{off:?}");
        assert!(energy(&mut world) < first);
    }
    let [a, b] = [world.pose(0).unwrap(), world.pose(1).unwrap()];
    let differ = a.angular_velocity.distance(b.angular_velocity);
    assert!(differ < 0.05 * a.angular_velocity.length(), "{differ} rad/s");
    let apart = a.centre.distance(b.centre) - Vec3::new(0.25, 0.03, -0.02).length();
    assert!(apart.abs() < 2e-3, "{apart} m");
}

/// A stiffness that the automatic step does not bear shortens it: a rod that is tied far from its middle, where it is easiest to
/// move, stays where it is tied.
#[test]
fn stiff_ties_shorten_the_step() {
    let rod = cuboid("rod", [0.05, 2.0, 0.05], [0.0; 3]);
    let mut scene = passing([rod]);
    let ends = points_in([-1.0; 3], [1.0; 3]);
    let run = |stiffness: Option<f64>, scene: &mut Scene| {
        scene.attachments = vec![Attachment {
            stiffness,
            damping_ratio: 0.0,
            ..Attachment::new("rod", ends.clone(), AttachedTo::Place)
        }];
        let mut world = world(scene);
        let pushed = Vec3::new(3.0, 2.0, -1.0);
        world.push_at(0, pushed, Vec3::new(0.02, 1.0, 0.02)).unwrap();
        let state = world.read().unwrap();
        let first = measure(&world, &state).energy.kinetic;
        for _ in 0..40 {
            let state = advance(&mut world, 0.01);
            let now = measure(&world, &state).energy.kinetic;
            assert!(now < 1.3 * first, "{stiffness:?}: {now} J of {first}");
        }
        (world.step_counts().longest, world.warnings().len())
    };
    let (usual, none) = run(None, &mut scene);
    let (short, warned) = run(Some(1e7), &mut scene);
    assert!(short < 0.3 * usual && none == 0 && warned == 1, "{short} s of {usual} s, {warned}");
}

#[test]
fn tied_rigid_bodies_repeat_and_go_on_from_a_save() {
    for integrator in [Integrator::Verlet, Integrator::Rk4, IMPLICIT[0], IMPLICIT[1]] {
        let mut scene = tug(integrator, false);
        scene.bodies.push(cuboid("box", [0.2; 3], [0.0, -0.21, 0.0]));
        let bottom = points_in([-1.0; 3], [1.0, -0.09, 1.0]);
        scene.attachments.push(Attachment::new("ball", bottom, to("box")));
        scene.world.gravity = [0.0, -G, 0.0];
        scene.world.step = Step::Fixed(5e-4);
        let repeated = assert_repeats(integrator.name(), &scene, &[37, 100, 263]);
        assert!(repeated.time() > 0.1);
    }
}

/// What sleeps is awake once it is tied to what is above it, and hangs there once the floor is gone.
#[test]
fn a_tie_wakes_what_sleeps() {
    let mut scene = scene_of([cuboid("box", [0.2; 3], [0.0, 0.1, 0.0])]);
    scene.solids.push(Solid::cuboid([0.0, -0.5, 0.0], [4.0, 1.0, 4.0]));
    let mut world = world(&scene);
    advance(&mut world, 2.0);
    assert_eq!(world.asleep_count().unwrap(), 1);
    let all = points_in([-1.0; 3], [1.0; 3]);
    let tie = world.attach(&Attachment::new("box", all, AttachedTo::Place)).unwrap();
    assert_eq!(world.asleep_count().unwrap(), 0);
    let solid = world.solid(0).unwrap();
    let gone = RigidMotion { velocity: Vec3::new(0.0, -20.0, 0.0), ..solid };
    world.move_solid(0, gone).unwrap();
    advance(&mut world, 2.0);
    let hangs = world.pose(0).unwrap();
    assert!(hangs.centre.y > 0.08, "{hangs:?}");
    // An order to sleep does not last.
    let id = world.body_id(0).unwrap();
    world.sleep(id).unwrap();
    advance(&mut world, 0.1);
    assert!(!world.is_asleep(id).unwrap());
    world.detach(tie).unwrap();
    advance(&mut world, 0.5);
    let falls = world.pose(0).unwrap();
    assert!(falls.centre.y < -1.0, "{falls:?}");
}

/// A box goes with the solid that it is tied to.
#[test]
fn tied_rigid_bodies_go_with_solids_that_move() {
    let mut scene = passing([cuboid("box", [0.2; 3], [0.0, 0.6, 0.0])]);
    scene.world.gravity = [0.0; 3];
    scene.solids.push(Solid { rotation: [0.0, 0.3, 0.0], ..Solid::cuboid([0.0; 3], [0.5; 3]) });
    let bottom = points_in([-1.0; 3], [1.0, -0.09, 1.0]);
    scene.attachments.push(Attachment::new("box", bottom, AttachedTo::Solid(1)));
    let mut world = world(&scene);
    let start = world.solid(0).unwrap();
    let motion = RigidMotion {
        velocity: Vec3::new(0.5, 0.0, 0.2),
        angular_velocity: Vec3::new(0.0, 0.0, 1.0),
        ..start
    };
    world.move_solid(0, motion).unwrap();
    advance(&mut world, 3.0);
    let (now, pose) = (world.solid(0).unwrap(), world.pose(0).unwrap());
    let arm = start.rotation.inverse() * (Vec3::Y * 0.6 - start.position);
    let wanted = now.position + now.rotation * arm;
    let off = pose.centre.distance(wanted);
    let slower = pose.angular_velocity.distance(now.angular_velocity);
    assert!(off < 5e-3 && slower < 0.02, "{off} m, {slower} rad/s");
}

/// Poses are unknowns of an implicit step among contacts: of a scene without these, of a program's attachment to it, and of a
/// change that leaves one without effect. What is held may be tied to.
#[test]
fn implicit_integrators_without_contact_refuse_ties_of_rigid_bodies_that_are_free() {
    let refused = |error: Error, at: &str| {
        let Error::Value { at: found, got, want } = &error else {
            panic!("{error}");
        };
        assert_eq!(found, at);
        assert!(got.contains("contact = false") && want.contains("contact = true"), "{error}");
    };
    for integrator in IMPLICIT {
        let without = |from_ball: bool| {
            let mut scene = tug(integrator, from_ball);
            scene.world.contact = false;
            scene
        };
        refused(without(false).check().unwrap_err(), "attachment 1.to");
        refused(without(true).check().unwrap_err(), "attachment 1.body");
        let mut scene = without(false);
        let tie = scene.attachments.remove(0);
        let mut implicit = world(&scene);
        refused(implicit.attach(&tie).unwrap_err(), "attach.to");
        let mut explicit_scene = scene.clone();
        explicit_scene.world.integrator = Integrator::Verlet;
        let mut explicit = world(&explicit_scene);
        explicit.attach(&tie).unwrap();
        refused(explicit.change(&scene).unwrap_err(), "attach.to");
        let mut scene = without(false);
        scene.bodies[1] = held(scene.bodies[1].clone());
        let mut world = world(&scene);
        world.step(5).unwrap();
    }
}

/// A box that hangs on a cube that deforms, and that on a place: it is at rest below it, and what holds it up is all that weighs.
#[test]
fn a_box_hangs_on_what_deforms_in_implicit_steps() {
    for integrator in IMPLICIT {
        let cube = lattice("cube", [2; 3], [0.2; 3], 1000.0, springs(3e5, 5e-3));
        let mut scene = passing([cube, cuboid("box", [0.2; 3], [0.0, -0.2, 0.0])]);
        scene.world.integrator = integrator;
        scene.world.step = Step::Fixed(1.0 / 120.0);
        let [top, bottom] = [[0.09, 1.0], [-1.0, -0.09]]
            .map(|[low, high]| points_in([-1.0, low, -1.0], [1.0, high, 1.0]));
        scene.attachments.push(Attachment::new("cube", top, AttachedTo::Place));
        scene.attachments.push(Attachment::new("cube", bottom, to("box")));
        let mut world = world(&scene);
        let end = advance(&mut world, 3.0);
        let pose = &end.poses[0];
        println!("{}: {} at {} m/s", integrator.name(), pose.centre, pose.velocity.length());
        assert!(pose.velocity.length() < 1e-3, "{integrator:?}: {pose:?}");
        let sunk = -0.2 - pose.centre.y;
        assert!(
            (1e-4..0.03).contains(&sunk) && pose.centre.x.abs() < 1e-3,
            "{integrator:?}: {pose:?}"
        );
    }
}

/// Three light links and a load a thousand times as heavy: without a stiffness of their own the links give way, which is told of.
#[test]
fn a_chain_that_gives_way_is_told_of() {
    let told = |stiffness: Option<f64>| {
        let link = |k: u32| {
            let body =
                cuboid(&format!("{k}"), [0.04, 0.2, 0.04], [0.0, -0.1 - 0.2 * f64::from(k), 0.0]);
            Body { mass: Mass::Body(0.05), ..body }
        };
        let load =
            Body { mass: Mass::Body(50.0), ..cuboid("load", [0.04, 0.2, 0.04], [0.0, -0.7, 0.0]) };
        let mut scene = passing((0..3).map(link).chain([load]));
        let top = |half: f64| points_in([-1.0, 0.999 * half, -1.0], [1.0; 3]);
        let tie = |k: u32, to: AttachedTo| {
            let name = if k == 3 { "load".to_owned() } else { format!("{k}") };
            Attachment { stiffness, ..Attachment::new(&name, top(0.1), to) }
        };
        scene.attachments = vec![tie(0, AttachedTo::Place)];
        scene.attachments.extend((1..4).map(|k| tie(k, to(&format!("{}", k - 1)))));
        let mut world = world(&scene);
        let state = advance(&mut world, 0.5);
        let report = RunReport::new(&mut world, String::new(), &state, 1, 1.0, Vec::new()).unwrap();
        let lowest = state.poses[3].centre.y;
        (report.warnings.iter().any(|said| said.contains("give it one [N/m]")), lowest)
    };
    let (is_told, lowest) = told(None);
    assert!(is_told && lowest < -1.5, "{lowest} m");
    let (is_told, lowest) = told(Some(2e4));
    assert!(!is_told && lowest > -1.0, "{lowest} m");
}
