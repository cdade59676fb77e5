//! Contact between bodies, particle by particle, as the last step had it.

use glam::Vec3;

use super::World;
use crate::Result;
use crate::gpu::types::{Contact, HIT_STRIDE, MAX_HITS, NONE};
use crate::model::Model;

/// Contact between bodies in the last step. Arrays are in device order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Role of each particle: 1 if it touches another body (as a point, the end of an edge, or a sphere), 2 if it is only a
    /// corner of a touched triangle, 0 otherwise.
    pub roles: Vec<u8>,
    /// The penetration vector [m] of the body that each particle is deepest in: max(g, 0) r; 0 for those that touch none.
    pub penetrations: Vec<Vec3>,
    /// Number of colliding triangles: surface triangles with a corner that is inside another body or within its margin, or that
    /// belongs to a tetrahedron that contains such a point.
    pub triangles: usize,
}

/// A particle that touches another body.
const POINT: u8 = 1;
/// A particle that is only a corner of a triangle that is touched.
const CORNER: u8 = 2;

impl World {
    /// Contact between bodies in the last step, waiting for the device; nothing is copied where no bodies can touch. Call it
    /// before [`Self::read`], which computes a step ahead and leaves its contacts behind.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read_contacts(&mut self) -> Result<Contacts> {
        self.wait_submission()?;
        let Some(collision) = self.stepper.collision() else {
            return Ok(gather(&self.model, &[], &[]));
        };
        let contacts = collision.contacts(&self.context)?;
        let hits = if contacts.is_empty() { Vec::new() } else { collision.hits(&self.context)? };
        Ok(gather(&self.model, &contacts, &hits))
    }
}

/// What each particle has of the records of a step. `hits`: the tetrahedra that hold each point or edge.
fn gather(model: &Model, contacts: &[Contact], hits: &[u32]) -> Contacts {
    let count = model.positions.len();
    let (mut roles, mut ways) = (vec![0; count], vec![Vec3::ZERO; count]);
    for contact in contacts.iter().filter(|contact| contact.is_contact()) {
        let way = contact.gap.max(0.0) * contact.normal;
        for i in points(contact, count) {
            roles[i] = POINT;
            if way.length_squared() > ways[i].length_squared() {
                ways[i] = way;
            }
        }
        let [a, b, c, _] = contact.b.dofs.to_array();
        if a as usize >= count {
            continue;
        }
        if b == NONE {
            // A sphere on a sphere: a point on both sides.
            roles[a as usize] = POINT;
            if way.length_squared() > ways[a as usize].length_squared() {
                ways[a as usize] = -way;
            }
            continue;
        }
        for i in [a, b, c] {
            let role = &mut roles[i as usize];
            *role = if *role == POINT { POINT } else { CORNER };
        }
    }
    Contacts { roles, penetrations: ways, triangles: colliding_triangles(model, contacts, hits) }
}

/// The particles of what touches: one, or the ends of an edge. Of a record without a contact only a particle is known.
fn points(contact: &Contact, count: usize) -> impl Iterator<Item = usize> {
    let points = [contact.feature_a, contact.a.dofs.x, contact.a.dofs.y];
    let points = points.into_iter().map(|i| i as usize);
    points.filter(move |i| *i < count)
}

fn colliding_triangles(model: &Model, contacts: &[Contact], hits: &[u32]) -> usize {
    let mut colliding = vec![false; model.positions.len()];
    for contact in contacts {
        for i in points(contact, model.positions.len()) {
            colliding[i] = true;
        }
    }
    let held = hits.chunks_exact(HIT_STRIDE as usize);
    let tets = held.flat_map(|list| &list[..MAX_HITS as usize]);
    for tet in tets.filter(|tet| **tet != NONE) {
        for i in model.tets[*tet as usize].corners {
            colliding[i as usize] = true;
        }
    }
    let touched = |triangle: &&[u32; 3]| triangle.iter().any(|i| colliding[*i as usize]);
    model.triangles.iter().filter(touched).count()
}

#[cfg(test)]
mod tests {
    use glam::{UVec4, Vec3};

    use super::gather;
    use crate::gpu::types::{Contact, HIT_STRIDE, NONE, Side};
    use crate::model::Model;
    use crate::scene::{Body, Scene};

    /// Two blocks of two cubes, ten tetrahedra and twenty triangles.
    fn model() -> Model {
        let mut scene = Scene::default();
        for name in ["a", "b"] {
            scene.bodies.push(Body::lattice(name, [2, 1, 1], [2.0, 1.0, 1.0]));
        }
        Model::new(&scene, "none", u64::MAX).expect("a model")
    }

    fn record(feature_a: u32, [own, x, y, z]: [u32; 4], gap: f32) -> Contact {
        let side = |dofs: [u32; 4]| Side { dofs: UVec4::from(dofs), ..Side::default() };
        Contact {
            feature_a,
            a: side([own, NONE, NONE, NONE]),
            b: side([x, y, z, NONE]),
            gap,
            normal: Vec3::Y,
            ..Contact::default()
        }
    }

    #[test]
    fn points_and_corners_are_told_apart_and_the_deepest_way_counts() {
        // An edge, which is no particle, between two that are.
        let mut edge = record(99, [11, 8, 0, 1], 0.125);
        edge.a.dofs.y = 12;
        let contacts = [
            record(8, [8, 0, 1, 2], 0.25),
            record(8, [8, 3, 4, 5], 0.5),
            record(9, [9, 0, 1, 2], -0.25),
            record(10, [NONE; 4], 9.0),
            edge,
        ];
        let found = gather(&model(), &contacts, &[]);
        assert_eq!(found.roles[..8], [2, 2, 2, 2, 2, 2, 0, 0]);
        assert_eq!(found.roles[8..16], [1, 1, 0, 1, 1, 0, 0, 0]);
        let deep = |i: usize| found.penetrations[i];
        assert_eq!([deep(8), deep(9), deep(10)], [0.5 * Vec3::Y, Vec3::ZERO, Vec3::ZERO]);
        assert_eq!([deep(11), deep(12), deep(0)], [0.125 * Vec3::Y, 0.125 * Vec3::Y, Vec3::ZERO]);
    }

    #[test]
    fn triangles_collide_by_their_points_and_by_tetrahedra_that_hold_points() {
        let model = model();
        let around = |corners: &[u32]| {
            let has = |t: &&[u32; 3]| t.iter().any(|i| corners.contains(i));
            model.triangles.iter().filter(has).count()
        };
        assert_eq!(gather(&model, &[], &[]).triangles, 0);
        // Also a point whose penetration vector was not found.
        let contacts = [record(8, [NONE; 4], 0.0)];
        let found = gather(&model, &contacts, &[]).triangles;
        assert!(found > 0 && found == around(&[8]), "{found}");
        // A tetrahedron of the other body.
        let tet = model.tets.len() - 1;
        let none = [NONE; HIT_STRIDE as usize];
        let hits = [none, [tet as u32, NONE, NONE, NONE, NONE]].concat();
        let found = gather(&model, &contacts, &hits).triangles;
        let want = around(&[&[8], &model.tets[tet].corners[..]].concat());
        assert!(found == want && want < 40, "{found}, {want}");
    }
}
