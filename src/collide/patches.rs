//! Patches: surface particles of a body that lie together at rest. What comes closer than at rest tells that a body is folded.

use glam::DVec3;

use crate::gpu::types::{PATCH, Patch};
use crate::model::{BodyRanges, Model};

/// The patches of all bodies of tetrahedra, and the particles of each, [`PATCH`] of them: where there are fewer, again from
/// the first.
pub fn patches(model: &Model) -> (Vec<Patch>, Vec<u32>) {
    let (mut patches, mut points) = (Vec::new(), Vec::new());
    let solid = |(_, body): &(usize, &BodyRanges)| body.radius == 0.0;
    for (b, body) in model.bodies.iter().enumerate().filter(solid) {
        let corners = model.triangles[body.triangles.clone()].iter().flatten();
        let mut surface: Vec<u32> = corners.copied().collect();
        surface.sort_unstable();
        surface.dedup();
        let mut parts = Vec::new();
        split(&model.rest_positions, surface, &mut parts);
        let first = patches.len() as u32;
        let end = first + parts.len() as u32;
        for part in parts {
            let members = || part.iter().cycle().take(PATCH as usize);
            let x = || members().map(|i| model.rest_positions[*i as usize]);
            let centre = x().sum::<DVec3>() / f64::from(PATCH);
            let square = x().map(|x| x.distance_squared(centre)).sum::<f64>();
            patches.push(Patch {
                centre: centre.as_vec3(),
                spread: (square / f64::from(PATCH)).sqrt() as f32,
                body: b as u32,
                first,
                end,
            });
            points.extend(members());
        }
    }
    (patches, points)
}

/// Halves particles along the longest side of their box until they are few enough.
fn split(rest: &[DVec3], mut particles: Vec<u32>, parts: &mut Vec<Vec<u32>>) {
    if particles.len() <= PATCH as usize {
        if !particles.is_empty() {
            parts.push(particles);
        }
        return;
    }
    let x = |i: &u32| rest[*i as usize];
    let low = particles.iter().map(x).fold(DVec3::INFINITY, DVec3::min);
    let high = particles.iter().map(x).fold(DVec3::NEG_INFINITY, DVec3::max);
    let axis = (high - low).max_position();
    particles.sort_by(|a, b| x(a)[axis].total_cmp(&x(b)[axis]).then(a.cmp(b)));
    let others = particles.split_off(particles.len() / 2);
    split(rest, particles, parts);
    split(rest, others, parts);
}
