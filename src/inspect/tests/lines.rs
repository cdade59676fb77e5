//! Forces and penetration vectors as lines.

use crate::extreme::greatest;
use glam::{DVec3, Vec3};

use super::{all_kinds, context, scene_file, settled, world};
use crate::World;
use crate::gpu::types::{NONE, Segment};
use crate::inspect::{Field, Inspector};
use crate::scene::{DampingMode, Integrator, Kind, Scene};
use crate::world::PointerSpring;

/// The bodies in the air, where nothing touches, in wind; their damping is explicit.
fn free() -> Scene {
    let mut scene = all_kinds();
    (scene.world.floor, scene.world.contact) = (None, false);
    (scene.world.drag, scene.world.integrator) = (0.5, Integrator::SymplecticEuler);
    scene.world.step = crate::scene::Step::Fixed(1e-4);
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        body.angular_velocity = [1.0, -0.5 * k as f64, 2.0];
        body.damping_mode = match body.kind {
            Kind::Shape(_) => None,
            _ => Some(DampingMode::Explicit),
        };
    }
    scene
}

/// Symplectic Euler changes m v by h F.
#[test]
fn forces_are_what_changes_momenta() {
    let mut world = world(&free());
    let (target, pull) = (3.0 * Vec3::Y, PointerSpring::default());
    let pull = PointerSpring { particle: 7, target, rate: 40.0, damping: 1.0, ..pull };
    world.set_pointer_spring(Some(pull)).unwrap();
    world.step(150).unwrap();
    let mut inspector = Inspector::new(&world);
    let length = 1e-3;
    let mut all: Vec<Segment> = Vec::new();
    for (body, ranges) in world.model().bodies.iter().enumerate() {
        let lines = inspector.forces(&world, body, length).unwrap();
        assert_eq!(lines.count as usize, ranges.particles.len());
        let segments = lines.segments.read(context()).unwrap();
        all.extend(&segments[..lines.count as usize]);
    }
    let before = world.particles().read(context()).unwrap();
    world.step(1).unwrap();
    let after = world.particles().read(context()).unwrap();
    let (model, step) = (world.model(), world.stepping().step);
    for body in &model.bodies {
        let (mut most, mut worst) = (0.0_f64, 0.0_f64);
        for i in body.particles.clone() {
            let line = all[i];
            let mass = if model.pinned[i] { 0.0 } else { model.masses[i] };
            let change = (after[i].velocity - before[i].velocity).as_dvec3();
            let wanted = mass / step * change;
            let found = (line.end - line.start).as_dvec3() / f64::from(length);
            assert_eq!(line.start, before[i].position);
            let value = f64::from(line.value);
            assert!((value - found.length()).abs() < 1e-3 + 1e-3 * value);
            most = greatest(most, wanted.length());
            worst = greatest(worst, wanted.distance(found));
        }
        assert!(worst < 5e-4 * most && most > 0.0, "{}: {worst} of {most}", body.name);
    }
    assert!(inspector.forces(&world, 99, length).is_err());
    let [forces, ways, normals] = inspector.lines();
    let last = world.model().bodies.len() - 1;
    let count = world.model().bodies[last].particles.len();
    assert_eq!(forces.unwrap().count as usize, count);
    assert!(ways.is_none() && normals.is_none());
}

pub fn penetration_vectors_are_those_of_the_records(world: &mut World) {
    let mut inspector = Inspector::new(world);
    let scale = 100.0;
    let records = world.contact_records().unwrap();
    let x = world.particles().read(context()).unwrap();
    let body_of = |i: u32| {
        let mut bodies = world.model().bodies.iter();
        bodies.position(|body| body.particles.contains(&(i as usize)))
    };
    let mut shown = 0;
    for body in 0..world.model().bodies.len() {
        let lines = inspector.penetrations(world, body, scale).unwrap();
        assert!(lines.count as usize >= records.len());
        let segments = lines.segments.read(context()).unwrap();
        for (c, line) in segments[..lines.count as usize].iter().enumerate() {
            let found = line.end - line.start;
            let Some(contact) = records.get(c).filter(|contact| contact.is_contact()) else {
                assert_eq!((found, line.value), (Vec3::ZERO, 0.0));
                continue;
            };
            let [first, second, ..] = contact.a.dofs.to_array();
            let [other, third, ..] = contact.b.dofs.to_array();
            let sign = match (body_of(first) == Some(body), third == NONE) {
                (true, _) => 1.0,
                (false, true) if body_of(other) == Some(body) => -1.0,
                _ => 0.0,
            };
            let way = f64::from(sign * scale * contact.gap.max(0.0)) * contact.normal.as_dvec3();
            assert!(found.as_dvec3().distance(way) < 1e-5 * (1.0 + way.length()));
            if way == DVec3::ZERO {
                assert_eq!((found, line.value), (Vec3::ZERO, 0.0));
                continue;
            }
            shown += 1;
            assert_eq!((line.value, line.body), (contact.gap, body as u32));
            let place = |i: u32| x[i as usize].position;
            let start = match (sign > 0.0, second) {
                (false, _) => place(other),
                (true, NONE) => place(first),
                (true, second) => {
                    contact.a.weights.x * place(first) + contact.a.weights.y * place(second)
                }
            };
            assert!(line.start.distance(start) < 1e-5);
        }
    }
    assert!(shown > 3);
}

/// What a tower of boxes stands on: at the corners of each joint a line up for the one above, and one down for the one below;
/// all points bear what is above them.
#[test]
fn normals_stand_on_the_joints_of_a_tower() {
    let mut scene = scene_file("rigid_tower.toml");
    scene.bodies.retain(|body| body.name.starts_with("box"));
    let count = scene.bodies.len();
    assert!(count > 5);
    scene.world.sleep = false;
    let world = settled(&scene, 60);
    let mut inspector = Inspector::new(&world);
    let sums = inspector.sums(&world).unwrap();
    for (body, own) in sums.bodies.iter().enumerate() {
        let lines = inspector.normals(&world, body, 0.25).unwrap();
        let segments = lines.segments.read(context()).unwrap();
        let shown = segments[..lines.count as usize].iter().filter(|line| line.start != line.end);
        let mut joints = [0; 2];
        for line in shown {
            let way = line.end - line.start;
            let up = way.y > 0.0;
            joints[usize::from(up)] += 1;
            assert!(way.normalize().y.abs() > 0.999 && (way.length() - 0.25).abs() < 1e-5);
            // The corners of its lower side, or of its upper one.
            let [low, high] = own.bounds;
            let level = if up { low.y } else { high.y };
            assert!((line.start.y - level).abs() < 5e-3, "{body}: {line:?}");
            let middle = 0.5 * (low + high);
            let corner = (line.start - middle).abs() - 0.5 * (high - low);
            assert!(corner.x.abs() < 0.01 && corner.z.abs() < 0.01, "{body}: {line:?}");
            assert!(line.body == body as u32 && line.value.abs() < 5e-3);
        }
        assert_eq!(joints, [if body + 1 < count { 4 } else { 0 }, 4], "{body}");
    }
}

/// Of every kind: the outline of a body at its start is of the size of its shape, and moves with it.
#[test]
fn colliders_are_where_their_bodies_are() {
    let scene = scene_file("rigid_shapes.toml");
    let mut world = world(&scene);
    let mut inspector = Inspector::new(&world);
    for frame in 0..2 {
        if frame > 0 {
            (0..30).for_each(|_| world.step_frame().unwrap());
        }
        let sums = inspector.sums(&world).unwrap();
        let colliders = inspector.colliders(&world).unwrap();
        let segments = colliders.segments.read(context()).unwrap();
        for (body, (own, range)) in sums.bodies.iter().zip(colliders.ranges).enumerate() {
            let lines = &segments[range.start as usize..range.end as usize];
            assert!(!lines.is_empty() && lines.iter().all(|line| line.body == body as u32));
            let ends = || lines.iter().flat_map(|line| [line.start, line.end]);
            let [low, high] = [
                ends().fold(Vec3::INFINITY, Vec3::min),
                ends().fold(Vec3::NEG_INFINITY, Vec3::max),
            ];
            let size = (own.bounds[1] - own.bounds[0]).max_element();
            // What is round is drawn with 24 corners around, and its outline goes around it in three ways alone.
            let [below, above] = [low.distance(own.bounds[0]), high.distance(own.bounds[1])];
            assert!(below.max(above) < 0.25 * size, "{body}: {low} {high} {:?}", own.bounds);
        }
    }
    assert!(inspector.present_colliders().is_some());
    let soft = super::world(&scene_file("soft_cube.toml"));
    let mut inspector = Inspector::new(&soft);
    assert!(inspector.present_colliders().is_none());
    let colliders = inspector.colliders(&soft).unwrap();
    assert!(colliders.ranges.iter().all(|range| range.start == range.end));
}

/// Everything that a viewer may ask is answered in a world without bodies.
#[test]
fn an_empty_world_has_nothing_to_show() {
    let mut world = world(&Scene::default());
    world.step(3).unwrap();
    let mut inspector = Inspector::new(&world);
    assert!(inspector.forces(&world, 0, 1.0).is_err());
    assert!(inspector.lines().iter().all(Option::is_none));
    for field in Field::ALL {
        assert!(inspector.unavailable(&world, field, 0));
        let values = inspector.field(&world, field).unwrap().particle_values;
        assert!(values.is_empty());
        assert_eq!(inspector.present_field().unwrap().0, field);
    }
    assert!(inspector.sums(&world).unwrap().bodies.is_empty());
    assert!(inspector.colliders(&world).unwrap().ranges.is_empty());
}

/// All that a viewer asks, in every frame, with every kind of body, and plastic ones.
#[test]
fn a_state_that_is_looked_at_goes_on_as_if_it_were_not() {
    for (scene, integrator) in [
        (all_kinds(), Integrator::Verlet),
        (all_kinds(), Integrator::Rk4),
        (all_kinds(), Integrator::ImplicitEuler),
        (scene_file("fem_plastic.toml"), Integrator::Leapfrog),
        (scene_file("shape_plastic.toml"), Integrator::Verlet),
        (scene_file("fem_laws.toml"), Integrator::ImplicitEuler),
        (scene_file("rigid_on_soft.toml"), Integrator::Verlet),
    ] {
        let mut scene = scene;
        scene.world.integrator = integrator;
        let hash = |looks: bool| {
            let mut world = world(&scene);
            let mut inspector = Inspector::new(&world);
            for frame in 0..3 {
                world.step_frame().unwrap();
                if !looks {
                    continue;
                }
                for body in 0..world.model().bodies.len() {
                    inspector.forces(&world, body, 1.0).unwrap();
                    inspector.penetrations(&world, body, 1.0).unwrap();
                    inspector.normals(&world, body, 1.0).unwrap();
                }
                inspector.colliders(&world).unwrap();
                inspector.field(&world, Field::ALL[frame % 3]).unwrap();
                inspector.begin_sums(&world).unwrap();
                world.update_skin();
            }
            (world.state_hash().unwrap(), world.save().unwrap())
        };
        assert!(hash(false) == hash(true), "{integrator:?}");
    }
}
