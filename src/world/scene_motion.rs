//! The motions that a scene says.

use glam::{DMat3, DQuat, DVec3};

use super::motion::Motions;
use super::pins::Pins;
use super::trajectory::{Leg, Trajectory, at_rest};
use crate::gpu::types::{Pin, Solid as GpuSolid};
use crate::model::{BodyRanges, Model, RigidBody, rotation_matrix};
use crate::scene::{Event, Movable, Scene};

/// What an event moves.
struct Course<'a> {
    what: &'a Movable,
    /// The point of the world that pins turn about as it starts; none: their body's position. Solids turn about theirs.
    centre: Option<DVec3>,
    /// One at least.
    legs: Vec<Leg>,
}

impl<'a> Course<'a> {
    fn new(event: &'a Event) -> Option<Self> {
        match event {
            Event::Move { what, centre, velocity, angular_velocity, from, to } => {
                let leg = Leg {
                    from: *from,
                    lasts: to - from,
                    velocity: DVec3::from(*velocity),
                    spin: DVec3::from(*angular_velocity),
                    ..Leg::default()
                };
                Some(Self { what, centre: Some(DVec3::from(*centre)), legs: vec![leg] })
            }
            Event::Keyframes { what, times, positions, rotations } => {
                let leg = |k: usize| {
                    let lasts = times[k + 1] - times[k];
                    let [start, end] = [k, k + 1].map(|k| DVec3::from(positions[k]));
                    let [before, after] = [k, k + 1].map(|k| rotation_matrix(rotations[k]));
                    Leg {
                        from: times[k],
                        lasts,
                        velocity: (end - start) / lasts,
                        spin: turn(after * before.transpose()) / lasts,
                        ..Leg::default()
                    }
                };
                let legs = (0..times.len() - 1).map(leg).collect();
                Some(Self { what, centre: None, legs })
            }
            Event::LineForce { .. } | Event::Wind { .. } => None,
        }
    }

    /// Goes on with the event's legs, about a point of its own or about the centre.
    fn add_to(&self, trajectory: &mut Trajectory, pivot: Option<DVec3>) {
        self.legs.iter().for_each(|leg| trajectory.then(pivot, *leg));
    }
}

/// A rotation as its axis times its angle, of at most half a turn \[rad\].
fn turn(rotation: DMat3) -> DVec3 {
    let turn = DQuat::from_mat3(&rotation);
    if turn.w < 0.0 { (-turn).to_scaled_axis() } else { turn.to_scaled_axis() }
}

impl Motions {
    /// Those of a scene, its solids as kernels have them.
    pub fn of_scene(scene: &Scene, model: &Model, solids: &[GpuSolid]) -> Self {
        let mut motions = Self::default();
        let floor = usize::from(scene.world.floor.is_some());
        let mut courses: Vec<_> = scene.events.iter().filter_map(Course::new).collect();
        courses.sort_by(|a, b| a.legs[0].from.total_cmp(&b.legs[0].from));
        for course in courses {
            match course.what {
                Movable::Solid(number) => {
                    let index = (*number as usize + floor).saturating_sub(1);
                    if let Some(solid) = solids.get(index).filter(|_| scene.world.contact) {
                        let trajectory = motions.solids.entry(index);
                        course.add_to(trajectory.or_insert_with(|| standing(solid)), None);
                    }
                }
                Movable::Pins(name) => {
                    // Of copies of a scene each has one.
                    let bodies = model.bodies.iter().enumerate();
                    for (body, ranges) in bodies.filter(|(_, body)| body.name == *name) {
                        let position = DVec3::from(scene.bodies[body].position);
                        let start = course.centre.unwrap_or(position);
                        let pins = motions.pins.entry(body);
                        let pins = pins.or_insert_with(|| held(model, ranges, start));
                        course.add_to(&mut pins.trajectory, course.centre);
                    }
                }
            }
        }
        motions
    }
}

fn standing(solid: &GpuSolid) -> Trajectory {
    let rest = at_rest(solid);
    Trajectory::of_scene(rest.position.as_dvec3(), rest.rotation.as_dquat().normalize())
}

/// What is held of a body, standing about a centre.
fn held(model: &Model, body: &BodyRanges, centre: DVec3) -> Pins {
    let place = |particle: usize, x: DVec3| Pin {
        anchor: (x - centre).as_vec3(),
        particle: particle as u32,
        ..Pin::default()
    };
    let of_pose = |rigid: RigidBody| {
        let centre = model.poses[rigid.pose].position.as_dvec3();
        place(model.positions.len() + rigid.pose, centre)
    };
    let places = match body.rigid {
        Some(rigid) => vec![of_pose(rigid)],
        None => {
            let held = body.particles.clone().filter(|i| model.pinned[*i]);
            held.map(|i| place(i, model.positions[i])).collect()
        }
    };
    Pins { trajectory: Trajectory::of_scene(centre, DQuat::IDENTITY), places }
}
