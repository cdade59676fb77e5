//! Bodies whose surface is carried by a lattice: they weigh what is drawn, touch where it is drawn, and roll.

use std::f64::consts::PI;
use std::ops::Range;

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::mesh::Surface;
use pliant::scene::{Body, Fem, Integrator, Kind, Mass, MeshSource};

use crate::collide_support::bounds;
use crate::shell_support::ball;
use crate::support::*;

const DENSITY: f64 = 300.0;

fn soft(mut body: Body, young: f64) -> Body {
    let material = Fem { relaxation: Some(0.02), ..Fem::new(young, 0.3) };
    body.kind = material.into();
    body.mass = Mass::Density(DENSITY);
    body
}

fn with_cells(name: &str, cells: u32) -> Body {
    let mut body = asset(name);
    if let MeshSource::File { cells: own, .. } = &mut body.mesh {
        *own = cells;
    }
    body
}

fn sphere(radius: f64) -> Surface {
    let mut surface = ball(24);
    surface.points.iter_mut().for_each(|x| *x *= radius);
    surface
}

/// Takes frames for so long; returns the time that has passed [s].
fn run(world: &mut World, seconds: f64) -> f64 {
    while world.time() < seconds {
        world.step_frame().unwrap();
    }
    world.time()
}

/// The drawn vertices of each body as its tetrahedra carry them [m].
fn carried(world: &mut World) -> Vec<Vec<DVec3>> {
    let positions = doubles(&world.read().unwrap().positions);
    let skin = &world.model().skin;
    let place = |i: usize| {
        let ties = skin.corners[i].iter().zip(skin.weights[i]);
        ties.map(|(c, w)| w * positions[*c as usize]).sum()
    };
    let bodies = skin.bodies.iter();
    bodies.map(|body| body.vertices.clone().map(place).collect()).collect()
}

/// The vertices of each body as they are drawn [m].
fn drawn(world: &mut World) -> Vec<Vec<DVec3>> {
    world.update_skin();
    let positions = world.skin().0.positions.read(world.context()).unwrap();
    let of_body = |vertices: &Range<usize>| {
        let own = positions[vertices.clone()].iter();
        own.map(|x| x.truncate().as_dvec3()).collect()
    };
    let bodies = world.model().skin.bodies.iter();
    bodies.map(|body| of_body(&body.vertices)).collect()
}

fn lowest(points: &[DVec3]) -> f64 {
    points.iter().map(|x| x.y).fold(f64::INFINITY, extreme::least)
}

fn longest_side(points: &[DVec3]) -> f64 {
    let (low, high) = bounds(points);
    (high - low).max_element()
}

/// Whatever the cells, and at once for springs and finite elements, which weigh alike.
#[test]
fn a_body_weighs_what_is_drawn() {
    let surface = sphere(0.3);
    let volume = surface.volume();
    for cells in [3, 6, 12] {
        let mesh = MeshSource::Surface { surface: surface.clone(), cells };
        let mut body = soft(Body::new("ball", mesh), 1e5);
        body.scale = [1.0, 0.5, 2.0];
        let world = world(&on_floor(vec![body], Integrator::Vbd));
        let model = world.model();
        let mass: f64 = model.masses.iter().sum();
        assert!((mass / (DENSITY * volume) - 1.0).abs() < 1e-6, "{mass}");
        let moment = |axis: usize| {
            let square = |(x, m): (&DVec3, &f64)| m * x[axis] * x[axis];
            model.rest_positions.iter().zip(&model.masses).map(square).sum::<f64>()
        };
        // m a²/5 along each half axis of an ellipsoid; the surface is an inscribed one.
        for (axis, half) in [0.3, 0.15, 0.6].into_iter().enumerate() {
            let part = moment(axis) / (0.2 * mass * half * half);
            assert!((part - 1.0).abs() < 0.01, "{cells} cells, {axis}: {part}");
        }
    }
}

/// Twelve landings: three meshes in four positions each. What is drawn ends within 1 % of its size of the floor.
#[test]
fn bodies_lie_on_what_is_drawn() {
    let turns = [
        ("dog.obj", 0.8, [[0.1, 0.0, 0.15], [0.2, 0.7, 2.6]]),
        ("teapot.obj", 0.5, [[1.4, 0.3, 0.2], [2.9, 1.1, 0.4]]),
        ("rounded_cube.ply", 0.9, [[0.1, 0.0, 0.15], [1.4, 0.3, 0.2]]),
    ];
    let mut bodies = Vec::new();
    for (row, (mesh, height, turns)) in turns.into_iter().enumerate() {
        for (column, rotation) in turns.into_iter().enumerate() {
            let mut body = soft(with_cells(mesh, 8), 3e6);
            body.name = format!("{mesh} {column}");
            body.rotation = rotation;
            body.position = [2.5 * column as f64, height, 2.5 * row as f64];
            bodies.push(body);
        }
    }
    let scene = on_floor(bodies, Integrator::Vbd);
    let mut world = world(&scene);
    let sizes: Vec<f64> = (world.model().bodies.iter())
        .map(|body| longest_side(&world.model().rest_positions[body.particles.clone()]))
        .collect();
    run(&mut world, 1.6);
    for ((points, size), body) in carried(&mut world).iter().zip(sizes).zip(&scene.bodies) {
        let gap = lowest(points) / size;
        assert!(gap.abs() < 0.01, "{}: {gap} of {size} m", body.name);
    }
}

/// Soft bodies of few cells lie on whole faces of their tetrahedra. What stands out over these is drawn flat on the floor, all else
/// where the tetrahedra carry it; cubes that a lattice fills are drawn as they are.
#[test]
fn what_is_pressed_flat_is_drawn_on_floor() {
    let placed = |mesh: &str, position, rotation| {
        let body = soft(with_cells(mesh, 6), 1.5e5);
        Body { name: mesh.into(), position, rotation, ..body }
    };
    let block = soft(Body::lattice("block", [3; 3], [0.3; 3]), 1.5e5);
    let bodies = [
        placed("dog.obj", [0.0, 0.95, 0.0], [1.4, 0.3, 0.2]),
        placed("teapot.obj", [2.5, 0.55, 0.0], [0.2, 0.7, 2.6]),
        Body { position: [5.0, 0.3, 0.0], ..block },
    ];
    let mut world = world(&on_floor(bodies, Integrator::Vbd));
    run(&mut world, 1.6);
    let (carried, drawn) = (carried(&mut world), drawn(&mut world));
    for (k, (carried, drawn)) in carried.iter().zip(&drawn).enumerate() {
        let size = longest_side(drawn);
        let gaps = [carried, drawn].map(|points| lowest(points) / size);
        assert!(gaps[1].abs() < 1e-4, "{k}: {gaps:?}");
        // This is what the test is about.
        assert!(k == 2 || gaps[0] < -0.01, "{k}: {gaps:?}");
        for (x, shown) in carried.iter().zip(drawn) {
            let moved = x.distance(*shown);
            assert!(moved < 1e-6 || k < 2 && x.y < 0.0, "{k}: {x} is drawn at {shown}");
        }
    }
}

/// A teapot on a large ball of which only the top is near: the least distance between what is drawn of both.
#[test]
fn bodies_lie_on_each_other_where_they_are_drawn() {
    let placed = |name: &str, mesh, position, rotation| {
        let body = soft(with_cells(mesh, 8), 3e6);
        Body { name: name.into(), position, rotation, ..body }
    };
    let base = placed("base", "rounded_cube.ply", [0.0, 0.5, 0.0], [0.0; 3]);
    let pot = placed("pot", "teapot.obj", [0.0, 1.02, 0.0], [0.0, 0.4, 0.05]);
    let mut world = world(&on_floor([base, pot], Integrator::Vbd));
    run(&mut world, 1.0);
    let bodies = carried(&mut world);
    let top = bodies[0].iter().map(|x| x.y).fold(f64::NEG_INFINITY, extreme::greatest);
    let gap = lowest(&bodies[1]) - top;
    assert!(gap.abs() < 0.01, "{gap} m between bodies of 1 and 0.6 m");
}

/// 5/7 g sin α within 3 %.
#[test]
fn a_stiff_ball_rolls_down_a_plane_like_a_ball() {
    let (radius, slope) = (0.5, 15.0 * PI / 180.0);
    let mut bodies = Vec::new();
    for (i, cells) in [8, 12].into_iter().enumerate() {
        let mesh = MeshSource::Surface { surface: sphere(radius), cells };
        let mut body = soft(Body::new(format!("{cells} cells"), mesh), 1e6);
        // What a material takes up while it is flattened brakes a ball; here next to none.
        if let Kind::Fem(material) = &mut body.kind {
            material.relaxation = Some(0.001);
        }
        body.mass = Mass::Density(1000.0);
        body.position = [0.0, radius - 0.01, 2.0 * i as f64];
        body.friction = Some(1.0);
        bodies.push(body);
    }
    let mut scene = on_floor(bodies, Integrator::Vbd);
    scene.world.gravity = [9.81 * slope.sin(), -9.81 * slope.cos(), 0.0];
    let mut world = world(&scene);
    let middle = |points: &Vec<DVec3>| points.iter().sum::<DVec3>() / points.len() as f64;
    let start: Vec<_> = drawn(&mut world).iter().map(middle).collect();
    let time = run(&mut world, 1.0);
    let way = 0.5 * 5.0 / 7.0 * 9.81 * slope.sin() * time * time;
    for ((points, start), body) in drawn(&mut world).iter().zip(start).zip(&scene.bodies) {
        let part = (middle(points).x - start.x) / way;
        assert!((part - 1.0).abs() < 0.03, "{}: {part}", body.name);
    }
}
