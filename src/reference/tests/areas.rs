//! Forces of area constraints in closed form.

use glam::DVec3;

use super::lattice::{Random, points};
use crate::reference::force::{elastic_energy, elastic_forces};
use crate::reference::spectrum::stiffness_spectrum;
use crate::reference::{Area, System};

/// A square sheet of n² cells of edge 0.1 m, two triangles each, its points moved at random by up to `scatter` m.
pub(super) fn sheet(n: usize, scatter: f64, seed: u64) -> System {
    let mut random = Random::new(seed);
    let flat = |i: usize| DVec3::new((i % (n + 1)) as f64, (i / (n + 1)) as f64, 0.0) * 0.1;
    let rest: Vec<_> = (0..(n + 1) * (n + 1)).map(flat).collect();
    let moved: Vec<_> = rest.iter().map(|x| *x + scatter * random.vector(1.0)).collect();
    let mut system = points(&moved, &vec![DVec3::ZERO; rest.len()], 0.05);
    for i in 0..n {
        for j in 0..n {
            let at = |a: usize, b: usize| (j + b) * (n + 1) + i + a;
            for corners in [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]] {
                system.areas.push(Area { corners, rest: 0.005, stiffness: 30.0 });
            }
        }
    }
    system
}

#[test]
fn a_triangle_grown_by_a_fifth_pulls_its_corners_to_their_edges() {
    // Base 2, height 1.2 instead of 1: C = 0.2, ∂C/∂height = 1, and E = ½ 10 0.2².
    let x = [DVec3::ZERO, DVec3::X * 2.0, DVec3::new(0.5, 1.2, 0.0)];
    let mut system = points(&x, &[DVec3::ZERO; 3], 1.0);
    system.areas = vec![Area { corners: [0, 1, 2], rest: 1.0, stiffness: 10.0 }];
    assert!((elastic_energy(&system, &x) - 0.2).abs() < 1e-12);
    let force = elastic_forces(&system, &x);
    assert!(force[2].distance(DVec3::NEG_Y * 2.0) < 1e-12, "{}", force[2]);
    assert!(force.iter().sum::<DVec3>().length() < 1e-12);
}

#[test]
fn a_triangle_without_area_pulls_nowhere() {
    let mut system = points(&[DVec3::ZERO, DVec3::X, DVec3::X * 3.0], &[DVec3::ZERO; 3], 1.0);
    system.areas = vec![Area { corners: [0, 1, 2], rest: 1.0, stiffness: 5.0 }];
    let forces = elastic_forces(&system, &system.position);
    assert_eq!(forces, vec![DVec3::ZERO; 3]);
}

/// Shear and bending keep all areas of a flat sheet at rest: as many frequencies are not 0 as there are triangles.
#[test]
fn a_sheet_at_rest_has_a_frequency_per_triangle() {
    let system = sheet(3, 0.0, 1);
    let squares = stiffness_spectrum(&system, &system.position, 0);
    let largest = squares[squares.len() - 1];
    let stiff = squares.iter().filter(|square| **square > 1e-9 * largest);
    assert_eq!(stiff.count(), 18);
    assert!(squares[0] > -1e-9 * largest);
}
