//! Bodies that pass through themselves, in worlds without self-contact.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3, IVec3, Vec3};

use super::measure::{CRUSHED, volume_share};
use crate::World;
use crate::collide::patches::patches;
use crate::gpu::types::{FOLD_CLOSER, PATCH, Patch};
use crate::model::Model;
use crate::world::Snapshot;

/// Least barycentric coordinate of a point that counts as inside a tetrahedron.
const INSIDE: f64 = 0.02;

/// Detects bodies that pass through themselves. For unfolded bodies this costs one pass over the surface.
#[derive(Debug, Default)]
pub struct SelfCrossings {
    patches: Vec<Patch>,
    points: Vec<u32>,
    /// Bodies, how many of their points were inside of themselves when it was first seen, and when \[s\].
    found: Vec<(usize, usize, f64)>,
}

impl SelfCrossings {
    /// For the bodies of a world; for none where they touch themselves or nothing.
    pub fn new(world: &World) -> Self {
        let settings = &world.scene().world;
        if settings.self_contact || !settings.contact {
            return Self::default();
        }
        let (patches, points) = patches(world.model());
        Self { patches, points, found: Vec::new() }
    }

    /// Looks at a state of the world's bodies.
    pub fn watch(&mut self, world: &World, state: &Snapshot) {
        let model = world.model();
        for own in self.patches.chunk_by(|a, b| a.body == b.body) {
            let body = own[0].body as usize;
            let known = self.found.iter().any(|(b, ..)| *b == body);
            if known || !self.is_folded(own, &state.positions) {
                continue;
            }
            let inside = self.inside(own, model, &state.positions);
            let share = volume_share(model, &model.bodies[body], |i| {
                state.positions[i as usize].as_dvec3()
            });
            // What is crushed or flies apart passes through itself for other reasons.
            if inside > 0 && (CRUSHED..1.0 / CRUSHED).contains(&share) {
                self.found.push((body, inside, state.time));
            }
        }
    }

    /// A sentence for each body that was seen to pass through itself.
    pub fn warnings(&self, world: &World) -> Vec<String> {
        let bodies = &world.model().bodies;
        let sentence = |&(body, points, time): &(usize, usize, f64)| {
            let points = match points {
                1 => "1 point".into(),
                _ => format!("{points} points"),
            };
            format!(
                "body \"{}\" passes through itself ({points} at {time:.3} s); set world.self_contact = true to prevent it",
                bodies[body].name
            )
        };
        self.found.iter().map(sentence).collect()
    }

    /// Whether any two patches are closer than at rest and their boxes overlap, as in `fold_pairs`.
    fn is_folded(&self, own: &[Patch], x: &[Vec3]) -> bool {
        let first = own[0].first as usize;
        let shapes: Vec<_> = (first..first + own.len())
            .map(|k| {
                let members = &self.points[PATCH as usize * k..PATCH as usize * (k + 1)];
                let x = || members.iter().map(|i| x[*i as usize]);
                let low = x().fold(Vec3::INFINITY, Vec3::min);
                let high = x().fold(Vec3::NEG_INFINITY, Vec3::max);
                let centre = x().sum::<Vec3>() / PATCH as f32;
                let square = x().map(|x| x.distance_squared(centre)).sum::<f32>();
                (low, high, centre, (square / PATCH as f32).sqrt())
            })
            .collect();
        own.iter().zip(&shapes).enumerate().any(|(k, (a, own_shape))| {
            let (low, high, centre, spread) = own_shape;
            let others = own.iter().zip(&shapes).skip(k + 1);
            let near =
                |(b, (other_low, other_high, other, _)): (&Patch, &(Vec3, Vec3, Vec3, f32))| {
                    let meet = low.cmple(*other_high).all() && other_low.cmple(*high).all();
                    meet && centre.distance(*other) < FOLD_CLOSER * a.centre.distance(b.centre)
                };
            *spread < FOLD_CLOSER * a.spread || others.into_iter().any(near)
        })
    }

    /// How many surface points of a body are inside tetrahedra of it that are not their neighbours.
    fn inside(&self, own: &[Patch], model: &Model, x: &[Vec3]) -> usize {
        let body = &model.bodies[own[0].body as usize];
        let cell = |x: DVec3| (x / body.edge).floor().as_ivec3();
        let first = PATCH as usize * own[0].first as usize;
        let surface: HashSet<u32> =
            self.points[first..first + PATCH as usize * own.len()].iter().copied().collect();
        let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
        for &i in &surface {
            let place = cell(x[i as usize].as_dvec3());
            cells.entry(place).or_default().push(i);
        }
        let springs = model.springs[body.springs.clone()].iter();
        let joined: HashSet<[u32; 2]> = springs
            .map(|spring| {
                [spring.points[0].min(spring.points[1]), spring.points[0].max(spring.points[1])]
            })
            .collect();
        let apart = |i: u32, c: u32| i != c && !joined.contains(&[i.min(c), i.max(c)]);
        let mut inside = HashSet::new();
        for tet in &model.tets[body.tets.clone()] {
            let corners = tet.corners.map(|i| x[i as usize].as_dvec3());
            let [a, b, c, d] = corners;
            let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse();
            let low = cell(a.min(b).min(c.min(d)));
            let high = cell(a.max(b).max(c.max(d))).min(low + 8);
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    for points in (low.x..=high.x).filter_map(|x| cells.get(&IVec3::new(x, y, z))) {
                        inside.extend(points.iter().copied().filter(|&i| {
                            let beta = inverse * (x[i as usize].as_dvec3() - a);
                            let least = beta.min_element().min(1.0 - beta.element_sum());
                            least > INSIDE && tet.corners.iter().all(|c| apart(i, *c))
                        }));
                    }
                }
            }
        }
        inside.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use crate::scene::Body;
    use crate::scene::Scene;

    /// A bar bent to a ring is told of where its ends are in each other, and neither before nor while it is a spring.
    #[test]
    fn a_body_in_itself_is_told_of() {
        let mut scene = Scene {
            bodies: vec![Body::lattice("bar", [24, 2, 2], [2.4, 0.2, 0.2])],
            ..Scene::default()
        };
        let mut world = World::new(&Context::new().unwrap(), &scene).unwrap();
        let (mut state, rest) = (world.read().unwrap(), world.model().rest_positions.clone());
        let mut said = |turns: f64, rise: f64, world: &World| {
            for (x, rest) in state.positions.iter_mut().zip(&rest) {
                let (sin, cos) = (turns * std::f64::consts::TAU * rest.x / 2.4).sin_cos();
                let radius = 2.4 / (turns * std::f64::consts::TAU) + rest.y + 0.02 * rest.x;
                *x = DVec3::new(radius * sin, radius * cos, rest.z + rise * rest.x).as_vec3();
            }
            let mut crossings = SelfCrossings::new(world);
            crossings.watch(world, &state);
            crossings.warnings(world)
        };
        assert!(said(0.5, 0.0, &world).is_empty(), "half a ring");
        assert!(said(1.23, 0.3, &world).is_empty(), "a spring");
        let told = said(1.23, 0.02, &world);
        assert!(told.len() == 1 && told[0].contains("\"bar\" passes through itself"), "{told:?}");
        scene.world.self_contact = true;
        let world = World::new(world.context(), &scene).unwrap();
        assert!(said(1.23, 0.02, &world).is_empty());
    }
}
