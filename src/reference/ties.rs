//! Ties: damped springs between a point and what it is tied to.

use glam::{DMat3, DVec3};

use crate::family::fem::law::outer;

/// A tie's constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// k \[N/m\]
    pub stiffness: f64,
    /// c \[N s/m\]
    pub damping: f64,
    /// Length at rest \[m\]; 0: the ends are in one place.
    pub length: f64,
}

/// Place \[m\] or velocity \[m/s\] of the end that a body holds: Σ w_j x_j.
pub fn held(weights: [f64; 4], corners: [DVec3; 4]) -> DVec3 {
    (0..4).map(|j| weights[j] * corners[j]).sum()
}

/// The force \[N\] on the point at `x` with `v`, whose other end is at `y` with `w`: −k d − c u, d and u of one against the
/// other; with a length l only what is along d counts, −(k (|d| − l) + c u·n) n. Opposite on the other end.
pub fn force(tie: &Tie, x: DVec3, v: DVec3, y: DVec3, w: DVec3) -> DVec3 {
    let (d, u) = (x - y, v - w);
    if tie.length == 0.0 {
        return -tie.stiffness * d - tie.damping * u;
    }
    let n = d.normalize_or_zero();
    -(tie.stiffness * (d.length() - tie.length) + tie.damping * u.dot(n)) * n
}

/// The part of k that acts across d: (|d| − l)/|d|, not below 0; all of it without a length.
pub fn across(tie: &Tie, d: DVec3) -> f64 {
    if tie.length > 0.0 { (1.0 - tie.length / d.length()).max(0.0) } else { 1.0 }
}

/// How fast the force on the point goes back as the point goes on while its velocity is the way over `h` \[N/m\]: the
/// derivatives of k (|d| − l)²/2 twice by d, without its negative part, and of c u·n n by u, over h.
pub fn block(tie: &Tie, d: DVec3, h: f64) -> DMat3 {
    let braking = tie.damping / h;
    if tie.length == 0.0 {
        return DMat3::from_diagonal(DVec3::splat(tie.stiffness + braking));
    }
    let n = d.normalize_or_zero();
    let square = outer(n, n);
    let tension = tie.stiffness * across(tie, d);
    (tie.stiffness + braking) * square + tension * (DMat3::IDENTITY - square)
}
