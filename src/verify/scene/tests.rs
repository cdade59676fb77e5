//! Steps do not agree with those of other worlds.
use super::*;
use crate::scene::{Aabb, Body, Fem, Integrator, Kind, Mass, Springs, Step};

/// Two blocks that slide over the floor in wind, one of springs and one of finite elements, and a third that falls.
fn sliding(integrator: Integrator) -> Scene {
    let springs = Springs::Moduli { young: Some(5e4), relaxation: Some(0.02) };
    let fem = Fem { relaxation: Some(0.02), ..Fem::new(5e4, 0.4) };
    let kinds: [(&str, Kind); 3] =
        [("springs", springs.into()), ("fem", fem.into()), ("falling", springs.into())];
    let mut scene = Scene::default();
    for (k, (name, kind)) in kinds.into_iter().enumerate() {
        let mut body = Body::lattice(name, [2, 2, 2], [0.4, 0.4, 0.4]);
        (body.kind, body.mass, body.mask) = (kind, Mass::Density(1000.0), 0);
        body.position = [k as f64, 0.21, 0.0];
        body.velocity = [0.0, 0.0, 3.0];
        body.rotation = [0.0, 0.3, 0.02];
        body.friction = Some(0.2);
        scene.bodies.push(body);
    }
    scene.bodies[2].position[1] = 3.0;
    scene.bodies[2].angular_velocity = [1.0, 0.5, -1.0];
    (scene.world.drag, scene.world.floor) = (0.3, Some(0.0));
    scene.world.integrator = integrator;
    scene.world.step = Step::Fixed(1.0 / 60.0);
    scene
}

/// What is changed, and how.
type Change = (&'static str, fn(&mut Case));

#[test]
fn steps_of_another_world_do_not_agree() {
    let context = Context::new().unwrap();
    let changes: [Change; 9] = [
        ("nothing", |_| ()),
        ("gravity", |case| case.sim.gravity *= 1.01),
        ("drag", |case| case.sim.drag *= 1.1),
        ("wind", |case| case.sim.wind.x += 0.5),
        ("step", |case| case.sim.step *= 1.001),
        ("friction", |case| {
            case.bodies.iter_mut().for_each(|body| body.friction *= 0.9);
        }),
        ("floor", |case| case.externals.solids[0].centre.y -= 1e-3),
        ("springs", |case| {
            let springs = case.model.springs.iter_mut();
            springs.for_each(|spring| spring.distance *= 1.02);
        }),
        ("elements", |case| {
            let elements = case.model.elements.iter_mut();
            elements.for_each(|element| element.lame.mu *= 1.05);
        }),
    ];
    for integrator in [Integrator::Vbd, Integrator::ImplicitEuler] {
        let mut world = World::new(&context, &sliding(integrator)).unwrap();
        let functions = changes.map(|(_, change)| change);
        let results = compare(&mut world, &functions).unwrap();
        for ((name, _), result) in changes.iter().zip(&results) {
            println!("{} {name}: {:.1e}", result.name, result.max_error);
        }
        for ((name, _), result) in changes.iter().zip(&results) {
            assert_eq!(result.pass, *name == "nothing", "{name}: {result:?}");
        }
    }
}

/// One stiff cell that hangs from its top, far from the origin: nothing is averaged.
#[test]
fn steps_of_a_single_cell_agree() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::Vbd, Integrator::ImplicitEuler] {
        for x in [0.0, 7.0] {
            let mut scene = sliding(integrator);
            let mut body = Body::lattice("cell", [1, 1, 1], [0.4, 0.4, 0.4]);
            body.kind = Springs::Moduli { young: Some(1e6), relaxation: Some(0.0) }.into();
            (body.mass, body.position) = (Mass::Density(1000.0), [x, 2.0, x]);
            body.pin = vec![Aabb { min: [-1.0, 0.19, -1.0], max: [1.0, 0.21, 1.0] }];
            scene.bodies = vec![body];
            let mut world = World::new(&context, &scene).unwrap();
            let result = compare(&mut world, &[|_| ()]).unwrap()[0];
            println!("{} {x}: {:.1e}", result.name, result.max_error);
            assert!(result.pass, "{x}: {result:?}");
        }
    }
}

/// A body that stands exactly on the floor, which is a place that no distance is a scale of.
#[test]
fn steps_of_a_body_that_stands_on_the_floor_agree() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Vbd] {
        let mut scene = Scene::default();
        let body = Body::lattice("cube", [2; 3], [0.2; 3]);
        scene.bodies.push(Body { position: [0.0, 0.1, 0.0], ..body });
        scene.world.floor = Some(0.0);
        scene.world.integrator = integrator;
        let result = verify_scene(&context, &scene).unwrap()[0];
        assert!(result.pass, "{result:?}");
    }
}

/// Errors of many sweeps do not add up.
#[test]
fn many_sweeps_agree() {
    let context = Context::new().unwrap();
    let mut scene = sliding(Integrator::Vbd);
    scene.world.iterations = Some(100);
    let mut world = World::new(&context, &scene).unwrap();
    let result = compare(&mut world, &[|_| ()]).unwrap()[0];
    println!("{:.1e}", result.max_error);
    assert!(result.pass && result.max_error < 0.1 * result.tolerance, "{result:?}");
}
