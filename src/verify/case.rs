//! Random worlds: meshes, materials, solids and states that exercise every branch of the kernels.

use glam::{DQuat, DVec3, UVec4, Vec3};

use crate::gpu::types::{
    Body, DAMPING_CAPPED, DAMPING_EXACT, DAMPING_EXPLICIT, Externals, MAX_PULLS, MAX_SOLIDS,
    Particle, Pull, SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, Sim, Solid,
};
use crate::model::{BodyRanges, Material, Model, Skin, Spring, Tet};
use crate::reference::tets;

/// The arrays of one world on the host, before any of them is rounded again.
#[derive(Clone, Debug)]
pub struct Case {
    /// Constant arrays.
    pub model: Model,
    /// Materials as the kernels see them.
    pub bodies: Vec<Body>,
    /// The state.
    pub particles: Vec<Particle>,
    /// The uniform of the substep.
    pub sim: Sim,
    /// Solids and pulls.
    pub externals: Externals,
}

/// A generator of uniform numbers (xorshift64, Marsaglia 2003).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Another sequence for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number in [low, high).
    pub fn index(&mut self, low: usize, high: usize) -> usize {
        (self.between(low as f64, high as f64) as usize).min(high - 1)
    }

    /// A vector in the cube [−reach, reach)³.
    pub fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.between(-reach, reach)))
    }

    /// `N` different whole numbers in [low, high).
    fn distinct<const N: usize>(&mut self, low: usize, high: usize) -> [u32; N] {
        loop {
            let mut picked = [(); N].map(|()| self.index(low, high) as u32);
            let chosen = picked;
            picked.sort_unstable();
            if picked.windows(2).all(|pair| pair[0] != pair[1]) {
                return chosen;
            }
        }
    }
}

/// Bodies of a case with enough particles: damping mode, and h²ω²/4, which leaves θ = 0.6, 0.4, (unused) and 0 before drag.
const BODIES: [(u32, f64); 4] = [
    (DAMPING_CAPPED, 0.7),
    (DAMPING_EXACT, 0.8),
    (DAMPING_EXPLICIT, 0.5),
    (DAMPING_CAPPED, 1.3),
];
/// h [s]
const STEP: f32 = 0.01;
/// Pulls, on the first particles.
const PULLS: usize = 8;

impl Case {
    /// A world of so many particles far from rest: stretched springs, inverted tetrahedra, two particles at one place,
    /// σ that agree with nothing.
    pub fn random(particles: usize, seed: u64) -> Self {
        Self::build(particles, &mut Random::new(seed), false)
    }

    /// A world of so many particles with all springs and tetrahedra at rest, where M⁻¹K has no negative eigenvalues.
    pub fn relaxed(particles: usize, seed: u64) -> Self {
        Self::build(particles, &mut Random::new(seed), true)
    }

    fn build(particles: usize, random: &mut Random, relaxed: bool) -> Self {
        let count = particles.min(BODIES.len());
        let mut case = Self {
            model: Model::default(),
            bodies: (0..count).map(|index| body(index, random)).collect(),
            particles: (0..particles).map(|_| particle(random)).collect(),
            sim: sim(),
            externals: externals(particles, random),
        };
        for index in 0..count {
            case.add(
                index * particles / count,
                (index + 1) * particles / count,
                random,
                relaxed,
            );
        }
        for particle in &case.particles {
            case.model.positions.push(particle.position.as_dvec3());
            case.model.velocities.push(particle.velocity.as_dvec3());
            case.model.masses.push(1.0);
            case.model.pinned.push(particle.inverse_mass == 0.0);
        }
        case.sim.particle_count = particles as u32;
        case.sim.body_count = count as u32;
        case.sim.skin_count = particles as u32;
        case.sim.pull_count = if particles > 0 { PULLS as u32 } else { 0 };
        case.model.skin = skin(particles, random);
        case
    }

    /// The elements of one body: about six springs and four tetrahedra per particle, between any of its particles.
    fn add(&mut self, first: usize, end: usize, random: &mut Random, relaxed: bool) {
        if end - first > 1 && !relaxed {
            self.particles[first + 1].position = self.particles[first].position;
        }
        let (springs, tets) = (self.model.springs.len(), self.model.tets.len());
        if end - first > 1 {
            let start = [first as u32, first as u32 + 1];
            self.model.springs.push(self.spring(start, random, relaxed));
            for _ in 0..3 * (end - first) {
                let points = random.distinct(first, end);
                self.model
                    .springs
                    .push(self.spring(points, random, relaxed));
            }
        }
        if end - first > 3 {
            for _ in first..end {
                let corners = random.distinct(first, end);
                self.model.tets.extend(self.tet(corners, random, relaxed));
            }
        }
        self.model.bodies.push(BodyRanges {
            name: String::new(),
            particles: first..end,
            springs: springs..self.model.springs.len(),
            tets: tets..self.model.tets.len(),
            triangles: 0..0,
            material: Material {
                distance: 0.0,
                volume: 0.0,
                damping: 0.0,
            },
            edge: 1.0,
            radius: 0.0,
            device_index: Vec::new(),
        });
    }

    fn place(&self, i: u32) -> DVec3 {
        self.particles[i as usize].position.as_dvec3()
    }

    fn spring(&self, points: [u32; 2], random: &mut Random, relaxed: bool) -> Spring {
        let length = self.place(points[0]).distance(self.place(points[1]));
        let stretch = if relaxed {
            1.0
        } else {
            random.between(0.7, 1.4)
        };
        Spring {
            points,
            rest: (length * stretch).max(0.1),
        }
    }

    /// A tetrahedron of any orientation; of a relaxed world a positive one, or none where it is too flat.
    fn tet(&self, corners: [u32; 4], random: &mut Random, relaxed: bool) -> Option<Tet> {
        if !relaxed {
            return Some(Tet {
                corners,
                rest: random.between(0.2, 0.6),
            });
        }
        let volume = tets::volume([0, 1, 2, 3], &corners.map(|i| self.place(i)));
        let [a, b, c, d] = corners;
        let corners = if volume > 0.0 { corners } else { [a, c, b, d] };
        (volume.abs() > 0.02).then_some(Tet {
            corners,
            rest: volume.abs(),
        })
    }
}

fn body(index: usize, random: &mut Random) -> Body {
    let (damping_mode, share) = BODIES[index];
    Body {
        distance: random.between(20.0, 80.0) as f32,
        volume: random.between(0.5, 2.0) as f32,
        damping: random.between(10.0, 40.0) as f32,
        friction: random.between(0.1, 0.9) as f32,
        restitution: if index == 0 {
            0.0
        } else {
            random.between(0.2, 0.9) as f32
        },
        margin: random.between(0.01, 0.05) as f32,
        stiffness_rate: (4.0 * share / f64::from(STEP * STEP)) as f32,
        probe_scale: random.between(0.5, 2.0) as f32,
        damping_mode,
        ..Body::default()
    }
}

/// A particle near the solids, one in ten of them held, with a σ that caps some of its springs.
fn particle(random: &mut Random) -> Particle {
    let position = random.vector(1.0).as_vec3();
    let damping_rate = random.between(0.0, 300.0) as f32;
    if random.between(0.0, 1.0) < 0.1 {
        return Particle {
            position,
            damping_rate,
            ..Particle::default()
        };
    }
    let inverse_mass = random.between(0.5, 2.0) as f32;
    Particle {
        position,
        inverse_mass,
        velocity: random.vector(2.0).as_vec3(),
        damping_rate,
    }
}

fn sim() -> Sim {
    Sim {
        gravity: Vec3::new(0.3, -9.81, 0.2),
        step: STEP,
        wind: Vec3::new(1.0, 0.3, -0.7),
        drag: 0.4,
        step_index: 7,
        damping_gathers: 1,
        theta_scale: 2.0,
        speed_limit: 1e4,
        // The reference's own rule: four steps of gravity, at least 0.1 m/s.
        restitution_speed: (4.0 * f64::from(STEP) * Vec3::new(0.3, -9.81, 0.2).as_dvec3().length())
            as f32,
        solid_count: 4,
        ..Sim::default()
    }
}

/// As many solids as one particle can touch, each reaching into the particles' cube, and pulls of which some act.
fn externals(particles: usize, random: &mut Random) -> Externals {
    let turn = DQuat::from_axis_angle(random.vector(1.0).normalize(), 0.7).as_quat();
    let normals =
        [DVec3::new(0.1, 1.0, -0.2), DVec3::new(-1.0, 0.3, 0.1)].map(|n| n.normalize().as_vec3());
    let mut solids = [Solid::default(); MAX_SOLIDS as usize];
    solids[0] = Solid {
        centre: Vec3::Y * -0.7,
        kind: SOLID_PLANE,
        extent: normals[0],
        ..Solid::default()
    };
    solids[1] = Solid {
        centre: Vec3::new(0.5, 0.2, 0.3),
        kind: SOLID_SPHERE,
        extent: Vec3::X * 0.5,
        ..Solid::default()
    };
    let extent = Vec3::new(0.3, 0.5, 0.4);
    solids[2] = Solid {
        centre: Vec3::new(-0.3, 0.1, -0.4),
        kind: SOLID_BOX,
        extent,
        rotation: turn.into(),
        reserved: 0.0,
    };
    solids[3] = Solid {
        centre: Vec3::X * 0.8,
        kind: SOLID_PLANE,
        extent: normals[1],
        ..Solid::default()
    };
    let mut pulls = [Pull::default(); MAX_PULLS as usize];
    for (k, pull) in pulls.iter_mut().enumerate().take(PULLS) {
        let force = random.vector(30.0).as_vec3();
        // Step 7 is inside, before, behind and in the last place of these ranges.
        let steps = [
            UVec4::new(5, 9, 0, 0),
            UVec4::new(8, 9, 0, 0),
            UVec4::new(0, 7, 0, 0),
            UVec4::new(7, 8, 0, 0),
        ];
        *pull = Pull {
            force,
            particle: random.index(0, particles.clamp(1, PULLS)) as u32,
            steps: steps[k % 4],
        };
    }
    Externals { solids, pulls }
}

/// As many drawn vertices as particles, on any four of them, and twice as many triangles.
fn skin(count: usize, random: &mut Random) -> Skin {
    let mut skin = Skin::default();
    for _ in 0..count {
        skin.corners
            .push([(); 4].map(|()| random.index(0, count) as u32));
        let [a, b, c] = [(); 3].map(|()| random.between(-0.5, 0.8));
        skin.weights.push([a, b, c, 1.0 - a - b - c]);
    }
    if count > 2 {
        skin.triangles = (0..2 * count).map(|_| random.distinct(0, count)).collect();
    }
    skin
}
