//! Random worlds: meshes, materials, solids and states that exercise every branch of the kernels.

use std::ops::Range;

use glam::{DQuat, DVec3, Vec3};

use super::Random;
use crate::family;
use crate::gpu::Content;
use crate::gpu::types::{
    Body, DAMPING_CAPPED, DAMPING_EXACT, DAMPING_EXPLICIT, Externals, MAX_SOLIDS, PROBE_MARGIN,
    PULL_ROOM, Particle, Pull, SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, Sim, Solid,
};
use crate::model::{Area, BodyRanges, Material, Model, Skin, Spring, Tet};
use crate::reference::tets;

/// The arrays of one world on the host, before any of them is rounded again.
#[derive(Clone, Debug)]
pub struct Case {
    /// What its kernels are composed for; it holds no more.
    pub content: Content,
    /// Constant arrays.
    pub model: Model,
    /// Materials as the kernels see them.
    pub bodies: Vec<Body>,
    /// The state.
    pub particles: Vec<Particle>,
    /// The uniform of the substep.
    pub sim: Sim,
    /// Solids and pulls.
    pub externals: Box<Externals>,
    /// Accelerations by elements with passes of their own [m/s²]; empty where no body has such.
    pub loads: Vec<Vec3>,
}

/// Bodies of a case with enough particles: damping mode, h²ω²/4, which leaves θ = 0.6, 0.4, (unused) and 0 before drag, and
/// whether elements have constants of their own; the last is of a kind that has its loads from elsewhere.
const BODIES: [(u32, f64, bool); 8] = [
    (DAMPING_CAPPED, 0.7, false),
    (DAMPING_EXACT, 0.8, false),
    (DAMPING_EXPLICIT, 0.5, false),
    (DAMPING_CAPPED, 1.3, false),
    (DAMPING_CAPPED, 0.7, true),
    (DAMPING_EXACT, 0.8, true),
    (DAMPING_EXPLICIT, 0.5, true),
    (DAMPING_EXPLICIT, 0.5, false),
];
/// h [s]
const STEP: f32 = 0.01;
/// Pulls, on the first particles.
const PULLS: usize = 8;

impl Case {
    /// A world of so many particles far from rest: stretched springs, inverted tetrahedra, two particles at one place,
    /// σ that agree with nothing. Worlds of other contents have the same springs, tetrahedra and state.
    pub fn random(particles: usize, seed: u64, content: Content) -> Self {
        Self::build(particles, &mut Random::new(seed), content, false)
    }

    /// A world of so many particles with all springs and tetrahedra at rest, where M⁻¹K has no negative eigenvalues.
    pub fn relaxed(particles: usize, seed: u64, content: Content) -> Self {
        Self::build(particles, &mut Random::new(seed), content, true)
    }

    fn build(particles: usize, random: &mut Random, content: Content, relaxed: bool) -> Self {
        let count = particles.min(BODIES.len());
        let mut case = Self {
            content,
            model: Model::default(),
            bodies: (0..count).map(|index| body(index, content, random)).collect(),
            particles: (0..particles).map(|_| particle(random)).collect(),
            sim: sim(content),
            externals: Box::new(externals(particles, random)),
            loads: vec![Vec3::ZERO; particles],
        };
        for index in 0..count {
            let range = index * particles / count..(index + 1) * particles / count;
            case.add(index, range, random, relaxed);
        }
        case.enter_particles();
        if content.loads {
            // Of springs they are the caller's forces.
            let mut random = Random::new(particles as u64);
            let none = |load: &&mut Vec3| **load == Vec3::ZERO;
            for load in case.loads.iter_mut().filter(none) {
                *load = random.vector(20.0).as_vec3();
            }
        }
        case.sim.skin_count = particles as u32;
        case.sim.pull_count = if particles > 0 { PULLS as u32 } else { 0 };
        case.model.skin = skin(particles, random);
        case
    }

    /// The model's particles where these are, and as many bodies.
    pub fn enter_particles(&mut self) {
        for particle in &self.particles {
            self.model.positions.push(particle.position.as_dvec3());
            self.model.velocities.push(particle.velocity.as_dvec3());
            self.model.masses.push(1.0);
            self.model.pinned.push(particle.inverse_mass == 0.0);
        }
        self.sim.particle_count = self.particles.len() as u32;
        self.sim.body_count = self.bodies.len() as u32;
    }

    /// The elements of one body: about six springs, four tetrahedra and three triangles per particle, between any of its
    /// particles.
    fn add(&mut self, index: usize, range: Range<usize>, random: &mut Random, relaxed: bool) {
        let Range { start, end } = range;
        if range.len() > 1 && !relaxed {
            self.particles[start + 1].position = self.particles[start].position;
        }
        let (springs, tets, areas) =
            (self.model.springs.len(), self.model.tets.len(), self.model.areas.len());
        if range.len() > 1 {
            let first = [start as u32, start as u32 + 1];
            self.model.springs.push(self.spring(first, random, relaxed));
            for _ in 0..3 * range.len() {
                let points = random.distinct(start, end);
                self.model.springs.push(self.spring(points, random, relaxed));
            }
        }
        if range.len() > 3 {
            for _ in range.clone() {
                let corners = random.distinct(start, end);
                self.model.tets.extend(self.tet(corners, random, relaxed));
                let corners = random.distinct(start, end);
                let area = self.area(corners, random, relaxed);
                self.model.areas.extend(self.content.areas.then_some(area));
            }
        }
        let ranges = BodyRanges {
            particles: range,
            springs: springs..self.model.springs.len(),
            tets: tets..self.model.tets.len(),
            areas: areas..self.model.areas.len(),
            heterogeneous: self.bodies[index].heterogeneous != 0,
            loaded: self.bodies[index].loaded,
            material: Material { area: f64::from(self.bodies[index].area), ..Material::default() },
            edge: 1.0,
            ..BodyRanges::default()
        };
        self.set_constants(index, &ranges, random);
        self.model.bodies.push(ranges);
    }

    /// The body's constants in all its elements, or random ones; none where loads come from elsewhere.
    fn set_constants(&mut self, index: usize, ranges: &BodyRanges, random: &mut Random) {
        let body = &self.bodies[index];
        if body.loaded != family::springs::LOADED {
            let free = |i: &usize| self.particles[*i].inverse_mass > 0.0;
            for i in ranges.particles.clone().filter(free) {
                self.loads[i] = random.vector(20.0).as_vec3();
            }
            return;
        }
        let mut factor = || match ranges.heterogeneous {
            true => random.between(0.5, 2.0),
            false => 1.0,
        };
        for spring in &mut self.model.springs[ranges.springs.clone()] {
            spring.distance = factor() * f64::from(body.distance);
            spring.damping = factor() * f64::from(body.damping);
        }
        for tet in &mut self.model.tets[ranges.tets.clone()] {
            tet.volume = factor() * f64::from(body.volume);
        }
    }

    fn place(&self, i: u32) -> DVec3 {
        self.particles[i as usize].position.as_dvec3()
    }

    fn spring(&self, points: [u32; 2], random: &mut Random, relaxed: bool) -> Spring {
        let length = self.place(points[0]).distance(self.place(points[1]));
        let stretch = if relaxed { 1.0 } else { random.between(0.7, 1.4) };
        Spring { points, rest: (length * stretch).max(0.1), distance: 0.0, damping: 0.0 }
    }

    fn area(&self, corners: [u32; 3], random: &mut Random, relaxed: bool) -> Area {
        let [a, b, c] = corners.map(|i| self.place(i));
        let area = 0.5 * (b - a).cross(c - a).length();
        let stretch = if relaxed { 1.0 } else { random.between(0.7, 1.4) };
        Area { corners, rest: (area * stretch).max(0.05) }
    }

    /// A tetrahedron of any orientation; of a relaxed world a positive one, or none where it is too flat.
    fn tet(&self, corners: [u32; 4], random: &mut Random, relaxed: bool) -> Option<Tet> {
        if !relaxed {
            return Some(Tet { corners, rest: random.between(0.2, 0.6), volume: 0.0 });
        }
        let volume = tets::volume([0, 1, 2, 3], &corners.map(|i| self.place(i)));
        let [a, b, c, d] = corners;
        let corners = if volume > 0.0 { corners } else { [a, c, b, d] };
        (volume.abs() > 0.02).then_some(Tet { corners, rest: volume.abs(), volume: 0.0 })
    }
}

fn body(index: usize, content: Content, random: &mut Random) -> Body {
    let (damping_mode, share, heterogeneous) = BODIES[index];
    // Of every other body the estimate that it began with counts.
    let rate = (4.0 * share / f64::from(STEP * STEP)) as f32;
    let rates = if index.is_multiple_of(2) { [1.0, 0.95] } else { [0.7, PROBE_MARGIN] };
    let body = Body {
        distance: random.between(20.0, 80.0) as f32,
        volume: random.between(0.5, 2.0) as f32,
        damping: random.between(10.0, 40.0) as f32,
        friction: random.between(0.1, 0.9) as f32,
        margin: random.between(0.01, 0.05) as f32,
        thickness: random.between(0.1, 0.5) as f32,
        radius: random.between(-0.1, 0.1).max(0.0) as f32,
        start_rate: rates[0] * rate,
        stiffness_rate: rates[1] * rate,
        probe_scale: random.between(0.5, 2.0) as f32,
        damping_mode,
        heterogeneous: (heterogeneous && content.heterogeneous).into(),
        area: random.between(5.0, 20.0) as f32,
        loaded: if index + 1 == BODIES.len() && content.loads {
            family::fem::LOADED
        } else {
            family::springs::LOADED
        },
        ..Body::default()
    };
    let area = if content.areas { body.area } else { 0.0 };
    Body { area, ..body }
}

/// A particle near the solids, one in ten of them held, with a σ that caps some of its springs.
fn particle(random: &mut Random) -> Particle {
    let position = random.vector(1.0).as_vec3();
    let damping_rate = random.between(0.0, 300.0) as f32;
    if random.between(0.0, 1.0) < 0.1 {
        return Particle { position, damping_rate, ..Particle::default() };
    }
    let inverse_mass = random.between(0.5, 2.0) as f32;
    Particle { position, inverse_mass, velocity: random.vector(2.0).as_vec3(), damping_rate }
}

fn sim(content: Content) -> Sim {
    Sim {
        gravity: Vec3::new(0.3, -9.81, 0.2),
        step: STEP,
        wind: Vec3::new(1.0, 0.3, -0.7),
        drag: 0.4,
        tick: 7,
        span: 2.0,
        damping_stages: 1,
        theta_scale: 2.0,
        speed_limit: 1e4,
        contact_share: 1.0,
        solid_count: if content.solids { 4 } else { 0 },
        ..Sim::default()
    }
}

/// Ticks and parts of one from which and to which pulls act. The step from 7 to 9 is within the first and the last two, before
/// and behind the next, begins or ends in the others.
const SPANS: [[(u32, f32); 2]; PULLS] = [
    [(5, 0.0), (9, 0.0)],
    [(9, 0.0), (11, 0.0)],
    [(0, 0.5), (7, 0.0)],
    [(7, 0.25), (8, 0.5)],
    [(2, 0.75), (8, 0.25)],
    [(8, 0.125), (20, 0.5)],
    [(8, 0.25), (8, 0.375)],
    [(0, 0.0), (i32::MAX as u32, 0.0)],
];

/// As many solids as one particle can touch, each reaching into the particles' cube, and pulls of which some act.
fn externals(particles: usize, random: &mut Random) -> Externals {
    let turn = DQuat::from_axis_angle(random.vector(1.0).normalize(), 0.7).as_quat();
    let solid = |kind, centre: [f64; 3], extent: [f64; 3]| Solid {
        kind,
        centre: DVec3::from(centre).as_vec3(),
        extent: match kind {
            SOLID_PLANE => DVec3::from(extent).normalize().as_vec3(),
            _ => DVec3::from(extent).as_vec3(),
        },
        ..Solid::default()
    };
    let mut solids = [Solid::default(); MAX_SOLIDS as usize];
    solids[0] = solid(SOLID_PLANE, [0.0, -0.7, 0.0], [0.1, 1.0, -0.2]);
    solids[1] = solid(SOLID_SPHERE, [0.5, 0.2, 0.3], [0.5, 0.0, 0.0]);
    solids[2] = solid(SOLID_BOX, [-0.3, 0.1, -0.4], [0.3, 0.5, 0.4]);
    solids[2].rotation = turn.into();
    solids[3] = solid(SOLID_PLANE, [0.8, 0.0, 0.0], [-1.0, 0.3, 0.1]);
    let mut pulls = [Pull::default(); PULL_ROOM as usize];
    for (pull, [from, to]) in pulls.iter_mut().zip(SPANS) {
        *pull = Pull {
            force: random.vector(30.0).as_vec3(),
            particle: random.index(0, particles.clamp(1, PULLS)) as u32,
            from_tick: from.0,
            from_part: from.1,
            to_tick: to.0,
            to_part: to.1,
        };
    }
    // All but the first move.
    for solid in &mut solids[1..4] {
        solid.velocity = random.vector(1.0).as_vec3();
        solid.spin = random.vector(2.0).as_vec3();
    }
    // Every other one has a friction and a restitution of its own.
    for (k, solid) in solids[..4].iter_mut().enumerate() {
        let own = k % 2 == 1;
        solid.friction = if own { random.between(0.1, 0.9) as f32 } else { -1.0 };
        solid.restitution = if own { random.between(0.1, 0.9) as f32 } else { 0.0 };
    }
    Externals { solids, pulls }
}

/// As many drawn vertices as particles, on any four of them, and twice as many triangles.
fn skin(count: usize, random: &mut Random) -> Skin {
    let mut skin = Skin::default();
    for _ in 0..count {
        skin.corners.push([(); 4].map(|()| random.index(0, count) as u32));
        let [a, b, c] = [(); 3].map(|()| random.between(-0.5, 0.8));
        skin.weights.push([a, b, c, 1.0 - a - b - c]);
    }
    if count > 2 {
        skin.triangles = (0..2 * count).map(|_| random.distinct(0, count)).collect();
    }
    skin
}
