//! Whether the bodies of a random scene have come to rest.

use pliant::internals::extreme;
use std::ops::Range;

use glam::{DMat3, DVec3};
use pliant::internals::Inside as _;
use pliant::world::{Snapshot, World};

use super::case::GRAVITY;

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
            "vibrates at {quiver:.1} %, bounces at {bounce:.1} %, moves at {rigid:.1} % of √(gL)"
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
        Self { size, moved: 0.0, uneasy: 0.0, energies: Vec::new(), worst: Motion::default() }
    }

    /// Takes down how the bodies move now: of each the worst, of the energies the sum.
    pub fn look(&mut self, world: &World, state: &Snapshot) {
        let bodies = world.model().bodies.iter();
        let motions = bodies.map(|body| motion(world, state, body.particles.clone(), self.size));
        // NaN is the worst of all.
        let most = |a: f64, b: f64| if b <= a { a } else { b };
        let worst = motions.fold(Motion::default(), |worst, motion| Motion {
            quiver: most(worst.quiver, motion.quiver),
            bounce: most(worst.bounce, motion.bounce),
            rigid: most(worst.rigid, motion.rigid),
            energy: worst.energy + motion.energy,
        });
        self.note(world.time(), worst);
    }

    fn note(&mut self, time: f64, worst: Motion) {
        let still = worst.rigid <= MOVES;
        if !still {
            self.moved = time;
        }
        if !(still && worst.quiver <= QUIVERS && worst.bounce <= BOUNCES) {
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
            let times = self.energies.iter().filter(|(then, _)| *then > from && *then <= to);
            times.map(|(_, energy)| *energy).fold(f64::NEG_INFINITY, extreme::greatest)
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
        let terms = particles.iter().map(|(m, x, v)| m * of(*x, *v).length_squared());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of a body of 1 m that moves like that until 20 s, seen 60 times a second, and when it came.
    fn ended(motion: impl Fn(f64) -> Motion) -> (f64, Option<End>) {
        let mut rest = Rest::new(1.0);
        for frame in 1..1200 {
            let time = f64::from(frame) / 60.0;
            rest.note(time, motion(time));
            if let Some(end) = rest.end(15.0) {
                return (time, Some(end));
            }
        }
        (20.0, None)
    }

    fn of(quiver: f64, rigid: f64, energy: f64) -> Motion {
        Motion { quiver, bounce: 0.0, rigid, energy }
    }

    #[test]
    fn the_time_starts_with_the_last_motion() {
        // It tips over after 5 s, and quivers for a second then.
        let tips =
            |t: f64| of(if t < 6.0 { 0.02 } else { 0.0 }, if t < 5.0 { 0.5 } else { 0.0 }, 1.0);
        let (time, end) = ended(tips);
        assert!((time - 6.5).abs() < 0.05);
        assert!(matches!(end, Some(End::Settled(after)) if (after - 1.0).abs() < 0.05));
    }

    #[test]
    fn vibration_without_end_is_found() {
        let quivers = |t: f64| of(0.02 * (9.0 * t).sin().abs(), 0.05, 1.0);
        let (time, end) = ended(quivers);
        assert!(end == Some(End::Restless) && time < 2.6);
        // What jumps without end does, too; what rolls loses energy.
        assert_eq!(ended(|t| of(0.02, 0.5, 1.0 + 0.2 * (7.0 * t).sin())).1, Some(End::Restless));
        assert_eq!(ended(|t| of(0.02, 0.5, 1.0 - 0.01 * t)).1, Some(End::Moving));
        assert_eq!(ended(|_| of(f64::NAN, 0.0, 0.0)).1, Some(End::Restless));
    }
}
