//! Vibration and damping spectra of a body, from dense matrices: what the engine's estimates of the stable step are
//! compared with.

use glam::DVec3;

use super::dense::{Matrix, symmetric_eigenvalues};
use super::force::{damping_forces, whole};
use super::{System, fem};

/// K w, K the Hessian of the elastic energy at positions `x`: minus the change of the forces when the points move by
/// `w` \[m\], to first order \[N\]. At rest, where every C is 0, K is the Gauss–Newton matrix Σ k ∇C ∇Cᵀ; away from rest
/// it need not be positive.
pub fn stiffness_product(system: &System, x: &[DVec3], w: &[DVec3]) -> Vec<DVec3> {
    let mut change = vec![DVec3::ZERO; x.len()];
    system.constraints().for_each(|c| c.add_force_changes(x, w, &mut change));
    for element in &system.elements {
        for (i, more) in element.corners.into_iter().zip(fem::force_changes(element, x, w)) {
            change[i] += more;
        }
    }
    change.into_iter().map(|change| -change).collect()
}

/// All ω² \[1/s²\] of a body, ascending: the eigenvalues of M^{-1/2} K M^{-1/2} over its free points at positions `x`.
pub fn stiffness_spectrum(system: &System, x: &[DVec3], body: usize) -> Vec<f64> {
    spectrum(system, body, |w| stiffness_product(system, x, w))
}

/// All damping rates c \[1/s\] of a body, ascending: the eigenvalues of M^{-1/2} C M^{-1/2} over its free points at
/// positions `x`, with the whole of d_C and without drag.
pub fn damping_spectrum(system: &System, x: &[DVec3], body: usize) -> Vec<f64> {
    let whole = whole(system);
    spectrum(system, body, |v| damping_forces(system, x, v, &whole).iter().map(|f| -*f).collect())
}

/// The eigenvalues of M^{-1/2} A M^{-1/2}, ascending, over the free points of a body, A given by its product with a vector.
pub fn spectrum(
    system: &System,
    body: usize,
    product: impl Fn(&[DVec3]) -> Vec<DVec3>,
) -> Vec<f64> {
    let is_free = |i: &usize| system.body[*i] == body && !system.pinned(*i);
    let free: Vec<_> = (0..system.body.len()).filter(is_free).collect();
    let mut matrix = Matrix::zero(3 * free.len());
    let mut unit = vec![DVec3::ZERO; system.inverse_mass.len()];
    for column in 0..matrix.size() {
        let moved = free[column / 3];
        unit[moved][column % 3] = 1.0;
        let image = product(&unit);
        unit[moved] = DVec3::ZERO;
        for row in 0..matrix.size() {
            let point = free[row / 3];
            let scale = (system.inverse_mass[point] * system.inverse_mass[moved]).sqrt();
            matrix[(row, column)] = scale * image[point][row % 3];
        }
    }
    symmetric_eigenvalues(matrix)
}
