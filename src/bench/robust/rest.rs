//! Whether the bodies of a random scene have come to rest.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::case::GRAVITY;
use crate::world::{Snapshot, World};

/// Parts of √(gL) above which a body quivers, goes up and down, or moves as a whole: a tenth is a fall by half a percent
/// of its size.
const QUIVERS: f64 = 0.01;
const BOUNCES: f64 = 0.03;
const MOVES: f64 = 0.1;
/// How long bodies have for coming to rest once they are where they stay, over √(L/m) [s].
const PATIENCE: f64 = 2.0;
/// How long they must be calm for being at rest, over √(L/m) [s]: half a period of the lowest vibration of what is soft.
const CALM: f64 = 0.5;

/// How a body moves, in parts of √(gL).
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Root mean square of the speed but for the rigid motion.
    pub quiver: f64,
    /// Vertical speed of its centre.
    pub bounce: f64,
    /// Speed of the rigid motion: of its centre, and L times that of its turning.
    pub rigid: f64,
    /// Kinetic energy, and that of its height, over m g L.
    pub energy: f64,
}

impl std::fmt::Display for Motion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [self.quiver, self.bounce, self.rigid].map(|part| 100.0 * part);
        let [quiver, bounce, rigid] = parts;
        write!(
            f,
            "quivers at {quiver:.1} %, bounces at {bounce:.1} %, moves at {rigid:.1} % of √(gL)"
        )
    }
}

/// Follows the motion of the bodies of a scene.
///
/// What rolls off a ball, tips over an edge or hops once more has not had its time yet, and a body that rolls or tumbles is
/// deformed anew all along its way. So the time starts again whenever one of them moves as a whole, and what still does so
/// at the very end must lose energy (the most of it within a while, as at times it is elastic): motion without end is
/// vibration, too.
#[derive(Debug)]
pub struct Rest {
    size: f64,
    /// The last time that some body moved, and that some was not calm [s].
    moved: f64,
    uneasy: f64,
    /// Of each frame: time [s] and energy of all.
    energies: Vec<(f64, f64)>,
    /// The worst of each at present.
    pub worst: Motion,
}

/// How a scene ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// At rest, so long after the last motion [s].
    Settled(f64),
    /// Bodies still go their way, and lose energy.
    Moving,
    /// They vibrate without end.
    Restless,
}

impl Rest {
    /// Of bodies of this longest side [m].
    pub fn new(size: f64) -> Self {
        Self {
            size,
            moved: 0.0,
            uneasy: 0.0,
            energies: Vec::new(),
            worst: Motion::default(),
        }
    }

    /// Takes down how the bodies move now.
    pub fn look(&mut self, world: &World, state: &Snapshot) {
        let time = world.time();
        let bodies = &world.model().bodies;
        let motions = bodies
            .iter()
            .map(|body| motion(world, state, body.particles.clone(), self.size));
        let mut worst = Motion::default();
        for motion in motions {
            // NaN is the worst of all.
            let most = |a: f64, b: f64| if b <= a { a } else { b };
            worst.quiver = most(worst.quiver, motion.quiver);
            worst.bounce = most(worst.bounce, motion.bounce);
            worst.rigid = most(worst.rigid, motion.rigid);
            worst.energy += motion.energy;
        }
        if !(worst.rigid <= MOVES) {
            self.moved = time;
        }
        if !(worst.quiver <= QUIVERS && worst.bounce <= BOUNCES && worst.rigid <= MOVES) {
            self.uneasy = time;
        }
        self.energies.push((time, worst.energy));
        self.worst = worst;
    }

    /// How it ends, if it does: at the latest after `longest` [s].
    pub fn end(&self, longest: f64) -> Option<End> {
        let (time, _) = *self.energies.last()?;
        let [patience, calm] = [PATIENCE, CALM].map(|part| part * self.size.sqrt());
        if time - self.uneasy >= calm {
            return Some(End::Settled((self.uneasy - self.moved).max(0.0)));
        }
        if time - self.moved >= patience + calm {
            return Some(End::Restless);
        }
        if time < longest {
            return None;
        }
        let most = |from: f64, to: f64| {
            let times = self
                .energies
                .iter()
                .filter(|(then, _)| *then > from && *then <= to);
            times
                .map(|(_, energy)| *energy)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let (late, middle) = (time - patience, time - 2.0 * patience);
        match most(late, time) < most(middle, late) {
            true => Some(End::Moving),
            false => Some(End::Restless),
        }
    }
}

fn motion(world: &World, state: &Snapshot, range: Range<usize>, size: f64) -> Motion {
    let masses = &world.model().masses;
    let particles: Vec<_> = range
        .map(|i| {
            let [x, v] = [state.positions[i], state.velocities[i]].map(|a| a.as_dvec3());
            (masses[i], x, v)
        })
        .collect();
    let mass: f64 = particles.iter().map(|p| p.0).sum();
    let mean = |of: fn(&(f64, DVec3, DVec3)) -> DVec3| {
        particles.iter().map(|p| p.0 * of(p)).sum::<DVec3>() / mass
    };
    let (centre, velocity) = (mean(|p| p.1), mean(|p| p.2));
    let (mut inertia, mut spin) = (DMat3::ZERO, DVec3::ZERO);
    for (m, x, v) in &particles {
        let r = *x - centre;
        inertia += DMat3::from_diagonal(DVec3::splat(m * r.length_squared()))
            - DMat3::from_cols(r * r.x, r * r.y, r * r.z) * *m;
        spin += *m * r.cross(*v - velocity);
    }
    let turning = inertia.inverse() * spin;
    let squares = |of: &dyn Fn(DVec3, DVec3) -> DVec3| {
        let terms = particles
            .iter()
            .map(|(m, x, v)| m * of(*x, *v).length_squared());
        terms.sum::<f64>() / mass
    };
    let quiver = squares(&|x, v| v - velocity - turning.cross(x - centre)).sqrt();
    let unit = (GRAVITY * size).sqrt();
    Motion {
        quiver: quiver / unit,
        bounce: velocity.y.abs() / unit,
        rigid: (velocity.length() + size * turning.length()) / unit,
        energy: 0.5 * squares(&|_, v| v) / unit.powi(2) + centre.y / size,
    }
}
