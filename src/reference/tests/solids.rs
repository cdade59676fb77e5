//! Contact with immovable solids.

use glam::{DMat3, DVec3};

use super::lattice::{INTEGRATORS, Random, points, vectors};
use crate::reference::solids::{apply_impulses, depth, project};
use crate::reference::{Damping, Integrator, Scheme, Solid, System};

const FLOOR: Solid = Solid::Plane { normal: DVec3::Y, offset: 0.0 };

fn solids() -> [Solid; 3] {
    let rotation = DMat3::from_rotation_z(0.4) * DMat3::from_rotation_y(1.1);
    [
        Solid::Plane { normal: DVec3::new(0.6, 0.8, 0.0), offset: 0.3 },
        Solid::Sphere { centre: DVec3::new(0.2, -0.1, 0.3), radius: 0.7 },
        Solid::Box {
            centre: DVec3::new(0.1, 0.2, -0.1),
            half_size: DVec3::new(0.3, 0.5, 0.7),
            rotation,
        },
    ]
}

#[test]
fn normal_is_minus_the_gradient_of_the_depth() {
    let mut random = Random::new(41);
    for solid in solids() {
        for x in vectors(&mut random, 200, 1.5) {
            let (_, normal) = depth(&solid, x);
            assert!((normal.length() - 1.0).abs() < 1e-12);
            let step = 1e-7;
            for axis in DVec3::AXES {
                let slope = (depth(&solid, x + step * axis).0 - depth(&solid, x - step * axis).0)
                    / (2.0 * step);
                assert!((slope + normal.dot(axis)).abs() < 1e-5, "{solid:?} {x}");
            }
            // the nearest surface point lies that far along the normal
            let surface = x + depth(&solid, x).0 * normal;
            assert!(depth(&solid, surface).0.abs() < 1e-12);
        }
    }
}

#[test]
fn depths_by_hand() {
    let unit = Solid::Box { centre: DVec3::ZERO, half_size: DVec3::ONE, rotation: DMat3::IDENTITY };
    let (corner_depth, corner_normal) = depth(&unit, DVec3::new(2.0, 2.0, 2.0));
    assert!((corner_depth + 3.0_f64.sqrt()).abs() < 1e-12);
    assert!((corner_normal - DVec3::ONE.normalize()).length() < 1e-12);
    assert_eq!(depth(&unit, DVec3::new(0.0, -0.9, 0.5)), (1.0 - 0.9, DVec3::NEG_Y));
    assert_eq!(depth(&unit, DVec3::X), (0.0, DVec3::X));
    let ball = Solid::Sphere { centre: DVec3::ONE, radius: 2.0 };
    assert_eq!(depth(&ball, DVec3::ONE), (2.0, DVec3::Y));
    assert_eq!(depth(&FLOOR, DVec3::new(5.0, -3.0, 1.0)), (3.0, DVec3::Y));
}

/// A point of 0.3 kg under gravity.
fn particle(x: DVec3, v: DVec3, solids: &[Solid]) -> System {
    let mut system = points(&[x], &[v], 0.3);
    system.gravity = DVec3::Y * -9.81;
    system.solids = solids.to_vec();
    system
}

fn run(system: &mut System, integrator: Integrator, h: f64, steps: usize) {
    let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
    scheme.start(system);
    (0..steps).for_each(|_| scheme.step(system));
}

#[test]
fn contact_starts_at_the_margin_and_closes_the_gap_exactly() {
    let mut system = points(&[DVec3::Y * 0.02], &[DVec3::ZERO], 1.0);
    system.solids = vec![FLOOR];
    system.bodies[0].margin = 0.005;
    let h = 0.01;
    // reach 0.005 + 0.01 · speed against the gap of 0.02
    for (speed, after) in [(1.49, -1.49), (1.99, -1.99), (2.5, -2.0), (900.0, -2.0)] {
        let mut v = vec![DVec3::Y * -speed];
        apply_impulses(&system, h, &system.position, &mut v);
        assert!((v[0].y - after).abs() < 1e-12, "{speed}: {}", v[0].y);
    }
}

#[test]
fn two_sweeps_by_hand() {
    // floor: (3, 0); wall: (1.5, 1.5); the floor takes its impulse of 1 back: (1.5, 0.5); wall: (1, 1)
    let wall = Solid::Plane { normal: DVec3::new(-1.0, 1.0, 0.0).normalize(), offset: 0.0 };
    let mut system = particle(DVec3::ZERO, DVec3::ZERO, &[FLOOR, wall]);
    let before = [DVec3::new(3.0, -1.0, 0.0)];
    let mut v = before.to_vec();
    apply_impulses(&system, 1e-3, &system.position, &mut v);
    assert!((v[0] - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-14, "{}", v[0]);
    system.inverse_mass[0] = 0.0;
    let mut v = before.to_vec();
    apply_impulses(&system, 1e-3, &system.position, &mut v);
    assert_eq!(v, before);
}

#[test]
fn every_integrator_lifts_a_sunken_point_gently() {
    for integrator in INTEGRATORS {
        let mut system = particle(DVec3::Y * -1e-3, DVec3::ZERO, &[FLOOR]);
        run(&mut system, integrator, 1e-3, 1);
        // a fifth of 1 mm is more than one step may lift; the lift is no velocity
        assert!(
            (system.position[0].y + 0.9e-3).abs() < 1e-9,
            "{integrator:?} {}",
            system.position[0].y
        );
        assert!(system.velocity[0].length() < 0.01);
        run(&mut system, integrator, 1e-3, 100);
        assert!(system.position[0].y > -1e-6 && system.position[0].y < 1e-9);
    }
}

#[test]
fn projection_removes_a_fifth_at_limited_speed() {
    let mut system = points(&[DVec3::ZERO; 4], &[DVec3::ZERO; 4], 1.0);
    system.inverse_mass[3] = 0.0;
    system.solids = vec![FLOOR];
    let mut x = vec![DVec3::Y * -1e-5, DVec3::Y * -1.0, DVec3::Y * 0.1, DVec3::Y * -1.0];
    project(&system, 1e-3, &mut x);
    let heights: Vec<f64> = x.iter().map(|x| x.y).collect();
    for (found, wanted) in heights.iter().zip([-0.8e-5, -1.0 + 1e-4, 0.1, -1.0]) {
        assert!((found - wanted).abs() < 1e-15);
    }
}

#[test]
fn a_round_point_rests_on_faces_edges_and_corners_of_a_box() {
    let solid =
        Solid::Box { centre: DVec3::ZERO, half_size: DVec3::splat(0.5), rotation: DMat3::IDENTITY };
    for (foot, out) in [
        (DVec3::new(0.1, 0.5, 0.2), DVec3::Y),
        (DVec3::new(0.1, 0.5, 0.5), DVec3::new(0.0, 0.6, 0.8)),
        (DVec3::splat(0.5), DVec3::ONE.normalize()),
    ] {
        let mut system = particle(foot + 0.2 * out, -3.0 * out, &[solid]);
        system.gravity = -9.81 * out;
        system.bodies[0].radius = 0.1;
        run(&mut system, Integrator::Verlet, 1e-3, 500);
        let rest = foot + 0.1 * out;
        assert!((system.position[0] - rest).length() < 1e-9, "{out}");
    }
    // one that begins inside is pushed out by as much as its radius more
    let mut position = [DVec3::Y * 0.52];
    let mut system = particle(position[0], DVec3::ZERO, &[solid]);
    system.bodies[0].radius = 0.1;
    project(&system, 1.0, &mut position);
    assert!((position[0] - DVec3::Y * 0.536).length() < 1e-12);
}
