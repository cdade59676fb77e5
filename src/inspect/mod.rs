//! What a viewer shows of a world: forces, penetration vectors, contact normals and colliders as lines, fields to colour by,
//! sums. All are computed by passes over the world's own arrays, which do not change; only a few words are read back.
//!
//! It reads a world without changing it; no world must know of it, and it must not know of windows.

mod field;
mod lines;
mod marks;
mod outline;
mod sums;
#[cfg(test)]
mod tests;

pub use field::{Field, FieldBuffers};
pub use lines::Lines;
pub use marks::MarkLines;
pub use outline::ColliderLines;
pub use sums::{BodySums, Sums};

use glam::Vec2;

use crate::Result;
use crate::World;
use crate::family::{At, Family};
use crate::gpu::types::Sim;
use crate::gpu::{Binding, Bound, Buffer, Kernel, Pending, Recorder, Uniforms};
use crate::world::Revision;
use field::Fields;
use lines::LinePasses;
use marks::Marks;
use outline::Outlines;
use sums::SumPasses;

/// Passes and arrays for viewers, made for one world and rebuilt automatically for another or a rebuilt world ([`World::change`],
/// [`World::reserve`]), which discards earlier requests. They look at the last submitted state.
#[derive(Debug)]
pub struct Inspector {
    of: Revision,
    lines: Option<LinePasses>,
    outlines: Option<Outlines>,
    marks: Option<Marks>,
    fields: Option<Fields>,
    sums: Option<SumPasses>,
    shared: Option<Shared>,
}

/// What several of the parts need.
#[derive(Debug)]
struct Shared {
    sim: Uniforms<Sim>,
    /// Of elements by their corners, which may be none.
    fem_shares: Buffer<Vec2>,
}

impl Inspector {
    /// For this world; takes no memory on the device before something is asked.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            of: world.revision(),
            lines: None,
            outlines: None,
            marks: None,
            fields: None,
            sums: None,
            shared: None,
        }
    }

    /// A line per particle of a body, from x to x + `length` F, `length` in [m/N]; F [N] is the force on it without contact:
    /// gravity, drag, pulls, elements and their damping; of exact damping only the part of one pass. Held particles have none.
    /// The next call writes to the same buffer.
    ///
    /// # Errors
    /// No such body, a length that is not finite; no memory; a lost device.
    pub fn forces(&mut self, world: &World, body: usize, length: f32) -> Result<Lines<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let lines = made(&mut self.lines, || LinePasses::new(world))?;
            lines.forces(world, shared, body, length)
        })
    }

    /// A line per contact record, from x to x + `scale` · (penetration vector), where x touched another body in the last step: a
    /// particle of this one, or a point of its sharp edge; others have no length. Their value is the depth [m]. For two rigid
    /// bodies use [`Self::normals`]. The next call writes to the same buffer.
    ///
    /// # Errors
    /// As [`Self::forces`].
    pub fn penetrations(&mut self, world: &World, body: usize, scale: f32) -> Result<Lines<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let lines = made(&mut self.lines, || LinePasses::new(world))?;
            lines.penetrations(world, shared, body, scale)
        })
    }

    /// A line per contact point of rigid bodies, up to four per pair of colliders, from x to x + `length` n, `length` in [m]: x
    /// is where this body touched another one or an obstacle in the last step, n the normal of the contact, out of the other.
    /// Others have no length. Their value is the depth [m]. The next call writes to the same buffer.
    ///
    /// # Errors
    /// As [`Self::forces`].
    pub fn normals(&mut self, world: &World, body: usize, length: f32) -> Result<Lines<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let lines = made(&mut self.lines, || LinePasses::new(world))?;
            lines.normals(world, shared, body, length)
        })
    }

    /// The outlines of all bodies' colliders, where they are.
    ///
    /// # Errors
    /// No memory; a lost device.
    pub fn colliders(&mut self, world: &World) -> Result<ColliderLines<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let outlines = made(&mut self.outlines, || Outlines::new(world))?;
            Ok(outlines.update(world, shared))
        })
    }

    /// The outlines that [`Self::colliders`] wrote last.
    #[must_use]
    pub fn present_colliders(&self) -> Option<ColliderLines<'_>> {
        self.outlines.as_ref().map(Outlines::lines)
    }

    /// Moves the lines last written by [`Self::forces`], which start at a body's particles, so that each starts on the drawn
    /// surface: at the vertex that follows the particle most, or at the particle if none does. Particles of embedded surfaces lie
    /// outside the drawn one.
    ///
    /// # Errors
    /// No memory; a lost device.
    pub fn forces_on_skin(&mut self, world: &World, body: usize) -> Result<()> {
        world.check_body(body)?;
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let lines = made(&mut self.lines, || LinePasses::new(world))?;
            lines.forces_on_skin(world, shared, body);
            Ok(())
        })
    }

    /// The same for the line of the pointer spring, [`World::update_pointer_spring`], which is moved as a whole.
    ///
    /// # Errors
    /// No memory; a lost device.
    pub fn pull_on_skin(&mut self, world: &World) -> Result<()> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let lines = made(&mut self.lines, || LinePasses::new(world))?;
            lines.pull_on_skin(world, shared);
            Ok(())
        })
    }

    /// Marks where bodies are held: crosses at their pinned points and at attached points, on the drawn surface.
    ///
    /// # Errors
    /// No memory; a lost device.
    pub fn marks(&mut self, world: &World) -> Result<MarkLines<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let marks = made(&mut self.marks, || Marks::new(world))?;
            marks.update(world, shared)?;
            Ok(marks.lines())
        })
    }

    /// The marks that [`Self::marks`] wrote last.
    #[must_use]
    pub fn present_marks(&self) -> Option<MarkLines<'_>> {
        self.marks.as_ref().map(Marks::lines)
    }

    /// A field of the present state: its values at particles and at drawn vertices.
    ///
    /// # Errors
    /// No memory; a lost device.
    pub fn field(&mut self, world: &World, field: Field) -> Result<FieldBuffers<'_>> {
        world.context().catch_loss(move || {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let fields = made(&mut self.fields, || Fields::new(world))?;
            fields.update(world, shared, field)
        })
    }

    /// Whether a body lacks this field; its values are 0 then.
    #[must_use]
    pub fn unavailable(&self, world: &World, field: Field, body: usize) -> bool {
        field.is_unavailable(world, body)
    }

    /// The lines that [`Self::forces`], [`Self::penetrations`] and [`Self::normals`] wrote last.
    #[must_use]
    pub fn lines(&self) -> [Option<Lines<'_>>; 3] {
        self.lines.as_ref().map_or([None; 3], LinePasses::last)
    }

    /// The field that was computed last, and its values then.
    #[must_use]
    pub fn present_field(&self) -> Option<(Field, FieldBuffers<'_>)> {
        let fields = self.fields.as_ref()?;
        fields.present.map(|field| (field, fields.buffers()))
    }

    /// Sums over each body's particles, without waiting for them; any number of requests may be pending. Later steps do not
    /// affect them.
    ///
    /// # Errors
    /// No memory.
    pub fn read_sums(&mut self, world: &World) -> Result<Pending<Sums>> {
        world.context().catch_loss(|| {
            self.follow(world);
            let shared = shared(&mut self.shared, world)?;
            let sums = made(&mut self.sums, || SumPasses::new(world))?;
            sums.read(world, shared, self.fields.as_ref())
        })
    }

    /// Sums over each body's particles, waiting for the device.
    ///
    /// # Errors
    /// A lost device; no memory.
    pub fn sums(&mut self, world: &World) -> Result<Sums> {
        self.read_sums(world)?.wait()
    }

    /// Begins to sum the present state without waiting; does nothing while a request begun by this function is pending.
    ///
    /// # Errors
    /// As [`Self::sums`].
    pub fn begin_sums(&mut self, world: &World) -> Result<()> {
        self.follow(world);
        let shared = shared(&mut self.shared, world)?;
        let sums = made(&mut self.sums, || SumPasses::new(world))?;
        sums.begin(world, shared, self.fields.as_ref())
    }

    /// The latest sums requested by [`Self::begin_sums`] that have arrived, without waiting.
    ///
    /// # Errors
    /// A lost device.
    pub fn take_sums(&mut self) -> Result<Option<Sums>> {
        let Some(sums) = &mut self.sums else {
            return Ok(None);
        };
        sums.poll()?;
        Ok(sums.last.clone())
    }

    /// Forgets what was made for another world.
    fn follow(&mut self, world: &World) {
        if self.of != world.revision() {
            *self = Self::new(world);
        }
    }
}

/// What is there, or is made now.
fn made<T>(place: &mut Option<T>, make: impl FnOnce() -> Result<T>) -> Result<&mut T> {
    let part = match place.take() {
        Some(part) => part,
        None => make()?,
    };
    Ok(place.insert(part))
}

fn shared<'a>(place: &'a mut Option<Shared>, world: &World) -> Result<&'a Shared> {
    made(place, || Shared::new(world)).map(|shared| &*shared)
}

impl Shared {
    fn new(world: &World) -> Result<Self> {
        let context = world.context();
        let slots = world.arrays().elements.corners().slots;
        Ok(Self {
            sim: Uniforms::new(context, "sim", 2),
            fem_shares: Buffer::zeroed(context, "fem_shares", slots)?,
        })
    }

    /// Arrays of the world's present state.
    fn present<'a>(&'a self, world: &'a World) -> [Binding<'a>; 4] {
        [
            self.sim.binding(),
            world.particles().bind("particles_in"),
            self.fem_shares.binding(),
            world.arrays().elements.corners().rows.binding(),
        ]
    }

    /// A kernel with these and the given ones.
    fn bind(&self, world: &World, kernel: &Kernel, given: &[Binding<'_>]) -> Bound {
        let bindings = [given, &self.present(world)].concat();
        world.arrays().bind(kernel, &bindings)
    }

    /// Records what elements have of the sums.
    fn measure(&self, world: &World, recorder: &mut Recorder<'_>) {
        let arrays = world.arrays();
        let at = At::new(&arrays, &self.present(world));
        let passes = arrays.elements.passes(&at, Family::energies);
        passes.record(recorder, 0);
    }
}
