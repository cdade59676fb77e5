//! Fields over points: strain, pressure, depth.

use glam::DVec3;

use crate::reference::{Spring, Tet, springs, tets};

/// Of the edges at a point the relative change of length l/l0 − 1 of largest magnitude, the first of equal ones; 0 without
/// edges. `x`: positions of all points \[m\].
pub fn strain(point: usize, edges: &[Spring], x: &[DVec3]) -> f64 {
    let own = edges.iter().filter(|edge| edge.points.contains(&point));
    own.map(|edge| springs::direction(edge, x).1 / edge.rest - 1.0).fold(
        0.0,
        |most: f64, strain| {
            if strain.abs() > most.abs() { strain } else { most }
        },
    )
}

/// −K (J − 1) \[Pa\], J the volume of the tetrahedra at a point over that at rest; 0 without tetrahedra.
pub fn pressure(point: usize, modulus: f64, all: &[Tet], x: &[DVec3]) -> f64 {
    let own = || all.iter().filter(|tet| tet.corners.contains(&point));
    let rest: f64 = own().map(|tet| tet.rest_volume).sum();
    let now: f64 = own().map(|tet| tets::volume(tet.corners, x)).sum();
    if rest > 0.0 { -modulus * (now / rest - 1.0) } else { 0.0 }
}

/// K \[Pa\] of a body of springs of volume V \[m³\] at rest, by the energy of a small dilation x → (1 + ε) x: every spring
/// has C = ε, every volume 3ε, every area 2ε, in all ½ (Σ k_D + 9 Σ k_V + 4 Σ k_A) ε²; an elastic body ½ K (3ε)² V.
pub fn bulk_modulus(distance: f64, volume: f64, area: f64, body_volume: f64) -> f64 {
    (distance + 9.0 * volume + 4.0 * area) / (9.0 * body_volume)
}
