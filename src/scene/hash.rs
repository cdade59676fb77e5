//! Fingerprints of scenes, by which a save file knows its own: FNV-1a over their JSON, fields by name in the order of their
//! declaration, −0 as 0. So what a field is called and where it stands is part of the form of a save file.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use super::format::*;
use crate::hash::Fnv;

impl Scene {
    /// The fingerprint of everything that the physics depends on: not the duration, the colours, the skins or the folder,
    /// nor the frame rate (a save file carries the step that was chosen with it). Mesh files count by their path; the hash
    /// of the model stands for what is in them.
    pub fn hash(&self) -> u64 {
        fingerprint(&self.hashes())
    }

    /// The same of each kind of table: of the world, all bodies and what ties them, all solids, all events.
    pub(crate) fn hashes(&self) -> [u64; 4] {
        let mut world = self.world.clone();
        if world.auto_integrator {
            // What a world picks is in its save files.
            world.integrator = Integrator::default();
        }
        [
            fingerprint(&world),
            fingerprint(&(&self.bodies, self.replica_count(), &self.attachments)),
            fingerprint(&self.solids),
            fingerprint(&self.events),
        ]
    }
}

impl Body {
    /// The fingerprint of what its rest shape is read or made from, before it is scaled, and what for.
    pub(crate) fn mesh_hash(&self) -> u64 {
        let skin = self.skin.as_ref().map(|path| path.to_string_lossy());
        fingerprint(&(&self.mesh, self.kind.mesh_shape(), self.shell, self.fitted, skin))
    }

    /// The fingerprint of what its arrays on the device are made from: all but its name, how it starts, what it touches and
    /// how, and its colour.
    pub(crate) fn archetype_hash(&self) -> u64 {
        let rotation = match self.order {
            Order::ScaleFirst => [0.0; 3],
            Order::RotateFirst => self.rotation,
        };
        let plain = Self {
            name: String::new(),
            rotation,
            position: [0.0; 3],
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            stretch: [1.0; 3],
            scatter: 0.0,
            seed: 0,
            friction: None,
            group: 0,
            mask: 0,
            ..self.clone()
        };
        fingerprint(&(&plain, plain.mesh_hash()))
    }
}

fn fingerprint(of: &impl Serialize) -> u64 {
    let mut hash = Fnv::new();
    let mut json = Serializer::with_formatter(&mut hash, Unsigned);
    of.serialize(&mut json).expect("a scene has nothing that JSON has not");
    hash.finish()
}

impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// JSON without −0.
struct Unsigned;

impl Formatter for Unsigned {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, value + 0.0)
    }
}
