//! Where a body may touch itself: where parts of its surface have come closer to each other than they are at rest.

use crate::extreme;
use glam::DVec3;

use super::Scene;
use super::boxes::{self, Aabb};
use super::inside::RIM;

/// Patches closer to each other than this part of their distance at rest may touch.
pub const CLOSER: f64 = 0.8;

/// Surface particles of one body that lie together at rest; some may be in it twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// Its body.
    pub body: usize,
    /// Its particles.
    pub members: Vec<usize>,
    /// Their rest positions \[m\].
    pub rest: Vec<DVec3>,
}

impl Patch {
    /// Where its particles are \[m\].
    pub fn positions(&self, scene: &Scene) -> Vec<DVec3> {
        self.members.iter().map(|i| scene.position[*i]).collect()
    }
}

/// The mean of positions, and their root mean square distance from it \[m\].
pub fn centre(x: &[DVec3]) -> (DVec3, f64) {
    let mean = x.iter().sum::<DVec3>() / x.len() as f64;
    let square = x.iter().map(|x| x.distance_squared(mean)).sum::<f64>();
    (mean, (square / x.len() as f64).sqrt())
}

/// Per body the box around its patches that are smaller than [`CLOSER`] of what they are at rest, and those that are as much
/// closer to each other and within reach: a mean edge, twice the largest margin and the way that its particles come at each
/// other in a step. It is widened by the latter two; empty where there are none. And how much closer than that any patches
/// have to come to fold a body \[m\]; infinite without any.
pub fn folds(scene: &Scene) -> (Vec<Aabb>, f64) {
    let speeds = boxes::body_speeds(scene);
    let margins = scene.bodies.iter().map(|body| body.margin);
    let rim = RIM * margins.fold(0.0, extreme::greatest);
    let (mut folds, mut gap) = (vec![Aabb::EMPTY; scene.bodies.len()], f64::INFINITY);
    for (k, a) in scene.patches.iter().enumerate() {
        let body = a.body;
        if !scene.bodies[body].self_contact {
            continue;
        }
        let around = scene.step * (speeds[body].max - speeds[body].min) + rim;
        let reach = around + scene.bodies[body].edge;
        let (x, (rest, rest_spread)) = (a.positions(scene), centre(&a.rest));
        let (mean, spread) = centre(&x);
        let box_of = |x: &[DVec3]| Aabb::around(x.iter().copied());
        for b in scene.patches[k..].iter().filter(|b| b.body == body) {
            let y = b.positions(scene);
            let way = if a == b {
                spread - CLOSER * rest_spread
            } else {
                let common = box_of(&x).intersection(box_of(&y));
                let apart = (common.min - common.max - reach).max_element();
                apart.max(mean.distance(centre(&y).0) - CLOSER * rest.distance(centre(&b.rest).0))
            };
            gap = gap.min(way.max(0.0));
            if way < 0.0 {
                let both = box_of(&x).union(box_of(&y)).widened(around);
                folds[body] = folds[body].union(both);
            }
        }
    }
    (folds, gap)
}
