//! What deforms, a room for each family: springs, finite elements, shape matching, attachments. Everything outside asks
//! the families, all of them in turn, and nothing asks what kind a body is: [`of`] is the one place that tells kinds apart.
//!
//! A room knows its elements' equations, arrays and kernels. It must not know how steps are taken ([`crate::integrate`]
//! asks it for passes and gives them what they read), what touches what, or which other rooms there are. A new family is a
//! room, a line in [`of`] and one in [`CONSTRUCTORS`].

pub mod attachment;
mod corners;
mod deformation;
mod eigen;
pub mod fem;
mod passes;
pub mod rigid;
pub mod shape;
pub mod springs;

use std::any::Any;
use std::sync::Arc;

use glam::{DMat3, Quat};

use self::attachment::Ties;
pub use self::corners::Corners;
pub(crate) use self::deformation::Deformation;
pub use self::passes::{At, Passes};
use crate::Result;
use crate::gpu::types::Sim;
use crate::gpu::{Binding, Bytes, Context, Memory};
use crate::integrate::part::Domain;
use crate::model::Model;
use crate::scene::{Body, Kind};

/// What a family makes of a body that is described so.
pub(crate) fn of(kind: &Kind) -> &dyn Deformation {
    match kind {
        Kind::Springs(springs) => springs,
        Kind::Fem(fem) => fem,
        Kind::Shape(shape) => shape,
        Kind::Rigid(rigid) => rigid,
    }
}

/// What uploads the elements of a family; none where the model has none of it.
type Constructor = fn(&Context, &Model) -> Result<Option<Box<dyn Family>>>;

/// In the order in which the families' passes run.
const CONSTRUCTORS: [Constructor; 3] = [fem::family, shape::family, springs::family];

/// One family on the device: its passes, and what its elements keep.
///
/// Passes bind by name what [`At`] gives them, and the family's own arrays. By default a family has no part in what is asked;
/// what a scene may not ask of its bodies the scene's check refuses by name.
pub trait Family: std::fmt::Debug + Send + Sync {
    /// Its name in scene files.
    fn name(&self) -> &'static str;

    /// Adds how much there is of it to what all dispatches share.
    fn count(&self, _sim: &mut Sim) {}

    /// Sets `loads` of its particles to their accelerations by the state in `particles_in`; attachments add theirs. Springs do
    /// nothing: explicit integrators gather them as they step.
    fn forces(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// The same of the iterate of Newton's method, which gathers nothing by itself: `particles_in` and `particles_out` both.
    fn iterate_forces(&self, at: &At<'_>, out: &mut Passes) {
        self.forces(at, out);
    }

    /// Renews those of its forces that poses feel, by the state that a step starts from. They stand for the whole step.
    fn pulls(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Adds to the velocities of poses what these forces do in `sim.kick`, which is 0 where the step is solved with them.
    fn kicks(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Sets `loads` to the accelerations by the damping of a field of velocities, `sweep_in`, or of the particles' own where it
    /// is not given.
    fn damping(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Sets `loads` to the change of the accelerations along `probe_in`.
    fn stiffness(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Renews how its forces change with the iterate: `tangents` and `corner_blocks`.
    fn tangents(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Adds to the particles' `blocks` what `newton_block` knows nothing of.
    fn blocks(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Sets `loads` to the change of the accelerations along `directions`, which are `particles_in`, too: of damping over the
    /// step as well, and made positive.
    fn products(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Adds its forces and their blocks to `contact_blocks`, in iterations of vertex block descent, which sees those of each
    /// vertex's own elements by itself.
    fn contact_blocks(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Adds to the `pose_holds` of an iterate what its forces on poses do, in both implicit methods.
    fn pose_holds(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Adds to the `products` of poses what its forces on them do along `directions`, after [`Self::products`].
    fn pose_products(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Writes by how much its elements have grown, and their energies, to `fem_shares`, by the slots of their corners.
    fn energies(&self, _at: &At<'_>, _out: &mut Passes) {}

    /// Its elements by their corners, where these have slots.
    fn corners(&self) -> Option<&Corners> {
        None
    }

    /// What its elements keep from step to step.
    fn evolving(&self) -> Option<&dyn Bytes> {
        None
    }

    /// The same on the host, in the model's order.
    ///
    /// # Errors
    /// When the device is lost.
    fn kept(&self, _context: &Context) -> Result<Option<KeptOne>> {
        Ok(None)
    }

    /// Gives its first elements what those of another world kept.
    fn give(&self, _context: &Context, _kept: &dyn Any) {}

    /// Makes the elements of one body forget what they kept.
    fn begin(&self, _context: &Context, _model: &Model, _body: usize) {}

    /// Turns on what the elements of one body keep of its rotation.
    ///
    /// # Errors
    /// When the device is lost.
    fn turn(&self, _context: &Context, _model: &Model, _body: usize, _turn: Quat) -> Result<()> {
        Ok(())
    }

    /// S_p of each of its elements.
    ///
    /// # Errors
    /// When the device is lost.
    fn plastic(&self, _context: &Context) -> Result<Vec<DMat3>> {
        Ok(Vec::new())
    }
}

/// What the elements of one family keep, as that family has it.
pub(crate) type KeptOne = Arc<dyn Any + Send + Sync>;

/// What elements keep from step to step, by their families' names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Vec<(&'static str, KeptOne)>);

/// All families of a world.
#[derive(Debug)]
pub struct Families {
    list: Vec<Box<dyn Family>>,
    corners: Corners,
    /// Ties between bodies, and to solids and places.
    pub ties: Option<Ties>,
    /// Forces of the caller's, a vector for each particle.
    pub applied: Option<Memory>,
}

impl Families {
    /// Uploads the elements of a model.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model) -> Result<Self> {
        let mut list = Vec::new();
        for construct in CONSTRUCTORS {
            list.extend(construct(context, model)?);
        }
        let corners = list.iter().find_map(|family| family.corners());
        Ok(Self {
            corners: match corners {
                Some(corners) => corners.share(),
                None => Corners::none(context)?,
            },
            list,
            ties: None,
            applied: None,
        })
    }

    fn all(&self) -> impl Iterator<Item = &(dyn Family + 'static)> {
        let ties = self.ties.iter().map(|ties| ties as &(dyn Family + 'static));
        self.list.iter().map(Box::as_ref).chain(ties)
    }

    /// The passes that all families have for what is asked.
    pub fn passes(
        &self,
        at: &At<'_>,
        ask: impl Fn(&(dyn Family + 'static), &At<'_>, &mut Passes),
    ) -> Passes {
        let mut passes = Passes::default();
        self.all().for_each(|family| ask(family, at, &mut passes));
        passes
    }

    /// The passes that renew `loads` of an explicit integrator: of all families, and the caller's forces.
    pub fn loads(&self, at: &At<'_>) -> Passes {
        let mut passes = self.passes(at, Family::forces);
        if let Some(applied) = &self.applied {
            let kernel = at.arrays.kernel("applied_load");
            let pass = at.bind(&kernel, &[Binding::vectors("applied", applied)]);
            passes.push(pass, at.particles(), Domain::Particles);
        }
        passes
    }

    /// The passes by which what elements keep from step to step advances, where `sim` asks for it.
    pub fn flow(&self, at: &At<'_>) -> Passes {
        self.passes(at, |family, at, out| {
            if family.evolving().is_some() {
                family.forces(at, out);
            }
        })
    }

    /// The slots of elements' corners; none where nothing has such.
    pub fn corners(&self) -> &Corners {
        &self.corners
    }

    /// Adds how much there is of each to what all dispatches share.
    pub fn count(&self, sim: &mut Sim) {
        self.all().for_each(|family| family.count(sim));
    }

    /// What the elements keep.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn kept(&self, context: &Context) -> Result<Kept> {
        let mut all = Vec::new();
        for family in self.all() {
            let kept = family.kept(context)?;
            all.extend(kept.map(|kept| (family.name(), kept)));
        }
        Ok(Kept(all))
    }

    /// Gives the first elements of each family what others kept.
    pub(crate) fn give(&self, context: &Context, kept: &Kept) {
        for family in self.all() {
            let own = kept.0.iter().filter(|(name, _)| *name == family.name());
            own.for_each(|(_, kept)| family.give(context, kept.as_ref()));
        }
    }

    /// Makes the elements of one body forget what they kept.
    pub(crate) fn begin(&self, context: &Context, model: &Model, body: usize) {
        self.all().for_each(|family| family.begin(context, model, body));
    }

    /// Turns on what the elements of one body keep of its rotation.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn turn(
        &self,
        context: &Context,
        model: &Model,
        body: usize,
        turn: Quat,
    ) -> Result<()> {
        self.all().try_for_each(|family| family.turn(context, model, body, turn))
    }

    /// What the elements keep from step to step.
    pub fn evolving(&self) -> Vec<&dyn Bytes> {
        self.all().filter_map(|family| family.evolving()).collect()
    }

    /// S_p of each element of the family of this name; empty where no body of it flows.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn plastic(
        &self,
        context: &Context,
        bodies: &[Body],
        name: &str,
    ) -> Result<Vec<DMat3>> {
        let flows = |body: &Body| body.kind.name() == name && of(&body.kind).flows();
        match self.all().find(|family| family.name() == name) {
            Some(family) if bodies.iter().any(flows) => family.plastic(context),
            _ => Ok(Vec::new()),
        }
    }
}
