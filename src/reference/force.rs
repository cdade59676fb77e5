//! Forces, accelerations, energies and momenta of a whole system.
//!
//! The functions take positions `x` \[m\] and velocities `v` \[m/s\] of all points, because an integrator asks for
//! accelerations at states of its own.

use glam::DVec3;

use super::{System, springs, tets};

/// Elastic forces of springs and tetrahedra on every point \[N\], also on pinned ones.
pub fn elastic_forces(system: &System, x: &[DVec3]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; x.len()];
    for spring in &system.springs {
        let [i, j] = spring.points;
        let f = springs::elastic_force(spring, system.material(i).distance, x);
        force[j] += f;
        force[i] -= f;
    }
    for tet in &system.tets {
        let corner_forces = tets::forces(tet, system.material(tet.corners[0]).volume, x);
        for (corner, f) in tet.corners.into_iter().zip(corner_forces) {
            force[corner] += f;
        }
    }
    force
}

/// Forces of the springs' damping on every point \[N\]. `factor[s]` weakens spring s (φ_s of the capped damping,
/// 1 for the whole of d_C).
pub fn damping_forces(system: &System, x: &[DVec3], v: &[DVec3], factor: &[f64]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; x.len()];
    for (spring, factor) in system.springs.iter().zip(factor) {
        let [i, j] = spring.points;
        let coefficient = springs::damping_coefficient(spring, system.material(i).damping);
        let f = springs::damping_force(spring, coefficient * factor, x, v);
        force[j] += f;
        force[i] -= f;
    }
    force
}

/// M⁻¹ f \[m/s²\]; 0 for pinned points.
pub fn per_mass(system: &System, force: &[DVec3]) -> Vec<DVec3> {
    force
        .iter()
        .zip(&system.inverse_mass)
        .map(|(f, w)| *f * *w)
        .collect()
}

/// Acceleration of every point by everything but the springs' damping \[m/s²\]: elasticity, pulls, gravity, drag.
/// Pinned points have none.
pub fn undamped_acceleration(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let mut force = elastic_forces(system, x);
    for pull in &system.pulls {
        force[pull.point] += pull.force;
    }
    let mut a = per_mass(system, &force);
    for i in 0..a.len() {
        if !system.pinned(i) {
            a[i] += system.gravity - system.drag * (v[i] - system.wind);
        }
    }
    a
}

/// The acceleration a(x, v) of every point with the springs' explicit damping \[m/s²\]. Pinned points have none.
pub fn acceleration(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let whole = vec![1.0; system.springs.len()];
    let damping = per_mass(system, &damping_forces(system, x, v, &whole));
    undamped_acceleration(system, x, v)
        .into_iter()
        .zip(damping)
        .map(|(a, d)| a + d)
        .collect()
}

/// Energies of a system \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// ½ Σ m v², without pinned points.
    pub kinetic: f64,
    /// Springs and tetrahedra.
    pub elastic: f64,
    /// −Σ m g·x, without pinned points.
    pub gravity: f64,
}

impl Energies {
    /// Their sum \[J\].
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity
    }
}

/// The energies at positions `x` with velocities `v`.
pub fn energies(system: &System, x: &[DVec3], v: &[DVec3]) -> Energies {
    let mut energies = Energies::default();
    for i in (0..x.len()).filter(|&i| !system.pinned(i)) {
        energies.kinetic += 0.5 * system.mass(i) * v[i].length_squared();
        energies.gravity -= system.mass(i) * system.gravity.dot(x[i]);
    }
    energies.elastic = elastic_energy(system, x);
    energies
}

/// Energy of all springs and tetrahedra at positions `x` \[J\].
pub fn elastic_energy(system: &System, x: &[DVec3]) -> f64 {
    let springs: f64 = system
        .springs
        .iter()
        .map(|s| springs::energy(s, system.material(s.points[0]).distance, x))
        .sum();
    let tets: f64 = system
        .tets
        .iter()
        .map(|t| tets::energy(t, system.material(t.corners[0]).volume, x))
        .sum();
    springs + tets
}

/// Σ m v \[kg m/s\], without pinned points.
pub fn linear_momentum(system: &System, v: &[DVec3]) -> DVec3 {
    (0..v.len())
        .filter(|&i| !system.pinned(i))
        .map(|i| v[i] * system.mass(i))
        .sum()
}

/// Σ m x × v \[kg m²/s\] about the origin, without pinned points.
pub fn angular_momentum(system: &System, x: &[DVec3], v: &[DVec3]) -> DVec3 {
    (0..v.len())
        .filter(|&i| !system.pinned(i))
        .map(|i| x[i].cross(v[i]) * system.mass(i))
        .sum()
}
