//! Rigid bodies: poses that carry the particles of their surfaces, and touch by convex colliders; held meshes by their triangles.
//!
//! A rigid body has a mesh as the others have: what is drawn, asked for and touched by bodies that deform is particles and
//! tetrahedra. No force acts on these, their pose has them ([`pose_carry`](../../../wgsl/family/rigid/pose_carry.wgsl)).

pub mod facets;
pub mod mass;
mod obstacle;
pub mod overlap;
mod rest;
pub mod shape;

use std::collections::HashMap;
use std::ops::Range;

use glam::{DQuat, DVec3, Vec3, Vec4};

use self::mass::MassProperties;
pub use self::obstacle::add_obstacles;
pub use self::rest::Parts;
use self::rest::rest;
use self::shape::{Part as Convex, pack};
use super::deformation::Deformation;
use crate::gpu::types::{Body as GpuBody, Collider, LOADED_FORCES, NONE, Pose, SEARCH_TURN};
use crate::model::{BodyRanges, Material, Model, Part, Rest, RigidBody, placing};
use crate::scene::defaults::Extent;
use crate::scene::{Body, Kind, Mass, MeshSource, Rigid, Scene};
use crate::{Error, Result};

/// How far a body at rest looks around [m], and as a share of the shortest side of its box: the lesser counts.
const MARGIN: [f64; 2] = [0.02, 0.1];

/// Of hulls with many faces contacts are looked for after half of the angle between two of these, but after no less than this [rad]:
/// until then a face that has rolled on lets the body sink, and being lifted out again gives it energy.
const LEAST_TURN: f32 = 0.01;

/// What all bodies of one make have in common.
#[derive(Clone, Debug)]
pub struct Make {
    colliders: Range<usize>,
    properties: MassProperties,
    /// Radius of a ball about the centre that holds all [m].
    bound: f64,
    /// [m]
    margin: f64,
    /// How far it may turn until contacts are found anew [rad]: a ball as far as it likes.
    turn: f32,
}

/// The makes that a model has, by what is the same in all of their bodies.
pub type Makes = HashMap<u64, Make>;

impl Make {
    fn new(model: &mut Model, part: &Part<'_>) -> Result<Self> {
        let body = part.body;
        let (density, whole) = match body.mass {
            Mass::Density(density) => (density, None),
            Mass::Body(mass) | Mass::Point(mass) => (1.0, Some(mass)),
        };
        let (convex, mut properties) = match (&body.mesh, &part.rest.rigid) {
            (MeshSource::Shape(shape), _) => {
                let scale = DVec3::from(body.scale);
                let named = |error| in_scale(body, error);
                let convex = shape.colliders(scale).map_err(named)?;
                (convex, shape.mass(scale, density).map_err(named)?)
            }
            (_, Some(parts)) => parts.scaled(placing(body).0, density)?,
            (_, None) => return Err(Error::Mesh("has no convex parts".into())),
        };
        if let Some(mass) = whole {
            properties = properties.with_mass(mass);
        }
        let facets = convex.iter().filter_map(Convex::facet_angle);
        let facet = facets.fold(f64::INFINITY, crate::extreme::least);
        let seen =
            convex.into_iter().map(|part| part.seen_from(properties.centre, properties.axes));
        let colliders = model.add_colliders(&seen.collect::<Vec<_>>());
        let is_ball = |c: &Collider| {
            c.half == Vec3::ZERO && c.radius > 0.0 && c.position.length() <= 1e-5 * c.radius
        };
        let turns = model.colliders[colliders.clone()].iter().all(is_ball);
        let points = &part.scaled.points;
        let reaches = points.iter().map(|x| x.distance(properties.centre));
        let side = crate::mesh::Bounds::of(points.iter().copied()).size().min_element();
        Ok(Self {
            colliders,
            properties,
            bound: reaches.fold(0.0, crate::extreme::greatest),
            margin: MARGIN[0].min(MARGIN[1] * side),
            turn: match turns {
                true => f32::MAX,
                false => SEARCH_TURN.min(LEAST_TURN.max(0.5 * facet as f32)),
            },
        })
    }
}

/// An error of a shape's scale, at its field.
fn in_scale(body: &Body, error: Error) -> Error {
    match error {
        Error::Value { at, got, want } => {
            Error::value(format!("{}.{at}", crate::scene::body_label(&body.name)), got, want)
        }
        Error::Mesh(message) => {
            let at = format!("{}.scale", crate::scene::body_label(&body.name));
            Error::value(at, format!("{:?}", body.scale), message)
        }
        other => other,
    }
}

impl Model {
    /// Puts convex parts of one pose behind the colliders that are there; which these are.
    fn add_colliders(&mut self, parts: &[Convex]) -> Range<usize> {
        let first = self.colliders.len();
        let colliders = pack(parts, &mut self.hull_vertices, &mut self.hull_faces);
        self.colliders.extend(colliders);
        first..self.colliders.len()
    }
}

impl Deformation for Rigid {
    fn rest(&self, body: &Body, scene: &Scene) -> Option<Result<Rest>> {
        Some(rest(body, scene))
    }

    fn loaded(&self) -> u32 {
        LOADED_FORCES
    }

    fn deforms_bare(&self, _: &Rest) -> bool {
        false
    }

    fn has_rates(&self) -> bool {
        false
    }

    fn material(&self, _: &Part<'_>, _: &Extent, _: f64) -> Material {
        Material::default()
    }

    fn add(&self, model: &mut Model, part: &Part<'_>, ranges: &mut BodyRanges) -> Result<()> {
        let body = part.body;
        let (pose, index) = (model.poses.len(), model.bodies.len() as u32);
        let archetype = ranges.archetype.unwrap_or_default();
        let make = match model.makes.get(&archetype) {
            // Its colliders again, of another pose.
            Some(make) => {
                let first = model.colliders.len();
                model.colliders.extend_from_within(make.colliders.clone());
                Make { colliders: first..model.colliders.len(), ..make.clone() }
            }
            None => {
                let make = Make::new(model, part)?;
                model.makes.insert(archetype, make.clone());
                make
            }
        };
        for collider in &mut model.colliders[make.colliders.clone()] {
            *collider = Collider { pose: pose as u32, body: index, ..*collider };
        }
        let MassProperties { mass, centre, moments, axes, volume } = make.properties;
        model
            .carried
            .resize(ranges.particles.start, Vec4::new(0.0, 0.0, 0.0, f32::from_bits(NONE)));
        for i in ranges.particles.clone() {
            let own = axes.inverse() * (model.rest_positions[i] - centre);
            model.carried.push(own.as_vec3().extend(f32::from_bits(pose as u32)));
            model.pinned[i] = true;
            model.masses[i] = mass / ranges.particles.len() as f64;
        }
        let own = RigidBody { pose, mass, moments, centre, axes };
        let start = self.start(body, &own);
        for i in ranges.particles.clone() {
            let arm = model.positions[i] - start.position.as_dvec3();
            model.velocities[i] = start.velocity.as_dvec3() + start.spin.as_dvec3().cross(arm);
        }
        model.poses.push(Pose {
            body: index,
            bound: make.bound as f32,
            margin: make.margin as f32,
            turn: make.turn,
            ..start
        });
        model.rebounds |= self.restitution > 0.0;
        ranges.rigid = Some(own);
        ranges.volume = volume;
        Ok(())
    }

    fn constants(&self, _: &Material) -> GpuBody {
        GpuBody {
            restitution: self.restitution as f32,
            rolling: self.rolling_friction as f32,
            ..GpuBody::default()
        }
    }

    fn is_alike(&self, other: &Kind) -> bool {
        matches!(other, Kind::Rigid(other) if (self.held, self.mesh_shape()) == (other.held, other.mesh_shape()))
    }
}

impl Model {
    /// Starts a rigid body anew, as another of its make says.
    pub(crate) fn restart_pose(&mut self, index: usize, body: &Body) {
        if let (Some(own), Kind::Rigid(rigid)) = (self.bodies[index].rigid, &body.kind) {
            let before = self.poses[own.pose];
            let start = rigid.start(body, &own);
            self.poses[own.pose] = Pose {
                position: start.position,
                rotation: start.rotation,
                velocity: start.velocity,
                spin: start.spin,
                momentum: start.momentum,
                ..before
            };
        }
    }
}

impl Rigid {
    /// Where a body of this mass starts, and how it moves.
    fn start(&self, body: &Body, own: &RigidBody) -> Pose {
        let RigidBody { mass, centre, moments, axes, .. } = *own;
        let turn = DQuat::from_mat3(&placing(body).1);
        let rotation = (turn * axes).normalize();
        let free = if self.held { 0.0 } else { 1.0 };
        let velocity = free * DVec3::from(body.velocity);
        let spin = free * DVec3::from(body.angular_velocity);
        let momentum = rotation * (moments * (rotation.inverse() * spin));
        Pose {
            position: (turn * centre + DVec3::from(body.position)).as_vec3(),
            inverse_mass: (free / mass) as f32,
            rotation: Vec4::from(rotation.as_quat()),
            velocity: velocity.as_vec3(),
            spin: spin.as_vec3(),
            momentum: momentum.as_vec3(),
            inverse_inertia: (free / moments).as_vec3(),
            ..Pose::default()
        }
    }
}
