//! Plastic flow: strain beyond a yield point moves into the rest shape (O'Brien, Bargteil & Hodgins 2002, §4, with a
//! multiplicative split of the deformation gradient in place of their additive one of the strain).

use glam::DMat3;

use super::{Element, contract, symmetric, trace};
use crate::family::fem::rotation::nearest_rotation;
use crate::reference::dense::bisect;

/// The most that S_p changes in one step, in |ΔS_p S_p⁻¹|.
const STEP_MOST: f64 = 0.5;

/// How a material flows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plasticity {
    /// Norm of the deviatoric strain that stays elastic.
    pub yield_strain: f64,
    /// How much of what is beyond flows per second \[1/s\].
    pub creep: f64,
    /// The largest |S_p − I|.
    pub most: f64,
}

/// S_p after a step of `h` \[s\]. Of the elastic stretch S of F S_p⁻¹ = R S, e = dev(S − I) does not change the volume.
/// Beyond the yield point S_p ← B S_p B with B = I + a e/2 and a = min(1, h·creep) (1 − yield/|e|), which to first
/// order is (I + a e) S_p made symmetric, and is positive whatever e; then of determinant 1 and no further from I than
/// the cap.
pub fn flow(element: &Element, x: &[glam::DVec3], plasticity: Plasticity, h: f64) -> DMat3 {
    let f = element.elastic_gradient(x);
    let (r, _) = nearest_rotation(&f);
    let strain = symmetric(&(r.transpose() * f)) - DMat3::IDENTITY;
    let deviator = strain - DMat3::IDENTITY * (trace(&strain) / 3.0);
    let size = norm(&deviator);
    if size <= plasticity.yield_strain {
        return element.plastic;
    }
    let share = (h * plasticity.creep).min(1.0) * (1.0 - plasticity.yield_strain / size);
    let half = DMat3::IDENTITY + deviator * (0.5 * share.min(STEP_MOST / size));
    capped(&(half * element.plastic * half), plasticity.most)
}

fn norm(a: &DMat3) -> f64 {
    contract(a, a).sqrt()
}

/// The stretch (I + t D)/∛det(I + t D), D = 3 S/tr S − I, with t = 1 or, where that is further from I than `most`, the
/// t that is just so far: shorter by its deviator, so that the determinant stays 1. For t from 0 to 1 it is positive.
fn capped(stretch: &DMat3, most: f64) -> DMat3 {
    let deviator = *stretch * (3.0 / trace(stretch)) - DMat3::IDENTITY;
    let at = |t: f64| {
        let shape = DMat3::IDENTITY + deviator * t;
        shape * shape.determinant().cbrt().recip()
    };
    let within = |t: f64| norm(&(at(t) - DMat3::IDENTITY)) <= most;
    at(if within(1.0) { 1.0 } else { bisect(0.0, 1.0, within) })
}
