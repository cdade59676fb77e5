//! Obstacles as rigid bodies meet them: held poses with a collider each.

use glam::{DQuat, DVec3, Vec4};

use super::shape::Part;
use crate::gpu::types::{COLLIDER_BOX, COLLIDER_PLANE, COLLIDER_POINT, NONE, Pose, SEARCH_TURN};
use crate::model::{Model, rotation_matrix};
use crate::scene::{Scene, SolidShape};

/// Adds a pose and a collider for each of a scene's obstacles, behind those of all bodies; where nothing is rigid, none.
pub fn add_obstacles(model: &mut Model, scene: &Scene) {
    model.first_obstacle = model.colliders.len();
    if model.poses.is_empty() || !scene.world.contact {
        return;
    }
    for solid in scene.obstacles() {
        model.rebounds |= solid.restitution > 0.0;
        let (rotation, part) = match solid.shape {
            SolidShape::Plane { normal } => {
                let up = DQuat::from_rotation_arc(DVec3::Y, DVec3::from(normal).normalize());
                (up, Part::simple(COLLIDER_PLANE, DVec3::ZERO, 0.0))
            }
            SolidShape::Sphere { radius } => {
                (DQuat::IDENTITY, Part::simple(COLLIDER_POINT, DVec3::ZERO, radius))
            }
            SolidShape::Box { size } => {
                let turn = DQuat::from_mat3(&rotation_matrix(solid.rotation));
                (turn, Part::simple(COLLIDER_BOX, 0.5 * DVec3::from(size), 0.0))
            }
        };
        let pose = model.poses.len();
        let own = model.add_colliders(&[part]);
        for collider in &mut model.colliders[own] {
            collider.pose = pose as u32;
        }
        model.poses.push(Pose {
            position: DVec3::from(solid.position).as_vec3(),
            rotation: Vec4::from(rotation.as_quat()),
            body: NONE,
            bound: model.colliders[model.colliders.len() - 1].bound,
            turn: SEARCH_TURN,
            ..Pose::default()
        });
    }
}
