//! The pointer pulls at bodies.

use glam::{Vec2, Vec3};
use pliant::Result;
use pliant::inspect::{Grip, Ray};
use pliant::internals::Inside as _;
use pliant::world::Tug;

use super::viewer::Viewer;

/// Force over distance and mass of the body of a pull [1/s²]: four times a body's weight where the pointer is a metre away.
const PULL: f64 = 40.0;
/// Its force over velocity and mass [1/s]: what swings about the pointer comes to rest in a second or so.
const PULL_DAMPING: f64 = 4.0;
/// A pull's force is renewed this often [s], or with every step if that is longer.
const PULL_TIME: f64 = 1e-3;

/// What the pointer pulls at.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    grip: Grip,
    /// How far from the eye the point lay, along the view.
    depth: f32,
    rate: f32,
    damping: f32,
}

impl Viewer {
    /// The pointer takes hold of what is under it, or of the active body's nearest point.
    pub fn press(&mut self, pixel: Vec2, size: [u32; 2]) {
        let (origin, direction) = self.orbit.camera().ray(pixel, size);
        let ray = Ray { origin, direction };
        match self.grip(ray) {
            Ok(Some(held)) => {
                self.held = Some(held);
                self.drag(pixel, size);
            }
            Ok(None) => {}
            Err(error) => self.complain(&error),
        }
    }

    fn grip(&mut self, ray: Ray) -> Result<Option<Held>> {
        self.world.update_skin();
        let hit = self.inspector.pick(&self.world, ray, &self.visible)?;
        let grip = match hit {
            Some(hit) => {
                self.active = hit.body;
                self.inspector.nearest(&self.world, hit.body, hit.point)?
            }
            None if self.visible.get(self.active) == Some(&true) => {
                self.inspector.nearest(&self.world, self.active, ray)?
            }
            None => return Ok(None),
        };
        let model = self.world.model();
        let mass = model.mass(self.active);
        // The particle alone must not swing by a force that is held so long.
        let (own, held) = (model.masses[grip.particle], self.pull_time());
        let rate = (PULL * mass).min(0.5 * own / held.powi(2));
        let damping = (PULL_DAMPING * mass).min(0.5 * own / held);
        Ok(Some(Held {
            grip,
            depth: self.depth(grip.position),
            rate: rate as f32,
            damping: damping as f32,
        }))
    }

    /// How long the force of a pull is held [s].
    pub fn pull_time(&self) -> f64 {
        PULL_TIME.max(self.world.stepping().step)
    }

    /// How far from the eye a point lies along the view [m].
    fn depth(&self, point: Vec3) -> f32 {
        let camera = self.orbit.camera();
        (point - camera.eye).dot((camera.target - camera.eye).normalize())
    }

    /// The pointer pulls towards where it is, in the plane of the point that it took hold of.
    pub fn drag(&mut self, pixel: Vec2, size: [u32; 2]) {
        let Some(held) = self.held else {
            return;
        };
        let camera = self.orbit.camera();
        let (eye, direction) = camera.ray(pixel, size);
        let along = direction.dot((camera.target - camera.eye).normalize());
        let tug = Tug {
            particle: held.grip.particle,
            target: eye + (held.depth / along.max(1e-3)) * direction,
            rate: held.rate,
            damping: held.damping,
            most: f32::MAX,
        };
        let limit = self.world.tug_limit(tug.particle);
        let pulled = limit.and_then(|most| self.world.set_tug(Some(Tug { most, ..tug })));
        if let Err(error) = pulled {
            self.held = None;
            self.complain(&error);
        }
    }

    /// The pointer lets go.
    pub fn release(&mut self) {
        if self.held.take().is_some()
            && let Err(error) = self.world.set_tug(None)
        {
            self.complain(&error);
        }
    }

    /// Whether the pointer pulls at something.
    pub fn pulls(&self) -> bool {
        self.held.is_some()
    }
}
