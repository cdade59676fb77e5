//! Vertex block descent where explicit steps would need to be short: unlike masses, long steps; and what it keeps.

use pliant::internals::extreme::greatest;
use pliant::internals::reference::Damping;
use pliant::report::Measure;
use pliant::scene::{Body, Constant, Fem, Integrator, Kind, Step};

use crate::fields_support::region;
use crate::support::*;
use crate::vbd::vbd;

/// The heavy part's density over the light one's.
const RATIO: f64 = 2000.0;
/// The light one's [kg/m³]: the heavy one compresses what it stands on by about a fifth.
const LIGHT: f64 = 1.0;

fn kinds(young: f64) -> [(&'static str, Kind); 2] {
    [("springs", springs(young, 0.0)), ("fem", Fem::undamped(young, 0.3).into())]
}

/// A unit cube of 3³ cells.
fn block_of(name: &str, kind: &Kind, density: f64, height: f64) -> Body {
    let body = lattice(name, [3; 3], [1.0; 3], density, kind.clone());
    Body { position: [0.0, height, 0.0], ..body }
}

/// Lets bodies come down on the floor, 5 s: however far ten sweeps leave the steps from their solution, they never have more
/// energy than at the start. A light body that is squeezed out from under a heavy one may fly as far as that allows.
fn check_bounded(name: &str, bodies: Vec<Body>) {
    let mut scene = vbd(bodies, 10);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    let system = system(&world);
    let start = energies(&system, &world.read().unwrap()).total();
    let (mut farthest, mut fastest, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..30 {
        world.step(10).unwrap();
        most = greatest(most, energies(&system, &world.read().unwrap()).total());
        let [x, v] = read(&mut world);
        farthest = greatest(farthest, longest(&x));
        fastest = greatest(fastest, longest(&v));
    }
    assert!(most < 1.0001 * start, "{name}: {most} J of {start} J");
    assert!(farthest < 30.0 && fastest < 60.0, "{name}: {farthest} m, {fastest} m/s");
}

#[test]
fn vbd_bears_unlike_masses_on_each_other() {
    for (name, kind) in kinds(1e5) {
        for [lower, upper] in [[1.0, RATIO], [RATIO, 1.0]] {
            let bodies = vec![
                block_of("lower", &kind, LIGHT * lower, 0.5),
                block_of("upper", &kind, LIGHT * upper, 1.501),
            ];
            check_bounded(&format!("{name}, {upper} on {lower}"), bodies);
        }
    }
}

#[test]
fn vbd_bears_unlike_masses_in_one_body() {
    for (name, kind) in kinds(1e5) {
        for [below, above] in [[1.0, RATIO], [RATIO, 1.0]] {
            let mut body = block_of("block", &kind, LIGHT * below, 0.5);
            let upper = within([-1.0, 0.0, -1.0], [1.0; 3]);
            body.regions = vec![region(upper, &[(Constant::Density, LIGHT * above)])];
            check_bounded(&format!("{name}, {above} over {below}"), vec![body]);
        }
    }
}

/// A free block, heavier at one edge, that starts stretched, and turns.
fn shaken(kind: Kind, turning: [f64; 3]) -> Body {
    let body = lattice("block", [3, 2, 2], [0.6, 0.4, 0.4], 1000.0, kind);
    let heavy = region(within([0.0, 0.0, -1.0], [1.0; 3]), &[(Constant::Density, 2000.0)]);
    let stretch = [1.1, 0.95, 1.0];
    Body { regions: vec![heavy], stretch, angular_velocity: turning, ..body }
}

/// Half the step, half the error, once the sweeps are enough.
#[test]
fn vbd_converges_with_order_one() {
    for (name, kind) in kinds(1e4) {
        let time = 0.125;
        let at = |steps: u64| {
            let mut scene = vbd(vec![shaken(kind.clone(), [0.0; 3])], 40);
            scene.world.gravity = [0.0; 3];
            scene.world.step = Step::Fixed(time / steps as f64);
            world(&scene)
        };
        let mut fine = system(&at(128));
        let method = scheme(Integrator::Rk4, Damping::Explicit, time / 4096.0);
        method.start(&mut fine);
        for _ in 0..4096 {
            method.step(&mut fine);
        }
        let error = |steps: u64| {
            let mut world = at(steps);
            world.step(steps).unwrap();
            let [x, _] = read(&mut world);
            apart(&x, &fine.position)
        };
        let errors = [128, 256, 512].map(error);
        let orders = [0, 1].map(|k: usize| (errors[k] / errors[k + 1]).log2());
        assert!(orders.iter().all(|order| (0.8..1.2).contains(order)), "{name}: {orders:?}");
    }
}

/// What 100 steps of a free body make of its momenta: P and L, as shares of Σ m|v| and of |L| at the start.
fn drift(kind: Kind, sweeps: u32) -> [f64; 2] {
    let mut scene = vbd(vec![shaken(kind, [3.0, 5.0, -2.0])], sweeps);
    scene.world.gravity = [0.0; 3];
    let mut world = world(&scene);
    let start = momenta(&mut world);
    world.step(100).unwrap();
    momenta(&mut world).off(&start)
}

/// A vertex that moves alone keeps neither momentum; what the sweeps leave of them the end of the step gives back, however few they
/// are.
#[test]
fn vbd_keeps_both_momenta() {
    for (name, kind) in kinds(1e5) {
        for sweeps in [2, 5, 20] {
            let drift = drift(kind.clone(), sweeps);
            assert!(drift.into_iter().all(|off| off < 1e-5), "{name}, {sweeps} sweeps: {drift:?}");
        }
    }
}

/// On a floor that holds its lower side it rests as if that side were pinned, in long steps, too: with contacts much
/// stiffer than the vertices it crept over the floor and crumpled.
#[test]
fn rough_floors_hold_what_lies_on_them() {
    let energy = |floor: bool, kind: &Kind| {
        let body = lattice("block", [5; 3], [1.0; 3], 3000.0, kind.clone());
        let mut scene = vbd(vec![Body { position: [0.0, 0.5, 0.0], ..body }], 40);
        scene.world.step = Step::Fixed(1.0 / 48.0);
        if floor {
            (scene.world.floor, scene.world.friction) = (Some(0.0), 2.0);
        } else {
            scene.bodies[0].pin = vec![within([-1.0, -0.51, -1.0], [1.0, -0.49, 1.0])];
        }
        let mut world = world(&scene);
        world.step(192).unwrap();
        let end = world.read().unwrap();
        let found = Measure::new(&world, &end).unwrap().energy;
        assert!(found.kinetic < 1e-3, "{found:?}");
        found.elastic
    };
    for kind in [springs(1e6, 3e-3), fem(1e6, 0.3, 3e-3)] {
        let [held, pinned] = [true, false].map(|floor| energy(floor, &kind));
        assert!((held / pinned - 1.0).abs() < 1e-3, "{held} J, {pinned} J");
    }
}
