//! Checks of events.

use super::limits::*;
use super::quoted;
use super::values::*;
use crate::gpu::types::{MAX_PULLS, SPEED_LIMIT};
use crate::scene::{Body, Event, Kind, Movable, Scene};
use crate::{Error, Result};

/// How far a first keyframe may be from where its thing starts [m, rad].
const SAME: f64 = 1e-6;

impl Scene {
    pub(super) fn check_events(&self) -> Result<()> {
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
                        let want =
                            format!("the name of a body of this scene{}", self.copies_of(body));
                        return Err(Error::value(format!("{at}.body"), quoted(body), want));
                    }
                    vector(&format!("{at}.point"), *point, LARGEST, "m")?;
                    vector(&format!("{at}.force"), *force, STRONGEST, "N")?;
                    period(&at, *from, *to)?;
                }
                Event::Move { what, centre, velocity, angular_velocity, from, to } => {
                    self.check_movable(&at, what)?;
                    vector(&format!("{at}.centre"), *centre, LARGEST, "m")?;
                    let speed = f64::from(SPEED_LIMIT);
                    vector(&format!("{at}.velocity"), *velocity, speed, "m/s")?;
                    let at_spin = format!("{at}.angular_velocity");
                    vector(&at_spin, *angular_velocity, speed, "rad/s")?;
                    period(&at, *from, *to)?;
                    self.check_alone(i, what, [*from, *to])?;
                }
                Event::Keyframes { what, times, positions, rotations } => {
                    self.check_movable(&at, what)?;
                    check_times(&at, times)?;
                    self.check_places(&at, what, times, [positions, rotations])?;
                    self.check_alone(i, what, [f64::NEG_INFINITY, f64::INFINITY])?;
                }
                Event::Wind { velocity, from, to } => {
                    if self.world.drag == 0.0 {
                        let want = "world.drag > 0 [1/s]: wind acts through drag";
                        return Err(Error::value(at, "wind in a world whose drag is 0", want));
                    }
                    vector(&format!("{at}.velocity"), *velocity, LARGEST, "m/s")?;
                    period(&at, *from, *to)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses to move what there is not.
    fn check_movable(&self, at: &str, what: &Movable) -> Result<()> {
        let (field, got) = self.moved_by(at, what);
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
                        let want = format!(
                            "the name of a body of this scene that has pins, or is rigid and held{}",
                            self.copies_of(name)
                        );
                        Err(Error::value(field, got, want))
                    }
                }
            }
            Movable::Solid(solid) => self.check_solid_number(&field, *solid),
        }
    }

    /// Refuses a motion of what an earlier event moves at the same time; one by keyframes takes all of it.
    fn check_alone(&self, event: usize, what: &Movable, [from, to]: [f64; 2]) -> Result<()> {
        for (i, earlier) in self.events[..event].iter().enumerate() {
            let (other, period, how) = match earlier {
                Event::Move { what, from, to, .. } => {
                    (what, [*from, *to], format!("from {from} s to {to} s"))
                }
                Event::Keyframes { what, .. } => {
                    (what, [f64::NEG_INFINITY, f64::INFINITY], "by keyframes".into())
                }
                Event::LineForce { .. } | Event::Wind { .. } => continue,
            };
            if other == what && from < period[1] && period[0] < to {
                let at = format!("event {}", event + 1);
                let (field, name) = self.moved_by(&at, what);
                let got = format!("{name}, which event {} moves {how}", i + 1);
                let want = "a solid or body that no other event moves at that time; keyframes allow no other motion at all";
                return Err(Error::value(field, got, want));
            }
        }
        Ok(())
    }

    /// Refuses keyframes that are not as many as times, that do not begin where their thing is, or that are too fast.
    fn check_places(
        &self,
        at: &str,
        what: &Movable,
        times: &[f64],
        places: [&Vec<[f64; 3]>; 2],
    ) -> Result<()> {
        let starts = self.placing(what).unwrap_or_default();
        let keys = [("positions", "m"), ("rotations", "rad")];
        for (((key, unit), places), start) in keys.into_iter().zip(places).zip(starts) {
            let field = format!("{at}.{key}");
            if places.len() != times.len() {
                let got = format!("{} of them", places.len());
                let want = format!("{}, one for each of times", times.len());
                return Err(Error::value(field, got, want));
            }
            places.iter().try_for_each(|place| vector(&field, *place, LARGEST, unit))?;
            let first = places[0];
            if (0..3).any(|k| (first[k] - start[k]).abs() > SAME) {
                let want = format!("{start:?} [{unit}] first, where it starts");
                return Err(Error::value(field, format!("{first:?} first"), want));
            }
        }
        for (k, pair) in places[0].windows(2).enumerate() {
            let way =
                (0..3).map(|axis| (pair[1][axis] - pair[0][axis]).powi(2)).sum::<f64>().sqrt();
            let speed = way / (times[k + 1] - times[k]);
            if speed > f64::from(SPEED_LIMIT) {
                let got = format!("{} m/s after {} s", brief(speed), brief(times[k]));
                let want = format!("at most {} m/s", brief(f64::from(SPEED_LIMIT)));
                return Err(Error::value(format!("{at}.positions"), got, want));
            }
        }
        Ok(())
    }

    /// The field that says what moves, and what it says.
    fn moved_by(&self, at: &str, what: &Movable) -> (String, String) {
        match what {
            Movable::Solid(number) => {
                let solid =
                    (*number as usize).checked_sub(1).and_then(|i| self.named_solids().nth(i));
                let said = solid.map_or(number.to_string(), |solid| quoted(&solid.name));
                (format!("{at}.solid"), said)
            }
            Movable::Pins(body) => (format!("{at}.body"), quoted(body)),
        }
    }

    /// Position and angles of a solid or a body as it starts; none if there is no such thing.
    pub(in crate::scene) fn placing(&self, what: &Movable) -> Option<[[f64; 3]; 2]> {
        match what {
            Movable::Solid(0) => self.world.floor.map(|height| [[0.0, height, 0.0], [0.0; 3]]),
            Movable::Solid(number) => {
                let solid = self.solids.get(*number as usize - 1)?;
                Some([solid.position, solid.rotation])
            }
            Movable::Pins(name) => {
                let body = self.bodies.iter().find(|body| body.name == *name)?;
                Some([body.position, body.rotation])
            }
        }
    }
}

fn check_times(at: &str, times: &[f64]) -> Result<()> {
    let at = format!("{at}.times");
    times.iter().try_for_each(|time| not_negative(&at, *time, LARGEST, "s"))?;
    let wanted = |got: String| {
        let want = format!("at least two times [s], ascending by at least {SHORTEST_STEP:e} s");
        Err(Error::value(&at, got, want))
    };
    match times.windows(2).find(|pair| pair[1] - pair[0] < SHORTEST_STEP) {
        Some(pair) => wanted(format!("{} after {}", pair[1], pair[0])),
        None if times.len() < 2 => wanted(format!("{times:?}")),
        None => Ok(()),
    }
}
