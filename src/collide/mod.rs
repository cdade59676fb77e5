//! Contact between bodies: which points lie in which bodies, the penetration vector, and what keeps the bodies apart.
//!
//! It knows points, edges, tetrahedra and spheres, where they lie and what they bear on each other; it must not know what
//! their bodies are made of, nor by which integrator they came there.
//!
//! Broad phase over boxes, spatial hashing (Teschner et al. 2003), consistent penetration depth (Heidelberger et al.
//! 2004), contact triangles (Spillmann & Teschner 2005); the response is by impulses that start from the last step's.

mod arrays;
mod broad;
mod capacity;
mod colliders;
mod edges;
mod passes;
pub(crate) mod patches;
mod produce;
mod rules;
mod search;
mod sleep;
mod tables;
mod touches;

#[cfg(feature = "verify")]
pub(crate) use arrays::Arrays as CollisionArrays;
#[cfg(feature = "verify")]
pub(crate) use broad::{BodyBroadPhase, Plan as BroadPlan};
pub use capacity::{Capacity, ContactStats};
#[cfg(feature = "verify")]
pub use colliders::narrow_kernel;
pub use passes::Collision;
pub use touches::{TouchLists, TouchPasses, Touches, push_room};

use std::collections::HashMap;

use crate::scene::{Body, Scene};

/// Whether bodies that lie on each other stay restless with the scene's integrator, which moves those that deform.
pub fn is_restless(scene: &Scene) -> bool {
    let deforms = scene.bodies.iter().any(|body| !body.is_rigid());
    scene.world.integrator.is_restless() && deforms && can_touch(scene)
}

/// Whether any two bodies of a scene, or one with itself, could touch, or something rigid an obstacle.
pub fn can_touch(scene: &Scene) -> bool {
    if !scene.world.contact {
        return false;
    }
    if scene.bodies.iter().any(Body::is_rigid) && !scene.obstacles().is_empty() {
        return true;
    }
    // Poses are unknowns of implicit steps where they may touch, or are tied.
    let any = |rigid: bool| scene.bodies.iter().any(|body| body.is_rigid() == rigid);
    if scene.world.integrator.is_implicit() && any(true) && any(false) {
        return true;
    }
    let mut replicas = scene.bodies.chunks(scene.replica_size().max(1));
    replicas.any(any_pair) || (scene.world.self_contact && !scene.bodies.is_empty())
}

/// Whether any two of these bodies may touch.
fn any_pair(bodies: &[Body]) -> bool {
    // Bodies are many, their groups and masks few.
    let mut kinds = HashMap::new();
    for body in bodies {
        *kinds.entry((body.group, body.mask)).or_insert(0) += 1;
    }
    let touch = |a: &(u32, u32), b: &(u32, u32)| a.0 & b.1 != 0 && b.0 & a.1 != 0;
    let mut pairs = kinds.iter();
    pairs.any(|(a, count)| kinds.keys().any(|b| touch(a, b) && (a != b || *count > 1)))
}

#[cfg(test)]
mod tests {
    use super::can_touch;
    use crate::scene::{Body, Scene};

    #[test]
    fn bodies_touch_where_groups_and_masks_agree_both_ways() {
        let mut scene = Scene::default();
        let mut add = |name: &str, group, mask| {
            let mut body = Body::lattice(name, [1; 3], [1.0; 3]);
            (body.group, body.mask) = (group, mask);
            scene.bodies.push(body);
            can_touch(&scene)
        };
        assert!(!add("alone", 1, 1 | 4));
        assert!(!add("deaf to it", 2, 8));
        assert!(!add("heard by one side only", 4, 2));
        assert!(add("like the first", 1, 1 | 4));
    }
}
