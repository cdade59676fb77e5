//! Linear images that keep the volume.

use glam::{DMat3, DVec3};

use super::outer;
use crate::family::fem::rotation::nearest_rotation;
use crate::reference::dense::{bisect, principal_axes};

/// A' of volume 1 that is nearest to A as the members see it, in Σ w |(A' − A) q|², q's moments Σ w q qᵀ being `qq`. With
/// A = R S it is A/∛det A of the paper to first order in the strain; that itself is the gradient of no potential and gains
/// energy without end. Where A is flat or inside out the nearest still is finite and the right way round.
pub fn volume_kept(a: &DMat3, qq: &DMat3) -> DMat3 {
    let along = |values: [f64; 3], axes: [DVec3; 3]| -> DMat3 {
        (0..3).map(|k| outer(axes[k], axes[k]) * values[k]).sum()
    };
    let (values, axes) = principal_axes(qq);
    let root = along(values.map(f64::sqrt), axes);
    let root = root * (1.0 / root.determinant().cbrt());
    let seen = *a * root;
    let rotation = nearest_rotation(&seen).0;
    let stretch = rotation.transpose() * seen;
    let (values, axes) = principal_axes(&stretch);
    rotation * along(nearest_of_volume_one(values), axes) * root.inverse()
}

/// The positive numbers with product 1 that are nearest to three ascending ones: τ_i² − σ_i τ_i is the same for all
/// (Lagrange), the larger root for all but the smallest.
fn nearest_of_volume_one(sigma: [f64; 3]) -> [f64; 3] {
    let at = |t: f64| {
        let multiplier = t * (t - sigma[0]);
        let larger = |s: f64| 0.5 * (s + (s * s + 4.0 * multiplier).max(0.0).sqrt());
        [t, larger(sigma[1]), larger(sigma[2])]
    };
    let product = |t: f64| at(t).iter().product::<f64>() - 1.0;
    let distance = |tau: &[f64; 3]| (0..3).map(|k| (tau[k] - sigma[k]).powi(2)).sum::<f64>();
    let steps = (0..300).map(|k| 1e-6 * 1e9_f64.powf(f64::from(k) / 300.0));
    let ends = steps.clone().zip(steps.skip(1));
    let roots = ends.filter(|(a, b)| {
        product(*a) <= 0.0 && product(*b) > 0.0 || product(*a) > 0.0 && product(*b) <= 0.0
    });
    let found = roots.map(|(low, high)| {
        let rises = product(high) > 0.0;
        at(bisect(low, high, |t| (product(t) > 0.0) != rises))
    });
    let nearest = found.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.unwrap_or([1.0; 3])
}
