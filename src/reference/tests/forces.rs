//! Forces are minus the gradient of the energy and conserve momentum.

use glam::{DMat3, DVec3};

use super::areas::sheet;
use super::lattice::{Random, largest, points, scattered_block, vectors};
use crate::reference::force::{
    acceleration, angular_momentum, elastic_energy, elastic_forces, energies, linear_momentum,
};
use crate::reference::spectrum::stiffness_product;
use crate::reference::{Area, Pull, Spring, System, Tet, skin, tets};

/// Largest differences of the forces from −∇E, and of their changes from their derivative, by central differences; and what
/// is left of momentum and angular momentum. Relative to the largest force, the largest change, and the sum of all forces.
pub(super) fn errors(system: &System, random: &mut Random) -> [f64; 3] {
    let x = &system.position;
    let moved = |w: &[DVec3], by: f64| -> Vec<DVec3> {
        x.iter().zip(w).map(|(x, w)| *x + by * *w).collect()
    };
    let force = elastic_forces(system, x);
    let slope = |i: usize, axis: DVec3| {
        let mut unit = vec![DVec3::ZERO; x.len()];
        unit[i] = axis;
        let [ahead, behind] = [1e-5, -1e-5].map(|by| elastic_energy(system, &moved(&unit, by)));
        (ahead - behind) / 2e-5
    };
    let gradient = |i: usize| DVec3::from_array(DVec3::AXES.map(|axis| slope(i, axis)));
    let off: Vec<_> = (0..x.len()).map(|i| force[i] + gradient(i)).collect();
    let w = vectors(random, x.len(), 1.0);
    let change = stiffness_product(system, x, &w);
    let [ahead, behind] = [1e-6, -1e-6].map(|by| elastic_forces(system, &moved(&w, by)));
    let differences = ahead.iter().zip(&behind).map(|(a, b)| (*a - *b) / 2e-6);
    let off_change: Vec<_> = change.iter().zip(differences).map(|(c, d)| *c + d).collect();
    let torque: DVec3 = x.iter().zip(&force).map(|(x, f)| x.cross(*f)).sum();
    let left = force.iter().sum::<DVec3>().length() + torque.length();
    let sum: f64 = force.iter().map(|f| f.length()).sum();
    [largest(&off) / largest(&force), largest(&off_change) / largest(&change), left / sum]
}

#[test]
fn forces_follow_from_the_energy() {
    let mut random = Random::new(1);
    let mut inverted = 0;
    let mut assert_small = |system: &System, gradient: f64| {
        let found = errors(system, &mut random);
        assert!(found[0] < gradient && found[1] < 1e-6 && found[2] < 1e-12, "{found:?}");
    };
    let mut places = Random::new(2);
    for _ in 0..40 {
        let alone = points(&vectors(&mut places, 4, 1.0), &[DVec3::ZERO; 4], 1.0);
        inverted += usize::from(tets::volume([2, 0, 3, 1], &alone.position) < 0.0);
        let springs = vec![Spring { points: [1, 0], rest: 0.7, stiffness: 60.0, damping: 0.0 }];
        let tets = vec![Tet { corners: [2, 0, 3, 1], rest_volume: 0.1, stiffness: 20.0 }];
        let areas = vec![Area { corners: [2, 0, 1], rest: 0.4, stiffness: 20.0 }];
        assert_small(&System { springs, ..alone.clone() }, 1e-7);
        assert_small(&System { tets, ..alone.clone() }, 1e-6);
        assert_small(&System { areas, ..alone }, 1e-6);
    }
    assert!((10..30).contains(&inverted));
    for share in [0.1, 0.2, 0.9] {
        assert_small(&scattered_block(2, share, 13), 1e-6);
    }
    for (seed, scatter) in [(2, 0.003), (3, 0.02), (4, 0.1)] {
        assert_small(&sheet(3, scatter, seed), 1e-6);
    }
}

#[test]
fn volume_of_the_unit_corner_is_a_sixth() {
    let x = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    assert!((tets::volume([0, 1, 2, 3], &x) - 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn spring_stretched_by_a_tenth_pulls_by_hand() {
    let mut system =
        points(&[DVec3::ZERO, DVec3::X * 2.2], &[DVec3::ZERO, DVec3::new(3.0, 5.0, 0.0)], 0.5);
    system.springs = vec![Spring { points: [0, 1], rest: 2.0, stiffness: 60.0, damping: 4.0 }];
    // −60 · 0.1/2 = −3 N and −4/2² · 3 = −3 N on the second point, 0.5 kg
    let a = acceleration(&system, &system.position, &system.velocity);
    assert!((a[1] - DVec3::new(-12.0, 0.0, 0.0)).length() < 1e-12);
    assert!((a[0] + a[1]).length() < 1e-12);
    assert!((elastic_energy(&system, &system.position) - 0.3).abs() < 1e-12);
}

#[test]
fn coincident_ends_exert_no_force() {
    let mut system = points(&[DVec3::ONE; 2], &[DVec3::X, DVec3::Y], 1.0);
    system.springs = vec![Spring { points: [0, 1], rest: 1.0, stiffness: 60.0, damping: 1.0 }];
    let a = acceleration(&system, &system.position, &system.velocity);
    assert_eq!(a, vec![DVec3::ZERO; 2]);
}

#[test]
fn external_accelerations_add_up() {
    let mut system = points(&[DVec3::ZERO; 2], &[DVec3::X; 2], 2.0);
    system.gravity = DVec3::new(0.0, -9.81, 0.0);
    system.drag = 0.5;
    system.wind = DVec3::new(3.0, 0.0, 1.0);
    system.pulls =
        vec![Pull { point: 0, force: DVec3::Z * 4.0 }, Pull { point: 0, force: DVec3::Z * 2.0 }];
    let air = DVec3::new(1.0, -9.81, 0.5);
    let a = acceleration(&system, &system.position, &system.velocity);
    assert!((a[0] - (air + DVec3::Z * 3.0)).length() < 1e-15);
    assert!((a[1] - air).length() < 1e-15);
    system.inverse_mass[0] = 0.0;
    assert_eq!(acceleration(&system, &system.position, &system.velocity)[0], DVec3::ZERO);
}

#[test]
fn energies_and_momenta_leave_pinned_points_out() {
    let mut system = points(&[DVec3::Y, DVec3::Y * 7.0], &[DVec3::X * 2.0; 2], 3.0);
    system.gravity = DVec3::Y * -10.0;
    system.inverse_mass[1] = 0.0;
    let found = energies(&system, &system.position, &system.velocity);
    assert!((found.kinetic - 6.0).abs() < 1e-12 && (found.gravity - 30.0).abs() < 1e-12);
    assert!((found.total() - 36.0).abs() < 1e-12);
    assert!((linear_momentum(&system, &system.velocity) - DVec3::X * 6.0).length() < 1e-12);
    let spin = angular_momentum(&system, &system.position, &system.velocity);
    assert!((spin - DVec3::Z * -6.0).length() < 1e-12);
}

#[test]
fn skin_follows_an_affine_motion() {
    let mut random = Random::new(8);
    let rest = vectors(&mut random, 4, 1.0);
    let weights = [0.1, 0.5, -0.2, 0.6];
    let anchors = [skin::Anchor { corners: [3, 1, 0, 2], weights }];
    let map = DMat3::from_cols(random.vector(1.0), random.vector(1.0), random.vector(1.0));
    let moved: Vec<DVec3> = rest.iter().map(|x| map * *x + DVec3::ONE).collect();
    let fine = skin::positions(&anchors, &rest)[0];
    assert!((skin::positions(&anchors, &moved)[0] - (map * fine + DVec3::ONE)).length() < 1e-12);
}

#[test]
fn vertex_normals_weigh_by_area() {
    // Two faces share the edge 0–1: one of area 1/2 facing Z, one of area 1 facing Y.
    let x = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z * -2.0, DVec3::ONE];
    let normal = skin::normals(&x, &[[0, 1, 2], [1, 0, 3]]);
    assert!((normal[2] - DVec3::Z).length() < 1e-15);
    assert!((normal[3] - DVec3::NEG_Y).length() < 1e-15 || (normal[3] - DVec3::Y).length() < 1e-15);
    assert!((normal[0] - (DVec3::Z + 2.0 * normal[3]).normalize()).length() < 1e-15);
    assert_eq!(normal[4], DVec3::ZERO);
}
