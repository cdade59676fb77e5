//! The kernels of shape matching: bodies of every mode, near their shape, flat, inside out, plastic, and with a flat rest
//! shape, in clusters of one point up to several chunks.

use crate::extreme;
use glam::{DMat3, DQuat, DVec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use crate::Result;
use crate::family::shape::{Cluster, ShapeArrays};
use crate::gpu::types::{
    Body, ClusterState, GOAL_ROWS, IMPLICIT_CHANGE, IMPLICIT_STEP, Particle, Point, Sim,
};
use crate::gpu::{Buffer, Kernel};
use crate::model::{BodyRanges, Model};
use crate::reference::shape::{self, Fit, Plasticity};
use crate::scene::Mode;

pub const CHECKS: super::Checks = &[
    ("shape_fit", super::Check::Case(fit)),
    ("shape_solve", super::Check::Case(solve)),
    ("shape_gather", super::Check::Case(gather)),
];

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
const SIZES: [usize; 8] = [0, 1, 2, 3, 5, 30, 64, 65];
const MOST: f32 = 0.3;

/// Clusters on the device and their state.
struct Shapes {
    model: Model,
    arrays: ShapeArrays,
    bodies: Vec<Body>,
    points: Vec<Point>,
    particles: Vec<Particle>,
    states: Vec<ClusterState>,
    sim: Sim,
}

impl Shapes {
    fn new(bench: &Bench<'_>) -> Self {
        let n = bench.len();
        let count = (n / 20).clamp(1, KINDS.len());
        let mut random = Random::new(71 + n as u64);
        let mut shapes = Self {
            model: Model::default(),
            arrays: ShapeArrays::default(),
            bodies: Vec::new(),
            points: Vec::new(),
            particles: Vec::new(),
            states: Vec::new(),
            sim: bench.case.sim,
        };
        for body in 0..count {
            let range = body * n / count..(body + 1) * n / count;
            shapes.add(range, (body + n) % KINDS.len(), &mut random);
        }
        shapes.arrays = ShapeArrays::new(&shapes.model);
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
        shapes.sim.particle_count = n as u32;
        shapes.sim.cluster_count = arrays.clusters.len() as u32;
        shapes.sim.cluster_chunk_count = arrays.chunks as u32;
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
            self.points.push(Point {
                body: body as u32,
                ..Point::default()
            });
        }
        for size in SIZES.into_iter().filter(|size| *size < range.len()) {
            let size = if size == 0 { range.len() } else { size };
            let first = range.start + random.index(0, range.len() - size + 1);
            let members = (first as u32..(first + size) as u32).collect();
            self.model.clusters.push(Cluster {
                body,
                members,
                mode,
            });
        }
        self.model.bodies.push(BodyRanges {
            particles: range,
            ..BodyRanges::default()
        });
        self.bodies.push(Body {
            alpha: if body.is_multiple_of(2) { 0.7 } else { 0.0 },
            pull_rate: if body.is_multiple_of(2) { 0.0 } else { 2000.0 },
            beta,
            relaxation,
            yield_strain,
            creep,
            plastic_most: MOST,
            ..Body::default()
        });
    }

    /// The clusters as the device has them, in its order, in f64.
    fn clusters(&self) -> Vec<shape::Cluster> {
        let cluster = |c: &usize| {
            let cluster = &self.model.clusters[*c];
            let body = &self.bodies[cluster.body];
            let members = cluster.members.iter().map(|i| *i as usize);
            shape::Cluster {
                members: members.clone().collect(),
                weights: members.map(|i| f64::from(self.arrays.rests[i].w)).collect(),
                mode: cluster.mode,
                beta: f64::from(body.beta),
                plasticity: Plasticity {
                    yield_strain: f64::from(body.yield_strain),
                    creep: f64::from(body.creep),
                    most: f64::from(MOST),
                },
            }
        };
        self.arrays.order.iter().map(cluster).collect()
    }

    fn rest(&self) -> Vec<DVec3> {
        self.arrays
            .rests
            .iter()
            .map(|rest| rest.truncate().as_dvec3())
            .collect()
    }

    fn positions(&self) -> Vec<DVec3> {
        self.particles
            .iter()
            .map(|p| p.position.as_dvec3())
            .collect()
    }

    /// Runs kernels, each with its threads. Returns the clusters' states, their goals, and the loads.
    fn run(&self, bench: &Bench<'_>, passes: &[(&Kernel, usize)]) -> Result<Written> {
        let context = bench.context;
        let rows = (self.arrays.clusters.len() + self.arrays.several[1]) * GOAL_ROWS as usize;
        let unwritten = vec![Vec4::splat(f32::MAX); rows];
        let particles = Buffer::new(context, "particles", &self.particles)?;
        let points = Buffer::new(context, "points", &self.points)?;
        let bodies = Buffer::new(context, "bodies", &self.bodies)?;
        let rests = Buffer::new(context, "rests", &self.arrays.rests)?;
        let members = Buffer::new(context, "members", &self.arrays.members)?;
        let memberships = Buffer::new(context, "memberships", &self.arrays.memberships)?;
        let clusters = Buffer::new(context, "clusters", &self.arrays.clusters)?;
        let fits = Buffer::new(context, "fits", &self.arrays.fits)?;
        let states = Buffer::new(context, "cluster_states", &self.states)?;
        let goals = Buffer::new(context, "goals", &unwritten)?;
        let loads = Buffer::new(
            context,
            "loads",
            &vec![Vec4::splat(f32::MAX); self.particles.len()],
        )?;
        let others = [
            particles.bind("particles_in"),
            points.bind("points"),
            bodies.bind("bodies"),
            rests.bind("rests"),
            members.bind("members"),
            memberships.bind("memberships"),
            clusters.bind("clusters"),
            fits.bind("fits"),
            states.bind("cluster_states"),
            goals.bind("goals"),
            loads.bind("loads"),
        ];
        for (kernel, threads) in passes {
            bench.dispatch(kernel, self.sim, *threads, &others);
        }
        Ok(Written {
            states: states.read(context)?,
            goals: goals.read(context)?,
            loads: loads.read(context)?,
        })
    }

    /// The oracle's fit with the rotation that the device found.
    fn fit(&self, k: usize, cluster: &shape::Cluster, rotation: Vec4) -> (Fit, DMat3, DMat3) {
        let plastic = self.states[k].plastic_stretch();
        let r = DMat3::from_quat(DQuat::from_vec4(rotation.as_dvec4()).normalize());
        let (rest, x) = (self.rest(), self.positions());
        let matching = cluster.matching(&rest, &x, &plastic);
        (cluster.fit(&rest, &x, &plastic, &r), matching, r)
    }

    /// Compares what was found for one cluster.
    fn compare(
        &self,
        k: usize,
        cluster: &shape::Cluster,
        written: &Written,
        errors: &mut ErrorStats,
    ) {
        let state = &written.states[k];
        let (fit, matching, r) = self.fit(k, cluster, state.rotation);
        errors.number(state.rotation.length(), 1.0, 1.0);
        // The rotation loses nothing against the nearest, and leaves nothing to turn.
        let size = (0..3)
            .map(|k| matching.col(k).length_squared())
            .sum::<f64>()
            .sqrt();
        let product = (0..3).map(|k| r.col(k).dot(matching.col(k))).sum::<f64>();
        let (_, most) = crate::family::fem::rotation::nearest_rotation(&matching);
        let m = r.transpose() * matching;
        if size > 0.0 {
            errors.number(((most - product) / size) as f32, 0.0, 1.0);
            for skew in [
                m.y_axis.z - m.z_axis.y,
                m.z_axis.x - m.x_axis.z,
                m.x_axis.y - m.y_axis.x,
            ] {
                errors.number((skew / size) as f32, 0.0, 1.0);
            }
        }
        let rest = self.rest();
        let anchor = self.particles[self.arrays.clusters[k].anchor as usize]
            .position
            .as_dvec3();
        let x = self.positions();
        let reach = cluster
            .members
            .iter()
            .map(|i| x[*i].distance(anchor))
            .fold(0.0, extreme::greatest);
        let arms = cluster.arms(&rest);
        let deviations = cluster.axes(&rest);
        let spread = |q: &DVec3| {
            let along = deviations.iter().filter(|(_, d)| *d > 0.0);
            1.0 + along
                .map(|(axis, d)| (axis.dot(*q) / d).powi(2))
                .sum::<f64>()
        };
        let far = arms.iter().map(spread).fold(1.0, extreme::greatest);
        let long = arms.iter().map(|q| q.length()).fold(0.0, extreme::greatest);
        for (i, goal) in cluster.members.iter().zip(&fit.goals) {
            let got = written.goal(k, rest[*i]);
            errors.vector(got.as_vec3(), *goal - anchor, (reach + long) * far);
        }
        self.compare_flow(k, cluster, state, &fit, reach + long, errors);
    }

    /// Compares the plastic stretch of one cluster, `long` \[m\] in all.
    fn compare_flow(
        &self,
        k: usize,
        cluster: &shape::Cluster,
        state: &ClusterState,
        fit: &Fit,
        long: f64,
        errors: &mut ErrorStats,
    ) {
        // Strains are as exact as the shape is thick; of them a share flows.
        let axes = cluster.axes(&self.rest());
        let thin = axes.iter().map(|(_, d)| *d).filter(|d| *d > 0.0);
        let thin = thin.fold(f64::INFINITY, extreme::least);
        let step = f64::from(self.sim.step);
        let share = (step * cluster.plasticity.creep).min(1.0);
        let before = self.states[k].plastic_stretch();
        let want = shape::flow(&before, &shape::strain(fit), step, &cluster.plasticity);
        let beyond = |plastic: DMat3| plastic - DMat3::IDENTITY;
        let (before, want) = (beyond(before), beyond(want));
        let got = beyond(state.plastic_stretch());
        let size = |x: &DMat3| {
            (0..3)
                .map(|k| x.col(k).length())
                .fold(0.0, extreme::greatest)
        };
        let scale = size(&before) + size(&want) + share * (1.0 + long / thin);
        for k in 0..3 {
            errors.vector(got.col(k).as_vec3(), want.col(k), scale);
        }
    }
}

/// What the kernels wrote.
struct Written {
    states: Vec<ClusterState>,
    goals: Vec<Vec4>,
    loads: Vec<Vec4>,
}

impl Written {
    /// The goal of a member with this rest position, from the anchor.
    fn goal(&self, k: usize, rest: DVec3) -> DVec3 {
        let rows = &self.goals[k * GOAL_ROWS as usize..];
        let row = |e: usize| rows[e].truncate().as_dvec3();
        let q = rest - row(0);
        let mut goal =
            row(2) + (row(3) + row(15)) * q.x + (row(4) + row(16)) * q.y + (row(5) + row(17)) * q.z;
        if rows[0].w > 1.5 {
            let p = q - DVec3::from([6, 7, 8].map(|e| f64::from(rows[e].w)));
            goal += row(6) * (p.x * p.x) + row(7) * (p.y * p.y) + row(8) * (p.z * p.z);
            goal += row(9) * (p.x * p.y) + row(10) * (p.y * p.z) + row(11) * (p.z * p.x);
        }
        goal
    }
}

fn rotation(random: &mut Random) -> DQuat {
    let axis = (random.vector(1.0) + DVec3::new(0.0, 0.0, 1e-3)).normalize();
    DQuat::from_axis_angle(axis, random.between(0.0, 6.0))
}

/// G = R S_p, the last rigid goal.
fn frame(state: &ClusterState) -> DMat3 {
    DMat3::from_quat(DQuat::from_vec4(state.rotation.as_dvec4())) * state.plastic_stretch()
}

/// Goals of clusters of one chunk; of the others the sums of their chunks give the matrix that the rotation is nearest to.
pub fn fit(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let shapes = Shapes::new(bench);
    let written = shapes.run(bench, &[(kernel, shapes.arrays.chunks)])?;
    errors.case();
    let rest = shapes.rest();
    for (k, cluster) in shapes.clusters().iter().enumerate() {
        let gpu = &shapes.arrays.clusters[k];
        if gpu.chunk_count == 1 {
            shapes.compare(k, cluster, &written, errors);
            continue;
        }
        let mut sum = DMat3::ZERO;
        let c = gpu.centre.as_dvec3();
        for e in 0..gpu.chunk_count {
            let row = (shapes.arrays.clusters.len() as u32 + gpu.chunk_first + e) * GOAL_ROWS;
            let column = |k: u32| written.goals[(row + k) as usize].truncate().as_dvec3();
            sum += DMat3::from_cols(column(0), column(1), column(2));
            // From the centre, not from the anchor.
            sum -= DMat3::from_cols(column(9) * c.x, column(9) * c.y, column(9) * c.z);
        }
        let mut x = shapes.positions();
        let frame = frame(&shapes.states[k]);
        for (i, q) in cluster.members.iter().zip(cluster.arms(&rest)) {
            x[*i] -= frame * q;
        }
        let want = cluster.matching(&rest, &x, &DMat3::IDENTITY);
        for k in 0..3 {
            errors.vector(sum.col(k).as_vec3(), want.col(k), cluster.mass());
        }
    }
    Ok(())
}

/// Goals of clusters of several chunks.
pub fn solve(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let shapes = Shapes::new(bench);
    let fit = Kernel::new(bench.context, "shape_fit");
    let several = shapes.arrays.several[0];
    let written = shapes.run(bench, &[(&fit, shapes.arrays.chunks), (kernel, several)])?;
    errors.case();
    for (k, cluster) in shapes.clusters().iter().enumerate().take(several) {
        shapes.compare(k, cluster, &written, errors);
    }
    if several == 0 {
        errors.holds(written.states == shapes.run(bench, &[(&fit, shapes.arrays.chunks)])?.states);
    }
    Ok(())
}

/// Pulls and brakes of all particles, as leapfrog and as the other integrators bear them, at an iterate of an implicit
/// step, and how these change along a direction.
pub fn gather(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (theta_scale, implicit) in [
        (1.0, 0),
        (2.0, 0),
        (1.0, IMPLICIT_STEP),
        (1.0, IMPLICIT_CHANGE),
    ] {
        let mut shapes = Shapes::new(bench);
        shapes.sim.theta_scale = theta_scale;
        shapes.sim.implicit = implicit;
        if implicit != 0 {
            // Long enough for pulls that explicit steps would cut.
            shapes.sim.step = 0.05;
        }
        gather_of(&shapes, kernel, bench, errors)?;
    }
    Ok(())
}

/// The rates that pulls \[1/s²\] and brakes \[1/s\] of a body are multiplied by.
fn rates(body: &Body, sim: &Sim) -> (f64, f64) {
    let step = Sim {
        implicit: IMPLICIT_STEP,
        ..*sim
    };
    match sim.implicit {
        // Along z, which takes the velocities' place, positions change by z and velocities by z/h.
        IMPLICIT_CHANGE => {
            let (pull, brake) = super::matched::rates(body, &step);
            (0.0, pull + brake / f64::from(sim.step))
        }
        _ => super::matched::rates(body, sim),
    }
}

fn gather_of(
    shapes: &Shapes,
    kernel: &Kernel,
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
) -> Result<()> {
    let [fit, solve] = ["shape_fit", "shape_solve"].map(|name| Kernel::new(bench.context, name));
    let passes = [
        (&fit, shapes.arrays.chunks),
        (&solve, shapes.arrays.several[0]),
        (kernel, shapes.particles.len()),
    ];
    let written = shapes.run(bench, &passes)?;
    errors.case();
    let clusters = shapes.clusters();
    let x = shapes.positions();
    let v: Vec<_> = shapes
        .particles
        .iter()
        .map(|p| p.velocity.as_dvec3())
        .collect();
    let fits: Vec<_> = clusters
        .iter()
        .enumerate()
        .map(|(k, cluster)| shapes.fit(k, cluster, written.states[k].rotation).0)
        .collect();
    let pulls = shape::pulls(&clusters, &fits, &x, 1.0, 1.0);
    let brakes = shape::brakes(&clusters, &x, &v, 1.0, 1.0);
    for (i, point) in shapes.points.iter().enumerate() {
        let body = &shapes.bodies[point.body as usize];
        let (pull, brake) = rates(body, &shapes.sim);
        let want = pulls[i] * pull + brakes[i] * brake;
        errors.vector(written.loads[i].truncate(), want, 2.0 * (pull + brake));
    }
    Ok(())
}
