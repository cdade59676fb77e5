//! Projection of positions by mass: a gentle push apart that never enters a velocity.

use glam::DVec3;

use super::Scene;
use super::triangles::Contact;

/// The time in which a depth is removed \[s\].
const TIME: f64 = 0.1;
/// The depth that is left, in mean edges.
pub const SLOP: f64 = 0.001;
/// The speed of a projection \[m/s\].
const SPEED: f64 = 0.1;

/// e = h min(max(0, g − 0.001 l)/0.1 s, 0.1 m/s) \[m\], how far a contact is moved apart in a step of `h` \[s\]; l the
/// smaller mean edge of its bodies.
pub fn push(contact: &Contact, h: f64) -> f64 {
    let depth = (contact.depth - SLOP * contact.edge).max(0.0);
    h * (depth / TIME).min(SPEED)
}

/// s_p, the load of each particle: the sum of the magnitudes of its weights over the contacts it takes part in.
pub fn loads(contacts: &[Contact], particles: usize) -> Vec<f64> {
    let mut loads = vec![0.0; particles];
    for (k, w) in contacts.iter().flat_map(Contact::participants) {
        loads[k] += w.abs();
    }
    loads
}

/// W = Σ |w_k| s_k/m_k \[1/kg\], at least the sum of the magnitudes of a row of the matrix that couples the contacts, so
/// that all of them together overshoot nothing (Gershgorin 1931).
pub fn split_inverse_mass(contact: &Contact, inverse_mass: &[f64], loads: &[f64]) -> f64 {
    let share = |(k, w): (usize, f64)| w.abs() * loads[k] * inverse_mass[k];
    contact.participants().into_iter().map(share).sum()
}

/// Δx of every particle \[m\]: with λ = e/Σ |w_k| s_k/m_k each contact moves its participants by w_k λ r/m_k. Held
/// particles stay. `loads` are those of [`loads`](fn@loads).
pub fn displacements(scene: &Scene, contacts: &[Contact], loads: &[f64]) -> Vec<DVec3> {
    let mut displacement = vec![DVec3::ZERO; scene.position.len()];
    for contact in contacts {
        let push = push(contact, scene.step);
        let inverse_mass = split_inverse_mass(contact, &scene.inverse_mass, loads);
        if push == 0.0 || inverse_mass == 0.0 {
            continue;
        }
        for (k, w) in contact.participants() {
            displacement[k] += w * push / inverse_mass * scene.inverse_mass[k] * contact.direction;
        }
    }
    displacement
}
