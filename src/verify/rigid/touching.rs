//! Random manifolds between random poses, for checks of what they do.

use glam::{DQuat, DVec3, UVec2, Vec2, Vec3, Vec4};

use super::crowd::loose;
use crate::Result;
use crate::gpu::types::{
    Collide, LIST_LOADS, LIST_TOUCHED, MANIFOLD, Manifold, ManifoldPoint, NONE, Pose, Sim,
    TURNS_AS_A, TURNS_AS_B, TURNS_WITH_A, TURNS_WITH_B, WRENCH_ROWS,
};
use crate::reference::rigid::manifolds::{common_point, foremost};
use crate::reference::rigid::parts::Part;
use crate::verify::poses::{COUNT, exact};
use crate::verify::rigid::soft::parts_of_poses;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, Random};

/// Records before the first manifold.
pub const SOFT: usize = 3;

/// Random manifolds between random poses.
pub struct Given {
    pub poses: Vec<Pose>,
    pub manifolds: Vec<Manifold>,
    pub points: Vec<ManifoldPoint>,
    /// Of each point where it is, and its gap.
    pub places: Vec<Vec4>,
    pub wrenches: Vec<Vec4>,
    /// What manifolds are solved by: the rows of `contact_velocities` behind the particles', and the parts.
    pub velocities: Vec<Vec4>,
    pub parts: Vec<(Part, f64)>,
    /// How many there is room for, with those before.
    pub room: usize,
}

/// Axes times radii of both sides, 0.3 m at the most, and which of their points are on these.
pub fn rims(random: &mut Random) -> ([DVec3; 2], u32) {
    let rim = |_| random.between(0.1, 0.3) * random.vector(1.0).normalize_or(DVec3::X);
    let rims = [0, 1].map(rim);
    (
        rims.map(|rim| rim.as_vec3().as_dvec3()),
        random.index(0, 256) as u32 & random.index(0, 256) as u32,
    )
}

/// From the place of point k on a side's core to where it touches along its normal, if it is on an axis.
pub fn rolled_out(
    rims: [DVec3; 2],
    turns: u32,
    k: usize,
    end: usize,
    rotation: DQuat,
    n: DVec3,
) -> DVec3 {
    match turns >> (4 * end + k) & 1 {
        1 => foremost(rotation * rims[end], if end == 0 { -n } else { n }),
        _ => DVec3::ZERO,
    }
}

/// Where the surfaces of both sides are at point k.
pub fn places(
    manifold: &Manifold,
    k: usize,
    point: &ManifoldPoint,
    poses: &[crate::reference::pose::Pose; 2],
) -> [DVec3; 2] {
    let n = manifold.normal.as_dvec3();
    let rims = [manifold.rim_a, manifold.rim_b].map(|rim| rim.as_dvec3());
    let core = |end: usize, own: Vec3| {
        let out = rolled_out(rims, manifold.rolls, k, end, poses[end].rotation, n);
        poses[end].position + poses[end].rotation * own.as_dvec3() + out
    };
    let radii = manifold.radii.as_dvec2();
    [core(0, point.a) - radii.x * n, core(1, point.b) + radii.y * n]
}

/// How far the surfaces are from what both sides have point k on, a core or the axis of one.
pub fn radii(manifold: &Manifold, k: usize) -> [f64; 2] {
    let rims = [manifold.rim_a, manifold.rim_b].map(|rim| rim.as_dvec3().length());
    let own = manifold.radii.as_dvec2().to_array();
    [0, 1]
        .map(|end| own[end] + if manifold.rolls >> (4 * end + k) & 1 > 0 { rims[end] } else { 0.0 })
}

/// The line, or the face's normal, that a normal turns with, where it does.
pub fn line_now(manifold: &Manifold, poses: &[crate::reference::pose::Pose; 2]) -> Option<DVec3> {
    let side = match manifold.turns {
        TURNS_WITH_A | TURNS_AS_A => 0,
        TURNS_WITH_B | TURNS_AS_B => 1,
        _ => return None,
    };
    Some(poses[side].rotation * manifold.along.as_dvec3())
}

/// The normal as the bodies are now, by the first point: of round cores the way from one to the other, square to the line that one of
/// them is on; and what that is rounded by, relative to \[m\]. Where the cores are too near each other it stays: none if f32 cannot
/// tell.
pub fn normal_now(
    manifold: &Manifold,
    point: &ManifoldPoint,
    poses: &[crate::reference::pose::Pose; 2],
) -> Option<(DVec3, f64)> {
    let Some(along) = line_now(manifold, poses) else {
        return Some((manifold.normal.as_dvec3(), 1.0));
    };
    let core = |end: usize, own: Vec3| poses[end].position + poses[end].rotation * own.as_dvec3();
    if matches!(manifold.turns, TURNS_AS_A | TURNS_AS_B) {
        return Some((along, 4.0));
    }
    let apart = core(0, point.a) - core(1, point.b);
    let way = apart - apart.dot(along) * along;
    let least = 0.25 * radii(manifold, 0).iter().sum::<f64>();
    let size = [point.a, point.b].map(|x| x.as_dvec3().length()).iter().sum::<f64>()
        + poses[0].position.distance(poses[1].position);
    if (way.length() - least).abs() < 1e-5 * size {
        return None;
    }
    Some(match way.length() > least {
        true => (way.normalize(), 1.0 + size / way.length()),
        false => (manifold.normal.as_dvec3(), 1.0),
    })
}

/// Places on both sides, or velocities of these, of which a line's is beside the other's where that is a single point.
pub fn beside(manifold: &Manifold, line: DVec3, [a, b]: [DVec3; 2]) -> [DVec3; 2] {
    let along = line.dot(a - b) * line;
    match (manifold.count, manifold.turns) {
        (1, TURNS_WITH_A) => [a - along, b],
        (1, TURNS_WITH_B) => [a, b + along],
        _ => [a, b],
    }
}

/// Which sides are round where they touch.
pub fn round(manifold: &Manifold) -> [bool; 2] {
    [
        manifold.radii.x > 0.0 || manifold.rolls & 15 > 0,
        manifold.radii.y > 0.0 || manifold.rolls > 15,
    ]
}

impl Given {
    /// All about `middle`, and as fast as that.
    pub fn new(bench: &Bench<'_>, middle: f64, speed: f32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut poses = loose(seed + 1);
        for pose in &mut poses {
            pose.position += Vec3::splat(middle as f32);
            (pose.velocity, pose.spin) = (speed * pose.velocity, speed * pose.spin);
        }
        let records = SOFT + bench.len() + 7;
        let (velocities, parts) = parts_of_poses(&poses, &mut random);
        let velocities = [vec![Vec4::splat(9.0); bench.len()], velocities].concat();
        let mut given = Self {
            poses,
            manifolds: Vec::new(),
            points: Vec::new(),
            places: Vec::new(),
            wrenches: Vec::new(),
            velocities,
            parts,
            room: records - 2,
        };
        for _ in 0..records {
            given.add(bench.len(), &mut random);
        }
        given
    }

    fn add(&mut self, particles: usize, random: &mut Random) {
        let a = random.index(0, COUNT);
        let b = (a + random.index(1, COUNT)) % COUNT;
        let ends = [&self.poses[a], &self.poses[b]].map(exact);
        let n = random.vector(1.0).normalize_or(DVec3::X);
        let radii = [(); 2].map(|()| random.between(-0.1, 0.2).max(0.0));
        let middle = 0.5 * (ends[0].position + ends[1].position);
        let (rims, turns) = rims(random);
        let count = random.index(0, MANIFOLD as usize + 1);
        // What has no impulse has none at all of its points.
        let rests = random.index(0, 3) > 0;
        let friction = random.between(0.0, 0.9) as f32;
        for k in 0..MANIFOLD as usize {
            let (place, gap) = (middle + random.vector(1.5), random.between(-0.04, 0.03));
            let [on_a, on_b] = [0.5, -0.5].map(|side| place + side * gap * n);
            let own = |end: usize, x: DVec3| {
                let out = rolled_out(rims, turns, k, end, ends[end].rotation, n);
                (ends[end].rotation.inverse() * (x - out - ends[end].position)).as_vec3()
            };
            let normal = if rests { random.between(-0.5, 2.0).max(0.0) } else { 0.0 };
            // In its cone.
            let tangent = random.vector(0.5 * f64::from(friction) * normal);
            let tangent = tangent.reject_from_normalized(n);
            self.points.push(ManifoldPoint {
                a: own(0, on_a + radii[0] * n),
                b: own(1, on_b - radii[1] * n),
                approach: random.between(-0.5, 2.0).max(0.0) as f32,
                distance: if k < count { 0.0 } else { 3e38 },
                impulse: tangent.as_vec3().extend(normal as f32),
            });
            self.places.push(place.as_vec3().extend(gap as f32));
        }
        let rolls = if random.index(0, 2) > 0 { random.between(0.0, 0.1) } else { 0.0 };
        self.manifolds.push(Manifold {
            normal: n.as_vec3(),
            count: count as u32,
            colliders: UVec2::new(self.manifolds.len() as u32, random.index(0, 99) as u32),
            dofs: UVec2::new((particles + a) as u32, (particles + b) as u32),
            radii: Vec2::new(radii[0] as f32, radii[1] as f32),
            friction,
            restitution: random.between(0.0, 1.0) as f32,
            rolling: rolls as f32,
            rolls: turns,
            rim_a: rims[0].as_vec3(),
            rim_b: rims[1].as_vec3(),
            turns: random.index(0, 5) as u32,
            along: (random.vector(1.0).normalize_or(DVec3::Y)).as_vec3(),
            line: (random.vector(1.0).normalize_or(DVec3::Y)).as_vec3(),
            size: random.between(0.1, 1.0) as f32,
            push: Vec4::from_array([(); 4].map(|()| random.between(-0.5, 0.5).max(0.0) as f32)),
            rolling_impulse: if rolls > 0.0 { random.vector(0.1).as_vec3() } else { Vec3::ZERO },
            ..Manifold::default()
        });
        let last = self.manifolds.last_mut().expect("one");
        if last.turns < TURNS_AS_A && random.index(0, 2) > 0 {
            (last.along, last.line) = (Vec3::ZERO, Vec3::ZERO);
        }
        let most = self.parts[a].1.min(self.parts[b].1);
        let held = ends.iter().all(|pose| pose.inverse_mass == 0.0);
        let share =
            if held || random.index(0, 6) == 0 { 0.0 } else { most * random.between(0.3, 1.0) };
        self.wrenches.push(random.vector(0.1).as_vec3().extend(share as f32));
        let lands = f32::from(random.index(0, 2) > 0);
        let work = random.between(-0.3, 0.1) as f32;
        self.wrenches.extend([
            random.vector(0.1).as_vec3().extend(lands),
            random.vector(0.1).as_vec3().extend(work),
        ]);
    }

    /// The manifolds that act as the device lists them: of each workgroup in any order, before nothing.
    pub fn acting(&self) -> Vec<u32> {
        let of_group = |touching: &[u32]| {
            let mut own: Vec<_> =
                touching.iter().rev().copied().filter(|c| self.acts(*c as usize)).collect();
            let third = own.len() / 3;
            own.rotate_left(third);
            own.resize(64, NONE);
            own
        };
        self.list().chunks(64).flat_map(of_group).collect()
    }

    pub fn acts(&self, c: usize) -> bool {
        self.wrenches[WRENCH_ROWS as usize * c].w > 0.0 && self.manifolds[c].count > 0
    }

    /// Those that have points.
    pub fn list(&self) -> Vec<u32> {
        let own = self.range().filter(|c| self.manifolds[*c].count > 0);
        own.map(|c| c as u32).collect()
    }

    pub fn len(&self) -> usize {
        self.manifolds.len()
    }

    /// The manifolds that there is room for.
    pub fn range(&self) -> std::ops::Range<usize> {
        SOFT..self.room
    }

    pub fn points_of(&self, c: usize) -> std::ops::Range<usize> {
        let first = MANIFOLD as usize * c;
        first..first + self.manifolds[c].count as usize
    }

    pub fn run(&self, bench: &Bench<'_>, sim: Sim, given: &Arrays<'_>) -> Result<Written> {
        self.run_over(bench, sim, self.len(), given)
    }

    pub fn run_over(
        &self,
        bench: &Bench<'_>,
        sim: Sim,
        threads: usize,
        given: &Arrays<'_>,
    ) -> Result<Written> {
        let mut lists = vec![0; LIST_LOADS as usize + bench.len() + COUNT];
        let touching = self.list();
        lists[LIST_TOUCHED as usize] = touching.len() as u32;
        let acting = self.acting();
        let collide = Collide {
            capacity: self.room as u32,
            particle_groups: UVec2::new(5, 6),
            record_groups: UVec2::new(7, 8),
            ..Collide::default()
        };
        let own: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("contact_lists", &lists),
            ("contact_velocities", &self.velocities),
            ("poses", &self.poses),
            ("manifolds", &self.manifolds),
            ("manifold_points", &self.points),
            ("manifold_places", &self.places),
            ("manifold_list", &touching),
            ("acting", &acting),
            ("wrenches", &self.wrenches),
        ];
        bench.run(sim, threads, &[own, given].concat())
    }

    /// Of a point that bears on a body: where, along which normal, how far apart, and what that is made of \[m\].
    pub fn line(
        &self,
        bench: &Bench<'_>,
        at: usize,
        body: u32,
    ) -> Option<(DVec3, DVec3, f64, f64)> {
        let (c, point) = (at / MANIFOLD as usize, &self.points[at]);
        let ends = self.ends(bench, c).map(|p| &self.poses[p]);
        let sign = match ends.map(|pose| pose.body == body) {
            [true, _] => 1.0,
            [false, true] => -1.0,
            _ => return None,
        };
        if point.impulse.w <= 0.0 {
            return None;
        }
        let manifold = &self.manifolds[c];
        let (n, radii) = (manifold.normal.as_dvec3(), manifold.radii.as_dvec2());
        let poses = ends.map(exact);
        let [on_a, on_b] = places(manifold, at % MANIFOLD as usize, point, &poses);
        let moves = ends.map(|pose| pose.inverse_mass > 0.0);
        let place = common_point([on_a, on_b], moves, round(manifold));
        let arms = f64::from(point.a.length() + point.b.length()) + radii.x + radii.y + 0.6;
        let far = 2.0 * (arms + poses[0].position.length() + poses[1].position.length());
        Some((place, sign * n, n.dot(on_a - on_b), far))
    }

    /// How far the points of a manifold go in the move: with what moves, with what is round, or half way with both \[m\].
    pub fn shift(&self, bench: &Bench<'_>, c: usize) -> DVec3 {
        let velocities = self.ends(bench, c).map(|p| self.parts[p].0.velocity);
        f64::from(bench.case.sim.step) * self.common(bench, c, velocities)
    }

    /// How far point k goes with the normal, as it stays on the surfaces that it is on \[m\].
    pub fn shift_out(&self, bench: &Bench<'_>, c: usize, k: usize) -> DVec3 {
        if !self.turns_on(c) {
            return DVec3::ZERO;
        }
        let manifold = &self.manifolds[c];
        let [a, b] = radii(manifold, k);
        let turn = self.normal_after(bench, c) - manifold.normal.as_dvec3();
        let on = beside(manifold, manifold.line.as_dvec3(), self.core_velocities(bench, c, k));
        let ends = self.ends(bench, c).map(|p| self.parts[p].0.velocity);
        let h = f64::from(bench.case.sim.step);
        self.common(bench, c, [h * (on[0] - ends[0]) - a * turn, h * (on[1] - ends[1]) + b * turn])
    }

    /// Of what both sides have what is where impulses act.
    fn common(&self, bench: &Bench<'_>, c: usize, of: [DVec3; 2]) -> DVec3 {
        let moves = self.ends(bench, c).map(|p| self.poses[p].inverse_mass > 0.0);
        common_point(of, moves, round(&self.manifolds[c]))
    }

    /// Whether the normal of a manifold turns with the move: between two round cores.
    pub fn turns_on(&self, c: usize) -> bool {
        let manifold = &self.manifolds[c];
        let apart = f64::from(self.places[MANIFOLD as usize * c].w)
            + radii(manifold, 0).iter().sum::<f64>();
        matches!(manifold.turns, TURNS_WITH_A | TURNS_WITH_B) && apart > 0.0
    }

    /// How the cores of a and b move where point k lies on both: from where its impulses act half of the gap, or more
    /// where the other has it, and the radius away.
    fn core_velocities(&self, bench: &Bench<'_>, c: usize, k: usize) -> [DVec3; 2] {
        let manifold = &self.manifolds[c];
        let n = manifold.normal.as_dvec3();
        let place = self.places[MANIFOLD as usize * c + k];
        let gap = f64::from(place.w) * n;
        let [a, b] = radii(manifold, k);
        // Surfaces from the place: of a as far before it as it is before that of b.
        let from = self.common(bench, c, [DVec3::ZERO, -gap]);
        let cores = [a * n - from, -b * n - gap - from];
        let ends = self.ends(bench, c).map(|p| &self.parts[p].0);
        [0, 1].map(|k| ends[k].velocity_at(place.truncate().as_dvec3() + cores[k]))
    }

    /// How the core of a moves against that of b there.
    fn core_velocity(&self, bench: &Bench<'_>, c: usize, k: usize) -> DVec3 {
        let [v, w] = self.core_velocities(bench, c, k);
        v - w
    }

    /// The normal of a manifold after the move: between two round cores that of where they have come.
    pub fn normal_after(&self, bench: &Bench<'_>, c: usize) -> DVec3 {
        let manifold = &self.manifolds[c];
        let n = manifold.normal.as_dvec3();
        if !self.turns_on(c) {
            return n;
        }
        let line = manifold.line.as_dvec3();
        let apart = f64::from(self.places[MANIFOLD as usize * c].w)
            + radii(manifold, 0).iter().sum::<f64>();
        let u = self.core_velocity(bench, c, 0);
        (apart * n + f64::from(bench.case.sim.step) * (u - u.dot(line) * line)).normalize()
    }

    /// The approach of point k then, by the energy that is left along the normal.
    pub fn approach_after(&self, bench: &Bench<'_>, c: usize, k: usize) -> f64 {
        let approach = f64::from(self.points[MANIFOLD as usize * c + k].approach);
        let turned = [self.manifolds[c].normal.as_dvec3(), self.normal_after(bench, c)];
        let [before, after] = turned.map(|n| self.core_velocity(bench, c, k).dot(n).powi(2));
        if approach > 0.0 { (approach.powi(2) + after - before).max(0.0).sqrt() } else { 0.0 }
    }

    pub fn ends(&self, bench: &Bench<'_>, c: usize) -> [usize; 2] {
        self.manifolds[c].dofs.to_array().map(|i| i as usize - bench.len())
    }
}

pub fn wrench(all: &[Vec4], c: usize) -> [Vec4; 3] {
    [0, 1, 2].map(|k| all[WRENCH_ROWS as usize * c + k])
}
