//! The value checks of a scene, the same for scenes from files and from code.

mod body;
mod limits;
mod material;
mod regions;
mod values;

use std::collections::HashSet;

use super::format::*;
use super::kind::*;
use crate::gpu::types::{MAX_PULLS, MAX_SOLIDS, SPEED_LIMIT};
use crate::{Error, Result};
use limits::*;
use values::*;

pub(super) use body::check_body;
pub(crate) use limits::MOST_ITERATIONS;
pub(super) use limits::{LARGEST, STRONGEST, WEAKEST};
pub(crate) use regions::check_constant;

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
                let want = "\"mass\" or \"half\": pressures are those of springs in tetrahedra";
                let what = if body.shell { "a shell" } else { body.kind.name() };
                let got = format!("\"pressure\" with {}, {what}", body_label(&body.name));
                return Err(Error::value("world.projection", got, want));
            }
        }
        self.check_solids()?;
        self.check_attachments()?;
        self.check_events()
    }

    fn check_solids(&self) -> Result<()> {
        let solids = self.solids.len() + usize::from(self.world.floor.is_some());
        if solids > MAX_SOLIDS as usize {
            let want = format!("at most {MAX_SOLIDS} solids, the floor included");
            let at = format!("solid {}", self.solids.len());
            return Err(Error::value(at, format!("solid number {solids}"), want));
        }
        self.solids
            .iter()
            .enumerate()
            .try_for_each(|(i, solid)| check_solid(&format!("solid {}", i + 1), solid))
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
            let want = "the name of a body of this scene";
            return Err(Error::value(format!("{at}.body"), quoted(&attachment.body), want));
        }
        if let AttachedPoints::Within(within) = &attachment.points {
            check_box(format!("{at}.box"), within)?;
        }
        match &attachment.to {
            AttachedTo::Body(to) if *to == attachment.body || !is_body(to) => {
                let want = "the name of another body of this scene";
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
                let got =
                    format!("{name}, which is rigid, with {:?} and no contact", integrator.name());
                let want =
                    "a body that deforms or is held, contact = true, or an explicit integrator";
                return Err(Error::value(format!("{at}.{field}"), got, want));
            }
        }
        Ok(())
    }

    /// Refuses a number that is no solid's: 0 is the floor.
    fn check_solid_number(&self, field: &str, solid: u32) -> Result<()> {
        if solid == 0 && self.world.floor.is_none() {
            let want = "a number from 1: the world has no floor";
            return Err(Error::value(field, solid, want));
        }
        if solid as usize > self.solids.len() {
            let want = format!("at most {}, the number of solids", self.solids.len());
            return Err(Error::value(field, solid, want));
        }
        Ok(())
    }

    fn check_events(&self) -> Result<()> {
        let mut line_forces = 0;
        for (i, event) in self.events.iter().enumerate() {
            let at = format!("event {}", i + 1);
            match event {
                Event::LineForce { body, point, force, from, to } => {
                    line_forces += self.replica_count();
                    if line_forces > MAX_PULLS as usize {
                        let want = format!("at most {MAX_PULLS} of them");
                        let got = format!("line force number {line_forces}");
                        return Err(Error::value(at, got, want));
                    }
                    if !self.bodies.iter().any(|other| other.name == *body) {
                        let want = "the name of a body of this scene";
                        return Err(Error::value(format!("{at}.body"), quoted(body), want));
                    }
                    vector(&format!("{at}.point"), *point, LARGEST, "m")?;
                    vector(&format!("{at}.force"), *force, STRONGEST, "N")?;
                    period(&at, *from, *to)?;
                }
                Event::Move { what, centre, velocity, angular_velocity, from, to } => {
                    self.check_moved(&at, what, &self.events[..i])?;
                    vector(&format!("{at}.centre"), *centre, LARGEST, "m")?;
                    let speed = f64::from(SPEED_LIMIT);
                    vector(&format!("{at}.velocity"), *velocity, speed, "m/s")?;
                    let at_spin = format!("{at}.angular_velocity");
                    vector(&at_spin, *angular_velocity, speed, "rad/s")?;
                    period(&at, *from, *to)?;
                }
                Event::Wind { velocity, from, to } => {
                    if self.world.drag == 0.0 {
                        let want = "world.drag > 0 [1/s], through which the wind acts";
                        return Err(Error::value(at, "wind in a world whose drag is 0", want));
                    }
                    vector(&format!("{at}.velocity"), *velocity, LARGEST, "m/s")?;
                    period(&at, *from, *to)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses to move what there is not, or what an event before moves already.
    fn check_moved(&self, at: &str, what: &Movable, before: &[Event]) -> Result<()> {
        let (field, got) = match what {
            Movable::Solid(solid) => (format!("{at}.solid"), solid.to_string()),
            Movable::Pins(body) => (format!("{at}.body"), quoted(body)),
        };
        let same =
            |event: &Event| matches!(event, Event::Move { what: other, .. } if other == what);
        if before.iter().any(same) {
            return Err(Error::value(
                field,
                got,
                "something that no earlier event moves: each solid and each body's pins have one motion",
            ));
        }
        match what {
            Movable::Pins(name) => {
                let is_held = |body: &Body| match &body.kind {
                    Kind::Rigid(rigid) => rigid.held,
                    _ => !body.pin.is_empty(),
                };
                let held = |body: &Body| body.name == *name && is_held(body);
                match self.bodies.iter().any(held) {
                    true => Ok(()),
                    false => {
                        let want =
                            "the name of a body of this scene that has pins, or is rigid and held";
                        Err(Error::value(field, got, want))
                    }
                }
            }
            Movable::Solid(solid) => self.check_solid_number(&field, *solid),
        }
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
        let want =
            "\"auto\" or a number [s]: the integrator is picked by how long its steps may be";
        let got = "\"adaptive\" with integrator \"auto\"";
        return Err(Error::value("world.step", got, want));
    }
    let (name, auto) = (world.integrator.name(), world.auto_integrator);
    if let Some(iterations) = world.iterations {
        if !world.integrator.is_implicit() && !auto {
            let want = "none: they belong to integrators \"vbd\" and \"implicit_euler\"";
            let got = format!("{iterations} with integrator {name:?}");
            return Err(Error::value("world.iterations", got, want));
        }
        let iterations = f64::from(iterations);
        within("world.iterations", iterations, 1.0, MOST_ITERATIONS, "")?;
    }
    if let Some(tolerance) = world.tolerance {
        if world.integrator != Integrator::ImplicitEuler && !auto {
            let want = "none: it belongs to integrator \"implicit_euler\"";
            let got = format!("{} with integrator {name:?}", brief(tolerance));
            return Err(Error::value("world.tolerance", got, want));
        }
        within("world.tolerance", tolerance, LEAST_TOLERANCE, 1.0, "")?;
    }
    if world.integrator.is_implicit() && !auto && world.response == Response::Source {
        let want = "\"impulse\": the source's response moves positions between explicit steps";
        let got = format!("\"source\" with integrator {name:?}");
        return Err(Error::value("world.response", got, want));
    }
    Ok(())
}

fn check_solid(at: &str, solid: &Solid) -> Result<()> {
    let field = |key: &str| format!("{at}.{key}");
    match solid {
        Solid::Plane { position, normal } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            vector(&field("normal"), *normal, LARGEST, "")?;
            if normal.iter().all(|x| x.abs() < SHORTEST) {
                let want = format!("a direction of length ≥ {SHORTEST:e}");
                return Err(Error::value(field("normal"), format!("{normal:?}"), want));
            }
            Ok(())
        }
        Solid::Sphere { position, radius } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            positive(&field("radius"), *radius, SHORTEST, LARGEST, "m")
        }
        Solid::Box { position, rotation, size } => {
            vector(&field("position"), *position, LARGEST, "m")?;
            vector(&field("rotation"), *rotation, LARGEST, "rad")?;
            size.iter()
                .try_for_each(|&length| positive(&field("size"), length, SHORTEST, LARGEST, "m"))
        }
    }
}
