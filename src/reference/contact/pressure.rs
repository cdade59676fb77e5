//! The source's projections: each side moves half of the way, or as far as the two internal pressures balance
//! (Spillmann & Teschner 2005; Kratochvíl 2007, ch. 6, with three errata noted below).

use glam::DVec3;

use super::project::push;
use super::triangles::Contact;
use super::{Scene, weighted};

/// Each side is tried so often in halves of the way before.
pub const HALVINGS: i32 = 3;

/// d = h r of every contact \[m\], as the source has it: the whole estimated depth.
pub fn whole_ways(contacts: &[Contact]) -> Vec<DVec3> {
    contacts.iter().map(|c| c.estimate * c.direction).collect()
}

/// d = e r of every contact \[m\], as gentle as the projection by mass ([`push`]) in a step of `h` \[s\].
pub fn gentle_ways(contacts: &[Contact], h: f64) -> Vec<DVec3> {
    contacts.iter().map(|c| push(c, h) * c.direction).collect()
}

/// One side of a contact as one particle sees it.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The contact, an index.
    contact: usize,
    /// The particle's share |w| of its side. Of a corner k of the triangle {i, k, l} that is area(x', i, l)/area, x'
    /// the contact point.
    share: f64,
    /// Whether the particle is a corner of the triangle, not of the feature.
    corner: bool,
}

/// The parts that each particle has in the contacts with a way other than 0.
fn parts(contacts: &[Contact], ways: &[DVec3], particles: usize) -> Vec<Vec<Part>> {
    let mut parts = vec![Vec::new(); particles];
    for (index, contact) in contacts.iter().enumerate() {
        if ways[index] == DVec3::ZERO {
            continue;
        }
        let sides = contact.points.iter().map(|&(k, w)| (k, w, false));
        let corners = contact.others.iter().map(|&(k, b)| (k, b, true));
        for (k, w, corner) in sides.chain(corners) {
            parts[k].push(Part { contact: index, share: w.abs(), corner });
        }
    }
    parts
}

/// s_i = (Σ_{j∈J_i} w_j (−d_j) + Σ_B d_{i,B}) / (Σ w_j + n_i) \[m\]: the mean way of particle i, J_i the contacts whose
/// triangle it is a corner of, n_i how many it has as a feature (an end of an edge with its weight). Contacts with d =
/// 0 do not count. The source divides by Σ w_j + 1 always, so that a corner that is in no body itself moves too little.
pub fn penetration_vectors(contacts: &[Contact], ways: &[DVec3], particles: usize) -> Vec<DVec3> {
    let way = |parts: Vec<Part>| {
        let signed = |p: &Part| if p.corner { -p.share } else { p.share };
        let sum: DVec3 = parts.iter().map(|p| signed(p) * ways[p.contact]).sum();
        let weight: f64 = parts.iter().map(|p| p.share).sum();
        if weight > 0.0 { sum / weight } else { DVec3::ZERO }
    };
    parts(contacts, ways, particles).into_iter().map(way).collect()
}

/// The rule *half*: Δx = s/2 \[m\]; held particles stay.
pub fn half_displacements(scene: &Scene, contacts: &[Contact], ways: &[DVec3]) -> Vec<DVec3> {
    let particles = scene.position.len();
    let half = |(s, inverse_mass): (DVec3, &f64)| {
        if *inverse_mass > 0.0 { 0.5 * s } else { DVec3::ZERO }
    };
    penetration_vectors(contacts, ways, particles)
        .into_iter()
        .zip(&scene.inverse_mass)
        .map(half)
        .collect()
}

/// Area of the surface triangles around every particle at positions `x` \[m²\].
pub fn areas(scene: &Scene, x: &[DVec3]) -> Vec<f64> {
    let mut areas = vec![0.0; x.len()];
    for &[a, b, c] in &scene.surface {
        let area = 0.5 * (x[b] - x[a]).cross(x[c] - x[a]).length();
        for corner in [a, b, c] {
            areas[corner] += area;
        }
    }
    areas
}

/// The pressure on the other side of particle i's contacts \[N/m²\]: the mean Σ w_j p_j / Σ w_j over the features j
/// that touch a triangle around it; where none does, the mean over its own contact triangles of Σ b_k p_k. (The source
/// divides the other body's forces by the own area, so that its result depends on how fine the meshes are.)
fn opposite_pressure(contacts: &[Contact], parts: &[Part], pressure: &[DVec3]) -> DVec3 {
    let touched = parts.iter().any(|p| p.corner && p.share > 0.0);
    let other_side = |p: &Part| {
        let contact = &contacts[p.contact];
        if p.corner {
            weighted(&contact.points, pressure)
        } else {
            weighted(&contact.others, pressure)
        }
    };
    let counted = parts.iter().filter(|p| p.corner == touched);
    let (sum, weight) = counted.fold((DVec3::ZERO, 0.0), |(sum, weight), p| {
        (sum + p.share * other_side(p), weight + p.share)
    });
    if weight > 0.0 { sum / weight } else { DVec3::ZERO }
}

/// The lowest of the bodies on the other side of a particle's contacts.
fn opposite_body(scene: &Scene, contacts: &[Contact], parts: &[Part]) -> Option<usize> {
    let other = |p: &Part| {
        let contact = &contacts[p.contact];
        if p.corner { scene.body[contact.points[0].0] } else { scene.body[contact.others[0].0] }
    };
    parts.iter().map(other).min()
}

/// The rule *pressure*, x ← x + s/2 and, for k = 1, 2, 3, x ← x ± s/2^{k+1}: which way each particle goes in a halving, 1
/// along its penetration vector s, −1 back. Forward where the two internal pressures p_A + p_B push along s, else back; where they
/// balance exactly the body with the lower index goes forward.
///
/// (The source compares p_A·s < p_B·s; in contact the two oppose each other, so that this always says forward.)
pub fn signs(
    scene: &Scene,
    contacts: &[Contact],
    ways: &[DVec3],
    penetration_vectors: &[DVec3],
    pressure: &[DVec3],
) -> Vec<f64> {
    let parts = parts(contacts, ways, penetration_vectors.len());
    let sign = |i: usize| {
        let both = pressure[i] + opposite_pressure(contacts, &parts[i], pressure);
        let along = both.dot(penetration_vectors[i]);
        let first = opposite_body(scene, contacts, &parts[i]) > Some(scene.body[i]);
        if along > 0.0 || (along == 0.0 && first) { 1.0 } else { -1.0 }
    };
    (0..penetration_vectors.len()).map(sign).collect()
}
