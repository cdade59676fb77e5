//! Changing a world while it runs: another one with the same bodies takes its place and continues from its state.

use std::sync::Arc;

use super::attach::Attachments;
use super::carried::Carried;
use super::rates::PowerIteration;
use super::{Origin, World};
use crate::family::{self, Families, Kept};
use crate::gpu::types::Pose;
use crate::gpu::{Context, Recorder};
use crate::model::{Model, Motion, Rest};
use crate::scene::{Body, Integrator, Kind, Scene, Solid};
use crate::setup::Estimate;
use crate::{Error, Result};

/// The state that a world hands over to its successor. It is on the host and survives the loss of the device.
#[derive(Clone, Debug)]
pub struct Handover {
    /// Time since the scene's start [s].
    pub time: f64,
    /// Steps since then.
    pub steps: u64,
    /// One entry per body.
    pub(super) bodies: Vec<BodyHandover>,
    pub(super) integrator: Integrator,
    /// Whether the accelerations of the particles are known: with integrators that keep velocities at half steps.
    accelerated: bool,
    /// What took part in them.
    obstacles: Vec<Solid>,
    contact: bool,
    /// What the caller moves.
    pub(super) moving: Carried,
    /// What ties bodies.
    pub(super) attachments: Attachments,
    /// What finite elements and clusters keep.
    elements: Kept,
}

/// One body's part.
#[derive(Clone, Debug)]
pub(super) struct BodyHandover {
    name: String,
    /// Fingerprint of what its rest shape is made from.
    mesh: u64,
    rest: Arc<Rest>,
    kind: Kind,
    /// In the order of the mesh's points.
    points: Vec<Motion>,
    /// Where it is rigid.
    pose: Option<Pose>,
    absent: bool,
    asleep: bool,
    /// Fingerprint of what its arrays are made from.
    pub archetype: Option<u64>,
    /// How stiff it is.
    pub known: (Estimate, PowerIteration),
}

impl Handover {
    /// The rest shapes of a scene's bodies, the first of which must be those of this world.
    ///
    /// # Errors
    /// A scene with other bodies, or with other meshes.
    pub(super) fn rests(&self, scene: &Scene) -> Result<Vec<Arc<Rest>>> {
        let wrong = |at: &str, got: String| {
            let want = "the same bodies as in the running world, with the same meshes and scales";
            Err(Error::value(at, got, want))
        };
        if scene.bodies.len() < self.bodies.len() {
            return wrong("the changed scene", format!("{} bodies", scene.bodies.len()));
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

    /// The particles of bodies that may have them in another order; of absent bodies where the model starts them.
    pub(super) fn motions(&self, model: &Model) -> Vec<Motion> {
        let start = |i: usize| Motion {
            position: model.positions[i].as_vec3(),
            velocity: model.velocities[i].as_vec3(),
            ..Motion::default()
        };
        let mut motions: Vec<_> = (0..model.positions.len()).map(start).collect();
        let bodies = self.bodies.iter().zip(&model.bodies);
        for (body, ranges) in bodies.filter(|(body, _)| !body.absent) {
            for (point, index) in body.points.iter().zip(&ranges.device_index) {
                motions[ranges.particles.start + *index as usize] = *point;
            }
        }
        motions
    }

    /// Where rigid bodies are; none of those that are absent.
    pub(super) fn poses(&self) -> Vec<Option<Pose>> {
        let rigid = self.bodies.iter().filter(|body| body.pose.is_some());
        rigid.map(|body| body.pose.filter(|_| !body.absent)).collect()
    }

    /// Which bodies sleep.
    pub(super) fn asleep(&self) -> Vec<bool> {
        self.bodies.iter().map(|body| body.asleep).collect()
    }

    /// Whether there is only room for a body.
    pub(super) fn is_absent(&self, index: usize) -> bool {
        self.bodies.get(index).is_none_or(|body| body.absent)
    }

    /// Whether the particles' accelerations are known, contacts included, and still those of this scene.
    pub(super) fn accelerates(&self, scene: &Scene) -> bool {
        let same = (&self.obstacles, self.contact) == (&scene.obstacles(), scene.world.contact);
        self.accelerated && same
    }

    /// That of nothing.
    pub(super) fn empty() -> Self {
        Self {
            time: 0.0,
            steps: 0,
            bodies: Vec::new(),
            integrator: Integrator::default(),
            accelerated: false,
            obstacles: Vec::new(),
            contact: false,
            moving: Carried::default(),
            attachments: Attachments::default(),
            elements: Kept::default(),
        }
    }

    /// Some of its bodies, in order; numbers beyond the last are left out.
    pub(super) fn only(&self, bodies: &[usize]) -> Self {
        let own = bodies.iter().filter_map(|index| self.bodies.get(*index));
        Self { bodies: own.cloned().collect(), integrator: self.integrator, ..Self::empty() }
    }

    /// Gives elements what they kept, if those of this scene are the same.
    pub(super) fn give_elements(&self, context: &Context, scene: &Scene, elements: &Families) {
        let same =
            |(body, old): (&Body, &BodyHandover)| family::of(&body.kind).goes_on_from(&old.kind);
        if scene.bodies.iter().zip(&self.bodies).all(same) {
            elements.give(context, &self.elements);
        }
    }
}

impl World {
    /// The present state for a world that takes the place of this one, waiting for the device; after a fault the last good one.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn hand_over(&mut self) -> Result<Handover> {
        self.wait_submission()?;
        let step = self.common.step;
        let particles = self.device.state.present().read(&self.context)?;
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
        let poses = self.device.state.poses.read(&self.context)?;
        let bodies = model.bodies.iter().zip(&scene.bodies).zip(&model.rests);
        let bodies = bodies.zip(self.known()?);
        let bodies = bodies.map(|(((ranges, body), rest), known)| {
            let point = |index: &u32| motion(ranges.particles.start + *index as usize);
            BodyHandover {
                name: body.name.clone(),
                mesh: body.mesh_hash(),
                rest: rest.clone(),
                kind: body.kind.clone(),
                points: ranges.device_index.iter().map(point).collect(),
                pose: ranges.rigid.map(|rigid| poses[rigid.pose]),
                absent: ranges.absent,
                asleep: ranges.asleep,
                archetype: ranges.archetype,
                known,
            }
        });
        let bodies = bodies.collect();
        Ok(Handover {
            time: self.time(),
            steps: self.steps(),
            accelerated: halves.is_some(),
            obstacles: scene.obstacles(),
            contact: scene.world.contact,
            integrator: scene.world.integrator,
            moving: self.carried(),
            attachments: self.attachments.clone(),
            bodies,
            elements: self.device.elements.kept(&self.context)?,
        })
    }

    /// A world of this scene that continues from the state of another one: with the same bodies, and any other constants,
    /// obstacles, events and settings. The starting positions of the bodies are ignored.
    ///
    /// # Errors
    /// As [`Self::new`]; other bodies, or other meshes.
    pub fn take_over(context: &Context, scene: &Scene, from: &Handover) -> Result<Self> {
        if scene.bodies.len() != from.bodies.len() {
            let got = format!("{} bodies", scene.bodies.len());
            let want = format!("the {} of the running world", from.bodies.len());
            return Err(Error::value("the changed scene", got, want));
        }
        let mut world = Self::build(context, scene, Origin::Other(from))?;
        world.take_on(from)?;
        Ok(world)
    }

    /// Continues with this scene from now on, which must have the same bodies: its constants, obstacles, events and settings,
    /// with the step that suits them. Contacts keep their impulses unless the integrator changes; the caller's pulls
    /// ([`Self::set_pointer_spring`]) and forces ([`Self::set_forces`]) end. Costs about as much as a new world with its meshes
    /// already loaded; after an error the world is unchanged.
    ///
    /// # Errors
    /// As [`Self::take_over`].
    pub fn change(&mut self, scene: &Scene) -> Result<()> {
        let handover = self.hand_over()?;
        let next = Self::take_over(&self.context, scene, &handover)?;
        self.give_way(next)
    }

    /// Hands the contacts over to a world with the same integrator and the same particles in the same order, and perhaps
    /// further ones behind them.
    pub(super) fn hand_contacts(&self, next: &mut Self) -> Result<()> {
        if next.scene.world.integrator != self.scene.world.integrator {
            return Ok(());
        }
        let obstacles = self.scene.obstacles() == next.scene.obstacles();
        if self.scene.world.integrator.is_implicit() && obstacles {
            let mut recorder = Recorder::new(&self.context);
            let (from, to) = (self.device.state.held(), next.device.state.held());
            for (from, to) in from.into_iter().zip(to) {
                recorder.copy_start(from, to);
            }
            recorder.submit();
        }
        let (Some(from), true) = (self.stepper.collision(), next.stepper.collision().is_some())
        else {
            return Ok(());
        };
        next.set_capacity(from.capacity())?;
        let last = self.common.step;
        next.device.sim.write(&next.context, &[next.stepper.fill_change(next.common, last)]);
        let Some(to) = next.stepper.collision() else {
            return Ok(());
        };
        let counts = |world: &Self| [world.model.positions.len(), world.model.bodies.len()];
        to.take_over(&self.context, from, [counts(self), counts(next)])?;
        let mut recorder = Recorder::new(&self.context);
        to.rescale(&mut recorder, &next.device.state, 0);
        recorder.submit();
        Ok(())
    }
}
