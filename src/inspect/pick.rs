//! What the pointer meets.

use glam::Vec3;

use crate::gpu::types::{Beam, Candidate, NONE, PickChunk, SLICE};
use crate::gpu::{Binding, Buffer, Kernel, Recorder, Uniforms};
use crate::{Error, Result, World};

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts [m].
    pub origin: Vec3,
    /// Its direction, of any length.
    pub direction: Vec3,
}

/// Where a ray meets something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The body.
    pub body: usize,
    /// The place [m].
    pub point: Vec3,
    /// How far it is from the ray's origin [m].
    pub distance: f32,
}

/// A particle to pull at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The particle, in device order.
    pub particle: usize,
    /// Where it is [m].
    pub position: Vec3,
}

/// What a particle is looked for near to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointer {
    /// A place [m].
    Point(Vec3),
    /// A half line.
    Ray(Ray),
}

impl From<Vec3> for Pointer {
    fn from(point: Vec3) -> Self {
        Self::Point(point)
    }
}

impl From<Ray> for Pointer {
    fn from(ray: Ray) -> Self {
        Self::Ray(ray)
    }
}

impl Ray {
    /// The ray with axes across it.
    ///
    /// # Errors
    /// Numbers that are not finite, no direction.
    pub(crate) fn beam(self) -> Result<Beam> {
        self.beam_at("ray")
    }

    /// The same, where errors name the ray.
    pub(crate) fn beam_at(self, at: &str) -> Result<Beam> {
        let direction = self.direction.as_dvec3();
        let length = direction.length();
        if !(length > 0.0 && length.is_finite()) {
            let want = "a finite vector with a direction";
            let at = format!("{at}: direction");
            return Err(Error::value(at, self.direction, want));
        }
        let direction = direction / length;
        let right = direction.any_orthonormal_vector();
        Ok(Beam {
            direction: direction.as_vec3(),
            right: right.as_vec3(),
            up: direction.cross(right).as_vec3(),
            ..point(self.origin, &format!("{at}: origin"))?
        })
    }
}

/// A beam without a direction.
fn point(origin: Vec3, what: &str) -> Result<Beam> {
    if !origin.is_finite() {
        return Err(Error::value(what, origin, "finite coordinates"));
    }
    Ok(Beam {
        origin,
        ..Beam::default()
    })
}

/// The passes that look along a ray.
#[derive(Debug)]
pub(super) struct Picker {
    chunks: Buffer<PickChunk>,
    visible: Buffer<u32>,
    candidates: Buffer<Candidate>,
    found: Buffer<Candidate>,
    beam: Uniforms<Beam>,
    pick: Kernel,
    nearest: Kernel,
    least: Kernel,
}

impl Picker {
    /// For what a world draws.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(world: &World) -> Result<Self> {
        let context = world.context();
        let chunks = chunks(world);
        let bodies = &world.model().bodies;
        let slices = bodies.iter().map(|body| slices(body.particles.len()));
        let most = slices.fold(chunks.len(), usize::max);
        let kernel = |name| Kernel::new(context, name);
        Ok(Self {
            visible: Buffer::zeroed(context, "visible", bodies.len())?,
            candidates: Buffer::zeroed(context, "candidates", most)?,
            found: Buffer::zeroed(context, "found", 1)?,
            beam: Uniforms::new(context, "beam", 1),
            pick: kernel("pick_scan"),
            nearest: kernel("nearest_scan"),
            least: kernel("pick_least"),
            chunks: Buffer::new(context, "pick_chunks", &chunks)?,
        })
    }

    pub fn pick(&mut self, world: &World, ray: Ray, visible: &[bool]) -> Result<Option<Hit>> {
        let beam = Beam {
            count: self.chunks.len() as u32,
            ..ray.beam()?
        };
        let bodies = &world.model().bodies;
        let shown =
            |body: usize| u32::from(visible.get(body) == Some(&true) && !bodies[body].absent);
        let visible: Vec<_> = (0..self.visible.len()).map(shown).collect();
        self.visible.write(world.context(), 0, &visible);
        let (skin, indices) = world.skin();
        let others = [
            self.chunks.bind("pick_chunks"),
            self.visible.bind("visible"),
            skin.positions.bind("skin_positions"),
            indices.bind("skin_indices"),
        ];
        let found = self.run(world, &self.pick, beam, &others)?;
        Ok((found.index != NONE).then_some(Hit {
            body: found.body as usize,
            point: found.place,
            distance: found.distance,
        }))
    }

    pub fn nearest(&mut self, world: &World, body: usize, to: Pointer) -> Result<Grip> {
        world.check_body(body)?;
        let ranges = &world.model().bodies[body];
        let beam = match to {
            Pointer::Point(place) => point(place, "point")?,
            Pointer::Ray(ray) => ray.beam()?,
        };
        let beam = Beam {
            first: ranges.particles.start as u32,
            end: ranges.particles.end as u32,
            count: slices(ranges.particles.len()) as u32,
            body: body as u32,
            ..beam
        };
        let found = self.run(world, &self.nearest, beam, &[])?;
        Ok(Grip {
            particle: found.index as usize,
            position: found.place,
        })
    }

    /// Looks for candidates, and for the nearest of them.
    fn run(
        &self,
        world: &World,
        scan: &Kernel,
        beam: Beam,
        given: &[Binding<'_>],
    ) -> Result<Candidate> {
        let context = world.context();
        self.beam.write(context, &[beam]);
        let mut bindings = vec![
            self.beam.bind("beam"),
            self.candidates.bind("candidates"),
            self.found.bind("found"),
            world.particles().bind("particles_in"),
        ];
        bindings.extend_from_slice(given);
        let mut recorder = Recorder::new(context);
        let scan = scan.bind(context, &bindings);
        recorder.dispatch(&scan, beam.count as usize, 0);
        recorder.dispatch(&self.least.bind(context, &bindings), 1, 0);
        recorder.submit();
        Ok(self.found.read(context)?[0])
    }
}

/// How many threads look at so many particles or triangles.
fn slices(count: usize) -> usize {
    count.div_ceil(SLICE as usize)
}

/// What is drawn of each body, in ranges that one thread looks at.
fn chunks(world: &World) -> Vec<PickChunk> {
    let model = world.model();
    let mut chunks = Vec::new();
    let shown = model.bodies.iter().zip(&model.skin.bodies);
    for (body, (ranges, shown)) in shown.enumerate() {
        let spheres = ranges.radius > 0.0 && shown.triangles.is_empty();
        let (range, radius) = match spheres {
            true => (&ranges.particles, ranges.radius as f32),
            false => (&shown.triangles, 0.0),
        };
        let firsts = range.clone().step_by(SLICE as usize);
        chunks.extend(firsts.map(|first| PickChunk {
            first: first as u32,
            end: (first + SLICE as usize).min(range.end) as u32,
            body: body as u32,
            radius,
        }));
    }
    chunks
}
