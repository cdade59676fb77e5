//! Save files: all that a bit-exact continuation needs.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use crate::body::damping::MAX_STAGES;
use crate::gpu::Context;
use crate::hash::Fnv;
use crate::integrate::doubling::MOST_HALVINGS;
use crate::scene::{Integrator, Scene};
use crate::setup::Stepping;
use crate::world::pace::{MOST_RETAKES, Progress};
use crate::world::{Began, Origin, SavedBody, TiedByScene, World};
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"pliant save v19\n";

/// Hashes of what a save belongs to: the scene's kinds of tables, and the model that came of its mesh files.
type Belongs = [u64; 5];

/// What errors call them.
const NAMES: [&str; 5] = ["[world]", "[[body]]", "[[solid]]", "[[event]]", "mesh files"];

/// What a save file says before its arrays.
#[derive(Serialize, Deserialize)]
struct Header {
    belongs: Belongs,
    integrator: String,
    /// h [s]
    step: f64,
    damping_stages: u32,
    ticks_a_step: u32,
    /// The time at tick 0 [s], and the steps before it.
    start: f64,
    steps_before: u64,
    progress: Progress,
    bodies: Vec<SavedBody>,
    tied: Vec<TiedByScene>,
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
        let stepping = self.stepping();
        let header = Header {
            belongs: self.belongs(),
            integrator: stepping.integrator.name().into(),
            step: stepping.step,
            damping_stages: stepping.damping_stages,
            ticks_a_step: stepping.ticks,
            start: self.clock().start,
            steps_before: self.steps_before(),
            progress: self.progress(),
            bodies: self.saved_bodies(),
            tied: self.tied_by_scene(),
        };
        let arrays = self.evolving().into_iter();
        file(&header, arrays.map(|array| array.read_bytes(self.context())))
    }

    /// A world of this scene, [`Self::scene`] of the saved one, that goes on from a saved state, with the integrator and the step that were chosen then.
    ///
    /// # Errors
    /// As [`Self::new`] and [`Self::restore`].
    pub fn resume(context: &Context, scene: &Scene, bytes: &[u8]) -> Result<Self> {
        let (header, _) = read(&unpacked(bytes)?)?;
        let mut world = Self::build(context, scene, Origin::Save(header.began()?))?;
        world.restore(bytes)?;
        Ok(world)
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
        let bytes = unpacked(bytes)?;
        let (header, parts) = read(&bytes)?;
        self.check_header(&header)?;
        let finite = |part: &&[u8]| {
            let mut words = part.as_chunks::<4>().0.iter();
            words.all(|word| f32::from_le_bytes(*word).is_finite())
        };
        if !parts.iter().take(3).all(finite) {
            return Err(Error::value(
                "the save file",
                "one with a state that is not finite",
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
        if !self.has_saved_bodies(&header.bodies) {
            return wrong_size();
        }
        let absent = |body: usize| header.bodies[body].absent;
        let Some(tied) = self.held_again(header.tied, absent) else {
            return Err(wrong("damaged"));
        };
        let sizes: Vec<_> = parts.iter().map(|part| part.len() as u64).collect();
        if !self.make_room(&sizes)? {
            return wrong_size();
        }
        let ended: Vec<_> = header.bodies.iter().map(|body| body.ended_pins).collect();
        self.set_saved_bodies(&header.bodies);
        self.return_to(header.progress, &parts, tied, &ended)
    }

    /// Refuses what was saved of another scene, or steps in another way.
    fn check_header(&self, header: &Header) -> Result<()> {
        let belongs = self.belongs();
        if header.belongs != belongs {
            let want = "a save of this scene, with the same settings and mesh files";
            return Err(Error::value("the save file", difference(&header.belongs, &belongs), want));
        }
        let Began { stepping, start, steps_before } = header.began()?;
        if stepping != *self.stepping() {
            let (got, want) = (made(&stepping), made(self.stepping()));
            return Err(Error::value("the save file", got, format!("one {want}")));
        }
        if (start, steps_before) != (self.clock().start, self.steps_before()) {
            let got = format!("from a world last changed at {start} s");
            let want = format!("one of this world, last changed at {} s", self.clock().start);
            return Err(Error::value("the save file", got, want));
        }
        Ok(())
    }
}

impl Header {
    /// What its world began with.
    fn began(&self) -> Result<Began> {
        let mut integrators = Integrator::ALL.into_iter();
        let named = integrators.find(|integrator| integrator.name() == self.integrator);
        let integrator = named.ok_or_else(|| wrong("damaged"))?;
        Ok(Began {
            stepping: Stepping {
                integrator,
                step: self.step,
                damping_stages: self.damping_stages,
                ticks: self.ticks_a_step,
            },
            start: self.start,
            steps_before: self.steps_before,
        })
    }

    /// Whether its numbers are those of some world.
    fn is_sound(&self) -> bool {
        let Progress { steps, ticks, pace } = self.progress;
        let lengths = [0, MOST_RETAKES, MOST_HALVINGS].map(|most| 1 << most);
        self.step > 0.0
            && self.step.is_finite()
            && (1..=MAX_STAGES).contains(&self.damping_stages)
            && steps.max(self.steps_before).max(ticks) < 1 << 52
            && self.start >= 0.0
            && self.start.is_finite()
            && lengths.contains(&self.ticks_a_step)
            && pace.halvings.max(pace.last_halvings) <= self.ticks_a_step.ilog2()
    }
}

/// The bytes of a file.
fn file(header: &Header, arrays: impl Iterator<Item = Result<Vec<u8>>>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut push = |part: &[u8]| {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    };
    push(&serde_json::to_vec(header).expect("keys are strings"));
    for array in arrays {
        push(&array?);
    }
    let packed = packed(&bytes).map_err(|error| Error::io("the save file", error))?;
    let check = checksum(&packed).to_le_bytes();
    Ok([MAGIC.as_slice(), &check, &packed].concat())
}

/// Compressed: most of the room that arrays have for contacts is empty.
fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// The header and the arrays of a file.
fn unpacked(bytes: &[u8]) -> Result<Vec<u8>> {
    let rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(|| wrong("something else"))?;
    let (check, rest) = rest.split_first_chunk::<8>().ok_or_else(|| wrong("cut short"))?;
    if checksum(rest) != u64::from_le_bytes(*check) {
        return Err(wrong("cut short or damaged"));
    }
    let mut bytes = Vec::new();
    ZlibDecoder::new(rest).read_to_end(&mut bytes).map_err(|_| wrong("damaged"))?;
    Ok(bytes)
}

/// Says what another scene has of its own. Where bodies differ, models do, whatever the files.
fn difference(theirs: &Belongs, ours: &Belongs) -> String {
    let differs = |k: &usize| theirs[*k] != ours[*k];
    let known = match differs(&1) {
        true => NAMES.len() - 1,
        false => NAMES.len(),
    };
    let names: Vec<_> = (0..known).filter(differs).map(|k| NAMES[k]).collect();
    format!("of another scene, which differs in {}", names.join(" and "))
}

/// How errors tell one way of stepping from another.
fn made(stepping: &Stepping) -> String {
    let (name, step, damping_stages) =
        (stepping.integrator.name(), stepping.step, stepping.damping_stages);
    format!("written with {name}, a step of {step} s and {damping_stages} damping passes")
}

/// Kernels trust the lists of contacts in a save: one that had no end would hang the device.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv::new();
    hash.bytes(bytes);
    hash.finish()
}

/// An error about the file itself.
fn wrong(got: &str) -> Error {
    Error::value("the save file", got, "a file written by --save of this version of pliant")
}

fn read(mut rest: &[u8]) -> Result<(Header, Vec<&[u8]>)> {
    let header: Header = serde_json::from_slice(part(&mut rest)?).map_err(|_| wrong("damaged"))?;
    if !header.is_sound() {
        return Err(wrong("damaged"));
    }
    let mut parts = Vec::new();
    while !rest.is_empty() {
        parts.push(part(&mut rest)?);
    }
    Ok((header, parts))
}

/// Takes a part off the front: its length, then its bytes.
fn part<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8]> {
    let (length, tail) = rest.split_first_chunk::<8>().ok_or_else(|| wrong("cut short"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| wrong("damaged"))?;
    let (part, tail) = tail.split_at_checked(length).ok_or_else(|| wrong("cut short"))?;
    *rest = tail;
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Body;

    fn scene(integrator: Integrator, auto_integrator: bool) -> Scene {
        let mut scene =
            Scene { bodies: vec![Body::lattice("a", [2; 3], [1.0; 3])], ..Scene::default() };
        scene.world.integrator = integrator;
        scene.world.auto_integrator = auto_integrator;
        scene
    }

    /// The file of a run of an open scene that had picked what the given run has: that run's, in the open scene's name.
    fn renamed(bytes: &[u8], open: &World) -> Vec<u8> {
        let bytes = unpacked(bytes).unwrap();
        let (mut header, parts) = read(&bytes).unwrap();
        header.belongs = open.belongs();
        file(&header, parts.into_iter().map(|part| Ok(part.to_vec()))).unwrap()
    }

    #[test]
    fn differences_are_named() {
        let ours = [1, 2, 3, 4, 5];
        let named = |theirs: Belongs| difference(&theirs, &ours);
        assert!(named([9, 2, 3, 9, 5]).ends_with("differs in [world] and [[event]]"));
        assert!(named([1, 9, 3, 4, 9]).ends_with("differs in [[body]]"));
        assert!(named([1, 2, 9, 4, 9]).ends_with("differs in [[solid]] and mesh files"));
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
        assert!(error.contains("written with rk4"), "{error}");
        let own = picked.save().unwrap();
        picked.restore(&own).unwrap();
    }
}
