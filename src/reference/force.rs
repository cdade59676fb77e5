//! Forces, accelerations, energies and momenta of a whole system.
//!
//! The functions take positions `x` \[m\] and velocities `v` \[m/s\] of all points, because an integrator asks for
//! accelerations at states of its own.

use glam::DVec3;

use super::{System, fem, shape, springs, tets};

/// Elastic forces of springs, tetrahedra, triangles and finite elements on every point \[N\], also on pinned ones.
pub fn elastic_forces(system: &System, x: &[DVec3]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; x.len()];
    system.constraints().for_each(|constraint| constraint.add_forces(x, &mut force));
    for element in &system.elements {
        for (corner, f) in element.corners.into_iter().zip(fem::forces(element, x)) {
            force[corner] += f;
        }
    }
    force
}

/// Factors that leave all springs and finite elements the whole of their damping.
pub fn whole(system: &System) -> Vec<f64> {
    vec![1.0; system.springs.len() + system.elements.len()]
}

/// Forces of the damping of springs and finite elements on every point \[N\]. `factor` weakens each spring (φ_s of the
/// capped damping, 1 for the whole of d_C), then each element.
pub fn damping_forces(system: &System, x: &[DVec3], v: &[DVec3], factor: &[f64]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; x.len()];
    for (spring, factor) in system.springs.iter().zip(factor) {
        let [i, j] = spring.points;
        let coefficient = springs::damping_coefficient(spring);
        let f = springs::damping_force(spring, coefficient * factor, x, v, system.chord);
        force[j] += f;
        force[i] -= f;
    }
    let factors = factor.iter().skip(system.springs.len());
    for (element, factor) in system.elements.iter().zip(factors) {
        let corner_forces = fem::damping_forces(element, x, v, system.chord);
        for (corner, f) in element.corners.into_iter().zip(corner_forces) {
            force[corner] += *factor * f;
        }
    }
    force
}

/// What every point would swing by at most were all others held \[1/s²\]: Σ k |∂C/∂x|²/m over its springs, of which that is
/// 1/l0, and tetrahedra, of which it is the area opposite over 3V0.
pub fn stiffness(system: &System, x: &[DVec3]) -> Vec<f64> {
    let mut sum = vec![0.0; x.len()];
    for spring in &system.springs {
        for i in spring.points {
            sum[i] += spring.stiffness / spring.rest.powi(2);
        }
    }
    for tet in &system.tets {
        for (i, gradient) in tet.corners.into_iter().zip(tets::gradients(tet, x)) {
            sum[i] += tet.stiffness * gradient.length_squared();
        }
    }
    let weighted = sum.iter().zip(&system.inverse_mass);
    weighted.map(|(k, w)| k * w).collect()
}

/// M⁻¹ f \[m/s²\]; 0 for pinned points.
pub fn per_mass(system: &System, force: &[DVec3]) -> Vec<DVec3> {
    force.iter().zip(&system.inverse_mass).map(|(f, w)| *f * *w).collect()
}

/// Acceleration of every point by everything but the springs' damping \[m/s²\]: elasticity, clusters, loads, pulls,
/// gravity, drag. Pinned points have none.
pub fn undamped_acceleration(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let mut force = elastic_forces(system, x);
    for pull in &system.pulls {
        force[pull.point] += pull.force;
    }
    let matched = shape::accelerations(system, x, v);
    let mut a = per_mass(system, &force);
    for i in 0..a.len() {
        if !system.pinned(i) {
            a[i] += matched[i];
            a[i] += system.loads.get(i).copied().unwrap_or_default();
            a[i] += system.gravity - system.drag * (v[i] - system.wind);
        }
    }
    a
}

/// The acceleration a(x, v) of every point with the springs' explicit damping \[m/s²\]. Pinned points have none.
pub fn acceleration(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let damping = per_mass(system, &damping_forces(system, x, v, &whole(system)));
    undamped_acceleration(system, x, v).into_iter().zip(damping).map(|(a, d)| a + d).collect()
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

/// Energy of all springs, tetrahedra, triangles and finite elements at positions `x` \[J\].
pub fn elastic_energy(system: &System, x: &[DVec3]) -> f64 {
    let constraints = system.constraints().map(|constraint| constraint.energy(x));
    let elements = system.elements.iter().map(|element| fem::energy(element, x));
    constraints.chain(elements).sum()
}

/// Σ m v \[kg m/s\], without pinned points.
pub fn linear_momentum(system: &System, v: &[DVec3]) -> DVec3 {
    (0..v.len()).filter(|&i| !system.pinned(i)).map(|i| v[i] * system.mass(i)).sum()
}

/// Σ m x × v \[kg m²/s\] about the origin, without pinned points.
pub fn angular_momentum(system: &System, x: &[DVec3], v: &[DVec3]) -> DVec3 {
    (0..v.len()).filter(|&i| !system.pinned(i)).map(|i| x[i].cross(v[i]) * system.mass(i)).sum()
}
