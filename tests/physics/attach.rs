//! Attachments between bodies, to solids and to places, against closed forms.

use pliant::internals::extreme;
use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::mesh::Surface;
use pliant::scene::{
    Aabb, AttachedPoints, AttachedTo, Attachment, Body, Integrator, Kind, Mass, MeshSource, Scene,
    ShapeMatching, Solid, Step,
};
use pliant::world::RigidMotion;

use crate::support::*;

pub const G: f64 = 9.81;

/// A cube of 0.2 m around its origin.
pub fn cube(name: &str, position: [f64; 3]) -> Body {
    Body { position, ..lattice(name, [2; 3], [0.2; 3], 1000.0, springs(1e5, 5e-3)) }
}

/// Steps of those of an explicit integrator that one of an implicit integrator is as long as.
pub fn longer(integrator: Integrator) -> u64 {
    if integrator.is_implicit() { 10 } else { 1 }
}

pub fn without_contact(bodies: Vec<Body>, integrator: Integrator) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.gravity = [0.0; 3];
    scene.world.integrator = integrator;
    scene.world.contact = false;
    scene.world.step = Step::Fixed(1e-3 * longer(integrator) as f64);
    scene
}

/// With solids, but no contact: bodies that hang on each other may overlap.
pub fn passing(bodies: Vec<Body>, integrator: Integrator) -> Scene {
    let mut scene = without_contact(bodies, integrator);
    scene.world.contact = true;
    for body in &mut scene.bodies {
        body.mask = 0;
    }
    scene
}

/// The points of the side of a cube that looks along an axis.
pub fn side(axis: usize, sign: f64) -> AttachedPoints {
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

pub fn to(body: &str) -> AttachedTo {
    AttachedTo::Body(body.into())
}

pub fn mass(world: &World, body: usize) -> f64 {
    world.model().masses[world.model().bodies[body].particles.clone()].iter().sum()
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
        for quarter in 1..=4_u32 {
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
            // Explicit Euler's amplitude grows by ½ h ω² t, 0.6 % in all.
            let grows = matches!(integrator, Integrator::Euler | Integrator::SymplecticEuler);
            let most = if grows { 5e-3 } else { 1e-3 };
            assert!(off.abs() < most, "{integrator:?}: {way}");
        }
    }
}

/// Under its weight a body sinks by m g/Σk, whatever it hangs on and is made of.
#[test]
fn what_hangs_sinks_by_its_weight_over_the_stiffness() {
    let kinds: [Kind; 3] =
        [springs(1e5, 5e-3), fem(1e5, 0.3, 5e-3), ShapeMatching::default().into()];
    let all = [Integrator::Verlet, Integrator::ImplicitEuler, Integrator::Vbd];
    let all = kinds.iter().flat_map(|kind| all.map(|integrator| (kind, integrator)));
    for (kind, integrator) in all {
        let holds = match (kind, integrator) {
            // Not made of elements of a few vertices.
            (Kind::Shape(_), Integrator::Vbd) => &[][..],
            (_, Integrator::Verlet) => &["place", "solid", "body"],
            _ => &["body"],
        };
        for hold in holds.iter().copied() {
            let mut hung = cube("hung", [0.0, 1.0, 0.0]);
            hung.kind = kind.clone();
            let mut beam = cube("beam", [0.02, 1.2, 0.01]);
            beam.pin.push(EVERYWHERE);
            let mut scene = passing(vec![hung, beam], integrator);
            scene.world.gravity = [0.0, -G, 0.0];
            scene.world.drag = 10.0;
            scene.solids.push(Solid::sphere([0.0, 3.0, 0.0], 0.1));
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
            // Drag takes e^−9 of what swings.
            world.step(1800 / longer(integrator)).unwrap();
            let end = world.read().unwrap();
            let model = world.model();
            let range = model.bodies[0].particles.clone();
            let top = range.filter(|i| model.rest_points[*i].y > 0.099);
            let sunk = |i: usize| model.positions[i].y - f64::from(end.positions[i].y);
            let sum: f64 = top.clone().map(sunk).sum();
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
        scene.attachments.push(Attachment::new("a", side(0, 1.0), to("b")));
        scene.world.step = Step::Fixed(1e-3);
        let mut world = world(&scene);
        let start = momenta(&mut world);
        let time = if integrator.is_implicit() { 0.3 } else { 2.0 };
        world.step(steps(&world, time)).unwrap();
        let end = momenta(&mut world);
        let off = end.linear.distance(start.linear) / start.linear.length();
        let turned = end.angular.distance(start.angular) / start.angular.length();
        let (name, apart) = (integrator.name(), tied_apart(&mut world));
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
        assert!(drift(&world, &end, 1).length() > 0.05, "{name}: the other one is taken along");
    }
}

/// How far the ends of ties to a side of the first body are from where they started on the second: the largest change of
/// a distance between a tied point and any of the second body within 0.1 m.
fn tied_apart(world: &mut World) -> f64 {
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
    let all = [Integrator::Verlet, Integrator::Rk4, Integrator::ImplicitEuler, Integrator::Vbd];
    for integrator in all {
        let solids = match integrator {
            Integrator::ImplicitEuler => &["plane"][..],
            Integrator::Vbd => &["box"],
            _ => &["box", "plane"],
        };
        for solid in solids.iter().copied() {
            let mut scene = passing(vec![cube("cube", [0.0, 0.6, 0.0])], integrator);
            scene.solids.push(match solid {
                "box" => {
                    Solid { rotation: [0.0, 0.3, 0.0], ..Solid::cuboid([0.0, 0.0, 0.0], [0.5; 3]) }
                }
                _ => Solid::plane([0.0; 3], [0.0, 1.0, 0.0]),
            });
            scene.attachments.push(Attachment::new("cube", side(1, -1.0), AttachedTo::Solid(1)));
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

/// A small cloud that hangs on a shell 0.1 m above by ties of that length swings like a pendulum; on a point of a cloud, too.
#[test]
fn ties_between_what_does_not_touch_have_a_length() {
    for kind in ["shell", "cloud"] {
        let mut hold = match kind {
            "shell" => {
                let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
                let surface = Surface {
                    points: corners.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec(),
                    triangles: vec![[0, 2, 1], [0, 3, 2]],
                    ..Surface::default()
                };
                let mut body = Body::new("hold", MeshSource::Surface { surface, cells: 8 });
                (body.shell, body.kind) = (true, springs(1e5, 5e-3));
                body
            }
            _ => {
                let points = vec![DVec3::ZERO, 0.3 * DVec3::X, 0.3 * DVec3::Z];
                let mut body = Body::new("hold", MeshSource::Points(points));
                body.kind = ShapeMatching::default().into();
                body
            }
        };
        hold.radius = Some(0.01);
        hold.pin.push(EVERYWHERE);
        let bob = [0.0, 1.0, 2.0].map(|third: f64| {
            let (z, x) = (third / 3.0 * TAU).sin_cos();
            0.01 * DVec3::new(x, 0.0, z)
        });
        let mut bob = Body::new("bob", MeshSource::Points(bob.to_vec()));
        bob.kind = ShapeMatching::default().into();
        (bob.radius, bob.mass) = (Some(0.002), Mass::Point(0.1));
        bob.position = [0.0, -0.1, 0.0];
        bob.velocity = [0.1, 0.0, 0.0];
        let mut scene = without_contact(vec![bob, hold], Integrator::Verlet);
        scene.world.gravity = [0.0, -G, 0.0];
        let all = AttachedPoints::Listed(vec![0, 1, 2]);
        scene.attachments.push(Attachment::new("bob", all, to("hold")));
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
        assert!((reach / wanted - 1.0).abs() < 0.02, "{kind}: {reach}, wanted {wanted}");
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
        // Slow beside the ties, which swing in some steps.
        scene.world.drag = 6.0;
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
            scene.attachments.push(Attachment::new(&format!("link {k}"), points, hold));
        }
        // All of a body's points within 0.1 m of the one above it.
        scene.attachments[2].points = side(1, 1.0);
        let mut world = world(&scene);
        world.step(steps(&world, 1.5)).unwrap();
        let end = world.read().unwrap();
        let fastest = longest(&doubles(&end.velocities));
        assert!(fastest < 0.05, "{integrator:?}: {fastest} m/s");
    }
}
