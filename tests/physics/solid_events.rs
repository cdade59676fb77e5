//! Contact events with solids: against balances of momenta and forces, with all integrators.

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::scene::{Body, Fem, Integrator, Solid};
use pliant::world::{Partner, Touch};

use crate::events::{ROOM, events, momentum};
use crate::support::*;

/// A block of 27 kg.
fn block(name: &str, position: [f64; 3]) -> Body {
    let body = lattice(name, [2; 3], [0.3; 3], 1000.0, fem(2e5, 0.3, 0.02));
    Body { position, friction: Some(0.4), ..body }
}

/// Holds up what comes along x.
fn wall(x: f64) -> Solid {
    Solid::plane([x, 0.0, 0.0], [-1.0, 0.0, 0.0])
}

/// One block is thrown at another one, which stands on the floor before a wall: frame by frame the momentum of each changes by
/// gravity, by what the solids do to it, and by what the other does. With implicit integrators the other one is not there, and
/// frames in which Newton's method falls short of the solution say less than there was.
#[test]
fn impulses_of_solids_and_bodies_are_the_changes_of_momentum() {
    for integrator in Integrator::ALL {
        let blocks = [block("thrown", [-0.5, 0.2, 0.05]), block("still", [0.0, 0.15, 0.0])];
        let mut scene = on_floor(blocks, integrator);
        scene.solids.push(wall(0.2));
        scene.bodies[0].velocity = [3.0, -0.5, 0.0];
        if integrator.is_implicit() {
            scene.bodies.truncate(1);
        }
        let mut world = world(&scene);
        world.set_contact_events(ROOM).unwrap();
        let Sums { off, pushed, frames, shorts } = sums(&mut world);
        assert!(shorts == 0 || shorts < 14 && integrator == Integrator::ImplicitEuler, "{shorts}");
        // The velocities of the first two are between those of the half steps, which the impulses change; sweeps vertex by
        // vertex do not keep the momentum.
        let most = match integrator {
            Integrator::Verlet | Integrator::Leapfrog | Integrator::Vbd => 1e-2,
            Integrator::ImplicitEuler => 1e-4,
            _ => 1e-6,
        };
        for (off, pushed) in off.iter().zip(&pushed) {
            let part = off.length() / pushed;
            assert!(part < most && *pushed > 100.0, "{off}");
        }
        assert!(frames.iter().all(|frames| *frames > 1), "{frames:?}");
    }
}

/// What 24 frames add up to.
struct Sums {
    /// Changes of each body's momentum without what gravity and the events say of them, and what these say [kg m/s].
    off: Vec<DVec3>,
    pushed: Vec<f64>,
    /// In which each solid is touched.
    frames: [usize; 2],
    /// Whose solver ended early.
    shorts: usize,
}

fn sums(world: &mut World) -> Sums {
    let count = world.scene().bodies.len();
    let (mut off, mut pushed) = (vec![DVec3::ZERO; count], vec![0.0; count]);
    let (mut frames, mut shorts) = ([0; 2], 0);
    for _ in 0..24 {
        let momenta = |world: &mut World| -> Vec<_> {
            (0..count).map(|body| momentum(world, body)).collect()
        };
        let before = momenta(world);
        world.step_frame().unwrap();
        let seen = events(world);
        assert_eq!(seen.dropped, 0);
        let mut sum = vec![27.0 * seen.span * DVec3::NEG_Y * 9.81; count];
        for touch in &seen.touching {
            let impulse = touch.impulse.as_dvec3();
            sum[touch.body] += impulse;
            pushed[touch.body] += impulse.length();
            match touch.partner {
                Partner::Body(other) => sum[other] -= impulse,
                Partner::Solid(solid) => frames[solid] += 1,
            }
        }
        let after = momenta(world);
        let solve = world.report().unwrap().solve;
        let short = solve.is_some_and(|solve| solve.unconverged > 0);
        for body in 0..count {
            let change = after[body] - before[body];
            let rest = change - sum[body];
            match short {
                true => assert!(rest.length() < 1.1 * change.length() + 5.0, "{rest} {change}"),
                false => off[body] += rest,
            }
        }
        shorts += usize::from(short);
    }
    Sums { off, pushed, frames, shorts }
}

/// What rests in a corner under a gravity that is askew presses on floor and wall with its own parts of the weight; on the floor
/// alone friction holds it, and belongs to the push.
#[test]
fn each_solid_bears_its_part_of_the_weight() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler, Integrator::Vbd] {
        for corner in [true, false] {
            let mut scene = on_floor([block("block", [0.0, 0.15, 0.0])], integrator);
            scene.world.gravity = [2.0, -9.0, 0.0];
            if corner {
                scene.solids.push(wall(0.151));
                scene.bodies[0].friction = Some(0.0);
            }
            let mut world = world(&scene);
            world.set_contact_events(ROOM).unwrap();
            let (mut sums, mut span) = ([DVec3::ZERO; 2], 0.0);
            for frame in 0..90 {
                world.step_frame().unwrap();
                if frame < 60 {
                    continue;
                }
                let seen = events(&mut world);
                assert_eq!(seen.touching.len(), 1 + usize::from(corner), "{seen:?}");
                for (solid, touch) in seen.touching.iter().enumerate() {
                    assert_eq!((touch.body, touch.partner), (0, Partner::Solid(solid)));
                    let normal = [Vec3::Y, Vec3::NEG_X][solid];
                    assert!(touch.normal.distance(normal) < 1e-6 && !touch.begins, "{touch:?}");
                    let place = [touch.position.y, touch.position.x - 0.151][solid];
                    assert!(place.abs() < 2e-3 && (0.0..2e-3).contains(&touch.depth), "{touch:?}");
                    let along = touch.impulse.dot(normal) / touch.normal_impulse;
                    assert!((along - 1.0).abs() < 1e-4, "{touch:?}");
                    assert!(touch.contacts >= touch.steps, "{touch:?}");
                    sums[solid] += touch.impulse.as_dvec3();
                }
                span += seen.span;
            }
            let [floor, wall] = sums.map(|sum| sum / span / 27.0);
            let wanted = match corner {
                true => [DVec3::Y * 9.0, DVec3::X * -2.0],
                false => [DVec3::new(-2.0, 9.0, 0.0), DVec3::ZERO],
            };
            assert!(floor.distance(wanted[0]) < 5e-3, "{floor}");
            assert!(wall.distance(wanted[1]) < 5e-3, "{wall}");
        }
    }
}

/// A block bounces on a box: contacts begin and end.
#[test]
fn contacts_with_a_solid_begin_and_end() {
    let mut bouncing = block("bouncing", [0.0, 0.6, 0.0]);
    bouncing.kind = Fem::undamped(2e5, 0.3).into();
    let mut scene = scene_of(vec![bouncing]);
    scene.solids.push(Solid::cuboid([0.0; 3], [2.0, 0.5, 2.0]));
    let mut world = world(&scene);
    world.set_contact_events(ROOM).unwrap();
    let (mut begun, mut ended, mut touched) = (0, 0, false);
    for _ in 0..60 {
        world.step_frame().unwrap();
        let seen = events(&mut world);
        let pair = (0, Partner::Solid(0));
        let touches: Vec<_> = seen.touching.iter().map(|t| (t.body, t.partner)).collect();
        assert!(touches.iter().chain(&seen.ended).all(|one| *one == pair));
        let touches = !touches.is_empty();
        begun += usize::from(touches && !touched);
        ended += usize::from(!touches && touched);
        assert_eq!(seen.touching.iter().any(|t| t.begins), touches && !touched);
        assert_eq!(seen.ended.len(), usize::from(!touches && touched));
        touched = touches;
    }
    assert!(begun > 1 && ended > 1, "{begun} and {ended}");
}

/// Nothing pushes what is held; what is asked for late, and of a world that has changed, is learnt from then on.
#[test]
fn events_with_solids_come_when_asked_for() {
    let scene = on_floor([block("block", [0.0, 0.15, 0.0])], Integrator::Verlet);
    let run = |asked: bool| {
        let mut world = world(&scene);
        frames(&mut world, 3);
        assert_eq!(world.contact_events().unwrap(), []);
        if asked {
            world.set_contact_events(ROOM).unwrap();
        }
        frames(&mut world, 3);
        let hash = world.state_hash().unwrap();
        (world, hash)
    };
    let ((mut world, asked), (_, not)) = (run(true), run(false));
    assert_eq!(asked, not);
    let touching = |world: &mut World| {
        let seen = events(world);
        let pair = |touch: &Touch| (touch.body, touch.partner);
        seen.touching.iter().map(pair).collect::<Vec<_>>()
    };
    let on_floor = vec![(0, Partner::Solid(0))];
    assert_eq!(touching(&mut world), on_floor);
    let id = world.body_id(0).unwrap();
    world.sleep(id).unwrap();
    world.step_frame().unwrap();
    assert_eq!(touching(&mut world), []);
    world.wake(id).unwrap();
    world.step_frame().unwrap();
    assert_eq!(touching(&mut world), on_floor);
    let mut other = scene.clone();
    other.bodies[0].friction = Some(0.9);
    world.change(&other).unwrap();
    world.step_frame().unwrap();
    assert_eq!(touching(&mut world), on_floor);
    // Another body, with which the arrays are others.
    let more = block("more", [1.0, 0.15, 0.0]);
    world.add(&more).unwrap();
    world.step_frame().unwrap();
    assert_eq!(touching(&mut world), [(0, Partner::Solid(0)), (1, Partner::Solid(0))]);
}
