//! Coulomb's friction between two soft bodies: a cube on a slab that is held from below.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::scene::{Body, Integrator, Scene, Step};
use pliant::world::Snapshot;

use crate::collide_support::*;
use crate::support::*;

/// A slab of 2.4 m whose bottom is held, its top at 0, and a cube of 0.2 m on it at `x`. Gravity is turned by `angle`.
fn on_slab(x: f64, angle: f64, frictions: [f64; 2]) -> Scene {
    let mut slab = brick([12, 2, 4], [2.4, 0.2, 0.6], [0.0, -0.1, 0.0], 1000.0, 1e6);
    slab.pin.push(within([-2.0, -0.11, -1.0], [2.0, -0.09, 1.0]));
    let mut cube = brick([2; 3], [0.2; 3], [x, 0.1, 0.013], 1000.0, 1e6);
    cube.rotation = [0.0, 0.3, 0.0];
    let bodies: [Body; 2] = [slab, cube];
    let mut scene = meeting(bodies);
    scene.world.gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
    for (body, friction) in scene.bodies.iter_mut().zip(frictions) {
        body.friction = Some(friction);
    }
    scene
}

/// Speeds down the slope after 0.4 s and after 0.8 s.
fn slope(angle: f64, frictions: [f64; 2]) -> [f64; 2] {
    let mut world = world(&on_slab(-0.7, angle, frictions));
    [0.4, 0.4].map(|time| {
        let snapshot = advance(&mut world, time);
        drift(&world, &snapshot, 1).x
    })
}

/// Speed after 1.5 s and the way in the next half, on a slope that holds.
fn creep(angle: f64, frictions: [f64; 2]) -> [f64; 2] {
    let mut world = world(&on_slab(-0.7, angle, frictions));
    let before = advance(&mut world, 1.5);
    let after = advance(&mut world, 0.5);
    let way = centre(&world, &after, 1).x - centre(&world, &before, 1).x;
    [drift(&world, &before, 1).x, way]
}

#[test]
fn soft_slope_holds_below_the_friction_angle_and_lets_slide_above_it() {
    // The friction of a pair is the geometric mean of the bodies'.
    for (friction, frictions) in [(0.5_f64, [0.5, 0.5]), (0.3, [0.9, 0.1])] {
        let alike = frictions[0] == frictions[1];
        let share = if alike { 1.1 } else { 1.4 };
        let [speed, way] = creep((0.95 * friction).atan(), frictions);
        assert!(speed.abs() < 1e-3, "friction {friction}: {speed:e} m/s");
        assert!(way.abs() < 1e-5, "friction {friction}: {way:e} m");
        let angle = f64::atan(share * friction);
        let [before, after] = slope(angle, frictions);
        let found = (after - before) / 0.4;
        let wanted = G * (angle.sin() - friction * angle.cos());
        let tolerance = if share < 1.2 { 0.1 } else { 0.02 };
        assert!(
            (found / wanted - 1.0).abs() < tolerance,
            "friction {friction}, slope {share} of it: {found}, wanted {wanted}"
        );
    }
}

#[test]
fn sliding_on_a_soft_slab_ends_after_the_right_distance() {
    for friction in [0.3, 0.6] {
        let mut scene = on_slab(-0.7, 0.0, [friction; 2]);
        scene.bodies[1].velocity = [2.0, 0.0, 0.0];
        let mut world = world(&scene);
        let start = world.read().unwrap();
        let from = centre(&world, &start, 1).x;
        let end = advance(&mut world, 1.2);
        let found = centre(&world, &end, 1).x - from;
        let wanted = 4.0 / (2.0 * friction * G);
        assert!((found / wanted - 1.0).abs() < 0.02, "{friction}: {found} m, wanted {wanted} m");
    }
}

const INTEGRATORS: [Integrator; 8] = [
    Integrator::Euler,
    Integrator::Midpoint,
    Integrator::Verlet,
    Integrator::SymplecticEuler,
    Integrator::Leapfrog,
    Integrator::Rk4,
    Integrator::ImplicitEuler,
    Integrator::Vbd,
];

/// Sets an integrator, and the step of those that are stable by damping alone.
fn set(scene: &mut Scene, integrator: Integrator) {
    scene.world.integrator = integrator;
    if matches!(integrator, Integrator::Euler | Integrator::Midpoint) {
        scene.world.step = Step::Fixed(2e-5);
    }
}

/// The velocity of the cube's centre of mass.
fn centre_velocity(world: &World, snapshot: &Snapshot) -> DVec3 {
    let own = world.model().bodies[1].particles.clone();
    let masses = &world.model().masses[own.clone()];
    let momentum: DVec3 =
        own.zip(masses).map(|(i, m)| *m * snapshot.velocities[i].as_dvec3()).sum();
    momentum / masses.iter().sum::<f64>()
}

#[test]
fn a_body_brakes_on_another_by_its_friction_with_each_integrator() {
    for integrator in INTEGRATORS {
        let mut scene = on_slab(-0.7, 0.0, [0.5; 2]);
        scene.bodies[1].velocity = [2.0, 0.0, 0.0];
        set(&mut scene, integrator);
        let mut world = world(&scene);
        let speeds = [0.1, 0.1].map(|time| {
            let snapshot = advance(&mut world, time);
            centre_velocity(&world, &snapshot).x
        });
        let found = (speeds[0] - speeds[1]) / (0.1 * 0.5 * G);
        assert!((0.95..1.03).contains(&found), "{}: {found} of mu g", integrator.name());
    }
}

/// Explicit Euler and midpoint need 15 000 steps for this.
#[test]
fn a_body_slides_down_another_above_the_friction_angle_with_each_integrator() {
    let angle = f64::atan(1.1 * 0.5);
    let wanted = G * (angle.sin() - 0.5 * angle.cos());
    for integrator in &INTEGRATORS[2..] {
        let mut scene = on_slab(-0.7, angle, [0.5; 2]);
        set(&mut scene, *integrator);
        let mut world = world(&scene);
        let speeds = [0.2, 0.1].map(|time| {
            let snapshot = advance(&mut world, time);
            centre_velocity(&world, &snapshot).x
        });
        let found = (speeds[1] - speeds[0]) / (0.1 * wanted);
        assert!((0.85..1.1).contains(&found), "{}: {found} of {wanted} m/s2", integrator.name());
    }
}

/// J_t/(µ J_n) of a cube that comes down on the slab at (3, −1, 0) m/s and leaves it again, and J_n in its mass [m/s].
fn graze(
    integrator: Integrator,
    young: f64,
    iterations: Option<u32>,
    step: Option<Step>,
) -> [f64; 2] {
    let mut scene = on_slab(-0.7, 0.0, [0.3; 2]);
    for body in &mut scene.bodies {
        body.kind = springs(young, 1e-2);
    }
    let start = DVec3::new(3.0, -1.0, 0.0);
    scene.bodies[1].velocity = start.to_array();
    scene.bodies[1].position[1] += 0.02;
    scene.world.gravity = [0.0; 3];
    set(&mut scene, integrator);
    scene.world.step = step.unwrap_or(scene.world.step);
    scene.world.iterations = iterations;
    let mut world = world(&scene);
    let end = advance(&mut world, 0.05);
    let change = centre_velocity(&world, &end) - start;
    [-change.x / (0.3 * change.y), change.y]
}

/// The automatic step of implicit Euler takes three in all, in one of which the slab's dent tilts normals by 0.035: against
/// those, friction is µ J_n to 2e-4, against the vertical 1.024 times that. It has steps of 4 ms here.
#[test]
fn an_impact_that_grazes_stays_in_the_cone() {
    for integrator in INTEGRATORS {
        for young in [1e6, 1e7] {
            let step = (integrator == Integrator::ImplicitEuler).then_some(Step::Fixed(4e-3));
            let [found, normal] = graze(integrator, young, None, step);
            let told = format!("{}, {young} Pa: {found}, {normal} m/s", integrator.name());
            assert!(normal > 0.9 && (0.95..1.02).contains(&found), "{told}");
        }
    }
}

#[test]
fn implicit_steps_that_end_before_they_converge_stay_in_the_cone() {
    for iterations in [2, 4, 8] {
        let [found, normal] = graze(Integrator::ImplicitEuler, 1e7, Some(iterations), None);
        assert!(normal > 0.5 && found < 1.02, "{iterations}: {found}, {normal} m/s");
    }
}

/// Points of a flat mesh that the leading edge of a body comes over, a little below them, are no bump.
#[test]
fn a_smooth_body_slides_down_a_mesh_as_down_a_plane() {
    let angle = f64::to_radians(30.0);
    for (integrator, turned) in [
        (Integrator::Verlet, 0.3),
        (Integrator::Verlet, 0.0),
        (Integrator::Vbd, 0.3),
        (Integrator::ImplicitEuler, 0.3),
    ] {
        let mut scene = on_slab(-0.7, angle, [0.0; 2]);
        scene.bodies[0].pin = vec![within([-9.0; 3], [9.0; 3])];
        scene.bodies[1].rotation = [0.0, turned, 0.0];
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let before = advance(&mut world, 0.1);
        let after = advance(&mut world, 0.4);
        let change = centre_velocity(&world, &after) - centre_velocity(&world, &before);
        let wanted = 0.4 * G * angle.sin();
        let told = format!("{}, turned by {turned}: {change}, wanted {wanted}", integrator.name());
        assert!((change.x / wanted - 1.0).abs() < 0.02, "{told}");
        assert!(change.z.abs() < 0.005 * wanted, "{told}");
    }
}
