//! Shape matching in motion: momentum, free fall, rigidity, stability, repeats.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::shape::Kept;
use pliant::scene::{
    Body, Clusters, Integrator, Mode, Plasticity, Pull, Scene, ShapeMatching, Step,
};

use crate::collide_support::bounds;
use crate::shape_support::*;
use crate::support::*;

/// Drift of the momenta over 1000 steps of a spinning, shaken bar in clusters that overlap, over Σ m|v| and Σ m|x||v|.
fn drift(world: &mut World) -> [f64; 2] {
    shake(world, 0.5);
    let start = momenta(world);
    world.step(1000).unwrap();
    let end = momenta(world);
    let turned = end.angular.distance(start.angular);
    [end.linear.distance(start.linear) / end.speed, turned / end.turning]
}

#[test]
fn overlapping_clusters_keep_momentum() {
    let plasticity = Plasticity { yield_strain: 0.02, creep: 5.0, most: 0.3 };
    for mode in MODES {
        for (clusters, relaxation, plasticity, limit) in [
            (grid([3, 2, 2]), 0.0, Plasticity::default(), 1e-5),
            (grid([3, 2, 2]), 0.002, plasticity, 1e-5),
            (Clusters::Tets, 0.0, Plasticity::default(), 1e-5),
            (Clusters::Whole, 0.002, plasticity, 2e-5),
        ] {
            let shape = ShapeMatching { clusters, relaxation, plasticity, ..shape(mode) };
            let mut world = world(&free(bar(shape), 0.005));
            let [linear, angular] = drift(&mut world);
            assert!(linear < limit && angular < limit, "{mode:?}: {linear:e} {angular:e}");
        }
    }
}

/// 1 km from the origin positions are known to 0.06 mm.
#[test]
fn momentum_is_kept_far_from_the_origin() {
    for mode in MODES {
        let body = bar(ShapeMatching { clusters: grid([3, 2, 2]), ..shape(mode) });
        let body = Body { position: [1000.0, -500.0, 700.0], ..body };
        let mut world = world(&free(body, 0.005));
        let [linear, angular] = drift(&mut world);
        assert!(linear < 1e-5 && angular < 4e-4, "{mode:?}: {linear:e} {angular:e}");
    }
}

/// Positions are rounded, and pulls with them; their sum is not: whatever lies nearest to the middle of the rest shape, a body
/// in empty space stays where it is, and one that spins and drifts goes on as it began. (With rest positions from the
/// middle of a cluster and positions from its nearest point, which no lattice of odd numbers has there, 0.16 m/s by rk4.)
#[test]
fn rounding_pushes_no_free_body() {
    let clusters = [Clusters::Whole, grid([2, 2, 2]), Clusters::Tets];
    let mut bodies = Vec::new();
    for (mode, clusters) in MODES.iter().flat_map(|m| clusters.iter().map(move |c| (m, c))) {
        for spun in [false, true] {
            let (pull, clusters) = (Pull::Frequency(100.0), clusters.clone());
            let shape = ShapeMatching { pull, clusters, relaxation: 0.003, ..shape(*mode) };
            let mut body = Body::lattice("odd", [5, 4, 3], [3.0; 3]);
            (body.kind, body.position) = (shape.into(), [0.313, 1.717, -0.221]);
            if spun {
                (body.velocity, body.angular_velocity) = ([0.1, -0.3, 0.2], [0.3, 0.2, -0.4]);
            }
            bodies.push(body);
        }
    }
    for integrator in STABLE.into_iter().chain([Integrator::ImplicitEuler]) {
        let mut scene = unlinked(bodies.clone(), 1.0 / 660.0);
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let start = motions(&mut world);
        world.step(660).unwrap();
        let end = motions(&mut world);
        for (k, (end, start)) in end.iter().zip(&start).enumerate() {
            let (drift, turn) = (end.0.distance(start.0), end.1.distance(start.1));
            // Velocities that are not 0 are rounded in each step.
            let most = if k.is_multiple_of(2) {
                [1.5e-8, 5e-7]
            } else {
                // An implicit step is a little short of each turn.
                [2.5e-5, if integrator.is_implicit() { 2.5e-3 } else { 5e-5 }]
            };
            assert!(drift < most[0] && turn < most[1], "{integrator:?} {k}");
        }
    }
}

/// Of each body: the velocity of its centre [m/s], and its angular momentum about it over mass [m²/s].
fn motions(world: &mut World) -> Vec<(DVec3, DVec3)> {
    let snapshot = world.read().unwrap();
    let (x, v) = (doubles(&snapshot.positions), doubles(&snapshot.velocities));
    let model = world.model();
    let motion = |body: &pliant::internals::model::BodyRanges| {
        let mean = |of: &dyn Fn(usize) -> DVec3| {
            let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
            for i in body.particles.clone() {
                sum += of(i) * model.masses[i];
                mass += model.masses[i];
            }
            sum / mass
        };
        let (centre, pace) = (mean(&|i| x[i]), mean(&|i| v[i]));
        (pace, mean(&|i| (x[i] - centre).cross(v[i] - pace)))
    };
    model.bodies.iter().map(motion).collect()
}

#[test]
fn a_falling_body_keeps_its_shape() {
    for integrator in STABLE {
        let shape = ShapeMatching { clusters: grid([2, 1, 1]), ..shape(MODES[2]) };
        let mut scene = floating(bar(shape), integrator, Step::Fixed(0.01));
        scene.world.gravity = [0.0, -9.81, 0.0];
        let mut world = world(&scene);
        let start = mean(&world.read().unwrap().positions);
        world.step(100).unwrap();
        // Symplectic Euler: -g h² n (n + 1)/2.
        let first_order = if integrator == Integrator::SymplecticEuler { 0.01 } else { 0.0 };
        let want = -9.81 * 0.5 * (1.0 + first_order);
        let way = mean(&world.read().unwrap().positions) - start;
        assert!((way.y - want).abs() < 2e-5 * want.abs(), "{integrator:?} {way}");
        assert!(deformed(&mut world)[0] < 1e-5, "{integrator:?}");
    }
}

/// α = 1, β = 0: after one step the body is rigid.
#[test]
fn full_pull_to_a_turned_shape_is_a_rigid_body() {
    let rigid = ShapeMatching { pull: Pull::Alpha(1.0), relaxation: 1.0, ..shape(MODES[0]) };
    let mut world = world(&free(bar(rigid), 0.002));
    shake(&world, 0.0);
    world.step(2000).unwrap();
    let way = deformed(&mut world)[0];
    assert!(way < 1e-4, "{way:e}");
    let Momenta { linear, angular, .. } = momenta(&mut world);
    let mass: f64 = world.model().masses.iter().sum();
    let drift = (linear / mass).distance(DVec3::new(1.0, -0.5, 0.2));
    assert!(drift < 1e-5, "{drift:e}");
    assert!(angular.length() > 0.1 * mass);
}

/// The same frequency at each step that is short against it: a stretched bar swings through to the opposite in half a period.
#[test]
fn a_frequency_is_the_same_at_every_step() {
    for step in [0.01, 0.005, 0.001] {
        let swinging = bar(ShapeMatching { pull: Pull::Frequency(2.0), ..shape(MODES[0]) });
        let body = Body { stretch: [1.1, 1.0, 1.0], ..swinging };
        let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(step)));
        world.step((0.25 / step) as u64).unwrap();
        let [x, _] = read(&mut world);
        let (low, high) = bounds(&x);
        let length = (high - low).x;
        assert!((length - 0.9).abs() < 2e-5, "{step}: {length}");
    }
}

/// Energies [J] of each body over time: of its motion and of its clusters.
fn energies(
    world: &mut World,
    shapes: &[ShapeMatching],
    alphas: &[f64],
    times: usize,
) -> Vec<Vec<f64>> {
    let step = world.stepping().step;
    let model = world.model();
    let (rest, masses) = (model.rest_positions.clone(), model.masses.clone());
    let ranges: Vec<_> = model.bodies.iter().map(|body| body.particles.clone()).collect();
    let clusters: Vec<_> =
        shapes.iter().enumerate().map(|(body, shape)| clusters(world, body, shape)).collect();
    let mut energies = vec![Vec::new(); shapes.len()];
    for _ in 0..times {
        let start = world.read().unwrap();
        world.step(1).unwrap();
        let end = world.read().unwrap();
        let x = doubles(&start.positions);
        // The velocity at the time of x is the mean of those before and after it.
        let [before, after] = [start, end].map(|snapshot| doubles(&snapshot.velocities));
        for (body, energies) in energies.iter_mut().enumerate() {
            let moving = ranges[body]
                .clone()
                .map(|i| 0.125 * masses[i] * (before[i] + after[i]).length_squared());
            let kept = Kept::default();
            let held = clusters[body]
                .iter()
                .map(|cluster| cluster.energy(&rest, &x, &kept, alphas[body], step));
            energies.push(moving.sum::<f64>() + held.sum::<f64>());
        }
        world.step(4).unwrap();
    }
    energies
}

/// Energy stays below 10 times its start for every α and step, and does not grow for hω ≤ 0.5, ω² = α/h².
#[test]
fn no_step_is_too_long() {
    let cases = MODES.map(|mode| [0.01, 0.25, 1.0].map(|alpha| (mode, alpha)));
    let cases = cases.concat();
    let alphas: Vec<f64> = cases.iter().map(|(_, alpha)| *alpha).collect();
    let shapes: Vec<_> = cases
        .iter()
        .map(|&(mode, alpha)| ShapeMatching {
            pull: Pull::Alpha(alpha),
            clusters: grid([2, 1, 1]),
            ..shape(mode)
        })
        .collect();
    for step in [0.001, 1.0] {
        let scattered = |shape: &ShapeMatching| Body { scatter: 0.05, ..bar(shape.clone()) };
        let scene = unlinked(shapes.iter().map(scattered).collect(), step);
        let mut world = world(&scene);
        for (energies, case) in energies(&mut world, &shapes, &alphas, 90).iter().zip(&cases) {
            let most = energies.iter().copied().fold(0.0, extreme::greatest) / energies[0];
            let mean = |part: &[f64]| part.iter().sum::<f64>();
            let growth = mean(&energies[60..]) / mean(&energies[..30]);
            assert!(most < 10.0, "{case:?} {step}: {most}");
            assert!(case.1 > 0.25 || growth < 1.02, "{case:?} {step}: {growth}");
        }
    }
}

pub fn plastic_scene() -> Scene {
    let plasticity = Plasticity { yield_strain: 0.01, creep: 5.0, most: 0.5 };
    let (clusters, mode) = (grid([3, 1, 1]), (Mode::Quadratic, 0.5));
    let shape = ShapeMatching { clusters, relaxation: 0.01, plasticity, ..shape(mode) };
    free(Body { stretch: [1.3, 0.9, 1.0], ..bar(shape) }, 0.01)
}

/// Whatever the damping and the pull, no integrator of second order or of Euler's symplectic method gains energy.
#[test]
fn strong_damping_is_stable_with_every_integrator() {
    for integrator in STABLE {
        for (alpha, steps) in [(0.3, 0.5), (0.6, 2.0), (1.0, 1.0), (1.0, 100.0)] {
            let step = 0.01;
            let (pull, clusters) = (Pull::Alpha(alpha), grid([2, 1, 1]));
            let shape =
                ShapeMatching { pull, relaxation: steps * step, clusters, ..shape(MODES[1]) };
            let mut body = bar(shape);
            (body.scatter, body.angular_velocity) = (0.05, [1.0, 2.0, -3.0]);
            let mut world = world(&floating(body, integrator, Step::Fixed(step)));
            world.step(300).unwrap();
            let way = deformed(&mut world)[0];
            // It spins: that stretches it by about 2 cm.
            assert!(way < 0.03, "{integrator:?} {alpha} {steps}: {way:e}");
        }
    }
}

/// The automatic step keeps a body's frequency; a longer one is warned of.
#[test]
fn a_frequency_sets_the_automatic_step() {
    let at = |frequency| bar(ShapeMatching { pull: Pull::Frequency(frequency), ..shape(MODES[0]) });
    let mut scene = free(at(25.0), 1.0 / 60.0);
    let fixed = world(&scene);
    let warned = |world: &World| world.warnings().iter().any(|w| w.contains("frequency"));
    assert!(warned(&fixed), "{:?}", fixed.warnings());
    scene.world.step = Step::Auto;
    let auto = world(&scene);
    assert!(!warned(&auto), "{:?}", auto.warnings());
    let want = 1.0 / (60.0 * 3.0);
    assert!((auto.stepping().step - want).abs() < 1e-12, "{:?}", auto.stepping());
    scene.bodies[0] = at(1e9);
    let error = World::new(context(), &scene).unwrap_err().to_string();
    assert!(error.contains("frequency"), "{error}");
}

/// A body that says nothing but that it matches shapes sags a little and comes to rest, at any size and with any cells.
#[test]
fn the_default_pull_suits_every_size() {
    let mut found = Vec::new();
    for (size, cells) in [(0.01, 5), (1.0, 5), (10.0, 5), (1.0, 3), (1.0, 8), (1.0, 16)] {
        let mut body = Body::lattice("cube", [cells; 3], [size; 3]);
        (body.kind, body.position) = (ShapeMatching::default().into(), [0.0, 1.5 * size, 0.0]);
        let mut world = world(&on_floor([body], Integrator::Verlet));
        let span = (2.0 * size / 9.81_f64).sqrt() + 2.0 * size.sqrt();
        let steps = (span / world.stepping().step).ceil();
        world.step(steps as u64).unwrap();
        let state = world.read().unwrap();
        let height = highest(&state.positions) / size;
        let speed = rms(&state.velocities) / (9.81 * size).sqrt();
        assert!((0.95..0.98).contains(&height), "{size} m: {height}");
        // Seventeen layers bounce for longer (at 5 s: 2.8e-4 m/s), as no step damps more than all of a velocity.
        let most = if cells > 8 { 0.05 } else { 0.01 };
        assert!(speed < most, "{size} m: {speed} √(gL)");
        found.push(height);
    }
    assert!((found[0] - found[2]).abs() < 5e-3, "{found:?}");
}
