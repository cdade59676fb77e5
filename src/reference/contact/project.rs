//! Projection of positions by mass: a gentle push apart that never enters a velocity.

use glam::DVec3;

use super::Scene;
use super::triangles::Contact;

/// β, the part of a depth that one step removes.
const SHARE: f64 = 0.2;
/// The speed of a projection \[m/s\].
const SPEED: f64 = 0.1;

/// e = min(β max(0, g), 0.1 m/s · h) \[m\], how far a contact is moved apart in a step of `h` \[s\].
pub fn push(contact: &Contact, h: f64) -> f64 {
    (SHARE * contact.depth.max(0.0)).min(SPEED * h)
}

/// The contacts that each of `particles` particles takes part in, ascending.
pub fn rows(contacts: &[Contact], particles: usize) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); particles];
    for (index, contact) in contacts.iter().enumerate() {
        for (k, _) in contact.participants() {
            rows[k].push(index);
        }
    }
    rows
}

/// c_p, how many contacts each particle takes part in.
pub fn counts(contacts: &[Contact], particles: usize) -> Vec<usize> {
    rows(contacts, particles).iter().map(Vec::len).collect()
}

/// c_p^e, how many contacts with e > 0 each particle takes part in, in a step of `h` \[s\].
pub fn pushed_counts(contacts: &[Contact], particles: usize, h: f64) -> Vec<usize> {
    let pushed = |row: &Vec<usize>| row.iter().filter(|&&c| push(&contacts[c], h) > 0.0).count();
    rows(contacts, particles).iter().map(pushed).collect()
}

/// W = Σ w_k² c_k/m_k \[1/kg\], the contact's inverse mass where each particle's mass is split among its c_k contacts.
pub fn split_inverse_mass(contact: &Contact, inverse_mass: &[f64], counts: &[usize]) -> f64 {
    let share = |(k, w): (usize, f64)| w * w * counts[k] as f64 * inverse_mass[k];
    contact.participants().into_iter().map(share).sum()
}

/// Δx of every particle \[m\]: with λ = e/Σ w_k² c_k^e/m_k each contact moves its participants by w_k λ r/m_k. Held
/// particles stay. `counts` are the [`pushed_counts`].
pub fn displacements(scene: &Scene, contacts: &[Contact], counts: &[usize]) -> Vec<DVec3> {
    let mut displacement = vec![DVec3::ZERO; scene.position.len()];
    for contact in contacts {
        let push = push(contact, scene.step);
        let inverse_mass = split_inverse_mass(contact, &scene.inverse_mass, counts);
        if push == 0.0 || inverse_mass == 0.0 {
            continue;
        }
        for (k, w) in contact.participants() {
            displacement[k] += w * push / inverse_mass * scene.inverse_mass[k] * contact.direction;
        }
    }
    displacement
}
