//! Changing a world while it runs: another one of the same bodies takes its place and goes on from its state.

use std::sync::Arc;

use super::motion::Carried;
use super::{Origin, World};
use crate::gpu::{Bytes, Context, Recorder};
use crate::model::{BodyRanges, Motion, Rest};
use crate::scene::{Body, Kind, Scene, Solid};
use crate::{Error, Result};

/// What a world hands over to the one that takes its place, on the host: it outlives the device.
#[derive(Clone, Debug)]
pub struct Handover {
    /// Time since the scene's start [s].
    pub time: f64,
    /// Steps since then.
    pub steps: u64,
    /// One entry per body.
    bodies: Vec<BodyHandover>,
    /// Whether the accelerations of the particles are known: with integrators that keep velocities at half steps.
    accelerated: bool,
    /// What took part in them.
    obstacles: Vec<Solid>,
    contact: bool,
    /// What the caller moves.
    moving: Carried,
    /// What finite elements and clusters keep, as bytes, array by array.
    elements: Vec<Vec<u8>>,
}

/// One body's part.
#[derive(Clone, Debug)]
struct BodyHandover {
    name: String,
    /// Fingerprint of what its rest shape is made from.
    mesh: u64,
    rest: Arc<Rest>,
    kind: Kind,
    /// In the order of the mesh's points.
    points: Vec<Motion>,
}

impl Handover {
    /// The rest shapes of a scene's bodies, which must be those of this world.
    ///
    /// # Errors
    /// A scene with other bodies, or with other meshes.
    pub(super) fn rests(&self, scene: &Scene) -> Result<Vec<Arc<Rest>>> {
        let wrong = |at: &str, got: String| {
            let want = "the bodies that the running world has, with their meshes and scales";
            Err(Error::value(at, got, want))
        };
        if scene.bodies.len() != self.bodies.len() {
            return wrong(
                "the changed scene",
                format!("{} bodies", scene.bodies.len()),
            );
        }
        for (body, old) in scene.bodies.iter().zip(&self.bodies) {
            if body.name != old.name {
                return wrong("the changed scene", format!("a body \"{}\"", body.name));
            }
            if body.mesh_hash() != old.mesh {
                let at = format!("body \"{}\" of the changed scene", body.name);
                return wrong(&at, "another mesh, skin or scale".into());
            }
        }
        Ok(self.bodies.iter().map(|body| body.rest.clone()).collect())
    }

    /// The particles of bodies that may have them in another order.
    pub(super) fn particles(&self, ranges: &[BodyRanges]) -> Vec<Motion> {
        let count = ranges.last().map_or(0, |body| body.particles.end);
        let mut particles = vec![Motion::default(); count];
        for (body, ranges) in self.bodies.iter().zip(ranges) {
            for (point, index) in body.points.iter().zip(&ranges.device_index) {
                particles[ranges.particles.start + *index as usize] = *point;
            }
        }
        particles
    }

    /// Whether the particles' accelerations are known, contacts included, and still those of this scene.
    pub(super) fn accelerates(&self, scene: &Scene) -> bool {
        let same = (&self.obstacles, self.contact) == (&scene.obstacles(), scene.world.contact);
        self.accelerated && same
    }

    /// What elements keep, if those of this scene are the same.
    pub(super) fn elements(&self, scene: &Scene) -> &[Vec<u8>] {
        let same = |(body, old): (&Body, &BodyHandover)| match (&body.kind, &old.kind) {
            (Kind::Shape(new), Kind::Shape(old)) => new.clusters == old.clusters,
            (new, old) => std::mem::discriminant(new) == std::mem::discriminant(old),
        };
        match scene.bodies.iter().zip(&self.bodies).all(same) {
            true => &self.elements,
            false => &[],
        }
    }
}

impl World {
    /// The present state for a world that takes this one's place, waiting for the device; after a fault the last good one.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn hand_over(&mut self) -> Result<Handover> {
        self.settle()?;
        let step = self.common.step;
        let particles = self.state.present().read(&self.context)?;
        let halves = self.half_velocities(&particles)?;
        let motion = |i: usize| {
            let velocity = particles[i].velocity;
            let [before, after] = halves.as_ref().map_or([velocity; 2], |halves| halves[i]);
            Motion {
                position: particles[i].position,
                velocity: 0.5 * (before + after),
                acceleration: (after - before) / step,
            }
        };
        let (model, scene) = (&self.model, &self.scene);
        let bodies = model.bodies.iter().zip(&scene.bodies).zip(&model.rests);
        let bodies = bodies.map(|((ranges, body), rest)| {
            let point = |index: &u32| motion(ranges.particles.start + *index as usize);
            BodyHandover {
                name: body.name.clone(),
                mesh: body.mesh_hash(),
                rest: rest.clone(),
                kind: body.kind.clone(),
                points: ranges.device_index.iter().map(point).collect(),
            }
        });
        let bodies = bodies.collect();
        let arrays = self.elements.evolving();
        let elements = arrays
            .into_iter()
            .map(|array| array.read_bytes(&self.context));
        Ok(Handover {
            time: self.time(),
            steps: self.steps(),
            accelerated: halves.is_some(),
            obstacles: scene.obstacles(),
            contact: scene.world.contact,
            moving: self.carried(),
            bodies,
            elements: elements.collect::<Result<_>>()?,
        })
    }

    /// A world of this scene that goes on from where another one was: of the same bodies, with any other constants, obstacles,
    /// events and settings. Where bodies start is left aside.
    ///
    /// # Errors
    /// As [`Self::new`]; other bodies, or other meshes.
    pub fn take_over(context: &Context, scene: &Scene, from: &Handover) -> Result<Self> {
        let mut world = Self::build(context, scene, Origin::Other(from))?;
        world.carry_on(&from.moving)?;
        Ok(world)
    }

    /// Goes on as this scene, of the same bodies, says from here on: constants, obstacles, events and settings, with the step
    /// that suits them. Contacts keep their impulses unless the integrator is another one. Costs about as much as a new world
    /// whose meshes are there already; after an error nothing has changed.
    ///
    /// # Errors
    /// As [`Self::take_over`].
    pub fn change(&mut self, scene: &Scene) -> Result<()> {
        let handover = self.hand_over()?;
        let mut next = Self::take_over(&self.context, scene, &handover)?;
        if next.scene.world.integrator == self.scene.world.integrator {
            self.copy_contacts(&mut next)?;
        }
        next.set_profiling(self.profiler.is_some());
        next.calls = std::mem::take(&mut self.calls);
        *self = next;
        Ok(())
    }

    /// Hands the contacts over to a world with the same particles in the same order.
    fn copy_contacts(&self, next: &mut Self) -> Result<()> {
        let obstacles = self.scene.obstacles() == next.scene.obstacles();
        if self.scene.world.integrator.is_implicit() && obstacles {
            let mut recorder = Recorder::new(&self.context);
            for (from, to) in self.state.kept().into_iter().zip(next.state.kept()) {
                recorder.copy(from, to);
            }
            recorder.submit();
        }
        let (Some(from), true) = (self.stepper.collision(), next.stepper.collision().is_some())
        else {
            return Ok(());
        };
        next.set_capacity(from.capacity())?;
        let Some(to) = next.stepper.collision() else {
            return Ok(());
        };
        let same = |pair: (&&dyn Bytes, &&dyn Bytes)| pair.0.size() == pair.1.size();
        if !from.found().iter().zip(to.found().iter()).all(same) {
            return Ok(());
        }
        let mut recorder = Recorder::new(&self.context);
        for (from, to) in from.found().into_iter().zip(to.found()) {
            recorder.copy(from, to);
        }
        // Impulses are those of a step's length.
        let last = self.common.step;
        next.sim.write(
            &next.context,
            &[next.stepper.fill_change(next.common, last)],
        );
        to.rescale(&mut recorder, &next.state, 0);
        recorder.submit();
        Ok(())
    }
}
