//! Save files: all that a bit-exact continuation needs.

use crate::body::damping::MAX_STAGES;
use crate::gpu::Context;
use crate::hash::Fnv;
use crate::integrate::doubling::MOST_HALVINGS;
use crate::scene::{Integrator, Scene};
use crate::setup::Stepping;
use crate::world::pace::{MOST_RETAKES, Pace};
use crate::world::{Began, Origin, World};
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"pliant save v11\n";

/// Hashes of what a save belongs to: the scene's kinds of tables, and the model that came of its mesh files.
type Belongs = [u64; 5];

/// What errors call them.
const NAMES: [&str; 5] = [
    "[world]",
    "[[body]]",
    "[[solid]]",
    "[[event]]",
    "mesh files",
];

/// What a save file says before its arrays.
struct Header {
    belongs: Belongs,
    began: Began,
    steps: u64,
    ticks: u64,
    pace: Pace,
    /// One per body.
    presence: Vec<Presence>,
    /// Of each body ω² at rest [1/s²], which ties of implicit integrators are stiff by.
    squares: Vec<f64>,
    /// What those that sleep go on with.
    asleep: Vec<f32>,
    /// What the scene's attachments tie.
    tied: Vec<u64>,
}

/// Whether a body is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Presence {
    absent: bool,
    asleep: bool,
    /// Whether the caller has ended the motion of its pins that the scene says.
    ended_pins: bool,
}

impl Presence {
    fn byte(self) -> u8 {
        u8::from(self.absent) | u8::from(self.asleep) << 1 | u8::from(self.ended_pins) << 2
    }

    fn from_byte(byte: u8) -> Self {
        Self {
            absent: byte & 1 != 0,
            asleep: byte & 2 != 0,
            ended_pins: byte & 4 != 0,
        }
    }
}

impl World {
    /// The state as bytes: the scene's hash, the integrator, the step, how many were taken and what time it is, particles,
    /// half-step velocities, how far the estimates of the bodies' stiffness have come, the contacts with their impulses, what
    /// the scene's attachments tie, and whose pins the caller has put an end to the scene's motion of; with a checksum.
    ///
    /// # Errors
    /// A fault, a lost device.
    pub fn save(&mut self) -> Result<Vec<u8>> {
        self.wait()?;
        self.save_last_good()
    }

    /// As [`Self::save`], also after a fault: the last good state.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn save_last_good(&mut self) -> Result<Vec<u8>> {
        self.wait_submission()?;
        let (stepping, pace) = (self.stepping(), self.pace());
        let words = [
            stepping.step.to_bits(),
            u64::from(stepping.damping_stages),
            self.steps(),
            self.steps_before(),
            self.clock().start.to_bits(),
            u64::from(stepping.ticks),
            self.ticks(),
            u64::from(pace.halvings) << 32 | u64::from(pace.last_halvings),
            pace.calm.into(),
        ];
        let mut bytes = Vec::new();
        let belongs = self.belongs();
        let words = belongs.iter().chain(&words);
        bytes.extend(words.flat_map(|word| word.to_le_bytes()));
        let mut push = |part: &[u8]| {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        push(stepping.integrator.name().as_bytes());
        push(&self.presence());
        let squares = self.squares_at_rest().into_iter();
        push(&squares.flat_map(f64::to_le_bytes).collect::<Vec<_>>());
        let asleep = self.asleep().into_iter();
        push(&asleep.flat_map(f32::to_le_bytes).collect::<Vec<_>>());
        let tied = self.tied_by_scene().into_iter();
        push(&tied.flat_map(u64::to_le_bytes).collect::<Vec<_>>());
        for array in self.evolving() {
            push(&array.read_bytes(self.context())?);
        }
        let check = checksum(&bytes).to_le_bytes();
        Ok([MAGIC.as_slice(), &check, &bytes].concat())
    }

    /// A world of this scene, [`Self::scene`] of the saved one, that goes on from a saved state, with the integrator and the step that were chosen then.
    ///
    /// # Errors
    /// As [`Self::new`] and [`Self::restore`].
    pub fn resume(context: &Context, scene: &Scene, bytes: &[u8]) -> Result<Self> {
        let (header, _) = read(bytes)?;
        let mut world = Self::build(context, scene, Origin::Save(header.began))?;
        world.restore(bytes)?;
        Ok(world)
    }

    /// One byte per body.
    fn presence(&self) -> Vec<u8> {
        let bodies = self.model().bodies.iter().zip(self.ended_pins());
        let presence = bodies.map(|(body, ended_pins)| Presence {
            absent: body.absent,
            asleep: body.asleep,
            ended_pins,
        });
        presence.map(Presence::byte).collect()
    }

    fn belongs(&self) -> Belongs {
        let [world, bodies, solids, events] = self.scene().hashes();
        [world, bodies, solids, events, self.model().hash()]
    }

    /// Returns to a saved state of this scene and step. Nothing changes on an error.
    ///
    /// # Errors
    /// Bytes that are no save file, are cut short, or belong to another scene or step; a lost device.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<()> {
        let (header, parts) = read(bytes)?;
        let belongs = self.belongs();
        if header.belongs != belongs {
            let want = "a save of this scene, with the same settings and mesh files";
            return Err(Error::value(
                "the save file",
                difference(&header.belongs, &belongs),
                want,
            ));
        }
        let Began {
            stepping,
            start,
            steps_before,
        } = header.began;
        if stepping != *self.stepping() {
            let (got, want) = (made(&stepping), made(self.stepping()));
            return Err(Error::value("the save file", got, format!("one {want}")));
        }
        if (start, steps_before) != (self.clock().start, self.steps_before()) {
            let got = format!("of a world last changed at {start} s");
            let want = format!(
                "one of this world, last changed at {} s",
                self.clock().start
            );
            return Err(Error::value("the save file", got, want));
        }
        let finite = |part: &&[u8]| {
            part.chunks_exact(4)
                .all(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]).is_finite())
        };
        if !parts.iter().take(3).all(finite) {
            return Err(Error::value(
                "the save file",
                "one whose state is not finite",
                "finite positions and velocities",
            ));
        }
        let wrong_size = || {
            Err(Error::value(
                "the save file",
                "one with arrays of other sizes",
                "this scene's, with unchanged mesh files",
            ))
        };
        let absent: Vec<_> = header.presence.iter().map(|body| body.absent).collect();
        let asleep: Vec<_> = header.presence.iter().map(|body| body.asleep).collect();
        let ended: Vec<_> = header.presence.iter().map(|body| body.ended_pins).collect();
        let bodies = self.model().bodies.len();
        let known = header.squares.len() == bodies;
        if absent.len() != bodies || !known || header.asleep.len() != self.asleep_len(&asleep) {
            return wrong_size();
        }
        let Some(tied) = self.read_ties(&header.tied, &absent) else {
            return Err(wrong("damaged"));
        };
        let sizes: Vec<_> = parts.iter().map(|part| part.len() as u64).collect();
        if !self.make_room(&sizes)? {
            return wrong_size();
        }
        self.set_absent(&absent);
        self.set_squares_at_rest(&header.squares);
        self.set_asleep(&asleep, &header.asleep);
        self.return_to(
            [header.steps - steps_before, header.ticks],
            header.pace,
            &parts,
            tied,
            &ended,
        )
    }
}

/// Says what another scene has of its own. Where bodies differ, models do, whatever the files.
fn difference(theirs: &Belongs, ours: &Belongs) -> String {
    let differs = |k: &usize| theirs[*k] != ours[*k];
    let known = match differs(&1) {
        true => NAMES.len() - 1,
        false => NAMES.len(),
    };
    let names: Vec<_> = (0..known).filter(differs).map(|k| NAMES[k]).collect();
    format!("one of another scene, with other {}", names.join(" and "))
}

/// How errors tell one way of stepping from another.
fn made(stepping: &Stepping) -> String {
    let (name, step, damping_stages) = (
        stepping.integrator.name(),
        stepping.step,
        stepping.damping_stages,
    );
    format!("made with {name}, a step of {step} s and {damping_stages} damping gathers")
}

/// Kernels trust the lists of contacts in a save: a list that ran in a circle would hang the device.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv::new();
    hash.bytes(bytes);
    hash.finish()
}

/// An error about the file itself.
fn wrong(got: &str) -> Error {
    Error::value(
        "the save file",
        got,
        "a file written by --save of this version of pliant",
    )
}

fn read(bytes: &[u8]) -> Result<(Header, Vec<&[u8]>)> {
    let mut rest = bytes
        .strip_prefix(MAGIC.as_slice())
        .ok_or_else(|| wrong("something else"))?;
    let (check, tail) = rest
        .split_first_chunk::<8>()
        .ok_or_else(|| wrong("cut short"))?;
    rest = tail;
    if checksum(rest) != u64::from_le_bytes(*check) {
        return Err(wrong("cut short or damaged"));
    }
    let mut word = || {
        let (word, tail) = rest
            .split_first_chunk::<8>()
            .ok_or_else(|| wrong("cut short"))?;
        rest = tail;
        Ok::<_, Error>(u64::from_le_bytes(*word))
    };
    let belongs = [word()?, word()?, word()?, word()?, word()?];
    let (step, damping_stages, steps) = (f64::from_bits(word()?), word()?, word()?);
    let (steps_before, start) = (word()?, f64::from_bits(word()?));
    let (per_step, ticks, halvings, calm) = (word()?, word()?, word()?, word()?);
    let short = |value: u64| u32::try_from(value).map_err(|_| wrong("damaged"));
    let (damping_stages, per_step) = (short(damping_stages)?, short(per_step)?);
    let pace = Pace {
        halvings: short(halvings >> 32)?,
        last_halvings: short(halvings & 0xffff_ffff)?,
        calm: short(calm)?,
        least: 0,
    };
    let sound = step > 0.0
        && step.is_finite()
        && (1..=MAX_STAGES).contains(&damping_stages)
        && steps < 1 << 53
        && steps_before <= steps
        && start >= 0.0
        && start.is_finite()
        && ticks < 1 << 53
        && [0, MOST_RETAKES, MOST_HALVINGS]
            .map(|most| 1 << most)
            .contains(&per_step)
        && pace.halvings.max(pace.last_halvings) <= per_step.ilog2();
    if !sound {
        return Err(wrong("damaged"));
    }
    let name = part(&mut rest)?;
    let mut integrators = Integrator::ALL.into_iter();
    let integrator = integrators
        .find(|integrator| integrator.name().as_bytes() == name)
        .ok_or_else(|| wrong("damaged"))?;
    let presence = part(&mut rest)?.iter().copied().map(Presence::from_byte);
    let presence = presence.collect();
    let squares = part(&mut rest)?.as_chunks::<8>().0.iter();
    let squares: Vec<_> = squares.map(|b| f64::from_le_bytes(*b)).collect();
    if !squares
        .iter()
        .all(|square| square.is_finite() && *square >= 0.0)
    {
        return Err(wrong("damaged"));
    }
    let asleep = part(&mut rest)?.chunks_exact(4);
    let asleep = asleep.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let asleep = asleep.collect();
    let tied = part(&mut rest)?.as_chunks::<8>().0.iter();
    let tied = tied.map(|b| u64::from_le_bytes(*b)).collect();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        parts.push(part(&mut rest)?);
    }
    let header = Header {
        belongs,
        began: Began {
            stepping: Stepping {
                integrator,
                step,
                damping_stages,
                ticks: per_step,
            },
            start,
            steps_before,
        },
        steps,
        ticks,
        pace,
        presence,
        squares,
        asleep,
        tied,
    };
    Ok((header, parts))
}

/// Takes a part off the front: its length, then its bytes.
fn part<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8]> {
    let (length, tail) = rest
        .split_first_chunk::<8>()
        .ok_or_else(|| wrong("cut short"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| wrong("damaged"))?;
    let (part, tail) = tail
        .split_at_checked(length)
        .ok_or_else(|| wrong("cut short"))?;
    *rest = tail;
    Ok(part)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::scene::Body;

    fn scene(integrator: Integrator, auto_integrator: bool) -> Scene {
        let mut scene = Scene {
            bodies: vec![Body::lattice("a", [2; 3], [1.0; 3])],
            ..Scene::default()
        };
        scene.world.integrator = integrator;
        scene.world.auto_integrator = auto_integrator;
        scene
    }

    /// The file of a run of an open scene that had picked what the given run has: that run's, in the open scene's name.
    fn renamed(bytes: &[u8], open: &World) -> Vec<u8> {
        let (head, body) = bytes.split_at(MAGIC.len() + 8);
        let belongs: Vec<u8> = open
            .belongs()
            .into_iter()
            .flat_map(u64::to_le_bytes)
            .collect();
        let body = [&belongs, &body[belongs.len()..]].concat();
        let check = checksum(&body).to_le_bytes();
        [&head[..MAGIC.len()], &check, &body].concat()
    }

    #[test]
    fn differences_are_named() {
        let ours = [1, 2, 3, 4, 5];
        let named = |theirs: Belongs| difference(&theirs, &ours);
        assert!(named([9, 2, 3, 9, 5]).ends_with("other [world] and [[event]]"));
        assert!(named([1, 9, 3, 4, 9]).ends_with("other [[body]]"));
        assert!(named([1, 2, 9, 4, 9]).ends_with("other [[solid]] and mesh files"));
    }

    #[test]
    fn a_resumed_world_keeps_what_was_picked() {
        let context = Context::new().unwrap();
        let open = scene(Integrator::Euler, true);
        let mut picked = World::new(&context, &open).unwrap();
        let default = Integrator::default();
        assert_eq!(picked.stepping().integrator, default);
        assert!(picked.pick().unwrap().reason.starts_with("picked: "));

        let other = Integrator::Rk4;
        let mut fixed = World::new(&context, &scene(other, false)).unwrap();
        assert!(fixed.pick().is_none());
        fixed.step(3).unwrap();
        let bytes = renamed(&fixed.save().unwrap(), &picked);
        let mut resumed = World::resume(&context, &open, &bytes).unwrap();
        assert_eq!(resumed.stepping().integrator, other);
        assert_eq!(resumed.scene().world.integrator, other);
        let pick = resumed.pick().unwrap();
        assert_eq!(pick.integrator, other.name());
        assert_eq!(pick.reason, "as the saved run had picked it");
        for world in [&mut fixed, &mut resumed] {
            world.step(5).unwrap();
        }
        assert_eq!(fixed.state_hash().unwrap(), resumed.state_hash().unwrap());

        let error = picked.restore(&bytes).unwrap_err().to_string();
        assert!(error.contains("made with rk4"), "{error}");
        let own = picked.save().unwrap();
        picked.restore(&own).unwrap();
    }
}
