//! Random bodies of clusters.

use glam::{DMat3, DQuat, DVec3, Vec4};

use crate::Result;
use crate::family::shape::{Cluster, ShapeArrays};
use crate::gpu::types::{Body, ClusterState, Goal, MOMENT_ROWS, Particle, Point, Sim};
use crate::model::{BodyRanges, Model};
use crate::reference::shape;
use crate::scene::Mode;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, Random, matched};

/// Kinds of bodies: mode, β, factors of the state along the axes; yield strain, creep \[1/s\], relaxation \[s\].
const KINDS: [(Mode, f32, [f64; 3], [f32; 3]); 8] = [
    (Mode::Rigid, 0.5, [1.2, 0.9, 1.0], [f32::MAX, 0.0, 0.0]),
    (Mode::Linear, 0.6, [1.3, 0.8, 0.9], [f32::MAX, 0.0, 0.01]),
    (Mode::Quadratic, 0.7, [1.3, 1.1, 0.9], [f32::MAX, 0.0, 0.0]),
    (Mode::Linear, 0.9, [1.0, 0.8, 0.0], [f32::MAX, 0.0, 0.0]),
    (Mode::Quadratic, 0.5, [1.0, 0.8, -0.6], [f32::MAX, 0.0, 0.0]),
    (Mode::Linear, 0.7, [1.4, 0.8, 0.9], [0.05, 20.0, 0.0]),
    (Mode::Quadratic, 0.4, [1.5, 0.7, 0.9], [0.05, 0.001, 0.02]),
    (Mode::Quadratic, 0.8, [1.1, 0.9, 1.0], [0.1, 20.0, 0.01]),
];
/// Members of the clusters in each body, as far as there are so many; 0: all.
const SIZES: [usize; 9] = [0, 1, 2, 3, 5, 30, 63, 64, 65];
/// Members of a cluster of many chunks.
const LONGEST: usize = 4500;

/// Clusters and their state.
pub struct Shapes {
    model: Model,
    pub arrays: ShapeArrays,
    /// The clusters in the device's order, and rest positions of all particles, as the reference has them.
    pub clusters: Vec<shape::Cluster>,
    pub rest: Vec<DVec3>,
    pub bodies: Vec<Body>,
    pub points: Vec<Point>,
    pub particles: Vec<Particle>,
    pub states: Vec<ClusterState>,
    pub sim: Sim,
}

impl Shapes {
    pub fn new(bench: &Bench<'_>) -> Self {
        let n = bench.len();
        let count = (n / 20).clamp(1, KINDS.len());
        let parts = (0..count).map(|body| body * n / count..(body + 1) * n / count);
        Self::of(bench, n, parts)
    }

    /// One body that is a long cluster.
    pub fn longest(bench: &Bench<'_>) -> Self {
        Self::of(bench, bench.len() % KINDS.len(), std::iter::once(0..LONGEST))
    }

    /// Bodies of these ranges of particles, of all kinds by turns from this one on.
    fn of(
        bench: &Bench<'_>,
        kind: usize,
        parts: impl IntoIterator<Item = std::ops::Range<usize>>,
    ) -> Self {
        let mut random = Random::new(71 + bench.len() as u64);
        let mut shapes = Self {
            model: Model::default(),
            arrays: ShapeArrays::default(),
            clusters: Vec::new(),
            rest: Vec::new(),
            bodies: Vec::new(),
            points: Vec::new(),
            particles: Vec::new(),
            states: Vec::new(),
            sim: bench.case.sim,
        };
        for (body, range) in parts.into_iter().enumerate() {
            shapes.add(range, (body + kind) % KINDS.len(), &mut random);
        }
        shapes.arrays = ShapeArrays::new(&shapes.model);
        (shapes.rest, shapes.clusters) = matched::clusters(&shapes.model, &shapes.bodies);
        shapes.states = shapes.arrays.states();
        for (state, cluster) in shapes.states.iter_mut().zip(&shapes.arrays.clusters) {
            state.rotation = Vec4::from(rotation(&mut random).as_quat()).normalize();
            state.spin = random.vector(2.0).as_vec3();
            let body = &shapes.bodies[cluster.body as usize];
            if body.yield_strain < 1.0 {
                // What creeps slowly has not come far.
                let reach = if body.creep < 1.0 { 1e-4 } else { 1.0 };
                let diagonal = DVec3::new(0.1, 0.0, 1.0 / 1.1 - 1.0) + random.vector(0.02);
                state.plastic_diagonal = (reach * diagonal).as_vec3();
                state.plastic_off = random.vector(0.05 * reach).as_vec3();
            }
        }
        let arrays = &shapes.arrays;
        shapes.sim.particle_count = shapes.particles.len() as u32;
        shapes.sim.cluster_count = arrays.clusters.len() as u32;
        shapes.sim.long_cluster_count = arrays.long as u32;
        shapes.sim.long_chunk_count = arrays.long_chunks as u32;
        shapes.sim.flow = 1;
        shapes
    }

    /// A body of these particles.
    fn add(&mut self, range: std::ops::Range<usize>, kind: usize, random: &mut Random) {
        let (mode, beta, factors, [yield_strain, creep, relaxation]) = KINDS[kind];
        let body = self.bodies.len();
        let turn = DMat3::from_quat(rotation(random));
        let sheet = kind == KINDS.len() - 1;
        for _ in range.clone() {
            let mut rest = random.vector(0.5) * DVec3::new(1.0, 0.8, 0.6);
            if sheet {
                rest.z = 0.5 * rest.x;
            }
            let noise = if factors[2] > 0.0 { 0.03 } else { 0.0 };
            let x = turn * (DVec3::from(factors) * rest) + random.vector(noise);
            self.model.rest_positions.push(rest);
            self.model.masses.push(random.between(0.5, 2.0));
            self.particles.push(Particle {
                position: (x + DVec3::new(3.0, -2.0, 1.0)).as_vec3(),
                inverse_mass: 1.0,
                velocity: (random.vector(1.0) + DVec3::X).as_vec3(),
                damping_rate: 0.0,
            });
            self.model.positions.push(x);
            self.points.push(Point { body: body as u32, ..Point::default() });
        }
        for size in SIZES.into_iter().filter(|size| *size < range.len()) {
            let size = if size == 0 { range.len() } else { size };
            let first = range.start + random.index(0, range.len() - size + 1);
            let members = (first as u32..(first + size) as u32).collect();
            self.model.clusters.push(Cluster { body, members, mode });
        }
        self.model.bodies.push(BodyRanges { particles: range, ..BodyRanges::default() });
        self.bodies.push(Body {
            alpha: if body.is_multiple_of(2) { 0.7 } else { 0.0 },
            pull_rate: if body.is_multiple_of(2) { 0.0 } else { 2000.0 },
            beta,
            relaxation,
            yield_strain,
            creep,
            plastic_most: 0.3,
            ..Body::default()
        });
    }

    /// Runs the kernel after others, each with its threads.
    pub fn run(
        &self,
        bench: &Bench<'_>,
        before: &[(&str, usize)],
        threads: usize,
    ) -> Result<Written> {
        let rows = self.arrays.long_chunks * MOMENT_ROWS as usize;
        let goals = vec![Goal::default(); self.arrays.clusters.len()];
        let arrays: &Arrays<'_> = &[
            ("particles_in", &self.particles),
            ("points", &self.points),
            ("bodies", &self.bodies),
            ("rests", &self.arrays.rests),
            ("members", &self.arrays.members),
            ("memberships", &self.arrays.memberships),
            ("clusters", &self.arrays.clusters),
            ("fits", &self.arrays.fits),
            ("cluster_states", &self.states),
            ("moments", &vec![Vec4::splat(f32::MAX); rows]),
            ("goals", &goals),
            ("loads", &vec![Vec4::splat(f32::MAX); self.particles.len()]),
        ];
        bench.run_after(before, self.sim, threads, arrays)
    }
}

fn rotation(random: &mut Random) -> DQuat {
    let axis = (random.vector(1.0) + DVec3::new(0.0, 0.0, 1e-3)).normalize();
    DQuat::from_axis_angle(axis, random.between(0.0, 6.0))
}
