//! The pointer pulls at bodies.

use glam::{Vec2, Vec3};
use pliant::internals::Inside as _;
use pliant::query::{Ray, RayOptions};
use pliant::world::PointerSpring;
use pliant::{Error, Result};

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
    particle: usize,
    /// From the point that was taken hold of to the particle [m].
    aside: Vec3,
    /// How far from the eye that point lay, along the view [m].
    depth: f32,
    rate: f32,
    damping: f32,
}

impl Viewer {
    /// The pointer takes hold of what is under it, or of the active body's nearest point.
    pub fn press(&mut self, pixel: Vec2, size: [u32; 2]) {
        if self.playback.is_some() {
            return self
                .say("bodies of a finished run cannot be pulled; press \"Simulate on\" first");
        }
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
        let (particle, position, point) = match self.met(ray)? {
            Some((body, point)) => {
                self.active = body;
                let (particle, position) = self.nearest(body, |x| x.distance_squared(point))?;
                (particle, position, point)
            }
            None if self.visible.get(self.active) == Some(&true) => {
                let along = ray.direction.normalize();
                let beside = |away: Vec3| away - away.dot(along).max(0.0) * along;
                let far = |x| beside(x - ray.origin).length_squared();
                let (particle, position) = self.nearest(self.active, far)?;
                (particle, position, position)
            }
            None => return Ok(None),
        };
        let model = self.world.model();
        let mass = model.mass(self.active);
        // The particle alone must not swing by a force that is held so long.
        let (own, held) = (model.masses[particle], self.pull_time());
        let rate = (PULL * mass).min(0.5 * own / held.powi(2));
        let damping = (PULL_DAMPING * mass).min(0.5 * own / held);
        Ok(Some(Held {
            particle,
            aside: position - point,
            depth: self.depth(point),
            rate: rate as f32,
            damping: damping as f32,
        }))
    }

    /// The visible body that a ray meets first, and where [m].
    fn met(&mut self, ray: Ray) -> Result<Option<(usize, Vec3)>> {
        let visible = self.visible.iter().map(|visible| u32::from(*visible));
        self.queries.set_groups(Some(visible.collect()));
        let hits = self.queries.rays(&self.world, &[ray], &RayOptions::default())?;
        Ok(hits.wait()?[0].and_then(|hit| Some((hit.body?, hit.position))))
    }

    /// The particle of a body that is the least `far`, in device order, and where it is [m].
    fn nearest(&mut self, body: usize, far: impl Fn(Vec3) -> f32) -> Result<(usize, Vec3)> {
        let range = self.world.model().bodies[body].particles.clone();
        let places = self.world.start_reading(range.clone())?.wait()?.positions;
        let nearest = range.zip(places).min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
        nearest.ok_or_else(|| Error::value("body", body, "a body with particles"))
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
        let pointer_spring = PointerSpring {
            particle: held.particle,
            target: eye + (held.depth / along.max(1e-3)) * direction + held.aside,
            rate: held.rate,
            damping: held.damping,
            most: f32::MAX,
        };
        let limit = self.world.pointer_spring_limit(pointer_spring.particle);
        let pulled = limit.and_then(|most| {
            self.world.set_pointer_spring(Some(PointerSpring { most, ..pointer_spring }))
        });
        if let Err(error) = pulled {
            self.held = None;
            self.complain(&error);
        }
    }

    /// The pointer lets go.
    pub fn release(&mut self) {
        if self.held.take().is_some()
            && let Err(error) = self.world.set_pointer_spring(None)
        {
            self.complain(&error);
        }
    }

    /// Whether the pointer pulls at something.
    pub fn pulls(&self) -> bool {
        self.held.is_some()
    }
}
