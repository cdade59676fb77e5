//! Reading the state: copies of it on the host, and what follows from them.

use std::ops::Range;

use glam::{DMat3, Quat, Vec3};

use super::World;
use crate::body::stiffness::StiffnessProbe;
use crate::collide::{Capacity, ContactStats};
use crate::family::attachment::Ties;
use crate::family::{fem, shape};
use crate::gpu::types::{Body as GpuBody, PROBE_MARGIN, Particle, Pose, Sim};
use crate::gpu::{Recorder, Telemetry};
use crate::hash::Fnv;
use crate::integrate::HalfSteps;
use crate::model::RigidBody;
use crate::setup;
use crate::{Error, Result, extreme};

/// The state of all particles at one time, in device order (see [`World::mesh_positions`] for a mesh's own order).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// Positions [m].
    pub positions: Vec<Vec3>,
    /// Velocities at `time` [m/s]; with integrators that keep half-step velocities, the mean of the two around it.
    pub velocities: Vec<Vec3>,
    /// σ of each particle [1/s]: the rate of its springs' damping.
    pub damping_rates: Vec<f32>,
    /// Poses of the rigid bodies, in the order of bodies.
    pub poses: Vec<PoseState>,
    /// Plastic stretch S_p of the rest shape of each finite element; empty if nothing flows.
    pub plastic: Vec<DMat3>,
    /// The same of each cluster of shape matching.
    pub cluster_plastic: Vec<DMat3>,
}

/// Pose and velocities of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseState {
    /// The centre of mass [m].
    pub centre: Vec3,
    /// Rotation from the rest shape to the present orientation.
    pub rotation: Quat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Whether it has fallen asleep.
    pub asleep: bool,
}

impl PoseState {
    pub(super) fn new(pose: &Pose, body: &RigidBody) -> Self {
        let principal = Quat::from_vec4(pose.rotation);
        Self {
            centre: pose.position,
            rotation: (principal * body.axes.as_quat().inverse()).normalize(),
            velocity: pose.velocity,
            angular_velocity: pose.spin,
            asleep: pose.island > 0,
        }
    }
}

impl Snapshot {
    /// Refuses the state of another number of particles.
    pub(crate) fn check(&self, particles: usize) -> Result<()> {
        let lengths = [self.positions.len(), self.velocities.len(), self.damping_rates.len()];
        if lengths == [particles; 3] {
            return Ok(());
        }
        let got = format!("one with {lengths:?} positions, velocities and damping rates");
        let want = format!("a state of {particles} particles");
        Err(Error::value("the snapshot", got, want))
    }
}

impl World {
    /// All particles, waiting for the device.
    ///
    /// # Errors
    /// As [`Self::wait`]; a fault is reported once the last good state has been read by [`Self::read_last_good`].
    pub fn read(&mut self) -> Result<Snapshot> {
        self.wait()?;
        self.read_last_good()
    }

    /// All particles of the last good state, also after a fault.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read_last_good(&mut self) -> Result<Snapshot> {
        self.wait_submission()?;
        let particles = self.device.state.present().read(&self.context)?;
        let velocities = self.velocities(&particles)?;
        Ok(Snapshot {
            steps: self.steps(),
            time: self.time(),
            positions: particles.iter().map(|p| p.position).collect(),
            velocities,
            damping_rates: particles.iter().map(|p| p.damping_rate).collect(),
            poses: self.read_poses()?,
            plastic: self.plastic(fem::NAME)?,
            cluster_plastic: self.plastic(shape::NAME)?,
        })
    }

    /// Poses with their velocities at the present time, those of [`Snapshot`]. Where the integrator keeps the velocities of
    /// particles half a step before, what these are tied to is as far behind.
    pub(super) fn present_poses(&mut self) -> Result<Vec<Pose>> {
        let kept = self.device.state.poses.read(&self.context)?;
        let half_steps = self.scene.world.integrator.half_steps().is_some();
        let ties = self.device.elements.ties.as_ref();
        if !half_steps || !ties.is_some_and(Ties::are_felt_by_poses) {
            return Ok(kept);
        }
        let now = [self.progress.ticks, self.last_ticks()];
        let sim = Sim { kick: 0.5 * self.common.step, ..self.at_step(now, 0) };
        self.device.sim.write(&self.context, &[sim]);
        self.write_waypoints(&[now]);
        let mut recorder = Recorder::new(&self.context);
        self.stepper.pull(&mut recorder, &self.device.state, 0);
        recorder.submit();
        let poses = self.device.state.poses.read(&self.context)?;
        self.device.state.poses.write(&self.context, 0, &kept);
        Ok(poses)
    }

    /// Where rigid bodies are.
    fn read_poses(&mut self) -> Result<Vec<PoseState>> {
        if self.device.state.poses.is_empty() {
            return Ok(Vec::new());
        }
        let poses = self.present_poses()?;
        let bodies = self.model.bodies.iter().filter_map(|body| body.rigid.as_ref());
        Ok(bodies.map(|body| PoseState::new(&poses[body.pose], body)).collect())
    }

    /// The plastic stretch of each element of a family, where any flows.
    fn plastic(&self, family: &str) -> Result<Vec<DMat3>> {
        self.device.elements.plastic(&self.context, &self.scene.bodies, family)
    }

    /// The velocities [m/s] of particles at the present time.
    pub(super) fn velocities(&mut self, particles: &[Particle]) -> Result<Vec<Vec3>> {
        Ok(match self.half_velocities(particles)? {
            Some(halves) => halves.iter().map(|[a, b]| 0.5 * (*a + *b)).collect(),
            None => particles.iter().map(|p| p.velocity).collect(),
        })
    }

    /// The velocities [m/s] that the integrator keeps at half steps.
    fn kept_velocities(&self, half_steps: HalfSteps) -> Result<Vec<Vec3>> {
        let (context, state) = (&self.context, &self.device.state);
        Ok(match half_steps {
            HalfSteps::Beside => {
                let half = state.half_velocity.read(context)?;
                half.iter().map(|v| v.truncate()).collect()
            }
            HalfSteps::Particles => {
                let particles = state.present().read(context)?;
                particles.iter().map(|p| p.velocity).collect()
            }
        })
    }

    /// v(−h/2) and v(+h/2) [m/s] of integrators that keep them: takes a step, keeps its velocity, and returns to the present
    /// state.
    pub(super) fn half_velocities(
        &mut self,
        particles: &[Particle],
    ) -> Result<Option<Vec<[Vec3; 2]>>> {
        let Some(half_steps) = self.scene.world.integrator.half_steps() else {
            return Ok(None);
        };
        let before = match half_steps {
            HalfSteps::Beside => self.kept_velocities(half_steps)?,
            HalfSteps::Particles => particles.iter().map(|p| p.velocity).collect(),
        };
        let ticks = self.last_ticks();
        let mut slots = self.stepper.fill(self.at_step([self.progress.ticks, ticks], 0));
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.device.sim.write(&self.context, &slots);
        self.write_waypoints(&[[self.progress.ticks, ticks]]);
        let after = loop {
            self.clear_telemetry(1);
            let mut recorder = Recorder::new(&self.context);
            self.ahead.keep(&mut recorder, &self.evolving());
            self.renew_pointer_spring(&mut recorder);
            self.stepper.renew(&mut recorder, &self.device.state, self.progress.steps, renewal);
            let (state, index) = (&mut self.device.state, self.progress.steps);
            self.stepper.substep(&mut recorder, state, index, 0);
            recorder.submit();
            let after = self.kept_velocities(half_steps)?;
            let needed = self.shortage()?;
            let mut recorder = Recorder::new(&self.context);
            self.ahead.put_back(&mut recorder, &self.evolving());
            recorder.submit();
            match needed {
                Some(capacity) => self.set_capacity(capacity)?,
                None => break after,
            }
        };
        let pairs = before.iter().zip(&after).map(|(a, b)| [*a, *b]);
        Ok(Some(pairs.collect()))
    }

    /// The capacity that the contacts of the last substep would have needed, if they had too little.
    fn shortage(&self) -> Result<Option<Capacity>> {
        let Some(collision) = self.stepper.collision() else {
            return Ok(None);
        };
        let words = self.device.status.read(&self.context)?;
        let told = Telemetry::new(words, self.model.bodies.len());
        Ok(collision.capacity().shortage(&told))
    }

    /// Contact statistics from the start to the last state that was read, saved or checked; nothing where no bodies can touch.
    #[must_use]
    pub fn contacts(&self) -> ContactStats {
        let collision = self.stepper.collision();
        collision.map(|c| *c.stats()).unwrap_or_default()
    }

    /// The records of points in other bodies, as the last search found them and with the last step's gaps.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(feature = "verify")]
    pub(crate) fn contact_records(&mut self) -> Result<Vec<crate::gpu::types::Contact>> {
        self.wait_submission()?;
        match self.stepper.collision() {
            Some(collision) => collision.contacts(&self.context),
            None => Ok(Vec::new()),
        }
    }

    /// ω of each body as last estimated [1/s].
    pub(super) fn stiffness(&self) -> Result<Vec<f64>> {
        let omega =
            |body: &GpuBody| f64::from(body.stiffness_rate).sqrt() / f64::from(PROBE_MARGIN);
        Ok(self.device.buffers.bodies.read(&self.context)?.iter().map(omega).collect())
    }

    /// Mean share φ of the damping constant that acts, over the damped springs and finite elements of a state: 1 if damping acts
    /// in full, less if one pass caps it (capped damping) or if exact damping would take too many passes.
    ///
    /// # Errors
    /// A state of another world.
    pub fn damping_share(&self, state: &Snapshot) -> Result<f64> {
        state.check(self.model.positions.len())?;
        let (mut sum, mut damped) = (0.0, 0_usize);
        for (index, body) in self.model.bodies.iter().enumerate() {
            let present = f64::from(PROBE_MARGIN) * self.report.stiffness[index].powi(2);
            let rate = extreme::greatest(body.start_rate, present);
            let limit = setup::whole_rate(&self.scene, index, &self.choice.stepping, rate);
            let rate = |i: u32| f64::from(state.damping_rates[i as usize]);
            let share = |rate: f64| (limit / rate).min(1.0);
            let place = |i: u32| state.positions[i as usize].as_dvec3();
            let elements = &self.model.elements[body.elements.clone()];
            for element in elements.iter().filter(|e| e.relaxation > 0.0) {
                sum += share(element.damping_rate(element.corners.map(place)));
                damped += 1;
            }
            let springs = &self.model.springs[body.springs.clone()];
            for spring in springs.iter().filter(|spring| spring.damping > 0.0) {
                let [a, b] = spring.points.map(rate);
                sum += share(a + b);
                damped += 1;
            }
        }
        Ok(if damped == 0 { 1.0 } else { sum / damped as f64 })
    }

    /// Positions of one body in the order of its mesh's points [m].
    ///
    /// # Errors
    /// No such body; a state of another world.
    pub fn mesh_positions(&self, snapshot: &Snapshot, body: usize) -> Result<Vec<Vec3>> {
        snapshot.check(self.model.positions.len())?;
        let Some(body) = self.model.bodies.get(body) else {
            let want = format!("one of {} bodies, from 0 on", self.model.bodies.len());
            return Err(Error::value("body", body, want));
        };
        let positions = &snapshot.positions[body.particles.clone()];
        let mesh = body.device_index.iter();
        Ok(mesh.map(|i| positions[*i as usize]).collect())
    }

    /// FNV-1a of the bits of all positions and of the velocities that the integrator keeps.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn state_hash(&mut self) -> Result<u64> {
        self.hash_of(0..self.model.positions.len())
    }

    /// The same of one copy of a [replicated](crate::Scene::replicate) scene, which is the hash of a world of that copy alone.
    ///
    /// # Errors
    /// No such copy; a lost device.
    pub fn replica_hash(&mut self, index: usize) -> Result<u64> {
        let bodies = &self.model.bodies[self.scene.replica_bodies(index)?];
        let end = bodies.last().map_or(0, |body| body.particles.end);
        let first = bodies.first().map_or(end, |body| body.particles.start);
        self.hash_of(first..end)
    }

    fn hash_of(&mut self, particles: Range<usize>) -> Result<u64> {
        self.wait_submission()?;
        let half = &self.device.state.half_velocity;
        let half = half.read_part(&self.context, particles.clone())?;
        let particles = self.device.state.present().read_part(&self.context, particles)?;
        let kept =
            particles.iter().flat_map(|p| [p.position, p.velocity]).flat_map(|v| v.to_array());
        let half = half.iter().flat_map(|v| v.truncate().to_array());
        let mut hash = Fnv::new();
        kept.chain(half).for_each(|x| hash.bytes(&x.to_bits().to_le_bytes()));
        Ok(hash.finish())
    }
}
