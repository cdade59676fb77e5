//! The clusters of a world as the reference sees them, and the scales of what they do.

use crate::extreme;
use glam::{DMat3, DQuat, DVec3};

use super::fem::size;
use super::oracle::exact;
use crate::family::fem::law::{outer, symmetric, trace};
use crate::family::fem::rotation::nearest_rotation;
use crate::family::shape::ShapeArrays;
use crate::gpu::types::{Body, ClusterState, IMPLICIT_STEP, Sim};
use crate::model::Model;
use crate::reference::System;
use crate::reference::dense::principal_axes;
use crate::reference::shape::{Cluster, Kept, Plasticity};
use crate::scene::Mode;

/// What divides by less than this part of the largest is as uncertain as it can be.
const LEAST: f64 = f32::EPSILON as f64;

/// Rest positions of all points and the clusters in the device's order, each number as the kernels read it.
pub fn clusters(model: &Model, bodies: &[Body]) -> (Vec<DVec3>, Vec<Cluster>) {
    if model.clusters.is_empty() {
        return Default::default();
    }
    let arrays = ShapeArrays::new(model);
    let cluster = |c: &usize| {
        let cluster = &model.clusters[*c];
        let body = &bodies[cluster.body];
        let members = cluster.members.iter().map(|i| *i as usize);
        Cluster {
            members: members.clone().collect(),
            weights: members.map(|i| f64::from(arrays.rests[i].w)).collect(),
            mode: cluster.mode,
            beta: f64::from(body.beta),
            plasticity: Plasticity {
                yield_strain: f64::from(body.yield_strain),
                creep: f64::from(body.creep),
                most: f64::from(body.plastic_most),
            },
        }
    };
    (
        exact(arrays.rests.iter().map(|rest| rest.truncate())),
        arrays.order.iter().map(cluster).collect(),
    )
}

/// α/h² \[1/s²\] and min(1, τ α/h, 0.9 θ)/h \[1/s\] of a body, θ = 2 (1 − α/4), of leapfrog half of it. Implicit steps
/// bear the whole pull, and the whole of its damping.
pub fn rates(body: &Body, sim: &Sim) -> (f64, f64) {
    let h = f64::from(sim.step);
    if sim.implicit == IMPLICIT_STEP {
        let pull = f64::from(body.alpha) / (h * h) + f64::from(body.pull_rate);
        return (pull, f64::from(body.relaxation) * pull);
    }
    let alpha = (f64::from(body.alpha) + h * h * f64::from(body.pull_rate)).min(1.0);
    let borne = 0.9 * f64::from(sim.theta_scale) * (1.0 - alpha / 4.0);
    let share = (f64::from(body.relaxation) * alpha / h).min(borne.min(1.0));
    (alpha / (h * h), share / h)
}

/// What a cluster of the device keeps.
pub fn kept(state: &ClusterState) -> Kept {
    Kept {
        rotation: DQuat::from_vec4(state.rotation.as_dvec4()).normalize(),
        plastic: state.plastic_stretch(),
    }
}

/// Scale of each point's acceleration by its clusters \[m/s²\], the largest of them.
pub fn scales(system: &System, x: &[DVec3], v: &[DVec3]) -> Vec<f64> {
    let mut scale = vec![0.0_f64; x.len()];
    for (cluster, kept) in system.clusters.iter().zip(&system.kept) {
        let material = system.material(cluster.members[0]);
        let goal = material.pull * goal_scale(cluster, &system.rest, x, kept);
        let brake = material.brake * brake_scale(cluster, x, v);
        for i in &cluster.members {
            scale[*i] = extreme::greatest(scale[*i], goal + brake);
        }
    }
    scale
}

/// Scale of a cluster's goals \[m\]: how far its points are; the mean of that times how far out in the rest shape, in
/// standard deviations, what is fitted to them is evaluated (squared where squares are fitted); and how far the rotation's
/// error carries them. About an axis it is |A| over the sum of the two stretches across that axis.
fn goal_scale(cluster: &Cluster, rest: &[DVec3], x: &[DVec3], kept: &Kept) -> f64 {
    let arms = cluster.arms(rest);
    let long = farthest(&arms);
    let far = farthest_out(cluster, rest);
    let fitted = match cluster.mode {
        Mode::Rigid => 0.0,
        Mode::Linear => cluster.beta * far.sqrt(),
        Mode::Quadratic => cluster.beta * far,
    };
    let anchor = (0..arms.len())
        .min_by(|a, b| arms[*a].length().total_cmp(&arms[*b].length()))
        .map_or(DVec3::ZERO, |k| x[cluster.members[k]]);
    let beside: Vec<_> = cluster.members.iter().map(|i| x[*i] - anchor).collect();

    let matching = cluster.matching(rest, x, &kept.plastic);
    let (r, _) = nearest_rotation(&matching);
    let s = r.transpose() * matching;
    let turned = turns(&(DMat3::IDENTITY * trace(&s) - s), &arms, size(&s));
    farthest(&beside) + long + fitted * mean(cluster, &beside) + turned
}

/// Scale of the velocities of a cluster as a rigid body \[m/s\]: the speeds beside its anchor's, and how far the error of
/// the angular velocity carries the points. About an axis it is that of the spin over the inertia.
fn brake_scale(cluster: &Cluster, x: &[DVec3], v: &[DVec3]) -> f64 {
    let (arms, centre) = (cluster.arms(x), cluster.centre(v));
    let relative: Vec<_> = cluster.members.iter().map(|i| v[*i] - centre).collect();
    let speed = farthest(&relative);
    let mut inertia = DMat3::ZERO;
    for (p, w) in arms.iter().zip(&cluster.weights) {
        inertia += (DMat3::IDENTITY * p.length_squared() - outer(*p, *p)) * *w;
    }
    let spin = cluster.mass() * mean(cluster, &arms) * mean(cluster, &relative);
    speed + turns(&inertia, &arms, spin)
}

/// How far an error of `size` of a torque turns the arms, about each axis divided by the matrix's eigenvalue there.
fn turns(matrix: &DMat3, arms: &[DVec3], size: f64) -> f64 {
    let (values, axes) = principal_axes(&symmetric(matrix));
    let turned = values.iter().zip(axes).map(|(value, axis)| {
        let out = arms.iter().map(|q| axis.cross(*q).length());
        let least = value.max(LEAST * values[2]).max(f64::MIN_POSITIVE);
        (out.fold(0.0, extreme::greatest) * size / least).powi(2)
    });
    turned.sum::<f64>().sqrt()
}

/// Root of the members' mean square.
fn mean(cluster: &Cluster, vectors: &[DVec3]) -> f64 {
    let terms = vectors.iter().zip(&cluster.weights);
    let sum: f64 = terms.map(|(v, w)| w * v.length_squared()).sum();
    (sum / cluster.mass()).sqrt()
}

/// 1 and the largest square of a member's distance in the rest shape, in standard deviations along each axis.
pub fn farthest_out(cluster: &Cluster, rest: &[DVec3]) -> f64 {
    let axes = cluster.axes(rest);
    let deviations = |q: &DVec3| {
        let along = axes.iter().filter(|(_, deviation)| *deviation > 0.0);
        let squares = along.map(|(axis, d)| (axis.dot(*q) / d).powi(2));
        1.0 + squares.sum::<f64>()
    };
    let arms = cluster.arms(rest);
    arms.iter().map(deviations).fold(1.0, extreme::greatest)
}

pub fn farthest(vectors: &[DVec3]) -> f64 {
    vectors.iter().map(|v| v.length()).fold(0.0, extreme::greatest)
}
