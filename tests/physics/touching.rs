//! What bodies touch, changed while the world runs.

use pliant::World;
use pliant::scene::{Body, Integrator, Scene};
use pliant::world::Touching;

use crate::support::*;

fn soft(name: &str, position: [f64; 3]) -> Body {
    Body { position, ..lattice(name, [2; 3], [0.4; 3], 500.0, springs(1e5, 0.02)) }
}

/// One that slides over another one that lies on the floor.
fn sliding(integrator: Integrator) -> Scene {
    let mut upper = soft("upper", [0.0, 0.602, 0.0]);
    upper.velocity = [1.0, -0.5, 0.0];
    let mut scene = on_floor([soft("lower", [0.0, 0.2, 0.0]), upper], integrator);
    scene.world.friction = 0.9;
    scene
}

fn go_to(world: &mut World, time: f64) {
    let steps = (time - world.time()) / world.stepping().step;
    world.step(steps.round() as u64).unwrap();
}

/// A world that is told has the bits of one that was made so.
#[test]
fn what_is_set_is_as_if_the_scene_had_said_it() {
    for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::Vbd] {
        let scene = sliding(integrator);
        let mut made = scene.clone();
        made.bodies[1].friction = Some(0.05);
        let mut made = world(&made);
        let mut told = world(&scene);
        let mut other = world(&scene);
        let id = told.body_id(1).unwrap();
        let touching = told.touching(id).unwrap();
        assert_eq!((touching.friction, touching.group), (None, scene.bodies[1].group));
        let smooth = Touching { friction: Some(0.05), ..touching };
        told.set_touching(id, &smooth).unwrap();
        assert_eq!(told.touching(id).unwrap(), smooth);
        for world in [&mut made, &mut told, &mut other] {
            frames(world, 12);
        }
        let hash = made.state_hash().unwrap();
        assert_eq!(told.state_hash().unwrap(), hash, "{integrator:?}");
        assert_ne!(other.state_hash().unwrap(), hash, "it makes a difference");
    }
}

/// A body that rests on another one falls through it once their groups let it.
#[test]
fn a_body_that_touches_nothing_any_more_falls_through() {
    let mut scene = sliding(Integrator::Verlet);
    scene.bodies[1].velocity = [0.0; 3];
    let mut world = world(&scene);
    go_to(&mut world, 2.0);
    let id = world.body_id(1).unwrap();
    let height = |world: &mut World| {
        let state = world.read().unwrap();
        centre(world, &state, 1).y
    };
    let rested = height(&mut world);
    assert!((rested - 0.6).abs() < 0.02, "{rested}");
    let touching = world.touching(id).unwrap();
    world.set_touching(id, &Touching { mask: 0, ..touching }).unwrap();
    go_to(&mut world, 2.2);
    let fallen = rested - height(&mut world);
    let wanted = 0.5 * 9.81 * 0.2 * 0.2;
    assert!((fallen / wanted - 1.0).abs() < 0.05, "{fallen}, wanted {wanted}");
    go_to(&mut world, 3.0);
    let lies = height(&mut world);
    assert!((lies - 0.2).abs() < 0.02, "on the floor: {lies}");
}

#[test]
fn what_no_scene_could_have_is_refused() {
    let mut ghost = sliding(Integrator::Verlet);
    ghost.bodies[0].mask = 0;
    let mut apart = world(&ghost);
    let id = apart.body_id(0).unwrap();
    let all = Touching { mask: u32::MAX, ..apart.touching(id).unwrap() };
    let message = apart.set_touching(id, &all).unwrap_err().to_string();
    assert!(message.contains("use `change`"), "{message}");
    let mut world = world(&sliding(Integrator::Verlet));
    let id = world.body_id(0).unwrap();
    let before = world.touching(id).unwrap();
    for friction in [f64::NAN, -1.0] {
        let wrong = Touching { friction: Some(friction), ..before };
        assert!(world.set_touching(id, &wrong).is_err(), "{wrong:?}");
        assert_eq!(world.touching(id).unwrap(), before);
    }
    world.remove(id).unwrap();
    assert!(world.set_touching(id, &before).is_err(), "it is gone");
}
