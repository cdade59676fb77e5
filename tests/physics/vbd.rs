//! Vertex block descent at one step a frame.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::report::Measure;
use pliant::scene::{Body, Fem, Integrator, Kind, Scene, Springs, Step};

use crate::support::*;

/// A scene of these bodies with so many sweeps, one step a frame.
pub fn vbd(bodies: Vec<Body>, iterations: u32) -> Scene {
    let mut scene = Scene { bodies, ..Scene::default() };
    scene.world.integrator = Integrator::Vbd;
    scene.world.iterations = Some(iterations);
    scene.world.step = Step::Fixed(1.0 / 60.0);
    scene
}

/// A unit cube of 5³ cells, its middle at `height` \[m\].
pub fn cube(name: &str, kind: Kind, height: f64) -> Body {
    let mut body = lattice(name, [5, 5, 5], [1.0; 3], 1000.0, kind);
    body.position = [0.0, height, 0.0];
    body
}

/// A hanging bar comes to rest where Verlet leaves it, to 1e-4 of its length.
#[test]
fn vbd_rests_where_verlet_does() {
    let kinds: [Kind; 2] = [springs(1e5, 0.05), fem(1e5, 0.3, 0.05)];
    for kind in kinds {
        let mut body = lattice("bar", [2, 6, 2], [0.2, 0.6, 0.2], 1000.0, kind);
        body.pin = vec![within([-1.0, 0.29, -1.0], [1.0, 0.31, 1.0])];
        let mut scene = vbd(vec![body], 20);
        let mut sweeps = world(&scene);
        assert_eq!(sweeps.stepping().step, 1.0 / 60.0);
        sweeps.step(600).unwrap();
        scene.world.integrator = Integrator::Verlet;
        scene.world.iterations = None;
        scene.world.step = Step::Auto;
        let mut steps = world(&scene);
        steps.step((10.0 / steps.stepping().step) as u64).unwrap();
        let ends = [sweeps.read().unwrap(), steps.read().unwrap()];
        let [a, b] = &ends;
        // The particles' order differs.
        let order = |world: &World, i: usize| world.model().bodies[0].device_index[i] as usize;
        let off = (0..a.positions.len())
            .map(|i| {
                let [x, y] = [a.positions[order(&sweeps, i)], b.positions[order(&steps, i)]];
                f64::from(x.distance(y))
            })
            .fold(0.0, extreme::greatest);
        assert!(off < 1e-4 * 0.6, "{off:e} m");
        assert!(rms(&a.velocities) < 1e-5);
    }
}

/// Twenty sweeps hold three blocks of 10 MPa on each other.
#[test]
fn a_stack_of_stiff_blocks_stays_still() {
    let kind = || Kind::from(Fem::undamped(1e7, 0.3));
    let bodies = vec![cube("a", kind(), 0.5), cube("b", kind(), 1.5005), cube("c", kind(), 2.501)];
    let mut scene = vbd(bodies, 20);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.step(420).unwrap();
    let mut fastest = 0.0_f64;
    for _ in 0..30 {
        world.step(2).unwrap();
        fastest = extreme::greatest(fastest, rms(&world.read().unwrap().velocities));
    }
    let end = world.read().unwrap();
    let highest = end.positions.iter().map(|x| x.y).fold(0.0, extreme::greatest);
    assert!(fastest < 1e-3, "{fastest:e} m/s");
    assert!((2.97..3.0).contains(&highest), "{highest} m");
}

/// Ten sweeps hold three undamped blocks of 1 MPa on each other, which sway for a while: each is where its weight and those
/// above it compress it to, ρ g (L/2 + those above) L/E.
#[test]
fn a_stack_of_undamped_blocks_does_not_topple() {
    let kind = || Kind::from(Fem::undamped(1e6, 0.3));
    let heights = [0.5005, 1.501, 2.5015];
    let bodies = heights.map(|y| cube("block", kind(), y));
    let mut scene = vbd(bodies.into(), 10);
    scene.bodies.iter_mut().zip(["a", "b", "c"]).for_each(|(body, name)| body.name = name.into());
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.step(240).unwrap();
    let mut middles = [DVec3::ZERO; 3];
    for _ in 0..20 {
        world.step(3).unwrap();
        let end = world.read().unwrap();
        for (middle, body) in middles.iter_mut().zip(&world.model().bodies) {
            *middle += mean(&end.positions[body.particles.clone()]) / 20.0;
        }
    }
    let speed = rms(&world.read().unwrap().velocities);
    assert!(speed < 3e-4, "{speed:e} m/s");
    let pressure = 1000.0 * 9.81 / 1e6;
    let squeezed = [2.5, 1.5, 0.5].map(|above| pressure * above);
    for (k, middle) in middles.iter().enumerate() {
        let below: f64 = squeezed[..k].iter().sum();
        let wanted = 0.5 + k as f64 - below - 0.5 * squeezed[k];
        assert!((middle.y - wanted).abs() < 0.01, "{k}: {middle}, {wanted}");
        assert!(middle.x.hypot(middle.z) < 1e-3, "{k}: {middle}");
    }
}

/// The cubes of the thesis keep the elastic energies that they have in balance, 1.942, 0.755 and 0.103 J.
#[test]
fn the_cubes_of_the_thesis_rest_in_balance() {
    let heights = [0.5005, 1.501, 2.5015];
    let bodies = ["a", "b", "c"].iter().zip(heights).map(|(name, y)| {
        let mut body = block(5, 0.2, 2.0);
        body.name = (*name).into();
        body.position[1] = y;
        body
    });
    let mut scene = vbd(bodies.collect(), 10);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.step(360).unwrap();
    let end = world.read().unwrap();
    let found = Measure::new(&world, &end).unwrap();
    let found = [0, 1, 2].map(|body: usize| found.bodies[body].elastic);
    for (found, wanted) in found.iter().zip([1.942, 0.755, 0.103]) {
        assert!((found / wanted - 1.0).abs() < 0.05, "{found} J, {wanted} J");
    }
    assert!(rms(&end.velocities) < 5e-4);
}

/// Stretched, squashed, flat and inverted bars come back, damped or not.
#[test]
fn vbd_bars_come_back() {
    for relaxation in [0.02, 0.0] {
        for stretch in [[3.0, 1.0, 1.0], [1.0, 0.2, 1.0], [1.0, 0.0, 1.0], [1.0, -1.0, 1.0]] {
            let mut body =
                lattice("bar", [6, 2, 2], [3.0, 1.0, 1.0], 1000.0, fem(1e5, 0.3, relaxation));
            body.stretch = stretch;
            let mut scene = vbd(vec![body], 10);
            scene.world.gravity = [0.0; 3];
            let mut world = world(&scene);
            world.step(600).unwrap();
            let end = world.read().unwrap();
            let model = world.model();
            let off = model.springs.iter().map(|spring| {
                let [a, b] = spring.points.map(|i| end.positions[i as usize]);
                (f64::from(a.distance(b)) / spring.rest - 1.0).abs()
            });
            let off = off.fold(0.0, extreme::greatest);
            assert!(off < 3e-3, "{relaxation} {stretch:?}: {off:e}");
        }
    }
}

/// The same bits every time, and from a save.
#[test]
fn vbd_repeats_and_resumes_bit_for_bit() {
    let kind = || Kind::from(Fem::undamped(1e5, 0.3));
    let mut bodies = vec![cube("a", kind(), 0.6), cube("b", Springs::default().into(), 1.7)];
    bodies[0].angular_velocity = [0.0, 1.0, 0.5];
    let mut scene = vbd(bodies, 10);
    scene.world.floor = Some(0.0);
    let hash = |parts: &[u64]| {
        let mut world = world(&scene);
        parts.iter().for_each(|steps| world.step(*steps).unwrap());
        world.state_hash().unwrap()
    };
    let whole = hash(&[60]);
    assert_eq!(whole, hash(&[60]));
    assert_eq!(whole, hash(&[7, 20, 33]));
    let mut first = world(&scene);
    first.step(31).unwrap();
    let saved = first.save().unwrap();
    let mut second = World::resume(context(), &scene, &saved).unwrap();
    second.step(29).unwrap();
    assert_eq!(whole, second.state_hash().unwrap());
}
