//! What the clusters of a system do to its points.

use glam::{DMat3, DVec3};

use super::{Fit, brakes, pulls, rotation_from};
use crate::reference::System;

/// Accelerations of all points \[m/s²\] at positions `x` with velocities `v`: pulls to the goals of their clusters, and
/// the damping of what is beside their motion as rigid bodies.
pub fn accelerations(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let clusters = &system.clusters;
    if clusters.is_empty() {
        return vec![DVec3::ZERO; x.len()];
    }
    let fits: Vec<Fit> = clusters
        .iter()
        .zip(&system.kept)
        .map(|(cluster, kept)| {
            let matching = cluster.matching(&system.rest, x, &kept.plastic);
            let rotation = DMat3::from_quat(rotation_from(&matching, kept.rotation));
            cluster.fit(&system.rest, x, &kept.plastic, &rotation)
        })
        .collect();
    let pulls = pulls(clusters, &fits, x, 1.0, 1.0);
    let brakes = brakes(clusters, x, v, system.chord, 1.0, 1.0);
    let both = |i: usize| {
        let material = system.material(i);
        material.pull * pulls[i] + material.brake * brakes[i]
    };
    (0..x.len()).map(both).collect()
}
