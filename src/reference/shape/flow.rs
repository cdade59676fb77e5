//! Plastic flow: the part of a deformation that becomes the rest shape (§4.5 of the paper).

use glam::DMat3;

use super::{Fit, Plasticity};
use crate::reference::dense::principal_axes;

/// S − I: the part of A beside R, symmetric, less what is no strain.
pub fn strain(fit: &Fit) -> DMat3 {
    let s = fit.rotation.transpose() * fit.linear;
    (s + s.transpose()) * 0.5 - DMat3::IDENTITY
}

/// S_p after h \[s\] with the strain S − I: (I + h c (S − I)) S_p, its symmetric part, within `most` of I, of volume 1, and
/// again within `most`. Never more than the whole strain in a step.
pub fn flow(plastic: &DMat3, strain: &DMat3, h: f64, plasticity: &Plasticity) -> DMat3 {
    if spectral(strain) <= plasticity.yield_strain {
        return *plastic;
    }
    let share = (h * plasticity.creep).min(1.0);
    let flown = (DMat3::IDENTITY + *strain * share) * *plastic;
    let capped = cap((flown + flown.transpose()) * 0.5, plasticity.most);
    let volume = capped.determinant();
    // Inside out, or flat: no rest shape.
    if volume < 1e-3 {
        return *plastic;
    }
    cap(capped * (1.0 / volume.cbrt()), plasticity.most)
}

fn cap(plastic: DMat3, most: f64) -> DMat3 {
    let beyond = plastic - DMat3::IDENTITY;
    let norm = spectral(&beyond);
    if norm <= most {
        return plastic;
    }
    DMat3::IDENTITY + beyond * (most / norm)
}

/// ‖A‖₂ of a symmetric matrix.
pub fn spectral(a: &DMat3) -> f64 {
    let (values, _) = principal_axes(a);
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}
