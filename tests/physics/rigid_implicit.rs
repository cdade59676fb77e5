//! Rigid bodies and bodies that deform, in implicit steps.

use pliant::World;
use pliant::scene::{Body, Fem, Integrator, Law, Mass, Scene, Step};

use crate::rigid::{ball, cuboid, grounded, measure, momentum_off};
use crate::rigid_soft::{self, heavy};
use crate::support::*;

const G: f64 = 9.81;
const INTEGRATORS: [Integrator; 2] = [Integrator::ImplicitEuler, Integrator::Vbd];

fn solved(mut scene: Scene, integrator: Integrator, step: f64) -> Scene {
    scene.world.integrator = integrator;
    scene.world.step = Step::Fixed(step);
    scene
}

/// As vertex block descent takes it.
fn cube(name: &str, cells: u32, size: f64, height: f64, fem: Fem) -> Body {
    rigid_soft::cube(name, cells, size, height, Fem { law: Law::NeoHookean, ..fem })
}

/// A plate on a cube that does not widen: how far it sinks, and by how much a neo-Hookean column in one direction should.
#[test]
fn a_cube_gives_way_under_a_plate_by_its_stiffness() {
    let (young, density, mass) = (1e5, 1000.0, 200.0);
    for (integrator, step) in INTEGRATORS.into_iter().zip([1.0 / 240.0, 1.0 / 60.0]) {
        let fem = Fem { relaxation: Some(0.05), ..Fem::new(young, 0.0) };
        let soft = Body { mass: Mass::Density(density), ..cube("cube", 3, 0.5, 0.25, fem) };
        let plate = heavy(cuboid("plate", [0.5, 0.05, 0.5], [0.0, 0.525, 0.0]), mass);
        let scene = solved(grounded([soft, plate]), integrator, step);
        let end = advance(&mut world(&scene), 2.5);
        let sunk = 0.525 - f64::from(end.poses[0].centre.y);
        let wanted = (mass + 0.5 * density * 0.125) * G / (young * 0.5);
        println!("{integrator:?}: {sunk} m, by the stiffness {wanted}");
        // The law is softer than the linear one by a part of the strain, 0.1.
        assert!((sunk / wanted - 1.0).abs() < 0.03, "{integrator:?}: {sunk}, wanted {wanted}");
    }
}

/// A box between two cubes, of a hundred times and a hundredth of their mass.
#[test]
fn soft_and_rigid_of_unlike_masses_come_to_rest_on_each_other() {
    for integrator in INTEGRATORS {
        for (mass, time) in [(1250.0, 2.0), (0.125, 1.0)] {
            let fem = Fem { relaxation: Some(0.004), ..Fem::new(2e6, 0.4) };
            let soft = |name, height| Body {
                mass: Mass::Density(100.0),
                ..cube(name, 3, 0.5, height, fem)
            };
            let middle = heavy(cuboid("box", [0.4; 3], [0.0, 0.7, 0.0]), mass);
            let scene = grounded([soft("low", 0.25), middle, soft("top", 1.15)]);
            let mut world = world(&solved(scene, integrator, 1.0 / 240.0));
            let end = advance(&mut world, time);
            let end = measure(&world, &end);
            let speed = (2.0 * end.energy.kinetic / (mass + 25.0)).sqrt();
            let heights = [0, 1, 2].map(|body| end.bodies[body].centroid[1]);
            println!("{integrator:?}, {mass} kg: {speed} m/s, at {heights:?} m");
            assert!(speed < 0.01, "{integrator:?}, {mass} kg: {speed} m/s");
            let sunk = heights.iter().zip([0.25, 0.7, 1.15]).map(|(y, from)| from - y);
            assert!(
                sunk.clone().all(|by| (-1e-3..0.015).contains(&by)),
                "{integrator:?}: {heights:?}"
            );
        }
    }
}

/// A box that hits a cube beside its middle, and drives it at two boxes, one against the other: momentum of all, and that no
/// energy comes of it.
#[test]
fn soft_and_rigid_keep_momentum_when_they_collide() {
    for integrator in INTEGRATORS {
        let soft = cube("cube", 3, 1.0, 0.0, Fem::undamped(1e6, 0.4));
        let shot = Body {
            velocity: [3.0, 0.0, 0.0],
            rotation: [0.3, 0.2, 0.1],
            ..heavy(cuboid("box", [0.6; 3], [-1.5, 0.1, 0.2]), 216.0)
        };
        let hit = |name: &str, x: f64| heavy(cuboid(name, [0.4; 3], [x, 0.0, 0.0]), 64.0);
        let mut scene = scene_of([soft, shot, hit("first", 0.75), hit("second", 1.15)]);
        scene.world.gravity = [0.0; 3];
        let mut world = world(&solved(scene, integrator, 1e-3));
        let start = world.read().unwrap();
        let start = measure(&world, &start);
        let mut before = start.energy.kinetic;
        for _ in 0..12 {
            let now = advance(&mut world, 0.05);
            let now = measure(&world, &now);
            let energy = now.energy.kinetic + now.energy.elastic;
            assert!(energy < before * (1.0 + 1e-4), "{integrator:?}: {energy} J of {before}");
            before = energy;
        }
        assert!(before < 0.8 * start.energy.kinetic, "they did not meet");
        let end = world.read().unwrap();
        let end = measure(&world, &end);
        let off = momentum_off(&end, &start);
        println!("{integrator:?}: momentum {:e}, angular {:e}", off[0], off[1]);
        assert!(off[0] < 1e-5 && off[1] < 1e-5, "{integrator:?}: {off:?}");
    }
}

/// Two boxes that hit each other, spin and hit again, where implicit steps are taken for a cube far away.
#[test]
fn rigid_bodies_beside_a_soft_one_keep_momentum() {
    for integrator in INTEGRATORS {
        let soft = cube("cube", 2, 0.5, 50.0, Fem::new(1e6, 0.4));
        let hit = |name: &str, at: [f64; 3], velocity: [f64; 3], spin: [f64; 3]| Body {
            velocity,
            angular_velocity: spin,
            rotation: [0.3, 0.2 + at[0], 0.1],
            ..heavy(cuboid(name, [0.5, 0.3, 0.2], at), 30.0)
        };
        let first = hit("first", [-0.4, 0.0, 0.0], [2.0, 0.3, 0.0], [0.0, 4.0, 2.0]);
        let second = hit("second", [0.4, 0.1, 0.05], [-1.0, 0.0, 0.2], [3.0, 0.0, -5.0]);
        let mut scene = scene_of([soft, first, second]);
        scene.world.gravity = [0.0; 3];
        let mut world = world(&solved(scene, integrator, 1.0 / 240.0));
        let start = world.read().unwrap();
        let start = measure(&world, &start);
        let end = advance(&mut world, 1.0);
        let end = measure(&world, &end);
        let off = momentum_off(&end, &start);
        println!("{integrator:?}: momentum {:e}, angular {:e}", off[0], off[1]);
        assert!(off[0] < 1e-5 && off[1] < 1e-5, "{integrator:?}: {off:?}");
        let energy = end.energy.kinetic + end.energy.elastic;
        assert!(energy < 0.99 * start.energy.kinetic, "{integrator:?}: they did not meet");
    }
}

/// Boxes and a ball on a soft block, so that poses touch each other, the block and the floor.
fn crates() -> Scene {
    let fem = Fem { relaxation: Some(0.02), ..Fem::new(3e5, 0.3) };
    let mut bodies = vec![cube("block", 3, 0.6, 0.3, fem)];
    for k in 0..3 {
        let at = [0.02 * f64::from(k), 0.72 + 0.22 * f64::from(k), 0.0];
        bodies.push(heavy(cuboid(&format!("crate {k}"), [0.2; 3], at), 8.0));
    }
    bodies.push(heavy(ball("ball", 0.1, [0.5, 0.3, 0.0]), 4.0));
    grounded(bodies)
}

#[test]
fn crates_stand_on_a_soft_block() {
    for integrator in INTEGRATORS {
        let mut world = world(&solved(crates(), integrator, 1.0 / 480.0));
        let end = advance(&mut world, 2.0);
        let end = measure(&world, &end);
        let speed = (2.0 * end.energy.kinetic / 100.0).sqrt();
        let heights = [1, 2, 3].map(|body| end.bodies[body].centroid[1]);
        println!("{integrator:?}: {speed} m/s, at {heights:?} m");
        assert!(speed < 0.01, "{integrator:?}: {speed} m/s");
        // The block is pressed in by about a hundredth of its height.
        for (k, y) in heights.into_iter().enumerate() {
            let wanted = 0.7 + 0.2 * k as f64;
            assert!(
                (y - wanted).abs() < 0.015,
                "{integrator:?}: crate {k} at {y}, wanted {wanted}"
            );
        }
    }
}

#[test]
fn implicit_runs_repeat_and_go_on_from_saves() {
    for integrator in INTEGRATORS {
        let scene = solved(crates(), integrator, 1.0 / 240.0);
        let [mut one, mut other] = [world(&scene), world(&scene)];
        for world in [&mut one, &mut other] {
            world.step(40).unwrap();
        }
        assert_eq!(one.state_hash().unwrap(), other.state_hash().unwrap(), "{integrator:?}");
        let save = one.save().unwrap();
        let mut resumed = World::resume(context(), &scene, &save).unwrap();
        for world in [&mut one, &mut resumed] {
            world.step(25).unwrap();
        }
        assert_eq!(one.state_hash().unwrap(), resumed.state_hash().unwrap(), "{integrator:?}");
    }
}

/// Boxes that fall onto a block, with submissions of other lengths: it makes no difference when contact is first looked for.
#[test]
fn submissions_decide_nothing_in_implicit_steps() {
    let text = r#"
        world = { floor = 0.0, integrator = "implicit_euler" }
        [[body]]
        name = "jelly"
        mesh = { lattice = [4, 4, 4], size = [0.4, 0.4, 0.4] }
        position = [0, 0.25, 0]
        young = 2e5
        [[body]]
        name = "crate"
        kind = "rigid"
        mesh = { box = [0.2, 0.2, 0.2] }
        position = [0.05, 0.8, 0.02]
        copies = { count = [1, 2, 1], spacing = [0, 0.3, 0], jitter = 0.02 }
    "#;
    let scene = Scene::parse(text, "boxes.toml".as_ref()).unwrap();
    let end = |steps: u64| {
        let mut world = world(&scene);
        for _ in 0..192 / steps {
            world.step(steps).unwrap();
        }
        world.step(192 % steps).unwrap();
        world.state_hash().unwrap()
    };
    let wanted = end(16);
    for steps in [26, 30, 51] {
        assert_eq!(end(steps), wanted, "{steps} steps at a time");
    }
}

/// A soft cube that falls on a box that sleeps wakes it.
#[test]
fn what_falls_on_a_sleeper_wakes_it() {
    for integrator in INTEGRATORS {
        let fem = Fem { relaxation: Some(0.02), ..Fem::new(3e5, 0.3) };
        let bed = heavy(cuboid("bed", [0.6, 0.2, 0.6], [0.0, 0.1, 0.0]), 20.0);
        let mut scene = grounded([bed, cube("cube", 2, 0.3, 3.0, fem)]);
        scene.world.sleep = true;
        let mut world = world(&solved(scene, integrator, 1.0 / 240.0));
        let bed = world.body_id(0).unwrap();
        let mut slept = false;
        let mut woke = false;
        for _ in 0..12 {
            advance(&mut world, 0.1);
            let asleep = world.is_asleep(bed).unwrap();
            slept |= asleep;
            woke |= slept && !asleep;
        }
        assert!(slept && woke, "{integrator:?}: slept {slept}, woke {woke}");
    }
}
