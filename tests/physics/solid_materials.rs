//! Solids with a friction and a restitution of their own.

use glam::DVec3;
use pliant::scene::{Body, Integrator, Kind, Rigid, Scene, Shape, Solid, Step};

use crate::support::*;

const G: f64 = 9.81;
/// Of the slope.
const TANGENT: f64 = 0.4;
/// Of the block.
const OWN: f64 = 0.9;

/// A block on a box that is inclined about z.
fn inclined(block: Body, friction: Option<f64>, integrator: Integrator) -> Scene {
    let angle = TANGENT.atan();
    let normal = DVec3::new(-angle.sin(), angle.cos(), 0.0);
    let block = Body {
        rotation: [0.0, 0.0, angle],
        position: (0.1 * normal).to_array(),
        friction: Some(OWN),
        ..block
    };
    let slope = Solid {
        rotation: [0.0, 0.0, angle],
        friction,
        ..Solid::cuboid((-0.5 * normal).to_array(), [8.0, 1.0, 2.0])
    };
    let mut scene = on_floor([block], integrator);
    (scene.world.floor, scene.world.sleep, scene.solids) = (None, false, vec![slope]);
    scene
}

/// How its centre is accelerated down the slope from 0.2 s on \[m/s²\].
fn acceleration(scene: &Scene) -> f64 {
    let mut world = world(scene);
    let angle = TANGENT.atan();
    let down = DVec3::new(-angle.cos(), -angle.sin(), 0.0);
    let [before, after] =
        [0.2, 0.4].map(|time| mean(&advance(&mut world, time).velocities).dot(down));
    (after - before) / 0.4
}

/// μ is the geometric mean of both: 0.3, which slides on a slope of 0.4, and 0.47, which stands as the block's own 0.9 does.
#[test]
fn blocks_slide_and_stand_on_a_slope_as_the_mean_friction_says() {
    let rigid = || Body::rigid("block", Shape::Box { size: [0.2; 3] });
    let soft = || lattice("block", [2; 3], [0.2; 3], 1000.0, springs(1e6, 2e-3));
    let cases = [
        ("rigid", rigid(), Integrator::Verlet),
        ("soft", soft(), Integrator::Verlet),
        ("soft", soft(), Integrator::Rk4),
        ("soft", soft(), Integrator::ImplicitEuler),
        ("soft", soft(), Integrator::Vbd),
    ];
    let angle = TANGENT.atan();
    for (name, block, integrator) in cases {
        let found = |friction| acceleration(&inclined(block.clone(), friction, integrator));
        let wanted = G * (angle.sin() - (0.1 * OWN).sqrt() * angle.cos());
        let slides = found(Some(0.1));
        let near = if integrator.is_implicit() { 0.03 } else { 0.01 };
        assert!((slides / wanted - 1.0).abs() < near, "{name} {integrator:?}: {slides}, {wanted}");
        for stands in [Some(0.25), None] {
            let found = found(stands);
            assert!(found.abs() < 0.05 * wanted, "{name} {integrator:?} {stands:?}: {found} m/s²");
        }
        let smooth = found(Some(0.0)) / (G * angle.sin());
        assert!((smooth - 1.0).abs() < near, "{name} {integrator:?}: {smooth} of a free fall");
    }
}

/// A ball leaves a box with the larger one of both restitutions of the speed at which it came.
#[test]
fn a_ball_bounces_from_a_solid_as_the_larger_restitution_says() {
    for (own, other) in [(0.0, 0.8), (0.8, 0.3), (0.5, 0.0), (0.0, 1.0)] {
        let radius = 0.1;
        let ball = Body {
            position: [0.0, 1.0 + radius, 0.0],
            kind: Kind::Rigid(Rigid { restitution: own, ..Rigid::default() }),
            ..Body::rigid("ball", Shape::Sphere { radius })
        };
        let plate =
            Solid { restitution: other, ..Solid::cuboid([0.0, -0.1, 0.0], [1.0, 0.2, 1.0]) };
        let mut scene = scene_of([ball]);
        scene.solids = vec![plate];
        scene.world.step = Step::Fixed(1e-4);
        let mut world = world(&scene);
        let falls = (2.0_f64 / G).sqrt();
        let speed = f64::from(advance(&mut world, falls + 0.01).poses[0].velocity.y);
        let wanted = f64::max(own, other) * G * falls - 0.01 * G;
        assert!((speed - wanted).abs() < 0.01 * G * falls, "{own} {other}: {speed}, {wanted} m/s");
    }
}
