//! The source's friction: its response knows no impulses (Kratochvíl 2007, ch. 6).

use glam::DVec3;

use super::Scene;
use super::triangles::Contact;

/// Velocities \[m/s\] after the force f = −μ |f_i| v_i/|v_i| acted for a step on every particle that is the feature of
/// a contact, f_i its internal force \[N\], v_i its velocity, not relative to the other body, μ the largest of its
/// contacts. In one step it stops a particle at the most. Held particles keep their velocities.
pub fn slowed(scene: &Scene, contacts: &[Contact], internal_forces: &[DVec3]) -> Vec<DVec3> {
    let mut friction = vec![0.0_f64; scene.velocity.len()];
    for contact in contacts {
        for &(k, _) in &contact.points {
            friction[k] = friction[k].max(contact.friction);
        }
    }
    let after = |(i, v): (usize, &DVec3)| {
        let change = friction[i] * scene.step * scene.inverse_mass[i] * internal_forces[i].length();
        if change < v.length() {
            *v - change * v.normalize()
        } else if change > 0.0 {
            DVec3::ZERO
        } else {
            *v
        }
    };
    scene.velocity.iter().enumerate().map(after).collect()
}
