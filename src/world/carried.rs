//! What moves, handed over to a world that takes this one's place.

use glam::{Quat, Vec3};

use super::World;
use super::trajectory::{RigidMotion, Trajectory};
use crate::Result;
use crate::gpu::types::Pin;
use crate::scene::Solid;

/// What goes on to move in a world that takes this one's place.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    solids: Vec<(usize, Solid, RigidMotion)>,
    /// By body.
    pins: Vec<(usize, RigidMotion)>,
    /// The same of those that go their own ways: where to, and in what time [s].
    guided: Vec<(usize, Vec<Vec3>, f64)>,
    /// Motions of pins that the scene says, by body, and that the caller has ended.
    pub ended: Vec<(usize, Trajectory)>,
}

impl World {
    /// What moves at present, for a world that takes this one's place.
    pub(super) fn carried(&self) -> Carried {
        let obstacles = self.scene.obstacles();
        let mut carried = Carried { ended: self.ended_motions().collect(), ..Carried::default() };
        let own = |(_, trajectory): &(&usize, &Trajectory)| !trajectory.of_scene;
        for (index, trajectory) in self.motions.solids.iter().filter(own) {
            let motion = trajectory.motion(self.time());
            carried.solids.push((*index, obstacles[*index].clone(), motion));
        }
        for (body, pins) in &self.motions.pins {
            let trajectory = &pins.trajectory;
            if trajectory.of_scene {
                continue;
            }
            let leg = trajectory.leg(self.time()).copied().unwrap_or_default();
            let (gone, goes) = leg.gone(self.time());
            if goes && leg.lasts.is_finite() {
                // In the order of the mesh, as they were given.
                let target = |pin: &Pin| pin.anchor + leg.lasts as f32 * pin.velocity;
                let targets = pins.places.iter().map(target).collect();
                carried.guided.push((*body, targets, leg.lasts - gone));
            } else {
                let motion =
                    RigidMotion { rotation: Quat::IDENTITY, ..trajectory.motion(self.time()) };
                carried.pins.push((*body, motion));
            }
        }
        carried
    }

    /// Goes on with what moved in another world of the same bodies, the same and further ones: solids that are the same in this
    /// one, and pins of which there are as many.
    pub(super) fn resume_motions(&mut self, carried: &Carried) -> Result<()> {
        let obstacles = self.scene.obstacles();
        for (index, solid, motion) in &carried.solids {
            if obstacles.get(*index) == Some(solid) {
                self.move_solid(*index, *motion)?;
            }
        }
        for (body, motion) in &carried.pins {
            if self.held(*body).is_ok() {
                self.move_pins(*body, *motion)?;
            }
        }
        for (body, targets, left) in &carried.guided {
            if self.held(*body).is_ok_and(|held| held.len() == targets.len()) {
                self.guide(*body, targets, *left)?;
            }
        }
        Ok(())
    }
}
