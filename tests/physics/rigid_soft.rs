//! Rigid bodies and bodies of finite elements that press on each other and hit each other.

use glam::DVec3;
use pliant::scene::{
    Body, Fem, Integrator, Kind, Law, Mass, MeshSource, Pull, Shape, ShapeMatching,
};

use crate::rigid::{cuboid, grounded, measure, momentum_off};
use crate::support::*;

const G: f64 = 9.81;

pub fn cube(name: &str, cells: u32, size: f64, height: f64, fem: Fem) -> Body {
    let kind = Kind::Fem(fem);
    Body { position: [0.0, height, 0.0], kind, ..Body::lattice(name, [cells; 3], [size; 3]) }
}

pub fn heavy(body: Body, mass: f64) -> Body {
    Body { mass: Mass::Body(mass), ..body }
}

/// How far plates of two masses sink on a cube that does not widen: by their weight and half of the cube's own over E A/L.
#[test]
fn a_cube_gives_way_under_a_plate_by_its_stiffness() {
    let (young, density) = (1e5, 1000.0);
    for mass in [50.0, 200.0] {
        let fem = Fem { law: Law::Corotated, relaxation: Some(0.05), ..Fem::new(young, 0.0) };
        let soft = Body { mass: Mass::Density(density), ..cube("cube", 3, 0.5, 0.25, fem) };
        let plate = heavy(cuboid("plate", [0.5, 0.05, 0.5], [0.0, 0.525, 0.0]), mass);
        let mut scene = grounded([soft, plate]);
        for body in &mut scene.bodies {
            body.friction = Some(0.0);
        }
        let end = advance(&mut world(&scene), 2.5);
        let sunk = 0.525 - f64::from(end.poses[0].centre.y);
        let wanted = (mass + 0.5 * density * 0.125) * G / (young * 0.5);
        println!("{mass} kg: {sunk} m, by the stiffness {wanted}");
        assert!((sunk / wanted - 1.0).abs() < 0.01, "{mass} kg: {sunk}, wanted {wanted}");
    }
}

/// A box between two cubes of finite elements, of a hundred times and a hundredth of their mass.
#[test]
fn soft_and_rigid_of_unlike_masses_come_to_rest_on_each_other() {
    for (mass, time) in [(1250.0, 4.0), (0.125, 1.5)] {
        let fem = Fem { relaxation: Some(0.004), ..Fem::new(2e6, 0.4) };
        let soft =
            |name, height| Body { mass: Mass::Density(100.0), ..cube(name, 3, 0.5, height, fem) };
        let middle = heavy(cuboid("box", [0.4; 3], [0.0, 0.7, 0.0]), mass);
        let mut world = world(&grounded([soft("low", 0.25), middle, soft("top", 1.15)]));
        let end = advance(&mut world, time);
        let end = measure(&world, &end);
        let all = mass + 25.0;
        let speed = (2.0 * end.energy.kinetic / all).sqrt();
        let heights = [0, 1, 2].map(|body| end.bodies[body].centroid[1]);
        println!("{mass} kg: {speed} m/s, at {heights:?} m");
        assert!(speed < 0.01, "{mass} kg: {speed} m/s");
        let wanted = [0.25, 0.7, 1.15];
        let sunk = heights.iter().zip(wanted).map(|(y, from)| from - y);
        assert!(sunk.clone().all(|by| (-1e-3..0.025).contains(&by)), "{mass} kg: at {heights:?} m");
    }
}

/// A plate under a cube of finite elements of a hundred times its mass, where a mean velocity moves particles.
#[test]
fn a_plate_lies_still_under_a_cube_that_a_mean_velocity_moves() {
    for integrator in [Integrator::Rk4, Integrator::Midpoint] {
        let fem = Fem { relaxation: Some(0.02), ..Fem::new(1e5, 0.3) };
        let plate = heavy(cuboid("plate", [0.6, 0.1, 0.6], [0.0, 0.05, 0.0]), 0.375);
        let soft = Body { mass: Mass::Density(300.0), ..cube("cube", 2, 0.5, 0.35, fem) };
        let mut scene = grounded([plate, soft]);
        scene.world.integrator = integrator;
        let end = advance(&mut world(&scene), 1.0);
        let (height, velocity) = (end.poses[0].centre.y, end.poses[0].velocity);
        println!("{integrator:?}: at {height} m, {velocity} m/s");
        assert!((0.04..0.05).contains(&height), "{integrator:?}: at {height} m");
        assert!(velocity.length() < 0.01, "{integrator:?}: {velocity} m/s");
    }
}

/// A box that hits what is at the origin beside its middle.
fn shot_off_centre() -> Body {
    Body {
        velocity: [3.0, 0.0, 0.0],
        rotation: [0.3, 0.2, 0.1],
        ..heavy(cuboid("box", [0.6; 3], [-1.5, 0.1, 0.2]), 216.0)
    }
}

/// A box that hits a cube of finite elements beside its middle. Of implicit steps see `rigid_implicit`.
#[test]
fn soft_and_rigid_keep_momentum_when_they_collide() {
    // Midpoint steps are stable only with damping, and of second order: their mean velocity is not that of either end.
    let exact = [1e-5; 2];
    for (integrator, relaxation, most) in [
        (Integrator::Verlet, 0.0, exact),
        (Integrator::Leapfrog, 0.0, exact),
        (Integrator::SymplecticEuler, 0.0, exact),
        (Integrator::Rk4, 0.0, [1e-5, 3e-5]),
        (Integrator::Midpoint, 0.001, [1e-5, 1e-4]),
    ] {
        let fem = Fem { relaxation: Some(relaxation), ..Fem::new(1e6, 0.4) };
        let soft = cube("cube", 4, 1.0, 0.0, fem);
        let mut scene = scene_of([soft, shot_off_centre()]);
        scene.world.gravity = [0.0; 3];
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let start = world.read().unwrap();
        let start = measure(&world, &start);
        let mut least = f64::INFINITY;
        for _ in 0..12 {
            let now = advance(&mut world, 0.05);
            let now = measure(&world, &now);
            let energy = (now.energy.kinetic + now.energy.elastic) / start.energy.kinetic;
            assert!(energy < 1.0 + 1e-5, "{integrator:?}: energy grows by {:e}", energy - 1.0);
            least = energy.min(least);
        }
        // They have parted: while they touch, velocities of particles are those of half a step before, those of poses are not.
        let end = world.read().unwrap();
        let end = measure(&world, &end);
        let off = momentum_off(&end, &start);
        println!("{integrator:?}: momentum {:e}, angular {:e}, energy {least}", off[0], off[1]);
        let kept = off.into_iter().zip(most).all(|(off, most)| off < most);
        assert!(kept, "{integrator:?}: {off:?}, wanted at most {most:?}");
        assert!(least < 0.99, "{integrator:?}: they did not meet");
    }
}

/// The same of springs, shape matching and clouds of spheres, where a mean velocity moves particles.
#[test]
fn other_families_keep_momentum_too() {
    let shape = ShapeMatching { pull: Pull::Frequency(10.0), ..ShapeMatching::default() };
    let lattice = Body::lattice("soft", [3; 3], [1.0; 3]);
    let points: Vec<_> = (0..64).map(|k| [k % 4, k / 4 % 4, k / 16]).collect();
    let place = |[x, y, z]: [usize; 3]| 0.3 * (DVec3::new(x as f64, y as f64, z as f64) - 1.5);
    let points = points.into_iter().map(place).collect();
    let cloud = Body { radius: Some(0.1), ..Body::new("soft", MeshSource::Points(points)) };
    let springs = Body { kind: constants(1e5, 1e5, 0.0), ..lattice.clone() };
    for (family, soft) in [
        ("springs", springs),
        ("shape", Body { kind: shape.clone().into(), ..lattice }),
        ("cloud", Body { kind: shape.into(), ..cloud }),
    ] {
        let mut scene = scene_of([heavy(soft, 500.0), shot_off_centre()]);
        scene.world.gravity = [0.0; 3];
        scene.world.integrator = Integrator::Rk4;
        let mut world = world(&scene);
        let start = world.read().unwrap();
        let start = measure(&world, &start);
        let end = advance(&mut world, 0.8);
        let end = measure(&world, &end);
        let off = momentum_off(&end, &start);
        println!("{family}: momentum {:e}, angular {:e}", off[0], off[1]);
        assert!(off[0] < 1e-5 && off[1] < 1e-4, "{family}: {off:?}");
        assert!(end.bodies[0].kinetic > 1.0, "{family}: they did not meet");
    }
}

/// Balls and boxes of a few centimetres shot at a wall of 2 cm of finite elements, held at its rim. How far they are when the step
/// that meets it begins is another matter for each.
#[test]
fn nothing_passes_a_soft_wall() {
    let mut random = Random::new(3);
    for speed in [20.0, 100.0, 300.0, 300.0, 300.0, 300.0] {
        for shape in [Shape::Sphere { radius: 0.015 }, Shape::Box { size: [0.05; 3] }] {
            let rim = |k: usize, side: f64| {
                let (mut low, mut high) = ([-0.11, -0.11, -0.02], [0.11, 0.11, 0.02]);
                (low[k], high[k]) = (side - 0.01, side + 0.01);
                within(low, high)
            };
            let wall = Body {
                kind: Kind::Fem(Fem::new(1e6, 0.4)),
                pin: vec![rim(0, -0.1), rim(0, 0.1), rim(1, -0.1), rim(1, 0.1)],
                ..Body::lattice("wall", [10, 10, 1], [0.2, 0.2, 0.02])
            };
            let [x, y] = [0; 2].map(|_| random.between(-0.05, 0.05));
            let far = random.between(0.06, 0.2);
            let shot = Body {
                mass: Mass::Density(500.0),
                position: [x, y, -far],
                rotation: random.vector(1.0).to_array(),
                velocity: [0.0, 0.0, speed],
                ..Body::rigid("shot", shape)
            };
            let mut scene = scene_of([wall, shot]);
            scene.world.gravity = [0.0; 3];
            let mut world = world(&scene);
            for _ in 0..4 {
                let now = advance(&mut world, 0.25 * far / speed + 0.0125);
                // In front of the points of the wall that are nearest beside it: it bulges by some centimetres.
                let shot = &now.poses[0];
                let at = shot.centre.as_dvec3();
                let mut wall: Vec<_> = now.positions[..242].iter().map(|x| x.as_dvec3()).collect();
                let beside = |x: &DVec3| x.truncate().distance(at.truncate());
                wall.sort_by(|a, b| beside(a).total_cmp(&beside(b)));
                let middle = wall[..20].iter().map(|x| x.z).sum::<f64>() / 20.0;
                assert!(
                    at.z < middle,
                    "at {speed} m/s: {} m from {far} m, the wall {middle}",
                    at.z
                );
                let velocity = f64::from(shot.velocity.z);
                assert!(velocity < 0.1 * speed, "at {speed} m/s: goes on with {velocity} m/s");
            }
        }
    }
}
