//! The value checks of a scene, the same for scenes from files and from code.

mod body;
mod events;
mod limits;
mod material;
mod regions;
mod solids;
mod values;

use std::collections::HashSet;

use super::format::*;
use super::kind::*;
use crate::{Error, Result};
use limits::*;
use values::*;

pub(super) use body::{check_body, check_copies, check_name};
pub(crate) use limits::MOST_ITERATIONS;
pub(super) use limits::{LARGEST, MOST_COPIES, STRONGEST, WEAKEST};
pub(crate) use regions::check_constant;
pub(super) use values::vector;

impl Scene {
    /// Checks every value: finite, of the right sign and size, names unique, events about bodies that exist, and
    /// nothing that this version has not built. [`Scene::parse`] has done so; meshes are not looked into.
    ///
    /// # Errors
    /// [`Error::Value`] for the first value that cannot be used.
    pub fn check(&self) -> Result<()> {
        check_world(&self.world)?;
        let mut names = HashSet::new();
        let mut cubes = 0;
        // Where the integrator is to be picked: the default, which goes with all kinds of bodies.
        let world = match self.world.auto_integrator {
            true => self.world.with_integrator(Integrator::default()),
            false => self.world.clone(),
        };
        let (replicas, size) = (self.replica_count(), self.replica_size());
        if size * replicas != self.bodies.len() {
            let got = format!("{} in {replicas} replicas", self.bodies.len());
            let want = "as many in each of them";
            return Err(Error::value("the number of bodies", got, want));
        }
        for (i, body) in self.bodies.iter().enumerate() {
            if i % size.max(1) == 0 {
                names.clear();
            }
            check_body(i + 1, body, &world, &mut names, &mut cubes)?;
            let pressed = matches!(body.kind, Kind::Springs(_)) && !body.shell;
            if self.world.projection == Projection::Pressure && !pressed {
                let want = "\"mass\" or \"half\": pressures need springs in tetrahedra";
                let what = if body.shell { "a shell" } else { body.kind.name() };
                let got = format!("\"pressure\" with {}, {what}", body_label(&body.name));
                return Err(Error::value("world.projection", got, want));
            }
        }
        self.check_solids()?;
        self.check_attachments()?;
        self.check_events()
    }

    fn check_attachments(&self) -> Result<()> {
        let mut attachments = self.attachments.iter().enumerate();
        attachments.try_for_each(|(i, attachment)| {
            self.check_attachment(&format!("attachment {}", i + 1), attachment)
        })
    }

    /// Refuses an attachment of what there is not; what its points are is for the model to say.
    pub(crate) fn check_attachment(&self, at: &str, attachment: &Attachment) -> Result<()> {
        let is_body = |name: &String| self.bodies.iter().any(|body| body.name == *name);
        if !is_body(&attachment.body) {
            let want =
                format!("the name of a body of this scene{}", self.copies_of(&attachment.body));
            return Err(Error::value(format!("{at}.body"), quoted(&attachment.body), want));
        }
        if let AttachedPoints::Within(within) = &attachment.points {
            check_box(format!("{at}.box"), within)?;
        }
        match &attachment.to {
            AttachedTo::Body(to) if *to == attachment.body || !is_body(to) => {
                let mut want =
                    format!("the name of another body of this scene{}", self.copies_of(to));
                if self.obstacles().iter().any(|solid| solid.name == *to) {
                    want += &format!("; solid = {to:?} attaches it to that solid");
                }
                return Err(Error::value(format!("{at}.to"), quoted(to), want));
            }
            AttachedTo::Solid(solid) => self.check_solid_number(&format!("{at}.solid"), *solid)?,
            _ => {}
        }
        self.check_moved_by_ties(at, attachment)?;
        if let Some(stiffness) = attachment.stiffness {
            not_negative(&format!("{at}.stiffness"), stiffness, STRONGEST, "N/m")?;
        }
        let at = format!("{at}.damping_ratio");
        not_negative(&at, attachment.damping_ratio, 1.0, "")
    }

    /// Says what the copies of a body are called, where it has been given its name in their place.
    fn copies_of(&self, name: &str) -> String {
        let is_copy = |body: &&Body| {
            let number = body.name.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let mut copies = self.bodies.iter().filter(is_copy);
        match (copies.next(), copies.next_back()) {
            (Some(first), Some(last)) => {
                format!("; its copies are named {:?} … {:?}", first.name, last.name)
            }
            (Some(only), None) => format!("; its only copy is named {:?}", only.name),
            _ => String::new(),
        }
    }

    /// Refuses a body that ties would have to move and cannot: implicit steps solve for poses with contacts.
    pub(crate) fn check_moved_by_ties(&self, at: &str, attachment: &Attachment) -> Result<()> {
        let integrator = self.world.integrator;
        let to = match &attachment.to {
            AttachedTo::Body(to) => Some((to, "to")),
            AttachedTo::Solid(_) | AttachedTo::Place => None,
        };
        for (name, field) in [Some((&attachment.body, "body")), to].into_iter().flatten() {
            let body = self.bodies.iter().find(|body| body.name == *name);
            let free = |body: &Body| matches!(&body.kind, Kind::Rigid(rigid) if !rigid.held);
            if integrator.is_implicit() && !self.world.contact && body.is_some_and(free) {
                let name = quoted(name);
                let got = format!(
                    "{name}, a rigid body, with integrator {:?} and contact = false",
                    integrator.name()
                );
                let want = "a deformable or held body, contact = true, or an explicit integrator";
                return Err(Error::value(format!("{at}.{field}"), got, want));
            }
        }
        Ok(())
    }
}

/// What errors call a body.
pub(crate) fn body_label(name: &str) -> String {
    format!("body {}", quoted(name))
}

fn quoted(name: &str) -> String {
    format!("{:?}", super::fields::short(name))
}

fn check_world(world: &WorldSettings) -> Result<()> {
    vector("world.gravity", world.gravity, LARGEST, "m/s²")?;
    if let Some(floor) = world.floor {
        within("world.floor", floor, -LARGEST, LARGEST, "m")?;
    }
    if let Step::Adaptive(Some(error)) = world.step {
        positive("world.step_error", error, WEAKEST, LARGEST, "m")?;
    }
    if let Step::Fixed(step) = world.step {
        positive("world.step", step, SHORTEST_STEP, 1.0, "s")?;
    }
    check_solver(world)?;
    not_negative("world.friction", world.friction, LARGEST, "")?;
    not_negative("world.drag", world.drag, LARGEST, "1/s")?;
    not_negative("world.duration", world.duration, LARGEST, "s")?;
    positive("world.fps", world.fps, LEAST_FPS, 10_000.0, "1/s")
}

/// What implicit integrators are given, and no others; an integrator that is to be picked may be one.
fn check_solver(world: &WorldSettings) -> Result<()> {
    let adaptive = matches!(world.step, Step::Adaptive(_));
    if adaptive && world.auto_integrator {
        let want = "\"auto\" or a number [s]: the choice of the integrator depends on the step";
        let got = "\"adaptive\" with integrator \"auto\"";
        return Err(Error::value("world.step", got, want));
    }
    let (name, auto) = (world.integrator.name(), world.auto_integrator);
    if let Some(iterations) = world.iterations {
        if !world.integrator.is_implicit() && !auto {
            let want = "no such key: it belongs to integrators \"vbd\" and \"implicit_euler\"";
            let got = format!("{iterations} with integrator {name:?}");
            return Err(Error::value("world.iterations", got, want));
        }
        let iterations = f64::from(iterations);
        within("world.iterations", iterations, 1.0, MOST_ITERATIONS, "")?;
    }
    if let Some(tolerance) = world.tolerance {
        if world.integrator != Integrator::ImplicitEuler && !auto {
            let want = "no such key: it belongs to integrator \"implicit_euler\"";
            let got = format!("{} with integrator {name:?}", brief(tolerance));
            return Err(Error::value("world.tolerance", got, want));
        }
        within("world.tolerance", tolerance, LEAST_TOLERANCE, 1.0, "")?;
    }
    if world.integrator.is_implicit() && !auto && world.response == Response::Source {
        let want = "\"impulse\": \"source\" works with explicit integrators only";
        let got = format!("\"source\" with integrator {name:?}");
        return Err(Error::value("world.response", got, want));
    }
    Ok(())
}
