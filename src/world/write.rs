//! Writing the state of a running world: positions, velocities, impulses, and what follows from them.

use std::ops::Range;

use glam::{DVec3, Vec3, Vec4};

use super::World;
use super::parts::Why;
use super::trajectory::{LARGEST, RigidMotion, check, vector};
use crate::body::stiffness::StiffnessProbe;
use crate::gpu::Recorder;
use crate::gpu::types::{Particle, SPEED_LIMIT, Sim};
use crate::integrate::HalfSteps;
use crate::integrate::part::Part;
use crate::scene::Integrator;
use crate::setup::MARGIN;
use crate::{Error, Result};

/// Renewals of the bodies' stiffness rates, two power iterations each, after positions have been written.
const RENEWALS: usize = 16;

/// Puts a particle to a place, if there is one, with a new velocity where it is not held.
fn put(
    p: &mut Particle,
    half: &mut Vec4,
    place: Option<Vec3>,
    [before, new]: [Vec3; 2],
    (integrator, far): (Integrator, bool),
) {
    p.position = place.unwrap_or(p.position);
    if p.inverse_mass <= 0.0 {
        if place.is_some() {
            (p.velocity, *half) = (Vec3::ZERO, Vec4::ZERO);
        }
        return;
    }
    let change = new - before;
    *half += change.extend(0.0);
    match (integrator.half_steps(), far) {
        // What accelerates it stays: the velocity half a step back changes as that of now does.
        (Some(HalfSteps::Particles), false) => p.velocity += change,
        _ => p.velocity = new,
    }
    if integrator.is_implicit() {
        let free = if far { 1.0 } else { half.w };
        *half = new.extend(free);
    }
}

impl World {
    /// The particle, in device order, that is a point of a body's mesh.
    ///
    /// # Errors
    /// No such body, or point of its mesh.
    pub fn particle(&self, body: usize, point: usize) -> Result<usize> {
        self.check_body(body)?;
        let ranges = &self.model.bodies[body];
        match ranges.device_index.get(point) {
            Some(index) => Ok(ranges.particles.start + *index as usize),
            None => {
                let want = format!("one of {} points, from 0 on", ranges.device_index.len());
                Err(Error::value("point", point, want))
            }
        }
    }

    /// Refuses a number that is no particle's.
    pub(super) fn check_particle(&self, at: &str, particle: usize) -> Result<()> {
        let count = self.model.positions.len();
        if particle < count {
            return Ok(());
        }
        let want = format!("one of {count} particles, from 0 on");
        Err(Error::value(at, particle, want))
    }

    /// Sets the positions [m] of a body's points, in the order of its mesh ([`Self::mesh_positions`]); held points are moved too
    /// and stay there, which ends a motion of theirs. Velocities stay. The body's contacts are found again, and lose their
    /// impulses if a point moves by more than a contact's margin; a body placed inside another one or a solid is moved out
    /// slowly. Waits for the last submission.
    ///
    /// # Errors
    /// No such body, another number of points than it has, numbers that are not finite or far beyond f32's reach; a fault, a lost
    /// device.
    pub fn write_positions(&mut self, body: usize, positions: &[Vec3]) -> Result<()> {
        let positions = self.device_order("write_positions", body, positions)?;
        self.refuse_rigid("write_positions", body)?;
        let range = self.model.bodies[body].particles.clone();
        self.overwrite(range, Some(&positions), None)
    }

    /// Gives the points of a body these velocities [m/s] at the present time, in the order of its mesh; what is held keeps
    /// its own. Integrators that keep velocities at half steps take a step to look ahead. Waits for the last submission.
    ///
    /// # Errors
    /// As [`Self::write_positions`]; speeds of 10 km/s or more.
    pub fn write_velocities(&mut self, body: usize, velocities: &[Vec3]) -> Result<()> {
        let velocities = self.device_order("write_velocities", body, velocities)?;
        self.refuse_rigid("write_velocities", body)?;
        let range = self.model.bodies[body].particles.clone();
        self.overwrite(range, None, Some(&velocities))
    }

    /// Positions [m] and velocities [m/s] of all particles, in device order: what [`Self::read`] gives. Otherwise as
    /// [`Self::write_positions`] and [`Self::write_velocities`].
    ///
    /// # Errors
    /// As those.
    pub fn write_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<()> {
        let count = self.model.positions.len();
        for (at, given) in [("positions", positions), ("velocities", velocities)] {
            if given.len() != count {
                let want = format!("{count}, one for each particle");
                return Err(Error::value(format!("write_state: {at}"), given.len(), want));
            }
        }
        (0..self.model.bodies.len()).try_for_each(|body| self.refuse_rigid("write_state", body))?;
        self.overwrite(0..count, Some(positions), Some(velocities))
    }

    /// Rotates a body in its present shape about its centre of mass, moves that to the motion's position, and sets the velocities
    /// of its points to the motion's. Otherwise as [`Self::write_positions`].
    ///
    /// # Errors
    /// As [`Self::write_positions`]; no rotation, speeds of 10 km/s or more.
    pub fn teleport(&mut self, body: usize, motion: RigidMotion) -> Result<()> {
        self.check_body(body)?;
        check("teleport", &motion)?;
        self.wait()?;
        if self.model.bodies[body].rigid.is_some() {
            return self.teleport_pose(body, &motion);
        }
        let range = self.model.bodies[body].particles.clone();
        let before = self.device.state.present().read_part(&self.context, range.clone())?;
        let masses = &self.model.masses[range.clone()];
        let weighted = before.iter().zip(masses);
        let moment: DVec3 = weighted.map(|(p, m)| *m * p.position.as_dvec3()).sum();
        let centre = moment / masses.iter().sum::<f64>();
        let turn = motion.rotation.as_dquat().normalize();
        let arm = |p: &Particle| turn * (p.position.as_dvec3() - centre);
        let goal = motion.position.as_dvec3();
        let positions: Vec<_> = before.iter().map(|p| (goal + arm(p)).as_vec3()).collect();
        let (v, spin) = (motion.velocity.as_dvec3(), motion.angular_velocity.as_dvec3());
        let velocity = |p: &Particle| (v + spin.cross(arm(p))).as_vec3();
        let velocities: Vec<_> = before.iter().map(velocity).collect();
        self.overwrite(range, Some(&positions), Some(&velocities))?;
        let turn = turn.as_quat();
        self.device.elements.turn(&self.context, &self.model, body, turn)
    }

    /// Adds impulses [N s] to particles, in device order ([`Self::particle`]); several of one particle add up. Waits for the
    /// last submission.
    ///
    /// # Errors
    /// No such particle, or one that is held; numbers that are not finite, speeds of 10 km/s or more; a fault, a lost
    /// device.
    pub fn push(&mut self, impulses: &[(usize, Vec3)]) -> Result<()> {
        self.wait()?;
        for (particle, _) in impulses {
            self.check_particle("push: particle", *particle)?;
        }
        let touched = impulses.iter().map(|(particle, _)| *particle);
        let (Some(first), Some(last)) = (touched.clone().min(), touched.max()) else {
            return Ok(());
        };
        let range = first..last + 1;
        let (context, present) = (self.context.clone(), self.device.state.present());
        let mut particles = present.read_part(&context, range.clone())?;
        let mut halves = self.device.state.half_velocity.read_part(&context, range)?;
        for (particle, impulse) in impulses {
            vector("push: impulse", *impulse, f32::INFINITY)?;
            let (p, half) = (&mut particles[particle - first], &mut halves[particle - first]);
            if p.inverse_mass <= 0.0 {
                let want = "a particle that is not held";
                return Err(Error::value("push: particle", particle, want));
            }
            let change = p.inverse_mass * *impulse;
            p.velocity += change;
            *half += change.extend(0.0);
            vector("push: the velocity after it", p.velocity, SPEED_LIMIT)?;
        }
        self.device.state.present().write(&context, first, &particles);
        self.device.state.half_velocity.write(&context, first, &halves);
        self.search_again();
        Ok(())
    }

    /// Values that are given by the points of a body's mesh, by its particles.
    fn device_order(&self, at: &str, body: usize, given: &[Vec3]) -> Result<Vec<Vec3>> {
        self.check_body(body)?;
        let ranges = &self.model.bodies[body];
        if given.len() != ranges.device_index.len() {
            let want = format!(
                "{}, one for each point of body \"{}\"",
                ranges.device_index.len(),
                ranges.name
            );
            return Err(Error::value(at, given.len(), want));
        }
        let mut ordered = vec![Vec3::ZERO; given.len()];
        for (value, index) in given.iter().zip(&ranges.device_index) {
            ordered[*index as usize] = *value;
        }
        Ok(ordered)
    }

    /// Replaces positions or velocities of some particles, whole bodies of them.
    fn overwrite(
        &mut self,
        range: Range<usize>,
        positions: Option<&[Vec3]>,
        velocities: Option<&[Vec3]>,
    ) -> Result<()> {
        let check = |at, values: Option<&[Vec3]>, largest| {
            let mut values = values.unwrap_or_default().iter();
            values.try_for_each(|x| vector(at, *x, largest))
        };
        check("a position", positions, LARGEST)?;
        check("a velocity", velocities, SPEED_LIMIT)?;
        self.wait()?;
        if range.is_empty() {
            return Ok(());
        }
        let before = self.device.state.present().read(&self.context)?;
        let old_halves = self.device.state.half_velocity.read(&self.context)?;
        let reported = self.velocities(&before)?;
        let (mut after, mut halves) = (before.clone(), old_halves.clone());
        let integrator = self.scene.world.integrator;
        let far = self.goes_far(&range, &before[range.clone()], positions.unwrap_or_default());
        for i in range.clone() {
            let given = |all: Option<&[Vec3]>| all.map(|all| all[i - range.start]);
            let place = given(positions);
            let new = given(velocities).unwrap_or(reported[i]);
            put(&mut after[i], &mut halves[i], place, [reported[i], new], (integrator, far));
        }
        if far && integrator.half_steps().is_some() {
            self.turn_half_back(&range, &before, &old_halves, &mut after, &mut halves)?;
        }
        let (context, state, first) = (&self.context, &self.device.state, range.start);
        state.present().write(context, first, &after[range.clone()]);
        let part = &halves[range.clone()];
        state.half_velocity.write(context, first, part);
        match positions {
            Some(_) => self.forget(&self.bodies_within(&range), Why::Moved { far })?,
            None => self.search_again(),
        }
        if far {
            self.renew_stiffness();
        }
        Ok(())
    }

    /// Whether any of some particles goes further than its margin of contact.
    fn goes_far(&self, range: &Range<usize>, before: &[Particle], positions: &[Vec3]) -> bool {
        let margins = self.margins(range);
        let mut ways = positions.iter().zip(before).zip(margins);
        ways.any(|((x, p), margin)| x.distance(p.position) > margin)
    }

    /// Velocities half a step before `after`'s, by the forces there without contacts.
    fn turn_half_back(
        &mut self,
        range: &Range<usize>,
        before: &[Particle],
        old_halves: &[Vec4],
        after: &mut [Particle],
        halves: &mut [Vec4],
    ) -> Result<()> {
        let context = self.context.clone();
        self.device.state.present().write(&context, 0, after);
        let ticks = self.last_ticks();
        let sim = Sim {
            damping_stages: 1,
            stage_step: 0.5 * self.common.step,
            ..self.at_step([self.progress.ticks, ticks], 0)
        };
        self.device.sim.write(&context, &[sim]);
        let mut recorder = Recorder::new(&context);
        self.stepper.start(&mut recorder, &self.device.state, &Part::all(0));
        recorder.submit();
        let turned = self.device.state.half_velocity.read(&context)?;
        for i in range.clone() {
            halves[i] = turned[i];
            if self.scene.world.integrator.half_steps() == Some(HalfSteps::Particles) {
                after[i].velocity = turned[i].truncate();
            }
        }
        self.device.state.present().write(&context, 0, before);
        self.device.state.half_velocity.write(&context, 0, old_halves);
        Ok(())
    }

    /// The margin of contact [m] of each of some particles.
    fn margins(&self, range: &Range<usize>) -> Vec<f32> {
        let margin = |body: &usize| {
            let ranges = &self.model.bodies[*body];
            let own = (MARGIN * ranges.edge) as f32;
            std::iter::repeat_n(own, ranges.particles.len())
        };
        self.bodies_within(range).iter().flat_map(margin).collect()
    }

    /// The bodies that these are all the particles of.
    fn bodies_within(&self, range: &Range<usize>) -> Vec<usize> {
        let within = |body: &usize| {
            let particles = &self.model.bodies[*body].particles;
            particles.start >= range.start && particles.end <= range.end
        };
        (0..self.model.bodies.len()).filter(within).collect()
    }

    /// Estimates stiffness where all is.
    fn renew_stiffness(&self) {
        let sim = StiffnessProbe::fill(self.common)[1];
        self.device.sim.write(&self.context, &[sim]);
        let mut recorder = Recorder::new(&self.context);
        for _ in 0..RENEWALS {
            self.stepper.renew(&mut recorder, &self.device.state, 0, 0);
        }
        recorder.submit();
    }

    /// The next step searches for contacts.
    pub(super) fn search_again(&mut self) {
        self.rests = None;
        if let Some(collision) = self.stepper.collision() {
            let mut recorder = Recorder::new(&self.context);
            collision.search_again(&mut recorder);
            recorder.submit();
        }
    }
}
