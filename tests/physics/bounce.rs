//! Restitution: how high bodies come back, and that no bounce makes energy.

use glam::DVec3;
use pliant::World;
use pliant::report::Measure;
use pliant::scene::{Body, Fem, Integrator, Kind, Mass, Scene, Shape, Solid, Springs, Step};

use crate::support::*;

const G: f64 = 9.81;
const SIDE: f64 = 0.2;

fn cube(cells: u32, young: f64) -> Body {
    let mut body = Body::lattice("cube", [cells; 3], [SIDE; 3]);
    body.mass = Mass::Density(1000.0);
    body.kind = Springs::Moduli {
        young,
        relaxation: 1e-4,
    }
    .into();
    body
}

/// The body `height` above what it falls on, at y = 0.
fn above(mut body: Body, integrator: Integrator, height: f64, restitution: f64) -> Scene {
    body.position = [0.0, height + 0.5 * SIDE, 0.0];
    body.restitution = Some(restitution);
    let mut scene = floating(body, integrator, Step::Auto);
    scene.world.gravity = [0.0, -G, 0.0];
    scene.world.floor = Some(0.0);
    scene
}

/// Each frame's energy [J] and the height of the first body's centre of mass [m].
fn follow(world: &mut World, scene: &Scene, time: f64) -> Vec<(f64, f64)> {
    let mut frames = Vec::new();
    while world.time() < time {
        world.step_frame().unwrap();
        let now = world.read().unwrap();
        let measures = Measure::new(world.model(), scene.world.gravity, &now).unwrap();
        let centre = measures.bodies[0].centroid;
        frames.push((measures.energy.total(), DVec3::from(centre).y));
    }
    frames
}

/// How high the body comes back over how far it fell, and by what part of its fall's energy the energy exceeds that before.
fn rebound(scene: &Scene, height: f64) -> [f64; 2] {
    let mut scene = scene.clone();
    scene.world.fps = 120.0;
    let mut world = world(&scene);
    let fall = (2.0 * height / G).sqrt();
    let start = world.read().unwrap();
    let start = Measure::new(world.model(), scene.world.gravity, &start).unwrap();
    let frames = follow(&mut world, &scene, 2.05 * fall);
    let rest = DVec3::from(start.bodies[0].centroid).y - height;
    let before = start.energy.total();
    let after = (1.03 * fall * scene.world.fps).ceil() as usize;
    let most = |of: &dyn Fn(&(f64, f64)) -> f64, from: usize| {
        frames[from..]
            .iter()
            .map(of)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mass: f64 = world.model().masses.iter().sum();
    [
        (most(&|frame| frame.1, after) - rest) / height,
        (most(&|frame| frame.0, 0) - before) / (mass * G * height),
    ]
}

#[test]
fn a_stiff_block_comes_back_to_e_squared_of_its_height() {
    for integrator in Integrator::ALL {
        // Stable with explicit Euler only by much damping.
        if integrator == Integrator::Euler {
            continue;
        }
        for restitution in [0.0, 0.3, 0.6, 0.9] {
            let scene = above(cube(4, 5e6), integrator, 0.5, restitution);
            let [top, gain] = rebound(&scene, 0.5);
            let wanted = restitution * restitution;
            println!(
                "{}, e = {restitution}: {top:.3} of its height, energy {gain:+.1e}",
                integrator.name()
            );
            assert!((top - wanted).abs() < 0.02 + 0.03 * wanted, "{top}");
            assert!(gain < 1e-3, "{gain}");
        }
    }
}

/// Kinds, cells, a ball, what it falls on: a box, a ball, another body.
#[test]
fn so_do_other_bodies_on_other_things() {
    let ball = Solid::Sphere {
        position: [0.0, -2.0, 0.0],
        radius: 2.0,
    };
    let slab = Solid::Box {
        position: [0.0, -0.5, 0.0],
        rotation: [0.0; 3],
        size: [2.0, 1.0, 2.0],
    };
    let mut fem = cube(4, 5e6);
    fem.kind = Fem::new(5e6, 0.3).into();
    let mut rigid = cube(4, 1.0);
    rigid.kind = Kind::Shape(Shape::default());
    for (name, body, solid) in [
        ("fem", fem, Some(&slab)),
        ("shape", rigid, None),
        ("8 cells on a ball", cube(8, 5e6), Some(&ball)),
        ("on a box", cube(5, 5e6), Some(&slab)),
    ] {
        let mut scene = above(body, Integrator::Vbd, 0.5, 0.7);
        if name == "shape" {
            scene = above(scene.bodies[0].clone(), Integrator::Verlet, 0.05, 0.7);
            scene.world.step = Step::Fixed(1e-3);
        }
        let height = scene.bodies[0].position[1] - 0.5 * SIDE;
        if let Some(solid) = solid {
            scene.world.floor = None;
            scene.solids.push(solid.clone());
        }
        let [top, gain] = rebound(&scene, height);
        println!("{name}: {top:.3} of its height, energy {gain:+.1e}");
        assert!((top - 0.49).abs() < 0.04, "{name}: {top}");
        assert!(gain < 1e-3, "{name}: {gain}");
    }
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler] {
        let mut scene = above(cube(4, 5e6), integrator, 0.5, 0.7);
        scene.world.floor = None;
        let mut table = Body::lattice("table", [6, 1, 6], [1.2, SIDE, 1.2]);
        table.kind = scene.bodies[0].kind.clone();
        table.mass = Mass::Density(1000.0);
        table.position = [0.0, -0.5 * SIDE, 0.0];
        table.pin = vec![pliant::scene::Aabb {
            min: [-1.0, -1.0, -1.0],
            max: [1.0, -0.05, 1.0],
        }];
        scene.bodies.push(table);
        let [top, _] = rebound(&scene, 0.5);
        println!("{}, on a body: {top:.3} of its height", integrator.name());
        assert!((top - 0.49).abs() < 0.04, "{top}");
    }
}

/// Once the target velocity −e v was held over a long step, like a wall that moves: 17 times the energy of the fall.
#[test]
fn no_bounce_makes_energy() {
    for integrator in Integrator::ALL {
        if integrator == Integrator::Euler {
            continue;
        }
        for (rotation, restitution) in [
            ([0.0; 3], 1.0),
            ([0.0; 3], 0.5),
            ([0.4, 0.2, 0.3], 0.3),
            ([0.4, 0.2, 0.3], 1.0),
        ] {
            let mut scene = above(cube(4, 5e5), integrator, 0.8, restitution);
            scene.bodies[0].rotation = rotation;
            scene.bodies[0].position[1] += 0.1;
            let [top, gain] = rebound(&scene, 0.8);
            println!(
                "{}, turned {rotation:?}, e = {restitution}: {top:.3}, energy {gain:+.1e}",
                integrator.name()
            );
            assert!(gain < 2e-3, "{gain}");
        }
    }
}

/// What is softer than its impact squashes and comes back by its own elasticity; the more, the larger e.
#[test]
fn a_soft_block_comes_back_further_with_e() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let tops = [0.0, 0.3, 0.6, 0.9].map(|restitution| {
            let scene = above(cube(4, 1e5), integrator, 0.5, restitution);
            let [top, gain] = rebound(&scene, 0.5);
            println!(
                "{}, e = {restitution}: {top:.3}, energy {gain:+.1e}",
                integrator.name()
            );
            assert!(gain < 2e-3, "{gain}");
            top
        });
        assert!(
            tops.windows(2).all(|pair| pair[0] < pair[1] + 0.01),
            "{tops:?}"
        );
        assert!(tops[3] > tops[0] + 0.03, "{tops:?}");
    }
}

/// A falling rod's end meets a step: a rigid body's closed form, J = (1 + e) v/(1/m + r²/I).
#[test]
fn a_block_that_lands_on_its_side_turns_as_a_rigid_one() {
    let restitution = 0.5;
    let mut rod = Body::lattice("rod", [12, 2, 2], [1.2, SIDE, SIDE]);
    rod.mass = Mass::Density(1000.0);
    rod.kind = Springs::Moduli {
        young: 1e7,
        relaxation: 1e-4,
    }
    .into();
    let mut scene = above(rod, Integrator::Verlet, 0.01, restitution);
    scene.bodies[0].velocity = [0.0, -2.0, 0.0];
    scene.world.gravity = [0.0; 3];
    scene.world.floor = None;
    scene.world.friction = 0.0;
    scene.solids.push(Solid::Box {
        position: [1.5, -0.5, 0.0],
        rotation: [0.0; 3],
        size: [2.0, 1.0, 1.0],
    });
    let mut world = world(&scene);
    while world.time() < 0.0055 {
        world.step(1).unwrap();
    }
    let end = world.read().unwrap();
    let model = world.model();
    let (mut mass, mut momentum, mut inertia, mut spin) = (0.0, DVec3::ZERO, 0.0, 0.0);
    let (mut met, mut count) = (0.0, 0.0);
    for i in 0..model.masses.len() {
        let (m, x) = (model.masses[i], model.positions[i]);
        let v = end.velocities[i].as_dvec3();
        let r = x - DVec3::new(0.0, 0.01 + 0.5 * SIDE, 0.0);
        mass += m;
        momentum += m * v;
        inertia += m * (r.x * r.x + r.y * r.y);
        spin += m * r.cross(v).z;
        if r.y < -0.09 && r.x > 0.49 {
            (met, count) = (met + m * r.x, count + m);
        }
    }
    let arm: f64 = met / count;
    let impulse = (1.0 + restitution) * 2.0 / (1.0 / mass + arm * arm / inertia);
    let found = [momentum.y + 2.0 * mass, spin / arm];
    println!("impulse {impulse:.3} N s, found {found:.3?}");
    for found in found {
        assert!((found / impulse - 1.0).abs() < 0.02, "{found} {impulse}");
    }
}

/// Two free blocks part at e times their approach, and keep their momenta.
#[test]
fn free_bodies_part_at_e_and_keep_their_momentum() {
    for integrator in [
        Integrator::Verlet,
        Integrator::Rk4,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ] {
        let restitution = 0.6;
        let mut one = cube(3, 5e6);
        one.restitution = Some(restitution);
        one.velocity = [2.0, 0.0, 0.0];
        let mut other = cube(2, 5e6);
        other.name = "other".into();
        other.mass = Mass::Density(400.0);
        other.position = [0.22, 0.0, 0.0];
        let mut scene = floating(one, integrator, Step::Auto);
        scene.bodies.push(other);
        let mut world = world(&scene);
        while world.time() < 0.05 {
            world.step(1).unwrap();
        }
        let end = world.read().unwrap();
        let model = world.model();
        let [a, b] = [0, 1].map(|body| {
            let range = model.bodies[body].particles.clone();
            let mass: f64 = model.masses[range.clone()].iter().sum();
            let momentum: DVec3 = range
                .map(|i| model.masses[i] * end.velocities[i].as_dvec3())
                .sum();
            (mass, momentum)
        });
        let parting = (b.1 / b.0 - a.1 / a.0).x / 2.0;
        let kept = (a.1 + b.1).x / (a.0 * 2.0);
        println!(
            "{}: part at {parting:.3}, momentum {kept:.5}",
            integrator.name()
        );
        assert!((parting - restitution).abs() < 0.02, "{parting}");
        assert!((kept - 1.0).abs() < 1e-3, "{kept}");
    }
}

/// What rests goes on resting, whatever e.
#[test]
fn what_rests_stays_at_rest() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let mut scene = above(block(3, SIDE / 3.0, 0.4), integrator, 0.0, 1.0);
        let mut upper = scene.bodies[0].clone();
        upper.name = "upper".into();
        upper.position[1] += 1.001 * SIDE;
        scene.bodies.push(upper);
        let mut world = world(&scene);
        while world.time() < 2.0 {
            world.step_frame().unwrap();
        }
        let speed = rms(&world.read().unwrap().velocities);
        println!("{}: {speed:.1e} m/s", integrator.name());
        assert!(speed < 1e-3, "{speed}");
    }
}
