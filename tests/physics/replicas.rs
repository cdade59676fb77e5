//! Many copies of a scene in one world.

use pliant::World;
use pliant::scene::{
    AttachedPoints, AttachedTo, Attachment, Body, Fem, Integrator, Movable, Scene, ShapeMatching,
    Step,
};

use crate::support::*;

fn cube(young: f64) -> Body {
    let body = lattice("cube", [3; 3], [0.6; 3], 1000.0, springs(young, 0.01));
    Body { position: [0.0, 0.5, 0.0], rotation: [0.2, 0.1, 0.3], ..body }
}

fn falling(bodies: Vec<Body>, integrator: Integrator) -> Scene {
    let mut scene = on_floor(bodies, integrator);
    scene.world.step = Step::Fixed(1.0 / 960.0);
    scene
}

/// Copies in one place, each with its own material, start and random places, have the bits of their runs alone.
#[test]
fn each_copy_has_the_bits_of_its_own_run() {
    // Implicit Euler solves all copies as one system.
    let own = |integrator: &Integrator| *integrator != Integrator::ImplicitEuler;
    for integrator in Integrator::ALL.into_iter().filter(own) {
        let mut scene = falling(vec![cube(1e5)], integrator).replicate(5).unwrap();
        for (k, body) in scene.bodies.iter_mut().enumerate() {
            body.seed = k as u32;
            body.scatter = 0.004 * k as f64;
            body.velocity = [0.3 * k as f64, 0.0, 0.1];
            body.kind = cube(1e5 * (1.0 + 0.2 * k as f64)).kind;
        }
        scene.bodies[3].kind = match integrator.is_implicit() {
            true => Fem::undamped(1e5, 0.3).into(),
            false => ShapeMatching::default().into(),
        };
        if integrator == Integrator::Midpoint || integrator == Integrator::Euler {
            scene.bodies[3].kind = fem(1e5, 0.3, 0.01);
        }
        let mut all = world(&scene);
        frames(&mut all, 16);
        let mut hashes = Vec::new();
        for k in 0..5 {
            let mut alone = world(&scene.replica(k).unwrap());
            frames(&mut alone, 16);
            hashes.push(all.replica_hash(k).unwrap());
            assert_eq!(alone.state_hash().unwrap(), hashes[k], "copy {k}, {integrator:?}");
        }
        hashes.dedup();
        assert_eq!(hashes.len(), 5, "copies differ");
        assert!(all.replica_hash(5).is_err());
    }
}

/// What the scene says of a body by its name, it says of every copy's.
#[test]
fn forces_motions_and_attachments_are_those_of_every_copy() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let mut body = cube(1e5);
        body.pin = vec![within([-1.0, 0.2, -1.0], [1.0; 3])];
        let mut scene = falling(vec![body], integrator);
        let motion = [[0.4, 0.0, 0.0], [0.0, 1.0, 0.0]];
        scene.events = vec![
            move_event(Movable::Pins("cube".into()), [0.0, 0.5, 0.0], motion, [0.05, 0.2]),
            line_force("cube", [0.3, -0.3, 0.3], [0.0, 0.0, 30.0], [0.0, 0.1]),
        ];
        let points = AttachedPoints::Listed(vec![0]);
        scene.attachments = vec![Attachment::new("cube", points, AttachedTo::Place)];
        let mut alone = world(&scene);
        let mut all = world(&scene.replicate(3).unwrap());
        frames(&mut alone, 16);
        frames(&mut all, 16);
        let want = alone.state_hash().unwrap();
        for k in 0..3 {
            let got = all.replica_hash(k).unwrap();
            assert_eq!(got, want, "copy {k}, {integrator:?}");
        }
    }
}

/// Copies that differ in their seeds alone start at other random places; of one seed they are the same, whatever their number.
#[test]
fn seeds_make_copies_differ() {
    let mut body = cube(1e5);
    body.scatter = 0.02;
    let mut scene = falling(vec![body], Integrator::Verlet).replicate(4).unwrap();
    for (body, seed) in scene.bodies.iter_mut().zip([0, 1, 2, 1]) {
        body.seed = seed;
    }
    let mut world = world(&scene);
    for count in [0, 20] {
        frames(&mut world, count);
        let hash = |world: &mut World, k| world.replica_hash(k).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| hash(&mut world, k));
        assert_eq!(b, d);
        assert!(a != b && a != c && b != c);
    }
}

/// Two bodies on each other in every copy: they touch their own and not the others, which are in the same place.
#[test]
fn copies_touch_only_their_own() {
    let level = |name: &str, position| Body {
        name: name.into(),
        position,
        rotation: [0.0; 3],
        ..cube(1e5)
    };
    let bodies = vec![level("low", [0.0, 0.31, 0.0]), level("high", [0.05, 1.15, 0.0])];
    let single = falling(bodies, Integrator::Verlet);
    let mut alone = world(&single);
    let mut all = world(&single.replicate(6).unwrap());
    frames(&mut alone, 60);
    frames(&mut all, 60);
    let want = alone.read().unwrap();
    let got = all.read().unwrap();
    let contacts = [&alone, &all].map(|world| world.contacts().contacts);
    assert!(contacts[0] > 100, "{contacts:?}");
    assert_eq!(6 * contacts[0], contacts[1]);
    let count = want.positions.len();
    for (k, x) in got.positions.iter().enumerate() {
        let apart = x.distance(want.positions[k % count]);
        assert!(apart < 1e-5, "particle {k} is {apart} m off");
    }
}

/// A copy is taken out and begun again while the others go on.
#[test]
fn copies_can_be_begun_again_one_by_one() {
    let scene = falling(vec![cube(1e5)], Integrator::Verlet).replicate(4).unwrap();
    let mut all = world(&scene);
    frames(&mut all, 10);
    let id = all.body_id(2).unwrap();
    all.remove(id).unwrap();
    assert!(all.add(&scene.bodies[0]).is_err());
    let message = all.add_to(1, &scene.bodies[1]).unwrap_err().to_string();
    assert!(message.contains("replica 1 is without room"), "{message}");
    let again = all.add_to(2, &scene.bodies[2]).unwrap();
    assert_eq!(all.body_index(again).unwrap(), 2);
    assert_eq!(all.scene().bodies[2].name, "cube");
    frames(&mut all, 10);
    let mut fresh = world(&scene.replica(2).unwrap());
    frames(&mut fresh, 10);
    assert_eq!(all.replica_hash(2).unwrap(), fresh.state_hash().unwrap());
    frames(&mut fresh, 10);
    assert_eq!(all.replica_hash(0).unwrap(), fresh.state_hash().unwrap());
}
