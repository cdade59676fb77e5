//! Vertex block descent at one step a frame.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::report::Measure;
use pliant::scene::{Body, Fem, Integrator, Kind, Scene, Step};

use crate::bar_support::*;
use crate::support::*;

/// A scene of these bodies with so many sweeps, one step a frame.
pub fn vbd(bodies: Vec<Body>, iterations: u32) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.integrator = Integrator::Vbd;
    scene.world.iterations = Some(iterations);
    scene.world.step = Step::Fixed(1.0 / 60.0);
    scene
}

/// A unit cube of 5³ cells, its middle at `height` \[m\].
pub fn cube(name: &str, kind: Kind, height: f64) -> Body {
    Body { position: [0.0, height, 0.0], ..lattice(name, [5, 5, 5], [1.0; 3], 1000.0, kind) }
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
        let off = apart(&places(&mut sweeps), &places(&mut steps));
        assert!(off < 1e-4 * 0.6, "{off:e} m");
        assert!(rms(&sweeps.read().unwrap().velocities) < 1e-5);
    }
}

/// Twenty sweeps hold three blocks of 10 MPa on each other.
#[test]
fn a_stack_of_stiff_blocks_stays_still() {
    let kind = Fem::undamped(1e7, 0.3);
    let cubes = [("a", 0.5), ("b", 1.5005), ("c", 2.501)];
    let mut scene = vbd(cubes.map(|(name, y)| cube(name, kind.into(), y)).into(), 20);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.step(420).unwrap();
    let mut fastest = 0.0_f64;
    for _ in 0..30 {
        world.step(2).unwrap();
        fastest = extreme::greatest(fastest, rms(&world.read().unwrap().velocities));
    }
    let end = world.read().unwrap();
    let highest = highest(&end.positions);
    assert!(fastest < 1e-3, "{fastest:e} m/s");
    assert!((2.97..3.0).contains(&highest), "{highest} m");
}

/// Of three cubes on each other, half a millimetre apart [m].
const HEIGHTS: [(&str, f64); 3] = [("a", 0.5005), ("b", 1.501), ("c", 2.5015)];

/// Ten sweeps hold three undamped blocks of 1 MPa on each other, which sway for a while: each is where its weight and those
/// above it compress it to, ρ g (L/2 + those above) L/E.
#[test]
fn a_stack_of_undamped_blocks_does_not_topple() {
    let kind = Fem::undamped(1e6, 0.3);
    let mut scene = vbd(HEIGHTS.map(|(name, y)| cube(name, kind.into(), y)).into(), 10);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.step(240).unwrap();
    let mut middles = [DVec3::ZERO; 3];
    for _ in 0..20 {
        world.step(3).unwrap();
        let end = world.read().unwrap();
        for (body, middle) in middles.iter_mut().enumerate() {
            *middle += centre(&world, &end, body) / 20.0;
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
    let placed = |(name, y): (&str, f64)| Body {
        name: name.into(),
        position: [0.0, y, 0.0],
        ..block(5, 0.2, 2.0)
    };
    let mut scene = vbd(HEIGHTS.map(placed).into(), 10);
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
        for (name, stretch, _) in &STARTS[..4] {
            let fem = fem(1e5, 0.3, relaxation);
            let body = lattice("bar", [6, 2, 2], [3.0, 1.0, 1.0], 1000.0, fem);
            let mut scene = vbd(vec![Body { stretch: *stretch, ..body }], 10);
            scene.world.gravity = [0.0; 3];
            let mut world = world(&scene);
            world.step(600).unwrap();
            let [end, _] = read(&mut world);
            let (off, _) = distortion(&world, &end);
            assert!(off < 3e-3, "{relaxation} {name}: {off:e}");
        }
    }
}

/// One that is held as a whole gives way by nothing: with an odd number of sweeps as with an even one, heavy or light for the
/// stiffness of its contacts, a body stays on it, or comes down on it without going in.
#[test]
fn bodies_rest_on_one_that_is_held() {
    for (young, step, iterations, gap) in [
        (1e6, 1.0 / 120.0, 5, 0.0),
        (1e6, 1.0 / 120.0, 10, 0.01),
        (1e7, 1.0 / 60.0, 10, 0.0),
        (1e8, 1.0 / 240.0, 7, 0.0),
    ] {
        let kind = fem(young, 0.3, 0.01);
        let mut slab = lattice("slab", [6, 2, 4], [1.5, 0.25, 1.0], 1000.0, kind.clone());
        slab.position = [0.0, -0.125, 0.0];
        slab.pin = vec![within([-9.0; 3], [9.0; 3])];
        let mut block = lattice("block", [3; 3], [0.3; 3], 1000.0, kind);
        block.position = [0.01, 0.15 + gap, 0.02];
        let mut scene = vbd(vec![slab, block], iterations);
        scene.world.step = Step::Fixed(step);
        let mut world = world(&scene);
        let own = world.model().bodies[1].particles.clone();
        let mut lowest = f64::INFINITY;
        for _ in 0..20 {
            world.step((0.02 / step).ceil() as u64).unwrap();
            let now = &world.read().unwrap().positions[own.clone()];
            let least = now.iter().map(|x| f64::from(x.y)).fold(f64::INFINITY, extreme::least);
            lowest = extreme::least(lowest, least);
        }
        assert!(lowest > -0.01 * 0.3, "{young} Pa, {step} s, {iterations} sweeps: {lowest} m");
    }
}
