//! How deep a particle is inside a body, and in which direction.
//!
//! Particles at the [`border`](super::border) know; the others follow from their neighbours, sweep by sweep (Heidelberger
//! et al. 2004, eq. 4).

use std::collections::BTreeMap;

use glam::DVec3;

use super::{Record, Scene};

/// Directions that cancel to less than this have none.
const CANCELLED: f64 = 1e-6;

/// Depth and direction of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// h \[m\].
    pub depth: f64,
    /// r, the unit vector out of the body.
    pub direction: DVec3,
}

/// One sweep: every record (i, B) of a particle without a penetration gets one from the records (j, B) of its edge
/// neighbours that have one: with w = 1/|q_j − q_i|², h_i = Σ w ((q_j − q_i)·r_j + h_j) / Σ w and r_i = Σ w r_j
/// normalised.
pub fn propagate_sweep(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    penetration: &[Option<Penetration>],
) -> Vec<Option<Penetration>> {
    let neighbours = scene.neighbours();
    let recorded = index(records);
    let next = |(index, record): (usize, &Record)| {
        let i = record.feature;
        if penetration[index].is_some() {
            return penetration[index];
        }
        let mut mean = Mean::default();
        for &j in &neighbours[i] {
            let known = recorded.get(&(j, record.body));
            if let Some(known) = known.and_then(|&other| penetration[other]) {
                let arm = tested[j] - tested[i];
                let depth = arm.dot(known.direction) + known.depth;
                mean.add(weight(scene, arm), depth, known.direction);
            }
        }
        mean.penetration()
    };
    records.iter().enumerate().map(next).collect()
}

/// Sweeps until one finds nothing more; returns how many found something, too. What is then left is an island without a
/// border, which has no direction.
pub fn propagate(
    scene: &Scene,
    tested: &[DVec3],
    records: &[Record],
    border: &[Option<Penetration>],
) -> (Vec<Option<Penetration>>, usize) {
    let known = |p: &[Option<Penetration>]| p.iter().flatten().count();
    let mut penetration = border.to_vec();
    for sweeps in 0.. {
        let next = propagate_sweep(scene, tested, records, &penetration);
        if known(&next) == known(&penetration) {
            return (penetration, sweeps);
        }
        penetration = next;
    }
    unreachable!("a sweep without end would know more records than there are")
}

/// The index of each (feature, body) among the records.
pub(super) fn index(records: &[Record]) -> BTreeMap<(usize, usize), usize> {
    let key = |(index, r): (usize, &Record)| ((r.feature, r.body), index);
    records.iter().enumerate().map(key).collect()
}

/// 1/max(|arm|², floor²) \[1/m²\].
pub(super) fn weight(scene: &Scene, arm: DVec3) -> f64 {
    1.0 / arm.length_squared().max(scene.floor * scene.floor)
}

/// Weighted sums of depths and directions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    weight: f64,
    depth: f64,
    direction: DVec3,
}

impl Mean {
    pub(super) fn add(&mut self, weight: f64, depth: f64, direction: DVec3) {
        self.weight += weight;
        self.depth += weight * depth;
        self.direction += weight * direction;
    }

    /// None without data, or where the directions cancel.
    pub(super) fn penetration(&self) -> Option<Penetration> {
        (self.direction.length() > CANCELLED * self.weight).then(|| Penetration {
            depth: self.depth / self.weight,
            direction: self.direction.normalize(),
        })
    }
}
