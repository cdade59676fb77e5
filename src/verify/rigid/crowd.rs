//! Random poses with colliders of all kinds, as the kernels have them and as the reference does.

use glam::{DQuat, DVec3, Vec3, Vec4};

use crate::gpu::types::{
    BODY_LEVELS, Body, COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_PLANE,
    COLLIDER_POINT, COLLIDER_SEGMENT, COLLIDER_TRIANGLE, Collide, Collider, LIST_LOADS, LOOK_AHEAD,
    NONE, Pose, Searched, Sim,
};
use crate::reference::rigid::boxes::{Core, Placed};
use crate::verify::{Bench, Random, poses};

/// How poses lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Of one size, in a heap.
    Alike,
    /// Sizes from 1 to 10.
    Ten,
    /// Sizes from 1 to 50, some of them far out, beyond the outermost cells.
    Fifty,
    /// In replicas that are all in one place.
    Copied,
}

pub const KINDS: [Kind; 4] = [Kind::Alike, Kind::Ten, Kind::Fifty, Kind::Copied];

/// Bodies of a replica, where there are some.
const REPLICA: usize = 9;
/// Edges, which are numbered between particles and colliders.
const EDGES: usize = 3;
/// Obstacles: two planes, a ball, a box.
const OBSTACLES: [u32; 4] = [COLLIDER_PLANE, COLLIDER_POINT, COLLIDER_BOX, COLLIDER_PLANE];

/// Poses with one to three colliders each, and obstacles behind them.
pub struct Crowd {
    pub kind: Kind,
    pub poses: Vec<Pose>,
    pub colliders: Vec<Collider>,
    pub vertices: Vec<Vec4>,
    pub bodies: Vec<Body>,
    pub searched: Vec<Searched>,
    /// Of each collider its core.
    cores: Vec<Core>,
    pub collide: Collide,
    pub sim: Sim,
}

fn quaternion(q: Vec4) -> DQuat {
    DQuat::from_array(q.to_array().map(f64::from)).normalize()
}

fn turn(random: &mut Random) -> DQuat {
    let axis = random.vector(1.0).normalize_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.between(-3.0, 3.0))
}

impl Crowd {
    /// With so many colliders that are no obstacles' as the bench has particles.
    pub fn new(bench: &Bench<'_>, kind: Kind) -> Self {
        let (count, mut random) = (bench.len(), Random::new(410 + kind as u64));
        let mut crowd = Self {
            kind,
            poses: Vec::new(),
            colliders: Vec::new(),
            vertices: Vec::new(),
            bodies: Vec::new(),
            searched: Vec::new(),
            cores: Vec::new(),
            collide: Collide::default(),
            sim: bench.case.sim,
        };
        while crowd.colliders.len() < count {
            crowd.add(count, &mut random);
        }
        let own = crowd.colliders.len();
        for kind in OBSTACLES {
            crowd.add_obstacle(kind, &mut random);
        }
        let least = crowd.colliders[..own].iter().map(|c| c.bound).fold(f32::INFINITY, f32::min);
        crowd.sim = Sim {
            pose_count: crowd.poses.len() as u32,
            body_count: crowd.bodies.len() as u32,
            ..crowd.sim
        };
        crowd.collide = Collide {
            edge_count: EDGES as u32,
            feature_count: (count + EDGES + own) as u32,
            capacity: 1 << 20,
            collider_count: crowd.colliders.len() as u32,
            first_obstacle: own as u32,
            inverse_collider_cell: if own > 0 { 1.0 / (2.4 * least) } else { 1.0 },
            // Of replicas many share a list.
            collider_table: match kind {
                Kind::Copied => 8,
                _ => (2 * own).next_power_of_two().max(64) as u32,
            },
            replica_size: if kind == Kind::Copied { REPLICA as u32 } else { 0 },
            ..Collide::default()
        };
        let look = |pose: &Pose| Searched {
            position: pose.position,
            reach: reach(pose) as f32,
            rotation: pose.rotation,
            ..Searched::default()
        };
        crowd.searched = crowd.poses.iter().map(look).collect();
        crowd
    }

    /// The first feature that is a collider.
    pub fn first_feature(&self) -> usize {
        self.sim.particle_count as usize + EDGES
    }

    fn add(&mut self, count: usize, random: &mut Random) {
        let (b, wide) = (self.poses.len(), 0.8 * (count as f64).cbrt());
        let most: f64 = match self.kind {
            Kind::Alike => 1.0,
            Kind::Ten => 10.0,
            Kind::Fifty => 50.0,
            Kind::Copied => 2.0,
        };
        let free = b % 5 != 3;
        let size = match self.kind {
            // On a level where nothing moves.
            Kind::Ten if !free => 40.0,
            _ => (most.ln() * random.between(0.0, 1.0)).exp(),
        };
        let place = match self.kind {
            Kind::Alike => wide * random.vector(0.5),
            Kind::Ten => 2.0 * wide * random.vector(1.0),
            Kind::Fifty if random.index(0, 20) == 0 => {
                DVec3::new(-7e5, 7e5, 7e5) + random.vector(30.0)
            }
            Kind::Fifty => 4.0 * wide * random.vector(1.0),
            Kind::Copied => random.vector(2.0),
        };
        self.poses.push(Pose {
            position: place.as_vec3(),
            inverse_mass: f32::from(u8::from(free)) * random.between(0.5, 3.0) as f32,
            rotation: Vec4::from(turn(random).as_quat()),
            velocity: random.vector(3.0).as_vec3(),
            body: b as u32,
            spin: random.vector(2.0).as_vec3(),
            bound: (1.5 * size) as f32,
            margin: (0.02 * size) as f32,
            ..Pose::default()
        });
        let [group, mask] = match random.index(0, 8) {
            0 => [0, 3],
            1 => [1, 2],
            2 => [2, 1],
            3 => [3, 0],
            _ => [3, 3],
        };
        self.bodies.push(Body {
            group,
            mask,
            friction: random.between(0.0, 0.9) as f32,
            edge: random.between(0.1, 1.0) as f32,
            thickness: random.between(0.1, 1.0) as f32,
            restitution: random.between(0.0, 1.0) as f32,
            rolling: random.between(0.0, 0.1) as f32,
            ..Body::default()
        });
        let parts = random.index(1, 4).min(count - self.colliders.len());
        for _ in 0..parts {
            let kind = random.index(0, 6) as u32;
            let at = if parts > 1 { random.vector(0.3 * size) } else { DVec3::ZERO };
            self.add_collider(kind, [b as u32, b as u32], size, at, random);
        }
    }

    fn add_obstacle(&mut self, kind: u32, random: &mut Random) {
        let pose = self.poses.len() as u32;
        let far = if kind == COLLIDER_PLANE { 1.5 } else { 1.0 };
        self.poses.push(Pose {
            position: random.vector(far).as_vec3(),
            rotation: Vec4::from(turn(random).as_quat()),
            velocity: random.vector(1.0).as_vec3(),
            body: NONE,
            ..Pose::default()
        });
        self.add_collider(kind, [pose, NONE], 2.0, DVec3::ZERO, random);
    }

    /// One of about that size at this place of its pose.
    fn add_collider(
        &mut self,
        kind: u32,
        [pose, body]: [u32; 2],
        size: f64,
        at: DVec3,
        random: &mut Random,
    ) {
        let length = |random: &mut Random| (size * random.between(0.2, 0.5)) as f32;
        let half = match kind {
            COLLIDER_SEGMENT => Vec3::new(0.0, length(random), 0.0),
            COLLIDER_BOX => Vec3::from_array([(); 3].map(|()| length(random))),
            COLLIDER_CYLINDER => {
                let radius = length(random);
                Vec3::new(radius, length(random), radius)
            }
            _ => Vec3::ZERO,
        };
        let is_round = [COLLIDER_POINT, COLLIDER_SEGMENT].contains(&kind);
        let first = self.vertices.len() as u32;
        let corners = match kind {
            COLLIDER_HULL => 8,
            COLLIDER_TRIANGLE => 3,
            _ => 0,
        };
        for _ in 0..corners {
            self.vertices.push(random.vector(0.4 * size).as_vec3().extend(0.0));
        }
        let signs = [-1.0, 1.0];
        let corner = |k: usize| DVec3::new(signs[k & 1], signs[k >> 1 & 1], signs[k >> 2]);
        let own = self.vertices[first as usize..].iter();
        let core = match kind {
            COLLIDER_PLANE => Core::HalfSpace,
            COLLIDER_CYLINDER => Core::Cylinder { radius: half.x.into(), half: half.y.into() },
            COLLIDER_HULL | COLLIDER_TRIANGLE => {
                Core::Points(own.map(|x| x.truncate().as_dvec3()).collect())
            }
            _ => Core::Points((0..8).map(|k| corner(k) * half.as_dvec3()).collect()),
        };
        let rotation = Vec4::from(turn(random).as_quat());
        self.colliders.push(Collider {
            position: at.as_vec3(),
            bound: if kind == COLLIDER_PLANE { 0.0 } else { (0.5 * size) as f32 },
            rotation,
            half,
            radius: if is_round || random.index(0, 3) == 0 { length(random) } else { 0.0 },
            kind,
            pose,
            body,
            first_vertex: first,
            vertex_count: corners,
            ..Collider::default()
        });
        self.cores.push(core);
    }

    /// Which copy of a scene a body belongs to.
    pub fn replica(&self, body: usize) -> u32 {
        body.checked_div(self.collide.replica_size as usize).unwrap_or(0) as u32
    }

    /// Where the colliders are; those of obstacles look around as much as these move.
    pub fn placed(&self) -> Vec<Placed> {
        let place = |(collider, core): (&Collider, &Core)| {
            let pose = &self.poses[collider.pose as usize];
            let turn = quaternion(pose.rotation);
            let own = self.searched[collider.pose as usize];
            let groups = (collider.body != NONE).then(|| {
                let body = &self.bodies[collider.body as usize];
                [self.replica(collider.body as usize), body.group, body.mask]
            });
            Placed {
                core: core.clone(),
                position: pose.position.as_dvec3() + turn * collider.position.as_dvec3(),
                rotation: turn * quaternion(collider.rotation),
                reach: f64::from(collider.radius) + f64::from(own.reach),
                pose: collider.pose as usize,
                moves: pose.inverse_mass > 0.0,
                groups,
            }
        };
        self.colliders.iter().zip(&self.cores).map(place).collect()
    }

    /// Words of `contact_lists`.
    pub fn lists(&self) -> Vec<u32> {
        vec![0; LIST_LOADS as usize + (self.sim.particle_count + self.sim.pose_count) as usize]
    }

    /// As many zeros as there are levels, of all and of what moves.
    pub fn no_levels() -> Vec<u32> {
        vec![0; 2 * BODY_LEVELS as usize]
    }
}

/// How far no point of a pose comes until it is looked around again: half of its margin, and its way, turning included, within
/// the time that it looks ahead.
pub fn reach(pose: &Pose) -> f64 {
    let speed = pose.velocity.as_dvec3().length();
    let turning = pose.spin.as_dvec3().length() * f64::from(pose.bound);
    0.5 * f64::from(pose.margin) + f64::from(LOOK_AHEAD) * (speed + turning)
}

/// Poses as they are random elsewhere, not of a crowd.
pub fn loose(seed: u64) -> Vec<Pose> {
    poses::random(&mut Random::new(seed))
}
