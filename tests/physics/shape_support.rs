//! Bodies that match shapes, and how far they are from them.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::shape::{Cluster, Kept};
use pliant::scene::{
    Body, Clusters, Integrator, Mode, Plasticity, Pull, Scene, ShapeMatching, Step,
};

use crate::support::*;

/// The modes, each with a share of it in the goals.
pub const MODES: [(Mode, f64); 3] =
    [(Mode::Rigid, 0.0), (Mode::Linear, 0.8), (Mode::Quadratic, 0.8)];

/// α = 0.3, elastic, one cluster.
pub fn shape((mode, beta): (Mode, f64)) -> ShapeMatching {
    ShapeMatching {
        pull: Pull::Alpha(0.3),
        beta,
        mode,
        relaxation: 0.0,
        clusters: Clusters::Whole,
        plasticity: Plasticity::default(),
    }
}

/// Clusters that overlap.
pub fn grid(count: [u32; 3]) -> Clusters {
    Clusters::Grid { count, overlap: 1.0 }
}

/// 1 m × 0.5 m × 0.5 m in 8 × 4 × 4 cubes.
pub fn bar(shape: ShapeMatching) -> Body {
    let mut body = Body::lattice("bar", [8, 4, 4], [1.0, 0.5, 0.5]);
    body.kind = shape.into();
    body
}

pub fn free(body: Body, step: f64) -> Scene {
    floating(body, Integrator::SymplecticEuler, Step::Fixed(step))
}

/// Of each body: the largest distance [m] of a point from where the nearest rigid motion of its rest shape has it.
pub fn deformed(world: &mut World) -> Vec<f64> {
    let x = doubles(&world.read().unwrap().positions);
    let model = world.model();
    let of = |body: &pliant::internals::model::BodyRanges| {
        let members: Vec<usize> = body.particles.clone().collect();
        let whole = Cluster {
            weights: members.iter().map(|&i| model.masses[i]).collect(),
            members,
            mode: Mode::Rigid,
            beta: 0.0,
            plasticity: Plasticity::default(),
        };
        let (fit, _) = whole.advance(&model.rest_positions, &x, &Kept::default(), 1.0);
        let ways = fit.goals.iter().zip(&whole.members).map(|(g, i)| g.distance(x[*i]));
        ways.fold(0.0, extreme::greatest)
    };
    model.bodies.iter().map(of).collect()
}

/// The explicit integrators that shape matching is stable with.
pub const STABLE: [Integrator; 4] =
    [Integrator::SymplecticEuler, Integrator::Verlet, Integrator::Leapfrog, Integrator::Rk4];

/// A scene of bodies that do not touch.
pub fn unlinked(bodies: Vec<Body>, step: f64) -> Scene {
    let mut scene = free(bodies[0].clone(), step);
    scene.bodies = bodies;
    for (i, body) in scene.bodies.iter_mut().enumerate() {
        (body.name, body.group) = (format!("{i}"), 0);
    }
    scene
}

/// The clusters of a body in f64.
pub fn clusters(world: &World, body: usize, shape: &ShapeMatching) -> Vec<Cluster> {
    let model = world.model();
    let mut count = vec![0.0; model.positions.len()];
    for i in model.clusters.iter().flat_map(|cluster| &cluster.members) {
        count[*i as usize] += 1.0;
    }
    let cluster = |cluster: &pliant::internals::family::shape::Cluster| {
        let members: Vec<usize> = cluster.members.iter().map(|i| *i as usize).collect();
        Cluster {
            weights: members.iter().map(|&i| model.masses[i] / count[i]).collect(),
            members,
            mode: cluster.mode,
            beta: shape.beta,
            plasticity: shape.plasticity,
        }
    };
    let own = model.clusters.iter().filter(|cluster| cluster.body == body);
    own.map(cluster).collect()
}

/// Random velocities of up to `speed` [m/s] along each axis on top of a spin and a drift.
pub fn shake(world: &World, speed: f64) {
    let mut random = Random::new(3);
    let mut start = system(world);
    for (v, x) in start.velocity.iter_mut().zip(&world.model().rest_positions) {
        *v = DVec3::new(1.0, -0.5, 0.2) + DVec3::new(1.0, 2.0, -3.0).cross(*x);
        *v += random.vector(1.0) * speed;
    }
    start_from(world, &mut start);
}
