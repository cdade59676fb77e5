//! One tied point and what holds it: what a save file and the kernels have of it, and which bodies hang together.

use std::collections::BTreeSet;

use glam::{DVec3, UVec4, Vec4};
use serde::{Deserialize, Serialize};

use crate::gpu::types::{TIE_HELD, TIE_JOINED, TIE_TO_BODY, TIE_TO_PLACE, Tie as GpuTie};
use crate::model::Model;

/// Weights of the particles of a tie are at most this large: others would be of a tetrahedron that is nearly flat.
pub(super) const LARGEST_WEIGHT: f64 = 8.0;

/// A point of a body's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MeshPoint {
    pub body: usize,
    pub point: u32,
}

/// One tied point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tie {
    pub point: MeshPoint,
    pub anchor: Anchor,
    /// Length at rest [m]; 0 where point and anchor are in one place.
    pub length: f64,
}

/// What holds a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Anchor {
    /// Points of another body, with weights that add up to 1.
    Body([MeshPoint; 4], [f64; 4]),
    /// A solid, at a place [m] seen from its centre along its axes.
    Solid(usize, DVec3),
    /// A place [m].
    Place(DVec3),
}

/// A degree of freedom that a tie's force acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct End {
    /// The particle, or behind all of them the pose.
    pub dof: usize,
    /// The share of the force that it feels.
    pub weight: f64,
    /// How the velocity there follows an impulse, at the most [1/kg]; 0 of what is held.
    pub mobility: f64,
}

/// What a force feels that acts on points of one body with these weights: its particles, or a point of its pose. A pose that is
/// held feels nothing.
fn side(model: &Model, points: &[(MeshPoint, f64)]) -> Vec<End> {
    let acting = points.iter().filter(|(_, w)| *w != 0.0).map(|(at, w)| (model.particle(*at), *w));
    let Some(own) = points.first().and_then(|(at, _)| model.bodies[at.body].rigid) else {
        let end = |(dof, weight): (usize, f64)| End {
            dof,
            weight,
            mobility: if model.pinned[dof] { 0.0 } else { 1.0 / model.masses[dof] },
        };
        return acting.map(end).collect();
    };
    let pose = &model.poses[own.pose];
    if pose.inverse_mass == 0.0 {
        return Vec::new();
    }
    let weight: f64 = acting.clone().map(|(_, w)| w).sum();
    // Seen from the centre, along the pose's own axes.
    let arms = acting.map(|(i, w)| w * model.carried[i].truncate().as_dvec3());
    let arm = arms.sum::<DVec3>() / weight;
    let mobility = f64::from(pose.inverse_mass) + turning(arm, pose.inverse_inertia.as_dvec3());
    vec![End { dof: model.positions.len() + own.pose, weight, mobility }]
}

/// The largest of (r × n)·I⁻¹ (r × n) over all directions n, I⁻¹ diagonal: the larger eigenvalue that is not r's.
fn turning(r: DVec3, inverse_inertia: DVec3) -> f64 {
    // Σ r_i² (tr I⁻¹ − I⁻¹_i), and |r|² r·(adj I⁻¹) r.
    let i = inverse_inertia;
    let square = r * r;
    let trace = square.dot(DVec3::splat(i.element_sum()) - i);
    let product = r.length_squared() * square.dot(DVec3::new(i.y * i.z, i.z * i.x, i.x * i.y));
    0.5 * (trace + (trace * trace - 4.0 * product).max(0.0).sqrt())
}

impl Tie {
    /// Whether a body has a part in it.
    pub fn is_of(&self, body: usize) -> bool {
        self.bodies().any(|own| own == body)
    }

    /// The one or two bodies that have a part in it.
    pub fn bodies(&self) -> impl Iterator<Item = usize> {
        let held = match &self.anchor {
            Anchor::Body(corners, _) => Some(corners[0].body),
            Anchor::Solid(..) | Anchor::Place(_) => None,
        };
        [Some(self.point.body), held].into_iter().flatten()
    }

    /// Whether it is between points of a model and of so many solids, and has finite numbers.
    pub fn is_in(&self, model: &Model, solids: usize) -> bool {
        let known = |point: &MeshPoint| {
            let body = model.bodies.get(point.body);
            body.is_some_and(|body| (point.point as usize) < body.device_index.len())
        };
        let known_anchor = match &self.anchor {
            Anchor::Body(corners, weights) => {
                let one = corners.iter().all(|corner| corner.body == corners[0].body);
                let weighted = |w: &f64| w.abs() <= LARGEST_WEIGHT;
                one && corners.iter().all(known) && weights.iter().all(weighted)
            }
            Anchor::Solid(solid, anchor) => *solid < solids && anchor.is_finite(),
            Anchor::Place(place) => place.is_finite(),
        };
        known_anchor && known(&self.point) && self.length.is_finite() && self.length >= 0.0
    }

    /// What its force acts on.
    pub fn ends(&self, model: &Model) -> Vec<End> {
        let mut ends = side(model, &[(self.point, 1.0)]);
        if let Anchor::Body(corners, weights) = &self.anchor {
            let held: Vec<_> = corners.iter().copied().zip(weights.map(|w| -w)).collect();
            ends.extend(side(model, &held));
        }
        ends
    }

    /// Particles of its ends that poses carry.
    pub fn carried(&self, model: &Model) -> impl Iterator<Item = u32> {
        let corners = match &self.anchor {
            Anchor::Body(corners, _) => &corners[..],
            Anchor::Solid(..) | Anchor::Place(_) => &[],
        };
        let points = std::iter::once(&self.point).chain(corners);
        let rigid = points.filter(|point| model.bodies[point.body].rigid.is_some());
        rigid.map(|point| model.particle(*point) as u32)
    }

    /// As kernels have it. `waypoint`: the number of the waypoint that its solid goes with.
    pub fn device(&self, model: &Model, constants: [f64; 2], waypoint: Option<u32>) -> GpuTie {
        let [stiffness, damping] = constants.map(|x| x as f32);
        let tie = GpuTie {
            particle: model.particle(self.point) as u32,
            stiffness,
            damping,
            length: self.length as f32,
            waypoint: waypoint.unwrap_or(TIE_TO_PLACE),
            ..GpuTie::default()
        };
        match &self.anchor {
            Anchor::Body(corners, weights) => GpuTie {
                corners: UVec4::from(corners.map(|corner| model.particle(corner) as u32)),
                weights: Vec4::from(weights.map(|w| w as f32)),
                waypoint: TIE_TO_BODY,
                ..tie
            },
            Anchor::Solid(_, anchor) | Anchor::Place(anchor) => {
                GpuTie { anchor: anchor.as_vec3(), ..tie }
            }
        }
    }
}

/// Of each of so many bodies the least number of those that it hangs together with by ties, with `TIE_JOINED` where these are
/// several and `TIE_HELD` where a tie joins one of them to a solid or a place.
pub(crate) fn tie_groups<'a>(bodies: usize, ties: impl Iterator<Item = &'a Tie>) -> Vec<u32> {
    // Each body leads to one of a lower number that it hangs together with, the least one to itself.
    let mut lower: Vec<_> = (0..bodies).collect();
    let mut held = BTreeSet::new();
    let least = |lower: &mut Vec<usize>, mut body: usize| {
        while lower[body] != body {
            lower[body] = lower[lower[body]];
            body = lower[body];
        }
        body
    };
    for tie in ties {
        let own = least(&mut lower, tie.point.body);
        match &tie.anchor {
            Anchor::Body(corners, _) => {
                let other = least(&mut lower, corners[0].body);
                lower[own.max(other)] = own.min(other);
            }
            Anchor::Solid(..) | Anchor::Place(_) => {
                held.insert(tie.point.body);
            }
        }
    }
    let mut flags = vec![0; bodies];
    let mut place = |body| {
        let first = least(&mut lower, body);
        let joined = if first < body { TIE_JOINED } else { 0 };
        let held = if held.contains(&body) { TIE_HELD } else { 0 };
        flags[first] |= joined | held;
        first
    };
    let places: Vec<_> = (0..bodies).map(&mut place).collect();
    let word = |first: &usize| *first as u32 | flags[*first];
    places.iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Random;

    /// Of random ties: each body's group begins with the least of those that it reaches by ties, and says whether there are several
    /// and whether one of them is held.
    #[test]
    fn groups_are_what_hangs_together() {
        let mut random = Random::new(7);
        for bodies in [1, 2, 9, 40] {
            let tie = |random: &mut Random| Tie {
                point: MeshPoint { body: random.index(0, bodies), point: 0 },
                anchor: match random.index(0, 8) {
                    0 => Anchor::Place(DVec3::ZERO),
                    _ => {
                        let body = random.index(0, bodies);
                        Anchor::Body([MeshPoint { body, point: 0 }; 4], [0.25; 4])
                    }
                },
                length: 0.0,
            };
            let ties: Vec<_> = (0..bodies / 2).map(|_| tie(&mut random)).collect();
            let mut reached: Vec<Vec<bool>> =
                (0..bodies).map(|a| (0..bodies).map(|b| a == b).collect()).collect();
            for tie in &ties {
                if let Anchor::Body(corners, _) = &tie.anchor {
                    let (a, b) = (tie.point.body, corners[0].body);
                    (reached[a][b], reached[b][a]) = (true, true);
                }
            }
            // Warshall 1962.
            for via in 0..bodies {
                for a in 0..bodies {
                    for b in 0..bodies {
                        reached[a][b] |= reached[a][via] && reached[via][b];
                    }
                }
            }
            let groups = tie_groups(bodies, ties.iter());
            for (body, group) in groups.iter().enumerate() {
                let members: Vec<_> = (0..bodies).filter(|b| reached[body][*b]).collect();
                let holds = |tie: &Tie| {
                    matches!(tie.anchor, Anchor::Place(_)) && members.contains(&tie.point.body)
                };
                let joined = if members.len() > 1 { TIE_JOINED } else { 0 };
                let held = if ties.iter().any(holds) { TIE_HELD } else { 0 };
                assert_eq!(*group, members[0] as u32 | joined | held, "{body}");
            }
        }
    }
}
