//! The kernels of shape matching: bodies of every mode, near their shape, flat, inside out, plastic, and with a flat rest
//! shape, in clusters of one point up to several chunks.

mod bodies;
mod sums;

use glam::{DMat3, DQuat, DVec3, Vec4};

use self::bodies::Shapes;
use super::fem::size;
use super::matched::{self, farthest, farthest_out};
use super::oracle::{positions, velocities};
use super::trial::Written;
use super::{Bench, Check, Checks, ErrorStats};
use crate::Result;
use crate::extreme::least;
use crate::family::fem::rotation::nearest_rotation;
use crate::gpu::types::{Body, ClusterState, Goal, IMPLICIT_CHANGE, IMPLICIT_STEP, Sim};
use crate::reference::shape::{self, Fit};

pub const CHECKS: Checks = &[
    ("shape_sum", Check::Trial(sums::sum)),
    ("shape_solve", Check::Trial(solve)),
    ("shape_fit", Check::Trial(fit)),
    ("shape_gather", Check::Trial(gather)),
];

/// What a kernel made of clusters.
struct Found<'a> {
    shapes: &'a Shapes,
    states: Vec<ClusterState>,
    goals: Vec<Goal>,
    x: Vec<DVec3>,
}

impl<'a> Found<'a> {
    fn new(shapes: &'a Shapes, after: &Written) -> Self {
        Self {
            shapes,
            states: after.get("cluster_states"),
            goals: after.get("goals"),
            x: positions(&shapes.particles),
        }
    }

    /// The rotation that was found.
    fn rotation(&self, k: usize) -> DMat3 {
        DMat3::from_quat(DQuat::from_vec4(self.states[k].rotation.as_dvec4()).normalize())
    }

    /// The oracle's fit of cluster k with it.
    fn fit(&self, k: usize) -> Fit {
        let plastic = self.shapes.states[k].plastic_stretch();
        let (cluster, r) = (&self.shapes.clusters[k], self.rotation(k));
        cluster.fit(&self.shapes.rest, &self.x, &plastic, &r)
    }

    /// The goal of a member with this rest position, from the anchor.
    fn goal(&self, k: usize, rest: DVec3) -> DVec3 {
        let Goal { linear, bent, .. } = self.goals[k];
        let exact = |row: Vec4| row.truncate().as_dvec3();
        let matrix = |rows: [Vec4; 3]| {
            let [x, y, z] = rows.map(exact);
            DMat3::from_cols(x, y, z)
        };
        let q = rest - exact(linear.origin);
        let mut goal = exact(linear.shift) + (matrix(linear.map) + matrix(linear.frame)) * q;
        if linear.origin.w > 1.5 {
            let p = q - DVec3::from(bent.squares.map(|row| f64::from(row.w)));
            goal += matrix(bent.squares) * (p * p);
            goal += matrix(bent.products) * DVec3::new(p.x * p.y, p.y * p.z, p.z * p.x);
        }
        goal
    }

    /// Compares the rotation and the goals of cluster k, and its plastic stretch.
    fn compare(&self, k: usize, errors: &mut ErrorStats) {
        let (shapes, cluster) = (self.shapes, &self.shapes.clusters[k]);
        errors.number(self.states[k].rotation.length(), 1.0, 1.0);
        let plastic = shapes.states[k].plastic_stretch();
        let matching = cluster.matching(&shapes.rest, &self.x, &plastic);
        compare_rotation(&self.rotation(k), &matching, errors);
        let anchor = self.x[shapes.arrays.clusters[k].anchor as usize];
        let beside: Vec<_> = cluster.members.iter().map(|i| self.x[*i] - anchor).collect();
        let long = farthest(&beside) + farthest(&cluster.arms(&shapes.rest));
        let scale = long * farthest_out(cluster, &shapes.rest);
        let fit = self.fit(k);
        for (i, goal) in cluster.members.iter().zip(&fit.goals) {
            let got = self.goal(k, shapes.rest[*i]);
            errors.vector(got.as_vec3(), *goal - anchor, scale);
        }
        self.compare_flow(k, &fit, long, errors);
    }

    /// Compares the plastic stretch of cluster k, `long` \[m\] in all.
    fn compare_flow(&self, k: usize, fit: &Fit, long: f64, errors: &mut ErrorStats) {
        let (shapes, cluster) = (self.shapes, &self.shapes.clusters[k]);
        // Strains are as exact as the shape is thick; of them a share flows.
        let axes = cluster.axes(&shapes.rest);
        let thin = axes.iter().map(|(_, d)| *d).filter(|d| *d > 0.0);
        let thin = thin.fold(f64::INFINITY, least);
        let step = f64::from(shapes.sim.step);
        let share = (step * cluster.plasticity.creep).min(1.0);
        let before = shapes.states[k].plastic_stretch();
        let want = shape::flow(&before, &shape::strain(fit), step, &cluster.plasticity);
        let got = self.states[k].plastic_stretch();
        let [before, want, got] = [before, want, got].map(|plastic| plastic - DMat3::IDENTITY);
        let size = |x: &DMat3| farthest(&[x.x_axis, x.y_axis, x.z_axis]);
        let scale = size(&before) + size(&want) + share * (1.0 + long / thin);
        errors.matrix(&got, &want, scale);
    }
}

/// The rotation loses nothing against the nearest, and leaves nothing to turn.
fn compare_rotation(r: &DMat3, matching: &DMat3, errors: &mut ErrorStats) {
    let size = size(matching);
    let product: f64 = (0..3).map(|k| r.col(k).dot(matching.col(k))).sum();
    let (_, most) = nearest_rotation(matching);
    let m = r.transpose() * *matching;
    if size > 0.0 {
        errors.number(((most - product) / size) as f32, 0.0, 1.0);
        for skew in [m.y_axis.z - m.z_axis.y, m.z_axis.x - m.x_axis.z, m.x_axis.y - m.y_axis.x] {
            errors.number((skew / size) as f32, 0.0, 1.0);
        }
    }
}

/// G = R S_p, the last rigid goal.
fn frame(state: &ClusterState) -> DMat3 {
    DMat3::from_quat(DQuat::from_vec4(state.rotation.as_dvec4())) * state.plastic_stretch()
}

/// Goals of short clusters.
fn fit(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let shapes = Shapes::new(bench);
    let [.., threads] = shapes.arrays.threads();
    let found = Found::new(&shapes, &shapes.run(bench, &[], threads)?);
    (shapes.arrays.long..shapes.clusters.len()).for_each(|k| found.compare(k, errors));
    Ok(())
}

/// Goals of long clusters, and of one of many chunks.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for shapes in [Shapes::new(bench), Shapes::longest(bench)] {
        let [sums, threads, _] = shapes.arrays.threads();
        let found = Found::new(&shapes, &shapes.run(bench, &[("shape_sum", sums)], threads)?);
        (0..shapes.arrays.long).for_each(|k| found.compare(k, errors));
    }
    Ok(())
}

/// Pulls and brakes of all particles, as leapfrog and as the other integrators bear them, at an iterate of an implicit
/// step, and how these change along a direction.
fn gather(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (theta_scale, implicit) in
        [(1.0, 0), (2.0, 0), (1.0, IMPLICIT_STEP), (1.0, IMPLICIT_CHANGE)]
    {
        let mut shapes = Shapes::new(bench);
        (shapes.sim.theta_scale, shapes.sim.implicit) = (theta_scale, implicit);
        if implicit != 0 {
            // Long enough for pulls that explicit steps would cut.
            shapes.sim.step = 0.05;
        }
        gathered(&shapes, bench, errors)?;
    }
    Ok(())
}

/// The rates that pulls \[1/s²\] and brakes \[1/s\] of a body are multiplied by.
fn rates(body: &Body, sim: &Sim) -> (f64, f64) {
    let step = Sim { implicit: IMPLICIT_STEP, ..*sim };
    match sim.implicit {
        // Along z, which takes the velocities' place, positions change by z and velocities by z/h.
        IMPLICIT_CHANGE => {
            let (pull, brake) = matched::rates(body, &step);
            (0.0, pull + brake / f64::from(sim.step))
        }
        _ => matched::rates(body, sim),
    }
}

fn gathered(shapes: &Shapes, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let [sums, long, short] = shapes.arrays.threads();
    let before = [("shape_sum", sums), ("shape_solve", long), ("shape_fit", short)];
    let after = shapes.run(bench, &before, shapes.particles.len())?;
    let found = Found::new(shapes, &after);
    let (clusters, x) = (&shapes.clusters, &found.x);
    let v = velocities(&shapes.particles);
    let fits: Vec<_> = (0..clusters.len()).map(|k| found.fit(k)).collect();
    let pulls = shape::pulls(clusters, &fits, x, 1.0, 1.0);
    let chord = match shapes.sim.implicit {
        IMPLICIT_STEP => f64::from(shapes.sim.step),
        _ => 0.0,
    };
    let brakes = shape::brakes(clusters, x, &v, chord, 1.0, 1.0);
    for (i, got) in after.get::<Vec4>("loads").iter().enumerate() {
        let body = &shapes.bodies[shapes.points[i].body as usize];
        let (pull, brake) = rates(body, &shapes.sim);
        let want = pulls[i] * pull + brakes[i] * brake;
        errors.vector(got.truncate(), want, 2.0 * (pull + brake));
    }
    Ok(())
}
