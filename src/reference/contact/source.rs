//! The source's response, which knows no impulses: displacements alone, with interpolated normals, and friction
//! (Kratochvíl 2007, ch. 5 and 6).

use glam::DVec3;

use super::border::{self, Intersection};
use super::boxes;
use super::geometry::barycentric_in_triangle;
use super::inside::start;
use super::triangles::Contact;
use super::{Record, Scene};

/// The [intersections](border::intersections) with normals between the unit normals at the corners of their
/// triangles, brought to unit length; the triangle's own where those cancel.
pub fn intersections(scene: &Scene, tested: &[DVec3], records: &[Record]) -> Vec<Intersection> {
    let normals = boxes::normals(scene);
    let between = |place: Intersection| {
        let record = records[place.record];
        let place_e = start(scene, record.tet, tested[record.feature]) + place.arm;
        let corners = scene.surface[place.triangle];
        let shares = barycentric_in_triangle(place_e, scene.corners(corners));
        let sum: DVec3 = shares
            .into_iter()
            .flat_map(|shares| (0..3).map(move |k| (k, shares[k])))
            .map(|(k, share)| share * normals[corners[k]])
            .sum();
        let normal = sum.try_normalize().unwrap_or(place.normal);
        Intersection { normal, ..place }
    };
    border::intersections(scene, tested, records).into_iter().map(between).collect()
}

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
