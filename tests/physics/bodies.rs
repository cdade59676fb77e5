//! Bodies that come and go while a world runs.

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::mesh::PointCloud;
use pliant::report::Measure;
use pliant::scene::{
    Body, Clusters, Fem, Integrator, Kind, MeshSource, Mode, Plasticity, Pull, Scene,
    ShapeMatching, Step,
};
use pliant::world::BodyId;

use crate::support::*;

fn soft(name: &str, position: [f64; 3]) -> Body {
    Body { position, ..lattice(name, [3, 2, 2], [0.6, 0.4, 0.4], 1000.0, springs(1e5, 0.02)) }
}

pub fn id_at(world: &World, index: usize) -> BodyId {
    world.body_id(index).unwrap()
}

fn positions(world: &mut World, body: usize) -> Vec<Vec3> {
    let state = world.read().unwrap();
    world.mesh_positions(&state, body).unwrap()
}

fn bits(places: &[Vec3]) -> Vec<[u32; 3]> {
    let bits = |x: &Vec3| x.to_array().map(f32::to_bits);
    places.iter().map(bits).collect()
}

/// A tower and something tumbling beside it.
pub fn crowd(integrator: Integrator) -> Scene {
    let mut thrown = soft("thrown", [-1.0, 0.8, 0.1]);
    thrown.velocity = [3.0, 1.0, 0.0];
    thrown.angular_velocity = [0.0, 2.0, 4.0];
    thrown.rotation = [0.1, 0.2, 0.3];
    let [low, high] = [soft("low", [0.0, 0.21, 0.0]), soft("high", [0.05, 0.63, 0.0])];
    on_floor([low, thrown, high], integrator)
}

/// Of another kind in the same places.
fn of_kind(mut scene: Scene, kind: &Kind) -> Scene {
    for body in &mut scene.bodies {
        body.kind = kind.clone();
    }
    scene
}

fn shape() -> Kind {
    ShapeMatching {
        pull: Pull::Frequency(8.0),
        beta: 0.3,
        mode: Mode::Linear,
        clusters: Clusters::Tets,
        ..ShapeMatching::default()
    }
    .into()
}

fn flowing() -> Kind {
    let plasticity = Plasticity { yield_strain: 0.01, creep: 5.0, most: 0.5 };
    Fem { plasticity, ..Fem::undamped(1e5, 0.3) }.into()
}

/// Taking a body out and putting it back where it was changes no bit, whatever it did in between; neither does room for bodies
/// that are not there. By then the tower has met the floor and what was thrown has met the tower.
#[test]
fn neither_what_comes_back_nor_what_is_absent_changes_anything() {
    let mut scenes: Vec<_> = Integrator::ALL.map(crowd).into();
    scenes.push(of_kind(crowd(Integrator::Verlet), &flowing()));
    scenes.push(of_kind(crowd(Integrator::Leapfrog), &shape()));
    scenes.push(of_kind(crowd(Integrator::ImplicitEuler), &flowing()));
    let mut grains = crowd(Integrator::Verlet);
    let place = |i: usize| 0.1 * DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64);
    let cloud = PointCloud::new((0..27).map(place).collect()).unwrap();
    grains.bodies[1].mesh = MeshSource::Points(cloud.points);
    grains.bodies[1].kind = ShapeMatching::default().into();
    scenes.push(grains);
    for (index, scene) in scenes.iter().enumerate() {
        let name = format!("{index}, {}", scene.world.integrator.name());
        let mut stayed = world(scene);
        let mut back = with_one_back(scene);
        let hashes = [&mut stayed, &mut back].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{name}, at the start");
        frames(&mut stayed, 14);
        frames(&mut back, 14);
        let hashes = [&mut stayed, &mut back].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{name}");
        if index < Integrator::ALL.len() {
            let mut roomy = with_room(scene);
            frames(&mut roomy, 14);
            for body in 0..3 {
                let [want, got] = [&mut stayed, &mut roomy].map(|world| positions(world, body));
                assert_eq!(bits(&want), bits(&got), "{name}, with room");
            }
        }
    }
}

/// The world of a scene with the second body taken out, another in its place, and itself put back.
fn with_one_back(scene: &Scene) -> World {
    let mut back = world(scene);
    let id = id_at(&back, 1);
    back.remove(id).unwrap();
    let away = Body {
        position: [9.0, 9.0, 9.0],
        velocity: [0.0, -3.0, 0.0],
        stretch: [1.1, 0.9, 1.0],
        group: 4,
        ..scene.bodies[1].clone()
    };
    let other = back.add(&away).unwrap();
    assert_ne!(id, other);
    back.remove(other).unwrap();
    let last = back.add(&scene.bodies[1]).unwrap();
    assert_eq!(back.body_index(last).unwrap(), 1);
    back
}

/// The world of a scene of three bodies with room for three more, where the others are.
fn with_room(scene: &Scene) -> World {
    let mut scene = scene.clone();
    let spare = |k| soft(&format!("spare {k}"), [0.0, 0.2 * f64::from(k), 0.0]);
    scene.bodies.extend((0..3).map(spare));
    let mut roomy = world(&scene);
    for index in 3..6 {
        let id = id_at(&roomy, index);
        roomy.remove(id).unwrap();
    }
    assert_eq!(roomy.bodies().count(), 3);
    roomy
}

/// What is added starts by its own forces, those of finite elements and clusters too: deformed otherwise than what had its place
/// before, it has the bits of a body that a world begins with.
#[test]
fn what_is_added_starts_by_its_own_forces() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog] {
        for kind in [soft("", [0.0; 3]).kind, Fem::undamped(1e5, 0.3).into(), shape()] {
            let mut scene = of_kind(crowd(integrator), &kind);
            scene.world.step = Step::Fixed(1e-3);
            let mut deformed = scene.clone();
            deformed.bodies[1].stretch = [1.2, 0.9, 1.1];
            let mut want = world(&deformed);
            let mut got = world(&scene);
            let id = id_at(&got, 1);
            got.remove(id).unwrap();
            got.add(&deformed.bodies[1]).unwrap();
            let kinds = format!("{kind:?}, {integrator:?}");
            let hashes = [&mut want, &mut got].map(|world| world.state_hash().unwrap());
            assert_eq!(hashes[0], hashes[1], "{kinds}");
        }
    }
}

/// A body that is added falls as closed forms have it, and lies on what is there.
#[test]
fn what_is_added_falls_and_comes_to_rest_on_the_others() {
    for kind in [soft("", [0.0; 3]).kind, flowing(), shape()] {
        let mut base = lattice("base", [8, 2, 8], [1.6, 0.4, 1.6], 1000.0, soft("", [0.0; 3]).kind);
        base.position = [0.0, 0.2, 0.0];
        let mut world = world(&on_floor(vec![base], Integrator::Verlet));
        frames(&mut world, 20);
        let mut dropped = soft("base", [0.0, 2.0, 0.0]);
        dropped.kind = kind;
        let begin = world.time();
        let id = world.add(&dropped).unwrap();
        let index = world.body_index(id).unwrap();
        assert_eq!(world.scene().bodies[index].name, "base 1");
        let height = |world: &mut World| {
            let state = world.read().unwrap();
            Measure::new(world, &state).unwrap().bodies[index].centroid[1]
        };
        frames(&mut world, 20);
        let fallen = 0.5 * 9.81 * (world.time() - begin).powi(2);
        let got = 2.0 - height(&mut world);
        assert!((got - fallen).abs() < 1e-4, "{got} of {fallen} m");
        frames(&mut world, 180);
        let high = height(&mut world);
        assert!((0.45..0.61).contains(&high), "its centre is {high} m high");
        world.remove(id).unwrap();
        frames(&mut world, 20);
        let low = height(&mut world);
        assert!((low - 2.0).abs() < 1e-6, "an absent body is where it began");
    }
}

/// A stack for which room is made goes on as one for which none is.
#[test]
fn a_stack_does_not_feel_that_room_is_made() {
    for integrator in
        [Integrator::Verlet, Integrator::Leapfrog, Integrator::ImplicitEuler, Integrator::Vbd]
    {
        let mut scene = crowd(integrator);
        scene.bodies.remove(1);
        let mut world = world(&scene);
        frames(&mut world, 60);
        let save = world.save().unwrap();
        let mut left = World::resume(context(), &scene, &save).unwrap();
        let far = soft("far", [5.0, 0.2, 0.0]);
        world.reserve(&far, 2).unwrap();
        assert_eq!(world.bodies().count(), 2);
        assert_eq!(world.model().bodies.len(), 4);
        for world in [&mut left, &mut world] {
            frames(world, 30);
        }
        for body in 0..2 {
            let [want, got] = [&mut left, &mut world].map(|world| doubles(&positions(world, body)));
            let apart = apart(&want, &got);
            assert!(apart < 2e-4, "{integrator:?}: {apart} m");
        }
    }
}

#[test]
fn ids_end_with_their_bodies() {
    let scene = crowd(Integrator::Verlet);
    let mut world = world(&scene);
    let ids: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), 3);
    world.remove(ids[1]).unwrap();
    assert_eq!(world.body_id(1), None);
    assert_eq!(world.body_id(7), None);
    for error in [world.body_index(ids[1]).map(|_| ()), world.remove(ids[1])] {
        let message = error.unwrap_err().to_string();
        assert!(message.contains("one that was removed"), "{message}");
    }
    let again = world.add(&scene.bodies[1]).unwrap();
    assert_ne!(again, ids[1]);
    assert_eq!(world.body_index(again).unwrap(), 1);
    assert_eq!(world.body_index(ids[2]).unwrap(), 2);
    assert!(world.body_index(ids[1]).is_err());
    // Neither building anew nor a change ends any.
    world.reserve(&scene.bodies[1], 1).unwrap();
    let mut changed = world.scene().clone();
    changed.world.gravity = [0.0, -5.0, 0.0];
    world.change(&changed).unwrap();
    assert_eq!(world.body_index(again).unwrap(), 1);
    assert_eq!(world.body_index(ids[0]).unwrap(), 0);
    assert_eq!(world.bodies().count(), 3);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut world = world(&crowd(Integrator::Verlet));
    let hash = world.state_hash().unwrap();
    let mut fast = soft("fast", [0.0; 3]);
    fast.velocity[0] = 2e4;
    let far = soft("far", [f64::NAN, 0.0, 0.0]);
    let missing = Body::from_file("missing", "no_such.obj");
    let flat = Body::lattice("flat", [1, 1, 0], [1.0; 3]);
    let named = ["fast", "far", "no_such", "flat"];
    for (body, name) in [&fast, &far, &missing, &flat].into_iter().zip(named) {
        let error = world.add(body).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let id = id_at(&world, 0);
    world.remove(id).unwrap();
    fast.position = [0.0, 0.21, 0.0];
    world.add(&fast).unwrap_err();
    assert_eq!(world.bodies().count(), 2);
    world.add(&soft("low", [0.0, 0.21, 0.0])).unwrap();
    assert_eq!(hash, world.state_hash().unwrap());
}

/// A body that is lost stops a world until it is taken out.
#[test]
fn a_lost_body_can_be_taken_out() {
    let mut scene = crowd(Integrator::Verlet);
    scene.world.step = Step::Fixed(1.0 / 600.0);
    let mut stiff = soft("stiff", [3.0, 1.0, 0.0]);
    stiff.kind = springs(1e9, 0.0);
    scene.bodies.push(stiff);
    let mut world = world(&scene);
    let mut fault = String::new();
    for _ in 0..60 {
        if let Err(error) = world.step_frame().and_then(|()| world.wait()) {
            fault = error.to_string();
            break;
        }
    }
    assert!(fault.contains("stiff"), "{fault}");
    assert!(world.step_frame().is_err());
    let id = id_at(&world, 3);
    world.remove(id).unwrap();
    frames(&mut world, 10);
    world.wait().unwrap();
}

#[test]
fn saves_know_who_is_there() {
    let scene = crowd(Integrator::Verlet);
    let mut world = world(&scene);
    let low = id_at(&world, 0);
    world.remove(low).unwrap();
    frames(&mut world, 10);
    let thrown = world.add(&soft("new", [0.2, 1.2, 0.0])).unwrap();
    let high = id_at(&world, 2);
    world.remove(high).unwrap();
    frames(&mut world, 10);
    let save = world.save().unwrap();
    let mut resumed = World::resume(context(), world.scene(), &save).unwrap();
    assert_eq!(world.body_index(thrown).unwrap(), 0);
    let present = |world: &World| world.bodies().map(|(_, index)| index).collect::<Vec<_>>();
    assert_eq!(present(&world), present(&resumed));
    frames(&mut world, 20);
    frames(&mut resumed, 20);
    assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
}

/// What sleeps stays where it is, bears what lies on it, and goes on from rest when it is woken.
#[test]
fn sleeping_bodies_bear_others_and_wake_as_they_were() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Vbd] {
        let mut held = soft("held", [0.0, 1.5, 0.0]);
        held.angular_velocity = [0.0, 1.0, 0.5];
        let mut world = world(&on_floor(vec![held, soft("dropped", [0.0, 2.2, 0.0])], integrator));
        frames(&mut world, 12);
        let id = id_at(&world, 0);
        world.sleep(id).unwrap();
        assert!(world.is_asleep(id).unwrap());
        let before = positions(&mut world, 0);
        frames(&mut world, 180);
        assert_eq!(bits(&before), bits(&positions(&mut world, 0)));
        let on_it = lowest(&positions(&mut world, 1));
        assert!(on_it > 1.3, "{integrator:?}: {on_it}");

        // Saved, made room beside, and woken.
        let save = world.save().unwrap();
        let mut resumed = World::resume(context(), world.scene(), &save).unwrap();
        let ids = [id, id_at(&resumed, 0)];
        for (world, id) in [&mut world, &mut resumed].into_iter().zip(ids) {
            world.wake(id).unwrap();
            assert!(!world.is_asleep(id).unwrap());
            frames(world, 6);
        }
        assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
        let fallen = lowest(&before) - lowest(&positions(&mut world, 0));
        assert!(fallen > 0.02, "{integrator:?}: {fallen} m");
        world.sleep(id).unwrap();
        let before = positions(&mut world, 0);
        world.reserve(&soft("far", [9.0, 0.2, 0.0]), 1).unwrap();
        let mut changed = world.scene().clone();
        changed.world.friction = 0.3;
        world.change(&changed).unwrap();
        assert!(world.is_asleep(id).unwrap());
        frames(&mut world, 6);
        assert_eq!(bits(&before), bits(&positions(&mut world, 0)));
        world.wake(id).unwrap();
        frames(&mut world, 6);
        assert_ne!(bits(&before), bits(&positions(&mut world, 0)));
    }
}
