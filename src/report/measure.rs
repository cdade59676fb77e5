//! Energies, momenta and shapes of a state, summed in f64: sums in f32 could not show a millijoule beside kilojoules.

use glam::DVec3;
use serde::Serialize;

use crate::mesh::volume;
use crate::model::{BodyRanges, Model, RigidBody};
use crate::world::{PoseState, Snapshot};
use crate::{Result, World};

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// ½ Σ m v²; held particles have none.
    pub kinetic: f64,
    /// Σ ½ k C² of springs, volumes and areas, and the energy of finite elements.
    pub elastic: f64,
    /// −Σ m g·x
    pub gravity: f64,
}

impl Energy {
    /// The sum of all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity
    }
}

/// Momenta of the particles that are not held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Momentum {
    /// Σ m v [kg m/s]
    pub linear: [f64; 3],
    /// Σ m x × v about the origin [kg m²/s]
    pub angular: [f64; 3],
}

/// One body's state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyMeasure {
    /// Its name in the scene.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Mass [kg]; `None` for held rigid bodies.
    pub mass: Option<f64>,
    /// Centre of mass [m]; for a held mesh the centre of its box.
    pub centroid: [f64; 3],
    /// Mean length of its edges [m], the unit of contact depths.
    pub edge: f64,
    /// Least and greatest coordinates of the coarse surface, of a cloud those of its points [m].
    pub aabb: [[f64; 3]; 2],
    /// Volume of its tetrahedra, of a rigid body that of its shape or mesh, 0 of an open one [m³].
    pub volume: f64,
    /// Their volume at rest [m³].
    pub volume_rest: f64,
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Energy of its springs, volumes, areas or finite elements [J].
    #[serde(skip)]
    pub elastic: f64,
    /// Potential energy [J]; 0 of what is held.
    #[serde(skip)]
    pub gravity: f64,
    /// Speed of its fastest particle [m/s].
    pub max_speed: f64,
    /// Number of tetrahedra of negative volume.
    pub inverted_tets: usize,
    /// Σ m v [kg m/s]
    pub linear_momentum: [f64; 3],
    /// Σ m x × v about the origin [kg m²/s]
    pub angular_momentum: [f64; 3],
    /// Orientation of a rigid body relative to its rest shape, a unit quaternion [x, y, z, w].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<[f64; 4]>,
    /// Velocity of the centre of mass of a rigid body [m/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Angular velocity of a rigid body in world axes [rad/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<[f64; 3]>,
    /// Whether a rigid body has fallen asleep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asleep: Option<bool>,
}

/// A state's measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Of all bodies that are present.
    pub energy: Energy,
    /// The same.
    pub momentum: Momentum,
    /// One entry per body, also of those that are absent.
    pub bodies: Vec<BodyMeasure>,
}

impl Measure {
    /// Measures a state of this world under its gravity.
    ///
    /// # Errors
    /// A state of other particles.
    pub fn new(world: &World, state: &Snapshot) -> Result<Self> {
        let model = world.model();
        state.check(model.positions.len())?;
        let gravity = DVec3::from(world.scene().world.gravity);
        let bodies: Vec<_> =
            (0..model.bodies.len()).map(|body| measure_body(model, body, gravity, state)).collect();
        let all = bodies.iter().zip(&model.bodies);
        let present = all.filter(|(_, ranges)| !ranges.absent);
        let present: Vec<_> = present.map(|(body, _)| body).collect();
        let sum = |part: fn(&BodyMeasure) -> f64| present.iter().map(|body| part(body)).sum();
        let total = |part: fn(&BodyMeasure) -> [f64; 3]| {
            let parts = present.iter().map(|body| DVec3::from(part(body)));
            parts.sum::<DVec3>().into()
        };
        Ok(Self {
            energy: Energy {
                kinetic: sum(|b| b.kinetic),
                elastic: sum(|b| b.elastic),
                gravity: sum(|b| b.gravity),
            },
            momentum: Momentum {
                linear: total(|b| b.linear_momentum),
                angular: total(|b| b.angular_momentum),
            },
            bodies,
        })
    }
}

/// Part of its volume below which a body counts as crushed.
pub(super) const CRUSHED: f64 = 0.5;

/// The volume of a body's tetrahedra with the particles at `x`, over that at rest; NaN where it has none.
pub(super) fn volume_share(
    model: &Model,
    body: &BodyRanges,
    x: impl Fn(u32) -> DVec3 + Copy,
) -> f64 {
    let tets = &model.tets[body.tets.clone()];
    let now: f64 = tets.iter().map(|tet| volume(tet.corners.map(x))).sum();
    now / tets.iter().map(|tet| tet.rest).sum::<f64>()
}

fn measure_body(model: &Model, body: usize, gravity: DVec3, state: &Snapshot) -> BodyMeasure {
    let ranges = &model.bodies[body];
    let held = model.is_held(body);
    let (mut mass, mut weighted) = (0.0, DVec3::ZERO);
    let (mut kinetic, mut max_speed) = (0.0, 0.0_f64);
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    if let Some((body, pose)) = rigid(ranges, state) {
        let (x, v) = (pose.centre.as_dvec3(), pose.velocity.as_dvec3());
        let spin = pose.angular_velocity.as_dvec3();
        // I ω, by the principal axes.
        let axes = pose.rotation.as_dquat() * body.axes;
        let turning = axes * (body.moments * (axes.inverse() * spin));
        (mass, weighted) = (body.mass, body.mass * x);
        if !held {
            kinetic = 0.5 * (body.mass * v.length_squared() + spin.dot(turning));
            (linear, angular) = (body.mass * v, body.mass * x.cross(v) + turning);
        }
        max_speed = ranges
            .particles
            .clone()
            .map(|i| state.velocities[i].length())
            .fold(0.0, f32::max)
            .into();
    }
    let deforms = ranges.particles.clone().filter(|_| ranges.rigid.is_none());
    for i in deforms {
        let (m, x, v) =
            (model.masses[i], state.positions[i].as_dvec3(), state.velocities[i].as_dvec3());
        mass += m;
        weighted += m * x;
        if !model.pinned[i] {
            kinetic += 0.5 * m * v.length_squared();
            max_speed = max_speed.max(v.length());
            linear += m * v;
            angular += m * x.cross(v);
        }
    }
    let shape = measure_shape(model, body, state);
    let pose = rigid(ranges, state).map(|(_, pose)| pose);
    // Of what is rigid the tetrahedra are those of its hull.
    let [volume, volume_rest] = match pose {
        Some(_) => [ranges.volume; 2],
        None => [shape.volume, shape.volume_rest],
    };
    BodyMeasure {
        name: ranges.name.clone(),
        kind: ranges.family,
        mass: (!held).then_some(mass),
        centroid: (weighted / mass).into(),
        edge: ranges.edge,
        aabb: shape.aabb,
        volume,
        volume_rest,
        kinetic,
        elastic: shape.elastic,
        gravity: if held { 0.0 } else { -gravity.dot(weighted) },
        max_speed,
        inverted_tets: shape.inverted,
        linear_momentum: linear.into(),
        angular_momentum: angular.into(),
        orientation: pose.map(|pose| pose.rotation.as_dquat().to_array()),
        velocity: pose.map(|pose| pose.velocity.as_dvec3().to_array()),
        angular_velocity: pose.map(|pose| pose.angular_velocity.as_dvec3().to_array()),
        asleep: pose.map(|pose| pose.asleep),
    }
}

/// What a rigid body is, and where.
fn rigid<'a>(
    ranges: &'a BodyRanges,
    state: &'a Snapshot,
) -> Option<(&'a RigidBody, &'a PoseState)> {
    let body = ranges.rigid.as_ref()?;
    Some((body, state.poses.get(body.pose)?))
}

struct Shape {
    aabb: [[f64; 3]; 2],
    volume: f64,
    volume_rest: f64,
    elastic: f64,
    inverted: usize,
}

fn measure_shape(model: &Model, body: usize, state: &Snapshot) -> Shape {
    let ranges = &model.bodies[body];
    let x = |i: u32| state.positions[i as usize].as_dvec3();
    let mut elastic = 0.0;
    for spring in &model.springs[ranges.springs.clone()] {
        let strain = x(spring.points[0]).distance(x(spring.points[1])) / spring.rest - 1.0;
        elastic += 0.5 * spring.distance * strain * strain;
    }
    let (mut sum, mut volume_rest, mut inverted) = (0.0, 0.0, 0);
    for tet in &model.tets[ranges.tets.clone()] {
        let now = volume(tet.corners.map(x));
        let strain = now / tet.rest - 1.0;
        elastic += 0.5 * tet.volume * strain * strain;
        sum += now;
        volume_rest += tet.rest;
        inverted += usize::from(now < 0.0);
    }
    for area in &model.areas[ranges.areas.clone()] {
        let [a, b, c] = area.corners.map(x);
        let strain = 0.5 * (b - a).cross(c - a).length() / area.rest - 1.0;
        elastic += 0.5 * ranges.material.area * strain * strain;
    }
    for index in ranges.elements.clone() {
        let element = &model.elements[index];
        let plastic = state.plastic.get(index).copied().unwrap_or_default();
        elastic += element.energy(element.corners.map(x), plastic);
    }
    let corners = model.triangles[ranges.triangles.clone()].iter().flatten();
    let bare = match ranges.triangles.is_empty() {
        true => ranges.particles.clone(),
        false => 0..0,
    };
    let surface = corners.map(|i| x(*i)).chain(bare.map(|i| x(i as u32)));
    let bounds = surface.fold(None, |bounds: Option<[DVec3; 2]>, x| {
        Some(bounds.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]))
    });
    let aabb = bounds.unwrap_or_default().map(Into::into);
    Shape { aabb, volume: sum, volume_rest, elastic, inverted }
}
