//! Replicas of a scene: many copies in one world and in the same place, which do not affect each other.

use std::ops::Range;

use super::Scene;
use crate::{Error, Result};

/// Bodies of one world. Kernels divide their numbers as f32.
pub(crate) const MOST_BODIES: usize = 1 << 21;

impl Scene {
    /// Several copies of this scene in one: all bodies are replicated and never touch those of other copies; obstacles, events
    /// and settings apply to each of them. Body b of copy r is `bodies[r * n + b]`, n the number of bodies here, and may be
    /// changed before a world is made of the scene: materials, places, motion, names, seeds of random places.
    ///
    /// A world has one step, which suits the stiffest of all bodies: give a fixed one to compare copies with runs of
    /// [`Self::replica`] alone. Without contact between the bodies of a copy the two then agree to the bit. With contact, or with
    /// implicit Euler, they may differ by rounding, since contacts of all copies are found together, and all copies are solved as
    /// one system.
    ///
    /// # Errors
    /// No copies, or more than two million bodies; a scene of copies.
    pub fn replicate(&self, count: usize) -> Result<Self> {
        if count == 0 || self.replica_count() > 1 {
            let got = format!("{count} of {}", self.replica_count());
            let want = "at least 1, and a scene that is not itself replicated";
            return Err(Error::value("the number of replicas", got, want));
        }
        if self.bodies.len().saturating_mul(count) > MOST_BODIES {
            let got = format!("{count} of {} bodies", self.bodies.len());
            let want = format!("at most {MOST_BODIES} bodies in all");
            return Err(Error::value("the number of replicas", got, want));
        }
        let bodies = std::iter::repeat_n(&self.bodies, count).flatten();
        Ok(Self { bodies: bodies.cloned().collect(), replicas: count, ..self.clone() })
    }

    /// One copy of a replicated scene, as a scene of its own.
    ///
    /// # Errors
    /// No such copy.
    pub fn replica(&self, index: usize) -> Result<Self> {
        let bodies = self.replica_bodies(index)?;
        Ok(Self { bodies: self.bodies[bodies].to_vec(), replicas: 1, ..self.clone() })
    }

    /// Index range of the bodies of one copy.
    ///
    /// # Errors
    /// No such copy.
    pub fn replica_bodies(&self, index: usize) -> Result<Range<usize>> {
        let (count, size) = (self.replica_count(), self.replica_size());
        if index >= count {
            let want = format!("one of {count} replicas, from 0 on");
            return Err(Error::value("the replica", index, want));
        }
        Ok(index * size..(index + 1) * size)
    }

    /// Number of copies, at least 1.
    #[must_use]
    pub fn replica_count(&self) -> usize {
        self.replicas.max(1)
    }

    /// Bodies of one copy.
    pub(crate) fn replica_size(&self) -> usize {
        self.bodies.len() / self.replica_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Event};

    fn pair() -> Scene {
        let body = |name| Body::lattice(name, [1; 3], [1.0; 3]);
        Scene { bodies: vec![body("a"), body("b")], ..Scene::default() }
    }

    #[test]
    fn copies_stand_one_after_the_other() {
        let mut scene = pair().replicate(3).unwrap();
        scene.check().unwrap();
        let names: Vec<_> = scene.bodies.iter().map(|body| &body.name[..]).collect();
        assert_eq!(names, ["a", "b", "a", "b", "a", "b"]);
        assert_eq!(scene.replica_bodies(1).unwrap(), 2..4);
        scene.bodies[3].name = "c".into();
        let one = scene.replica(1).unwrap();
        assert_eq!((one.bodies.len(), &one.bodies[1].name[..]), (2, "c"));
        one.check().unwrap();
        scene.bodies[2].name = "c".into();
        let message = scene.check().unwrap_err().to_string();
        assert!(message.contains("\"c\""), "{message}");
    }

    #[test]
    fn what_is_no_number_of_copies_is_refused() {
        let twice = pair().replicate(2).unwrap();
        for (scene, count) in [(&pair(), 0), (&twice, 2), (&pair(), usize::MAX)] {
            let message = scene.replicate(count).unwrap_err().to_string();
            assert!(message.contains("the number of replicas is"), "{message}");
        }
        let message = twice.replica(2).unwrap_err().to_string();
        assert_eq!(message, "the replica is 2, wanted one of 2 replicas, from 0 on");
        let mut uneven = twice.clone();
        uneven.bodies.pop();
        assert!(uneven.check().is_err());
        let mut pulled = pair();
        pulled.events.push(Event::LineForce {
            body: "a".into(),
            point: [0.0; 3],
            force: [1.0, 0.0, 0.0],
            from: 0.0,
            to: 1.0,
        });
        pulled.replicate(256).unwrap().check().unwrap();
        let message = pulled.replicate(257).unwrap().check().unwrap_err();
        let message = message.to_string();
        assert!(message.contains("line force"), "{message}");
    }
}
