//! Ties: damped springs between a point and what it is tied to.

use glam::DVec3;

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
