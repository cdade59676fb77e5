//! Attachments between bodies, to solids and to places, against closed forms.

use pliant::internals::extreme;
use std::f64::consts::TAU;

use glam::{DVec3, Quat, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::scene::{
    Aabb, AttachedPoints, AttachedTo, Attachment, Body, Event, Integrator, Mass, MeshSource,
    Movable, Scene, Shape, Solid, Step,
};
use pliant::world::RigidMotion;

use crate::shape_support::momenta;
use crate::support::*;

const G: f64 = 9.81;

/// A cube of 0.2 m around its origin.
fn cube(name: &str, position: [f64; 3]) -> Body {
    let mut body = lattice(name, [2; 3], [0.2; 3], 1000.0, springs(1e5, 5e-3));
    body.position = position;
    body
}

/// Steps of those of an explicit integrator that one of an implicit integrator is as long as.
fn longer(integrator: Integrator) -> u64 {
    if integrator.is_implicit() { 10 } else { 1 }
}

fn without_contact(bodies: Vec<Body>, integrator: Integrator) -> Scene {
    let mut scene = Scene {
        bodies,
        ..Scene::default()
    };
    scene.world.gravity = [0.0; 3];
    scene.world.integrator = integrator;
    scene.world.contact = false;
    scene.world.step = Step::Fixed(1e-3 * longer(integrator) as f64);
    scene
}

/// The points of the side of a cube that looks along an axis.
fn side(axis: usize, sign: f64) -> AttachedPoints {
    let (mut min, mut max) = ([-1.0; 3], [1.0; 3]);
    match sign > 0.0 {
        true => min[axis] = 0.099,
        false => max[axis] = -0.099,
    }
    AttachedPoints::Within(Aabb { min, max })
}

fn all() -> AttachedPoints {
    AttachedPoints::Within(within([-1.0; 3], [1.0; 3]))
}

fn to(body: &str) -> AttachedTo {
    AttachedTo::Body(body.into())
}

fn mass(world: &World, body: usize) -> f64 {
    world.model().masses[world.model().bodies[body].particles.clone()]
        .iter()
        .sum()
}

/// Ties of all points with k in proportion to the masses: a body swings about its place as a whole, x = v/ω sin ωt e^−ζωt; in
/// steps of implicit Euler v⁺ = (v − h ω² x)/(1 + 2 ζ ω h + h² ω²), x⁺ = x + h v⁺.
#[test]
fn tied_bodies_swing_with_their_frequency() {
    for integrator in Integrator::ALL {
        let mut body = cube("cube", [0.3, 0.0, 0.0]);
        body.mass = Mass::Point(0.5);
        body.velocity = [1.0, 0.0, 0.0];
        let (stiffness, ratio) = (200.0, 0.1);
        let mut scene = without_contact(vec![body], integrator);
        let step = if integrator.is_implicit() { 2e-3 } else { 1e-4 };
        scene.world.step = Step::Fixed(step);
        scene.attachments.push(Attachment {
            stiffness: Some(stiffness),
            damping_ratio: ratio,
            ..Attachment::new("cube", all(), AttachedTo::Place)
        });
        let mut world = world(&scene);
        let omega = (stiffness / 0.5_f64).sqrt();
        let damped = omega * (1.0 - ratio * ratio).sqrt();
        let (mut x, mut v) = (0.0, 1.0);
        for quarter in 1..=6_u32 {
            let time = f64::from(quarter) * 0.25 * TAU / damped;
            let more = steps(&world, time) - world.steps();
            world.step(more).unwrap();
            let end = world.read().unwrap();
            let t = world.time();
            for _ in 0..more {
                v = (v - step * omega * omega * x)
                    / (1.0 + 2.0 * ratio * omega * step + (omega * step).powi(2));
                x += step * v;
            }
            let wanted = match integrator.is_implicit() {
                true => x,
                false => (damped * t).sin() * (-ratio * omega * t).exp() / damped,
            };
            let way = mean(&end.positions).x - 0.3;
            let off = (way - wanted) * damped;
            // Explicit Euler's amplitude grows by ½ h ω² t, 1 % in all.
            let grows = matches!(integrator, Integrator::Euler | Integrator::SymplecticEuler);
            let most = if grows { 5e-3 } else { 1e-3 };
            assert!(off.abs() < most, "{integrator:?}: {way}");
        }
    }
}

/// Under its weight a body sinks by m g/Σk, whatever it hangs on and is made of.
#[test]
fn what_hangs_sinks_by_its_weight_over_the_stiffness() {
    let kinds: [pliant::scene::Kind; 3] = [
        springs(1e5, 5e-3),
        fem(1e5, 0.3, 5e-3),
        Shape::default().into(),
    ];
    let all = [
        Integrator::Verlet,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ];
    let all = kinds
        .iter()
        .flat_map(|kind| all.map(|integrator| (kind, integrator)));
    for (kind, integrator) in all {
        let holds = match (kind, integrator) {
            // Not made of elements of a few vertices.
            (pliant::scene::Kind::Shape(_), Integrator::Vbd) => &[][..],
            (_, Integrator::Verlet) => &["place", "solid", "body"],
            _ => &["body"],
        };
        for hold in holds.iter().copied() {
            let mut hung = cube("hung", [0.0, 1.0, 0.0]);
            hung.kind = kind.clone();
            let mut beam = cube("beam", [0.02, 1.2, 0.01]);
            beam.pin.push(EVERYWHERE);
            let mut scene = without_contact(vec![hung, beam], integrator);
            scene.world.gravity = [0.0, -G, 0.0];
            scene.world.drag = 10.0;
            scene.world.contact = true;
            for body in &mut scene.bodies {
                body.mask = 0;
            }
            scene.solids.push(Solid::Sphere {
                position: [0.0, 3.0, 0.0],
                radius: 0.1,
            });
            let hold = match hold {
                "place" => AttachedTo::Place,
                "solid" => AttachedTo::Solid(1),
                _ => to("beam"),
            };
            scene.attachments.push(Attachment {
                stiffness: Some(600.0),
                ..Attachment::new("hung", side(1, 1.0), hold)
            });
            let mut world = world(&scene);
            world.step(3000 / longer(integrator)).unwrap();
            let end = world.read().unwrap();
            let model = world.model();
            let range = model.bodies[0].particles.clone();
            let top = range.filter(|i| model.rest_points[*i].y > 0.099);
            let sunk = top
                .clone()
                .map(|i| model.positions[i].y - f64::from(end.positions[i].y));
            let sum: f64 = sunk.sum();
            let wanted = mass(&world, 0) * G / 600.0;
            assert!((sum / wanted - 1.0).abs() < 2e-3, "{sum} of {wanted}");
            assert_eq!(top.count(), 9);
        }
    }
}

/// Two unlike bodies that fly and turn, tied to each other: their momenta stay, and they stay together.
#[test]
fn ties_between_bodies_keep_both_momenta() {
    for integrator in Integrator::ALL {
        let mut a = cube("a", [0.0; 3]);
        let mut b = lattice("b", [3, 1, 2], [0.33, 0.11, 0.22], 300.0, a.kind.clone());
        b.position = [0.25, 0.03, -0.02];
        a.velocity = [0.3, -0.2, 0.1];
        a.angular_velocity = [1.0, 2.0, -1.5];
        let mut scene = without_contact(vec![a, b], integrator);
        scene
            .attachments
            .push(Attachment::new("a", side(0, 1.0), to("b")));
        scene.world.step = Step::Fixed(1e-3);
        let mut world = world(&scene);
        let (p, l, ..) = momenta(&mut world);
        let time = if integrator.is_implicit() { 0.3 } else { 2.0 };
        world.step(steps(&world, time)).unwrap();
        let (p_end, l_end, ..) = momenta(&mut world);
        let (off, turned) = (
            (p_end - p).length() / p.length(),
            (l_end - l).length() / l.length(),
        );
        let name = integrator.name();
        let apart = apart(&mut world);
        assert!(off < 1e-5, "{name}: p by {off}");
        // Explicit Euler adds h² v × a in each step to what turns, implicit Euler takes it away: a part h ω² t.
        let most = match integrator {
            Integrator::Euler => 1e-2,
            Integrator::ImplicitEuler | Integrator::Vbd => 1.5 * 1e-3 * 7.25 * time,
            _ => 2e-3,
        };
        assert!(turned < most, "{name}: L by {turned}");
        assert!(apart < 0.01, "{name}: {apart} m apart");
        // Both turn as one by now.
        let end = world.read().unwrap();
        let speed =
            |body: usize| mean(&end.velocities[world.model().bodies[body].particles.clone()]);
        assert!(
            speed(1).length() > 0.05,
            "{name}: the other one is taken along"
        );
    }
}

/// How far the ends of ties to a side of the first body are from where they started on the second: the largest change of
/// a distance between a tied point and any of the second body within 0.1 m.
fn apart(world: &mut World) -> f64 {
    let end = world.read().unwrap();
    let model = world.model();
    let [a, b] = [0, 1].map(|body| model.bodies[body].particles.clone());
    let tied = a.filter(|i| model.rest_points[*i].x > 0.099);
    let mut most = 0.0_f64;
    for i in tied {
        for j in b.clone() {
            let before = model.positions[i].distance(model.positions[j]);
            let now = end.positions[i].distance(end.positions[j]);
            if before < 0.1 {
                most = extreme::greatest(most, (f64::from(now) - before).abs());
            }
        }
    }
    most
}

/// A cube tied to a solid that the caller moves and turns goes with it, as if it were a part of it.
#[test]
fn tied_bodies_go_with_solids_that_move() {
    let all = [
        Integrator::Verlet,
        Integrator::Rk4,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ];
    for integrator in all {
        let solids = match integrator {
            Integrator::ImplicitEuler => &["plane"][..],
            Integrator::Vbd => &["box"],
            _ => &["box", "plane"],
        };
        for solid in solids.iter().copied() {
            let mut scene = without_contact(vec![cube("cube", [0.0, 0.6, 0.0])], integrator);
            scene.world.contact = true;
            scene.bodies[0].mask = 0;
            scene.solids.push(match solid {
                "box" => Solid::Box {
                    position: [0.0, 0.0, 0.0],
                    rotation: [0.0, 0.3, 0.0],
                    size: [0.5; 3],
                },
                _ => Solid::Plane {
                    position: [0.0; 3],
                    normal: [0.0, 1.0, 0.0],
                },
            });
            scene
                .attachments
                .push(Attachment::new("cube", side(1, -1.0), AttachedTo::Solid(1)));
            let mut world = world(&scene);
            let start = world.solid(0).unwrap();
            let motion = RigidMotion {
                velocity: Vec3::new(0.5, 0.0, 0.2),
                angular_velocity: Vec3::new(0.0, 0.0, 1.0),
                ..start
            };
            world.move_solid(0, motion).unwrap();
            world.step(3000 / longer(integrator)).unwrap();
            let end = world.read().unwrap();
            let now = world.solid(0).unwrap();
            let centre = start.rotation.inverse() * (Vec3::Y * 0.6 - start.position);
            let wanted = now.position + now.rotation * centre;
            let got = mean(&end.positions);
            let off = got.distance(wanted.as_dvec3());
            let arm = wanted - now.position;
            let speed = (now.velocity + now.angular_velocity.cross(arm)).as_dvec3();
            let slower = mean(&end.velocities).distance(speed);
            // What turns with ω = 1 is pulled out by m ω² r of 8 kg at 0.6 m, against nine ties.
            assert!(off < 2e-3, "{integrator:?}, {solid}: {off} m");
            assert!(slower < 0.01, "{integrator:?}, {solid}: {slower} m/s");
        }
    }
}

/// The scene may move the solid, too, and a belt takes along what is tied to it.
#[test]
fn events_move_what_is_tied() {
    let mut scene = without_contact(vec![cube("cube", [0.0, 0.6, 0.0])], Integrator::Verlet);
    scene.world.contact = true;
    scene.bodies[0].mask = 0;
    scene.world.floor = Some(0.0);
    scene
        .attachments
        .push(Attachment::new("cube", side(1, -1.0), AttachedTo::Solid(0)));
    scene.world.drag = 5.0;
    scene.events.push(Event::Move {
        what: Movable::Solid(0),
        centre: [0.0; 3],
        velocity: [0.5, 0.0, 0.0],
        angular_velocity: [0.0; 3],
        from: 0.5,
        to: 1.5,
    });
    let mut world = world(&scene);
    world.step(2500).unwrap();
    let x = mean(&world.read().unwrap().positions);
    assert!(x.distance(DVec3::new(0.5, 0.6, 0.0)) < 1e-3, "{x}");
}

/// A small cloud that hangs on a shell 0.1 m above by ties of that length swings like a pendulum; on a point of a cloud, too.
#[test]
fn ties_between_what_does_not_touch_have_a_length() {
    for kind in ["shell", "cloud"] {
        let hold = match kind {
            "shell" => {
                let mut body = Body::new(
                    "hold",
                    MeshSource::Surface {
                        surface: pliant::mesh::Surface {
                            points: [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                                .map(|[x, z]| DVec3::new(x, 0.0, z))
                                .to_vec(),
                            triangles: vec![[0, 2, 1], [0, 3, 2]],
                            ..pliant::mesh::Surface::default()
                        },
                        cells: 8,
                    },
                );
                (body.shell, body.radius) = (true, Some(0.01));
                body.kind = springs(1e5, 5e-3);
                body
            }
            _ => {
                let points = vec![
                    DVec3::ZERO,
                    DVec3::new(0.3, 0.0, 0.0),
                    DVec3::new(0.0, 0.0, 0.3),
                ];
                let mut body = Body::new("hold", MeshSource::Points(points));
                body.kind = Shape::default().into();
                body.radius = Some(0.01);
                body
            }
        };
        let mut hold = hold;
        hold.pin.push(EVERYWHERE);
        let bob = [0.0, 1.0, 2.0].map(|third: f64| {
            let (z, x) = (third / 3.0 * TAU).sin_cos();
            0.01 * DVec3::new(x, 0.0, z)
        });
        let mut bob = Body::new("bob", MeshSource::Points(bob.to_vec()));
        bob.kind = Shape::default().into();
        (bob.radius, bob.mass) = (Some(0.002), Mass::Point(0.1));
        bob.position = [0.0, -0.1, 0.0];
        bob.velocity = [0.1, 0.0, 0.0];
        let mut scene = without_contact(vec![bob, hold], Integrator::Verlet);
        scene.world.gravity = [0.0, -G, 0.0];
        scene.attachments.push(Attachment::new(
            "bob",
            AttachedPoints::Listed(vec![0, 1, 2]),
            to("hold"),
        ));
        let mut world = world(&scene);
        let mut reach = 0.0_f64;
        for _ in 0..100 {
            world.step(10).unwrap();
            let x = mean(&world.read().unwrap().positions[..3]);
            let length = x.length();
            // 0.3 kg on a tie of 0.1 kg·0.1/h² = 1e4 N/m: 0.3 mm longer, and what swings.
            assert!((length - 0.1).abs() < 1e-3, "{kind}: {length} m");
            reach = extreme::greatest(reach, x.x);
        }
        let wanted = 0.1 / (G / 0.1).sqrt();
        assert!(
            (reach / wanted - 1.0).abs() < 0.1,
            "{kind}: {reach}, wanted {wanted}"
        );
    }
}

/// Chains of random bodies at the stiffness that the step bears come to rest, with each integrator and at its longest step.
#[test]
fn ties_are_stable_at_the_stiffness_that_the_step_bears() {
    for integrator in Integrator::ALL {
        let mut random = Random::new(7);
        let mut scene = without_contact(Vec::new(), integrator);
        scene.world.gravity = [0.0, -G, 0.0];
        scene.world.step = automatic(integrator);
        scene.world.drag = 2.0;
        for k in 0..5_u32 {
            let mut body = cube(&format!("link {k}"), [0.0, -0.18 * f64::from(k), 0.0]);
            body.rotation = [0.0, random.between(-1.0, 1.0), 0.0];
            body.mass = Mass::Density(10.0_f64.powf(3.0 + 0.5 * random.between(-1.0, 1.0)));
            scene.bodies.push(body);
            let hold = match k {
                0 => AttachedTo::Place,
                _ => to(&format!("link {}", k - 1)),
            };
            let points = if k == 2 { all() } else { side(1, 1.0) };
            scene
                .attachments
                .push(Attachment::new(&format!("link {k}"), points, hold));
        }
        // All of a body's points within 0.1 m of the one above it.
        scene.attachments[2].points = side(1, 1.0);
        let mut world = world(&scene);
        world.step(steps(&world, 4.0)).unwrap();
        let end = world.read().unwrap();
        let fastest = end
            .velocities
            .iter()
            .map(|v| v.length())
            .fold(0.0, extreme::greatest);
        assert!(fastest < 0.05, "{integrator:?}: {fastest} m/s");
    }
}

/// Detached, a body falls; removed, its ties are gone and their ids stand for nothing.
#[test]
fn what_is_let_go_falls() {
    for integrator in [
        Integrator::Verlet,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ] {
        let bodies = vec![cube("cube", [0.0; 3]), cube("other", [0.0, 0.2, 0.0])];
        let mut scene = without_contact(bodies, integrator);
        scene.world.gravity = [0.0, -G, 0.0];
        let mut world = world(&scene);
        let hung = Attachment::new("other", side(1, 1.0), AttachedTo::Place);
        let above = world.attach(&hung).unwrap();
        let below = world
            .attach(&Attachment::new("cube", side(1, 1.0), to("other")))
            .unwrap();
        assert_eq!(
            world.attachments().map(|(id, _)| id).collect::<Vec<_>>(),
            [above, below]
        );
        world.step(500 / longer(integrator)).unwrap();
        // Of the masses, up.
        let centre = |world: &mut World, body: usize| {
            let range = world.model().bodies[body].particles.clone();
            let (state, whole) = (world.read().unwrap(), mass(world, body));
            let masses = &world.model().masses;
            let sum = |y: &dyn Fn(usize) -> f32| -> f64 {
                let parts = range.clone().map(|i| masses[i] * f64::from(y(i)));
                parts.sum::<f64>() / whole
            };
            [
                sum(&|i| state.positions[i].y),
                sum(&|i| state.velocities[i].y),
            ]
        };
        // Ties are as stiff as a step of 1 ms or, of implicit steps, the cubes' own frequency bears.
        let sag = if integrator.is_implicit() { 0.06 } else { 0.03 };
        let [hangs, _] = centre(&mut world, 0);
        assert!(hangs > -sag, "{integrator:?}: {hangs}");
        // The last one, too, leaves nothing behind.
        for (id, body) in [(below, 0), (above, 1)] {
            let [x, v] = centre(&mut world, body);
            world.detach(id).unwrap();
            world.step(200 / longer(integrator)).unwrap();
            // Implicit Euler takes the velocity of each step's end.
            let late = if integrator.is_implicit() { 1e-2 } else { 0.0 };
            let fallen = x + 0.2 * v - 0.5 * G * 0.2 * (0.2 + late);
            let [now, _] = centre(&mut world, body);
            let name = integrator.name();
            assert!(
                (now - fallen).abs() < 2e-3,
                "{name}: {now}, wanted {fallen}"
            );
        }
        // A force that stayed would stretch it by m g/(E l), 2 % of 0.2 m.
        let end = world.read().unwrap();
        let range = world.model().bodies[1].particles.clone();
        let heights = || end.positions[range.clone()].iter().map(|x| x.y);
        let tall =
            heights().fold(f32::MIN, extreme::greatest) - heights().fold(f32::MAX, extreme::least);
        // With Verlet it still quivers.
        let most = if integrator.is_implicit() { 2e-4 } else { 1e-3 };
        assert!((tall - 0.2).abs() < most, "{integrator:?}: {tall} m");
        let message = world.detach(below).unwrap_err().to_string();
        assert!(message.contains("wanted one that holds"), "{message}");
        let again = world.attach(&Attachment {
            to: to("cube"),
            points: side(1, -1.0),
            ..hung.clone()
        });
        let message = again.unwrap_err().to_string();
        assert!(message.contains("outside of body \"cube\""), "{message}");
        let id = world.body_id(1).unwrap();
        world.remove(id).unwrap();
        assert_eq!(world.attachments().count(), 0);
        assert!(world.attach(&hung).is_err(), "of a body that is gone");
        world.step(10).unwrap();
        world.read().unwrap();
    }
}

/// Two cubes that hang on a box which turns.
fn mobile(integrator: Integrator) -> Scene {
    let bodies = vec![
        cube("upper", [0.0, -0.3, 0.0]),
        cube("lower", [0.05, -0.5, 0.0]),
    ];
    let mut scene = without_contact(bodies, integrator);
    scene.world.gravity = [0.0, -G, 0.0];
    scene.world.contact = true;
    for body in &mut scene.bodies {
        body.mask = 0;
    }
    scene.solids.push(Solid::Box {
        position: [0.0; 3],
        rotation: [0.0; 3],
        size: [0.4; 3],
    });
    scene.events.push(Event::Move {
        what: Movable::Solid(1),
        centre: [0.0; 3],
        velocity: [0.0; 3],
        angular_velocity: [0.0, 2.0, 0.0],
        from: 0.1,
        to: f64::INFINITY,
    });
    scene
        .attachments
        .push(Attachment::new("upper", side(1, 1.0), AttachedTo::Solid(1)));
    scene
        .attachments
        .push(Attachment::new("lower", side(1, 1.0), to("upper")));
    scene
}

/// However steps are submitted, saved and resumed, and after a change that changes nothing of it.
#[test]
fn tied_bodies_repeat_bit_for_bit() {
    for integrator in Integrator::ALL {
        let scene = mobile(integrator);
        let half = 200 / longer(integrator);
        let mut whole = world(&scene);
        whole.step(2 * half).unwrap();
        let mut parts = world(&scene);
        for count in [1, 7, half / 2 - 8, half / 2] {
            parts.step(count).unwrap();
            parts.wait().unwrap();
        }
        let save = parts.save().unwrap();
        parts.step(half).unwrap();
        let mut resumed = World::resume(context(), &scene, &save).unwrap();
        resumed.step(half).unwrap();
        let name = integrator.name();
        let hash = whole.state_hash().unwrap();
        assert_eq!(parts.state_hash().unwrap(), hash, "{name}");
        assert_eq!(resumed.state_hash().unwrap(), hash, "{name}, resumed");
        whole.restore(&save).unwrap();
        whole.step(half).unwrap();
        assert_eq!(whole.state_hash().unwrap(), hash, "{name}, restored");
    }
}

/// Ties of implicit integrators are as stiff after a change, which asks how stiff bodies are where they are, as in the world
/// that its save is resumed in, which asks where they start.
#[test]
fn a_changed_world_resumes_with_its_ties() {
    let mut world = world(&mobile(Integrator::Verlet));
    world.step(200).unwrap();
    let mut scene = world.scene().clone();
    scene.world.integrator = Integrator::Vbd;
    scene.world.step = Step::Fixed(1e-2);
    world.change(&scene).unwrap();
    world.step(5).unwrap();
    let save = world.save().unwrap();
    let mut resumed = World::resume(context(), &scene, &save).unwrap();
    world.step(20).unwrap();
    resumed.step(20).unwrap();
    assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
}

type Change<'a> = &'a dyn Fn(&mut World);

/// A change and further bodies leave ties as they are, those of the scene and those of the caller's.
#[test]
fn ties_outlive_a_change() {
    let scene = mobile(Integrator::Verlet);
    let run = |change: Change| {
        let mut world = world(&scene);
        world.step(150).unwrap();
        let lower = AttachedPoints::Listed(vec![0]);
        let own = world.attach(&Attachment::new("lower", lower, AttachedTo::Place));
        world.step(50).unwrap();
        change(&mut world);
        world.step(100).unwrap();
        let ids: Vec<_> = world.attachments().map(|(id, _)| id).collect();
        assert_eq!((ids.len(), ids[2]), (3, own.unwrap()));
        // By the meshes' order: integrators have their own.
        let end = world.read().unwrap();
        let points = (0..2).flat_map(|body| (0..27).map(move |point| (body, point)));
        let place = |(body, point)| end.positions[world.particle(body, point).unwrap()].as_dvec3();
        points.map(place).collect::<Vec<_>>()
    };
    let undisturbed = run(&|_| {});
    let further = cube("further", [5.0, 0.0, 0.0]);
    let changes: [(&str, Change); 4] = [
        ("the same", &|world| {
            world.change(&world.scene().clone()).unwrap()
        }),
        ("another integrator", &|world| {
            let mut scene = world.scene().clone();
            scene.world.integrator = Integrator::Leapfrog;
            world.change(&scene).unwrap();
        }),
        ("an implicit integrator", &|world| {
            let mut scene = world.scene().clone();
            scene.world.integrator = Integrator::Vbd;
            world.change(&scene).unwrap();
        }),
        ("a further body", &|world| {
            world.add(&further).unwrap();
        }),
    ];
    for (name, change) in changes {
        let changed = run(change);
        let far = undisturbed.iter().zip(&changed);
        let far = far
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, extreme::greatest);
        // Steps of first order end where ½ h a t, here 5e-4 m, says.
        let most = if name.contains("implicit") {
            1e-3
        } else {
            2e-4
        };
        assert!(far < most, "{name}: {far} m");
    }
    let mut world = world(&scene);
    world.step(50).unwrap();
    let (first, _) = world.attachments().next().unwrap();
    world.detach(first).unwrap();
    let mut changed = scene.clone();
    changed.attachments[1].damping_ratio = 0.1;
    world.change(&changed).unwrap();
    let held: Vec<_> = world.attachments().map(|(_, held)| held.clone()).collect();
    assert_eq!(
        held,
        [changed.attachments[1].clone()],
        "what was let go stays so"
    );
}

/// Copies of a scene have attachments each, and the bits of their runs alone.
#[test]
fn copies_have_their_own_ties() {
    let mut one = mobile(Integrator::Verlet);
    one.events.clear();
    let mut scene = one.replicate(3).unwrap();
    scene.bodies[3].velocity = [0.2, 0.0, 0.3];
    let mut copies = world(&scene);
    copies.step(200).unwrap();
    for replica in 0..3 {
        let mut alone = world(&scene.replica(replica).unwrap());
        alone.step(200).unwrap();
        let hash = copies.replica_hash(replica).unwrap();
        assert_eq!(hash, alone.replica_hash(0).unwrap(), "copy {replica}");
    }
    assert_eq!(copies.attachments().count(), 6);
    let message = copies
        .attach(&Attachment::new("upper", side(0, 1.0), AttachedTo::Place))
        .unwrap_err()
        .to_string();
    assert!(message.contains("3 copies"), "{message}");
}

/// What cannot be tied is refused, and says what was wanted.
#[test]
fn what_cannot_be_tied_is_refused() {
    let mut scene = without_contact(
        vec![cube("a", [0.0; 3]), cube("b", [1.0, 0.0, 0.0])],
        Integrator::Verlet,
    );
    scene.world.contact = true;
    scene.solids.push(Solid::Sphere {
        position: [0.0, 3.0, 0.0],
        radius: 0.1,
    });
    let mut world = world(&scene);
    let hash = world.state_hash().unwrap();
    let good = Attachment::new("a", side(0, 1.0), AttachedTo::Place);
    let listed = |points: &[u32]| AttachedPoints::Listed(points.to_vec());
    let nowhere = within([2.0; 3], [3.0; 3]);
    let cases = [
        (
            Attachment {
                body: "c".into(),
                ..good.clone()
            },
            "attach.body is \"c\", wanted the name of a body",
        ),
        (
            Attachment {
                to: to("a"),
                ..good.clone()
            },
            "attach.to is \"a\", wanted the name of another body",
        ),
        (
            Attachment {
                to: to("b"),
                ..good.clone()
            },
            "m outside of body \"b\", wanted points within a mean edge",
        ),
        (
            Attachment {
                to: AttachedTo::Solid(0),
                ..good.clone()
            },
            "attach.solid is 0, wanted a number from 1",
        ),
        (
            Attachment {
                to: AttachedTo::Solid(2),
                ..good.clone()
            },
            "attach.solid is 2, wanted at most 1",
        ),
        (
            Attachment {
                points: listed(&[]),
                ..good.clone()
            },
            "attach.points is []",
        ),
        (
            Attachment {
                points: listed(&[0, 27]),
                ..good.clone()
            },
            "27 points",
        ),
        (
            Attachment {
                points: listed(&[3, 3]),
                ..good.clone()
            },
            "each once",
        ),
        (
            Attachment {
                points: AttachedPoints::Within(nowhere),
                ..good.clone()
            },
            "attach.box is",
        ),
        (
            Attachment {
                stiffness: Some(f64::NAN),
                ..good.clone()
            },
            "attach.stiffness is NaN",
        ),
        (
            Attachment {
                stiffness: Some(-1.0),
                ..good.clone()
            },
            "attach.stiffness is -1",
        ),
        (
            Attachment {
                stiffness: Some(1e9),
                ..good.clone()
            },
            "attach.stiffness is 1.000e9 N/m, wanted at most",
        ),
        (
            Attachment {
                damping_ratio: 2.0,
                ..good.clone()
            },
            "attach.damping_ratio is 2",
        ),
    ];
    for (attachment, wanted) in cases {
        let message = world.attach(&attachment).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
        assert_eq!(world.attachments().count(), 0);
    }
    world.step(20).unwrap();
    assert_ne!(hash, world.state_hash().unwrap(), "0.02 s have passed");
}

/// Held points of both ends have no mass that swings: such a tie does nothing, and no number is lost.
#[test]
fn ties_of_what_is_held_do_nothing() {
    let mut held = cube("held", [0.0; 3]);
    held.pin.push(EVERYWHERE);
    let mut scene = without_contact(
        vec![held, cube("free", [1.0, 0.0, 0.0])],
        Integrator::Verlet,
    );
    scene
        .attachments
        .push(Attachment::new("held", side(0, 1.0), AttachedTo::Place));
    let mut world = world(&scene);
    world.step(50).unwrap();
    let end = world.read().unwrap();
    for (i, x) in end.positions.iter().enumerate().take(27) {
        assert_eq!(*x, world.model().positions[i].as_vec3());
    }
    let turned = Quat::from_rotation_z(0.1);
    let motion = RigidMotion {
        rotation: turned,
        ..RigidMotion::default()
    };
    world.move_pins(0, motion).unwrap();
    world.step(10).unwrap();
    let x = world.read().unwrap().positions[0];
    let wanted = turned * world.model().positions[0].as_vec3();
    assert!(x.distance(wanted) < 1e-6, "{x}, wanted {wanted}");
}
