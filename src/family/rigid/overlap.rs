//! How deep rigid bodies start in each other, and in obstacles.

use glam::{DQuat, DVec3, Vec4};

use crate::extreme;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_PLANE, COLLIDER_SEGMENT,
    COLLIDER_TRIANGLE, Collider, RIGID_SPEED,
};
use crate::model::{Model, RigidBody};

/// Steps of the search for a plane between two parts; what has none by then counts as overlapping.
const STEPS: usize = 100;
/// Faces of a part whose normals are tried; of finer ones a part is.
const MOST_FACES: usize = 64;
/// Rounds in which the best direction is looked for around the best so far, each half as wide as the one before.
const ROUNDS: usize = 16;

/// How fast what overlaps is taken apart at the most, in words.
pub fn parting() -> String {
    format!("at up to {RIGID_SPEED} m/s")
}

/// How far two rigid bodies would have to be moved to be apart \[m\], the deepest of their parts, of a mesh its triangles; 0 where none
/// meet. None where a closed mesh might be all around the other.
pub fn of_bodies(model: &Model, a: &RigidBody, b: &RigidBody) -> Option<f64> {
    match [a, b].map(|body| parts(model, body)) {
        [Some(a), Some(b)] => deepest(&a, &b),
        [Some(parts), None] => in_mesh(model, &parts, b),
        [None, Some(parts)] => in_mesh(model, &parts, a),
        [None, None] => None,
    }
}

/// How deep the deepest of the parts is in a triangle of a mesh.
fn in_mesh(model: &Model, parts: &[Placed<'_>], mesh: &RigidBody) -> Option<f64> {
    let near = |part: &Placed<'_>, triangle: &Collider| {
        let far = f64::from(part.collider.bound + triangle.bound);
        part.centre.distance_squared(Placed::centre(model, triangle)) <= far * far
    };
    let of_triangle = |triangle: &Collider| {
        let near: Vec<_> = parts.iter().filter(|part| near(part, triangle)).collect();
        let placed = (!near.is_empty()).then(|| Placed::new(model, triangle))?;
        near.into_iter().map(|part| depth(part, &placed)).max_by(f64::total_cmp)
    };
    let deepest =
        colliders(model, mesh).iter().filter_map(of_triangle).fold(0.0, extreme::greatest);
    (deepest > 0.0 || is_open(model, mesh)).then_some(deepest)
}

/// The same of a body in an obstacle.
pub fn of_obstacle(model: &Model, body: &RigidBody, obstacle: usize) -> Option<f64> {
    let obstacle = model.colliders.get(model.first_obstacle + obstacle)?;
    deepest(&parts(model, body)?, &[Placed::new(model, obstacle)])
}

/// Depths of a body that are nothing to speak of \[m\]: as far as it looks around.
pub fn harmless(model: &Model, body: &RigidBody) -> f64 {
    f64::from(model.poses[body.pose].margin)
}

/// Whether it is an open mesh, which rigid bodies touch from both sides: none is inside of it.
fn is_open(model: &Model, body: &RigidBody) -> bool {
    colliders(model, body).iter().any(|part| part.kind == COLLIDER_TRIANGLE && part.face_count > 1)
}

/// The colliders of a body. All stand in the order of their poses.
fn colliders<'a>(model: &'a Model, body: &RigidBody) -> &'a [Collider] {
    let of_bodies = &model.colliders[..model.first_obstacle];
    let first = of_bodies.partition_point(|part| (part.pose as usize) < body.pose);
    let end = of_bodies.partition_point(|part| part.pose as usize <= body.pose);
    &of_bodies[first..end]
}

/// The convex parts of a body; none of one with triangles.
fn parts<'a>(model: &'a Model, body: &RigidBody) -> Option<Vec<Placed<'a>>> {
    let own = colliders(model, body);
    let solid = own.iter().all(|part| part.kind != COLLIDER_TRIANGLE);
    solid.then(|| own.iter().map(|part| Placed::new(model, part)).collect())
}

fn deepest(a: &[Placed<'_>], b: &[Placed<'_>]) -> Option<f64> {
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| depth(a, b)));
    pairs.max_by(f64::total_cmp)
}

/// A convex part in the world.
struct Placed<'a> {
    collider: &'a Collider,
    centre: DVec3,
    rotation: DQuat,
    /// Of a hull.
    corners: &'a [Vec4],
    /// Normals of its faces, in the world.
    normals: Vec<DVec3>,
}

impl<'a> Placed<'a> {
    fn new(model: &'a Model, collider: &'a Collider) -> Self {
        let pose = &model.poses[collider.pose as usize];
        let turn = quaternion(pose.rotation);
        let rotation = turn * quaternion(collider.rotation);
        let first = [collider.first_vertex, collider.first_face].map(|first| first as usize);
        let count = [collider.vertex_count, collider.face_count].map(|count| count as usize);
        let faces = &model.hull_faces[first[1]..first[1] + count[1]];
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let normals: Vec<_> = match collider.kind {
            COLLIDER_BOX => axes.into(),
            COLLIDER_CYLINDER | COLLIDER_PLANE => vec![DVec3::Y],
            _ => {
                let some = faces.iter().step_by(count[1].div_ceil(MOST_FACES).max(1));
                some.map(|face| face.normal.as_dvec3()).collect()
            }
        };
        Self {
            collider,
            centre: Self::centre(model, collider),
            rotation,
            corners: &model.hull_vertices[first[0]..first[0] + count[0]],
            normals: normals.into_iter().map(|normal| rotation * normal).collect(),
        }
    }

    /// Where its origin is.
    fn centre(model: &Model, collider: &Collider) -> DVec3 {
        let pose = &model.poses[collider.pose as usize];
        pose.position.as_dvec3() + quaternion(pose.rotation) * collider.position.as_dvec3()
    }

    /// Its foremost point along a unit vector.
    fn support(&self, d: DVec3) -> DVec3 {
        let own = self.rotation.inverse() * d;
        let half = self.collider.half.as_dvec3();
        let core = match self.collider.kind {
            COLLIDER_SEGMENT | COLLIDER_BOX => half * own.signum(),
            COLLIDER_CYLINDER => {
                let across = DVec3::new(own.x, 0.0, own.z).normalize_or_zero();
                half.x * across + half.y * own.y.signum() * DVec3::Y
            }
            COLLIDER_HULL | COLLIDER_TRIANGLE => {
                let corners = self.corners.iter().map(|corner| corner.truncate().as_dvec3());
                corners.max_by(|a, b| a.dot(own).total_cmp(&b.dot(own))).unwrap_or_default()
            }
            _ => DVec3::ZERO,
        };
        self.centre + self.rotation * core + f64::from(self.collider.radius) * d
    }
}

/// How far b would have to go along d to be apart from a \[m\].
fn overlap(a: &Placed<'_>, b: &Placed<'_>, d: DVec3) -> f64 {
    (a.support(d) - b.support(-d)).dot(d)
}

/// The least overlap along any direction; 0 of what is apart.
fn depth(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    if b.collider.kind == COLLIDER_PLANE {
        // The half space below it.
        let up = b.normals[0];
        return up.dot(b.centre - a.support(-up)).max(0.0);
    }
    let Some(last) = between(a, b) else {
        return 0.0;
    };
    let both = a.normals.iter().chain(&b.normals).flat_map(|normal| [*normal, -*normal]);
    let middles = (b.centre - a.centre).normalize_or(DVec3::Y);
    let least = |directions: &mut dyn Iterator<Item = DVec3>| {
        let all = directions.map(|d| (overlap(a, b, d), d));
        all.min_by(|x, y| x.0.total_cmp(&y.0))
    };
    let Some(mut best) = least(&mut both.chain([middles, last])) else {
        return 0.0;
    };
    let mut width = 0.5;
    for _ in 0..ROUNDS {
        let (x, y) = best.1.any_orthonormal_pair();
        let around = [x, -x, y, -y, x + y, x - y, y - x, -x - y];
        let mut around = around.into_iter().map(|way| (best.1 + width * way).normalize());
        if let Some(found) = least(&mut around).filter(|found| found.0 < best.0) {
            best = found;
        }
        width *= 0.5;
    }
    best.0.max(0.0)
}

/// Where no plane is found between two parts (Gilbert 1966), the last direction in which one was looked for, from a to b.
fn between(a: &Placed<'_>, b: &Placed<'_>) -> Option<DVec3> {
    // The nearest point so far of all x_b − x_a to the origin.
    let mut nearest = b.centre - a.centre;
    let mut d = nearest.normalize_or(DVec3::Y);
    for _ in 0..STEPS {
        if overlap(a, b, d) < 0.0 {
            return None;
        }
        let way = b.support(-d) - a.support(d) - nearest;
        let part = -nearest.dot(way) / way.length_squared();
        if !part.is_finite() {
            break;
        }
        nearest += part.clamp(0.0, 1.0) * way;
        let Some(next) = nearest.try_normalize() else {
            break;
        };
        d = next;
    }
    Some(d)
}

fn quaternion(q: Vec4) -> DQuat {
    DQuat::from_array(q.to_array().map(f64::from)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Shape, Surface};
    use crate::scene::{Body, MeshSource, Scene};

    /// How deep the second is in the first, turned so and at this place.
    fn found(shapes: [Shape; 2], place: [f64; 3], rotation: [f64; 3]) -> f64 {
        let [mut a, mut b] = shapes.map(|shape| Body::rigid("a", shape));
        a.position = [0.3, -0.2, 0.1];
        b.position = [0.3 + place[0], place[1] - 0.2, place[2] + 0.1];
        b.rotation = rotation;
        b.name = "b".into();
        let scene = Scene { bodies: vec![a, b], ..Scene::default() };
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let own = |body: usize| model.bodies[body].rigid.unwrap();
        of_bodies(&model, &own(0), &own(1)).unwrap()
    }

    #[test]
    fn depths_are_those_of_simple_shapes() {
        let cube = Shape::Box { size: [1.0; 3] };
        let ball = Shape::Sphere { radius: 0.5 };
        let rod = Shape::Capsule { radius: 0.1, length: 2.0 };
        let drum = Shape::Cylinder { radius: 0.5, length: 0.4 };
        let stone = Shape::Bipyramid { triangles: 8 };
        let diagonal = std::f64::consts::FRAC_PI_4;
        let edges = (2.0 * 0.5_f64.sqrt() - 0.05) * 0.5_f64.sqrt();
        for (shapes, place, rotation, wanted) in [
            ([cube, cube], [0.5, 0.0, 0.0], [0.0; 3], 0.5),
            ([cube, cube], [0.0, 0.9, 0.3], [0.0; 3], 0.1),
            // An edge across another, between the normals of all faces.
            ([cube, cube], [edges, edges, 0.0], [diagonal, 0.0, -diagonal], 0.05),
            ([ball, ball], [0.3, 0.4, 0.6], [0.0; 3], 1.0 - 0.61_f64.sqrt()),
            ([cube, ball], [0.0, 0.0, 0.9], [0.0; 3], 0.1),
            ([cube, ball], [0.75, 0.75, 0.75], [0.0; 3], 0.5 - 0.1875_f64.sqrt()),
            ([rod, ball], [0.5, 0.7, 0.0], [0.0; 3], 0.1),
            ([drum, cube], [0.0, 0.65, 0.0], [0.0, 0.4, 0.0], 0.05),
            ([stone, cube], [0.0, 1.4, 0.0], [0.0; 3], 0.1),
        ] {
            let got = found(shapes, place, rotation);
            assert!((got - wanted).abs() < 1e-4, "{shapes:?} {place:?}: {got}, {wanted}");
        }
    }

    /// A cube over and across a square sheet of two triangles, which may be the first body or the second.
    #[test]
    fn what_crosses_a_mesh_is_in_it() {
        let side = |k: u32| 2.0 * f64::from(k) - 1.0;
        let corner = |k: u32| DVec3::new(side(k & 1), 0.0, side(k >> 1));
        let points = (0..4).map(corner).collect();
        let sheet = Surface::new(points, vec![[0, 2, 3], [0, 3, 1]], None).unwrap();
        let sheet = Body::held_mesh("sheet", MeshSource::Surface { surface: sheet, cells: 1 });
        for (height, wanted) in [(0.12, 0.08), (0.0, 0.2), (-0.15, 0.05), (0.21, 0.0), (-0.3, 0.0)]
        {
            let cube = Body::rigid("cube", Shape::Box { size: [0.4; 3] });
            let cube = Body { position: [0.1, height, 0.3], ..cube };
            let scene = Scene { bodies: vec![sheet.clone(), cube], ..Scene::default() };
            let model = Model::new(&scene, "", u64::MAX).unwrap();
            let own = |body: usize| model.bodies[body].rigid.unwrap();
            for [a, b] in [[0, 1], [1, 0]] {
                let got = of_bodies(&model, &own(a), &own(b)).unwrap();
                assert!((got - wanted).abs() < 1e-4, "{height}: {got}, {wanted}");
            }
        }
    }

    #[test]
    fn what_is_apart_or_just_touches_has_no_depth() {
        let cube = Shape::Box { size: [1.0; 3] };
        let ball = Shape::Sphere { radius: 0.5 };
        assert!(found([cube, cube], [0.0, 1.0, 0.2], [0.0; 3]) < 1e-6);
        assert_eq!(found([cube, cube], [0.0, 1.01, 0.2], [0.0; 3]), 0.0);
        // Their boxes meet, they do not.
        assert_eq!(found([cube, ball], [0.81, 0.81, 0.81], [0.0; 3]), 0.0);
        assert_eq!(found([ball, ball], [0.6, 0.6, 0.6], [0.0; 3]), 0.0);
    }
}
