//! Random pairs of colliders of all kinds, apart, touching, in each other, thin, in the same place, far from the origin.

use std::slice;

use glam::{DQuat, DVec3, UVec2, Vec2, Vec3, Vec4};

use super::touching::places;
use crate::family::rigid::shape::{Part, pack};
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_PLANE, COLLIDER_POINT,
    COLLIDER_SEGMENT, COLLIDER_TRIANGLE, Collider, HullFace, Manifold, ManifoldPoint, NONE, Pose,
};
use crate::reference::rigid::{Convex, Core, hull_faces};
use crate::verify::Random;
use crate::verify::poses::exact;

/// Pairs, the arrays that hold them, and the cores as the reference has them.
pub struct Pairs {
    pub colliders: Vec<Collider>,
    pub vertices: Vec<Vec4>,
    pub faces: Vec<HullFace>,
    pub poses: Vec<Pose>,
    pub manifolds: Vec<Manifold>,
    /// One of each collider.
    pub cores: Vec<Convex>,
    /// Where corners of hulls are, in their colliders' axes.
    shapes: Vec<Core>,
}

/// Kinds of both sides; planes are always the second.
const KINDS: &[[u32; 2]] = &[
    [COLLIDER_BOX, COLLIDER_BOX],
    [COLLIDER_HULL, COLLIDER_HULL],
    [COLLIDER_POINT, COLLIDER_BOX],
    [COLLIDER_BOX, COLLIDER_PLANE],
    [COLLIDER_SEGMENT, COLLIDER_BOX],
    [COLLIDER_BOX, COLLIDER_HULL],
    [COLLIDER_POINT, COLLIDER_POINT],
    [COLLIDER_CYLINDER, COLLIDER_BOX],
    [COLLIDER_CYLINDER, COLLIDER_CYLINDER],
    [COLLIDER_SEGMENT, COLLIDER_CYLINDER],
    [COLLIDER_CYLINDER, COLLIDER_POINT],
    [COLLIDER_SEGMENT, COLLIDER_SEGMENT],
    [COLLIDER_TRIANGLE, COLLIDER_HULL],
    [COLLIDER_POINT, COLLIDER_SEGMENT],
    [COLLIDER_TRIANGLE, COLLIDER_TRIANGLE],
    [COLLIDER_HULL, COLLIDER_SEGMENT],
    [COLLIDER_CYLINDER, COLLIDER_PLANE],
    [COLLIDER_BOX, COLLIDER_TRIANGLE],
    [COLLIDER_HULL, COLLIDER_POINT],
    [COLLIDER_SEGMENT, COLLIDER_PLANE],
    [COLLIDER_POINT, COLLIDER_TRIANGLE],
    [COLLIDER_HULL, COLLIDER_PLANE],
];

/// Corners of a random hull.
const CORNERS: usize = 9;

fn quaternion(q: Vec4) -> DQuat {
    DQuat::from_array(q.to_array().map(f64::from)).normalize()
}

fn random_rotation(random: &mut Random) -> DQuat {
    let axis = random.vector(1.0).normalize_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.between(-3.0, 3.0))
}

impl Pairs {
    /// So many pairs.
    pub fn new(count: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let mut pairs = Self {
            colliders: Vec::new(),
            vertices: Vec::new(),
            faces: Vec::new(),
            poses: Vec::new(),
            manifolds: Vec::new(),
            cores: Vec::new(),
            shapes: Vec::new(),
        };
        for k in 0..count {
            pairs.add_pair(k, random);
        }
        pairs
    }

    fn add_pair(&mut self, k: usize, random: &mut Random) {
        let kinds = KINDS[k % KINDS.len()];
        let way = (k / KINDS.len()) % 6;
        let thin = if way == 3 { 0.02 } else { 1.0 };
        let numbers = kinds.map(|kind| self.add_collider(kind, thin, random));
        let [a, b] = numbers.map(|number| self.colliders[number]);
        let size = f64::from(a.bound + b.bound);
        // Round cores deep in others are found less exactly.
        let near = if kinds[0] == COLLIDER_CYLINDER { 0.6 } else { 0.0 };
        let far = match way {
            0 => random.between(0.6, 1.1),
            1 => random.between(near, 0.3_f64.max(near)),
            4 => near,
            _ => random.between(near, 0.9),
        } * size;
        let place = if way == 5 { random.vector(600.0) } else { random.vector(1.0) };
        let turned = random_rotation(random);
        let other = if way == 4 { turned } else { random_rotation(random) };
        let away = random.vector(1.0).normalize_or(DVec3::X);
        for (number, (middle, rotation)) in
            numbers.into_iter().zip([(place + far * away, turned), (place, other)])
        {
            self.place(number, middle, rotation);
        }
        let [a, b] = numbers.map(|number| self.colliders[number]);
        self.manifolds.push(Manifold {
            // What was there before.
            count: 7,
            last: NONE,
            colliders: UVec2::new(numbers[0] as u32, numbers[1] as u32),
            radii: Vec2::new(a.radius, b.radius),
            reach: 0.1,
            same: 0.02,
            friction: 0.5,
            restitution: 0.25,
            rolling: 0.125,
            rolls: 77,
            rim_a: rim(&a).as_vec3(),
            rim_b: rim(&b).as_vec3(),
            ..Manifold::default()
        });
    }

    /// Puts a collider's pose where its core is there, as far as f32 can tell.
    pub fn place(&mut self, number: usize, middle: DVec3, rotation: DQuat) {
        let collider = &mut self.colliders[number];
        let own = quaternion(collider.rotation);
        let turned = rotation * own.inverse();
        let position = middle - turned * collider.position.as_dvec3();
        collider.pose = self.poses.len() as u32;
        let pose = Pose {
            position: position.as_vec3(),
            rotation: turned.as_quat().normalize().into(),
            ..Pose::default()
        };
        self.poses.push(pose);
        let core = self.core(number);
        self.cores.push(core);
    }

    /// Moves and turns all a little.
    pub fn disturb(&mut self, random: &mut Random) {
        for pose in &mut self.poses {
            pose.position += random.vector(0.002).as_vec3();
            let turn = DQuat::from_scaled_axis(random.vector(0.01));
            let turned = (turn * quaternion(pose.rotation)).normalize();
            pose.rotation = turned.as_quat().normalize().into();
        }
        self.cores = (0..self.colliders.len()).map(|number| self.core(number)).collect();
    }

    /// A collider's core in its place.
    fn core(&self, number: usize) -> Convex {
        let collider = &self.colliders[number];
        let pose = &self.poses[collider.pose as usize];
        let turned = quaternion(pose.rotation);
        let middle = pose.position.as_dvec3() + turned * collider.position.as_dvec3();
        Convex::new(self.shapes[number].clone(), middle, turned * quaternion(collider.rotation))
    }

    pub fn add_collider(&mut self, kind: u32, thin: f64, random: &mut Random) -> usize {
        let mut length = || random.between(0.1, 0.6) as f32;
        let [x, y, z, radius] = [length(), length(), length(), length()];
        let half = match kind {
            COLLIDER_BOX => Vec3::new(x, y * thin as f32, z),
            COLLIDER_SEGMENT => Vec3::new(0.0, y, 0.0),
            COLLIDER_CYLINDER => Vec3::new(x, y, x),
            _ => Vec3::ZERO,
        };
        let is_round = matches!(kind, COLLIDER_POINT | COLLIDER_SEGMENT);
        let radius = if is_round { radius } else { 0.0 };
        let reach = if kind == COLLIDER_CYLINDER { x.hypot(y) } else { half.length() };
        let mut collider = Collider {
            position: random.vector(0.3).as_vec3(),
            rotation: random_rotation(random).as_quat().normalize().into(),
            bound: reach + radius,
            half,
            radius,
            kind,
            ..Collider::default()
        };
        let shape = match kind {
            COLLIDER_HULL | COLLIDER_TRIANGLE => {
                let count = if kind == COLLIDER_HULL { CORNERS } else { 3 };
                let scale = DVec3::new(0.6, 0.6 * thin, 0.5);
                let corner = |_| (scale * random.vector(1.0).normalize_or(DVec3::X)).as_vec3();
                let corners: Vec<Vec3> = (0..count).map(corner).collect();
                self.add_hull(&mut collider, &corners)
            }
            COLLIDER_POINT => Core::Corners(vec![DVec3::ZERO]),
            COLLIDER_SEGMENT => Core::Corners([-half, half].map(|x| x.as_dvec3()).to_vec()),
            COLLIDER_CYLINDER => Core::Cylinder(f64::from(x), f64::from(y)),
            COLLIDER_PLANE => Core::HalfSpace,
            _ => {
                let sign = |k: usize, axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
                let corner = |k| half.as_dvec3() * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2));
                Core::Corners((0..8).map(corner).collect())
            }
        };
        self.colliders.push(collider);
        self.shapes.push(shape);
        self.colliders.len() - 1
    }

    /// A triangle of a mesh, its corners in the mesh's coordinates.
    pub fn add_facet(&mut self, part: &Part, corners: [DVec3; 3]) -> usize {
        self.colliders.extend(pack(slice::from_ref(part), &mut self.vertices, &mut self.faces));
        let own = corners.map(|x| x - part.position);
        self.shapes.push(Core::Corners(own.to_vec()));
        self.colliders.len() - 1
    }

    fn add_hull(&mut self, collider: &mut Collider, corners: &[Vec3]) -> Core {
        let exact: Vec<_> = corners.iter().map(|x| x.as_dvec3()).collect();
        collider.bound = corners.iter().map(|x| x.length()).fold(0.0, f32::max);
        collider.first_vertex = self.vertices.len() as u32;
        collider.vertex_count = corners.len() as u32;
        self.vertices.extend(corners.iter().map(|x| x.extend(0.0)));
        collider.first_face = self.faces.len() as u32;
        for (normal, face) in hull_faces(&exact) {
            self.faces.push(HullFace {
                normal: normal.as_vec3(),
                offset: normal.dot(exact[face[0]]) as f32,
                first: self.vertices.len() as u32,
                count: face.len() as u32,
            });
            self.vertices.extend(face.iter().map(|k| corners[*k].extend(0.0)));
        }
        collider.face_count = self.faces.len() as u32 - collider.first_face;
        Core::Corners(exact)
    }

    /// A point of a collider's pose, in the world.
    /// Where the cores of both sides touch at point k of a manifold.
    pub fn places(&self, manifold: &Manifold, k: usize, point: &ManifoldPoint) -> [DVec3; 2] {
        let poses = manifold
            .colliders
            .to_array()
            .map(|number| exact(&self.poses[self.colliders[number as usize].pose as usize]));
        let bare = Manifold { radii: Vec2::ZERO, ..*manifold };
        places(&bare, k, point, &poses)
    }
}

/// A cylinder's axis times its radius, along the axes of its pose; of other cores 0.
pub fn rim(collider: &Collider) -> DVec3 {
    match collider.kind {
        COLLIDER_CYLINDER => {
            quaternion(collider.rotation) * (f64::from(collider.half.x) * DVec3::Y)
        }
        _ => DVec3::ZERO,
    }
}
