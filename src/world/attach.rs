//! Attachments of points of bodies to other bodies, to solids and to places.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::World;
use crate::family::attachment::{Anchor, MeshPoint, Tie};
use crate::scene::Attachment;
use crate::{Error, Result, extreme, setup};

/// Identifies an attachment of a world; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttachmentId {
    /// Where it was tied, or what that went on from.
    world: u64,
    number: u32,
}

/// What holds at present.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attachments {
    /// By the numbers of their ids.
    pub(super) held: BTreeMap<u32, Held>,
    /// Numbers that have been given.
    given: u32,
    /// The scene's, whether they hold or not.
    of_scene: Vec<Attachment>,
    /// What to be told of the one that shortens automatic steps most.
    pub(super) shortening: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Held {
    pub attachment: Attachment,
    /// Of the scene's the copy and the number among its attachments.
    pub of_scene: Option<[usize; 2]>,
    pub ties: Vec<Tie>,
}

/// What an attachment of the scene ties, as a save has it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TiedByScene {
    /// The copy, and the number among the scene's attachments.
    of_scene: [usize; 2],
    ties: Vec<Tie>,
}

impl Held {
    /// What errors call it.
    pub fn label(&self) -> String {
        match self.of_scene {
            Some([_, number]) => format!("attachment {}", number + 1),
            None => "attach".into(),
        }
    }
}

impl Attachments {
    fn add(&mut self, held: Held) -> u32 {
        let number = self.given;
        self.given += 1;
        self.held.insert(number, held);
        number
    }

    /// The solids that something is tied to.
    pub(super) fn solids(&self) -> BTreeSet<usize> {
        let ties = self.held.values().flat_map(|held| &held.ties);
        let solid = |tie: &Tie| match tie.anchor {
            Anchor::Solid(solid, _) => Some(solid),
            Anchor::Body(..) | Anchor::Place(_) => None,
        };
        ties.filter_map(solid).collect()
    }
}

impl World {
    /// Attachments to bodies and places, of no stiffness of their own, that are longer than they were by more than a mean edge of their
    /// body: what errors call them, and by how much [m].
    pub(crate) fn overstretched(&self, positions: &[Vec3]) -> Vec<(String, f64)> {
        let at = |point: MeshPoint| positions[self.model.particle(point)].as_dvec3();
        let longer = |tie: &Tie| {
            let anchor = match &tie.anchor {
                Anchor::Body(corners, weights) => {
                    corners.iter().zip(weights).map(|(corner, w)| *w * at(*corner)).sum::<DVec3>()
                }
                Anchor::Place(place) => *place,
                Anchor::Solid(..) => return 0.0,
            };
            let longer = at(tie.point).distance(anchor) - tie.length;
            if longer > self.model.bodies[tie.point.body].edge { longer } else { 0.0 }
        };
        let held = self.attachments.held.values();
        let soft = held.filter(|held| held.attachment.stiffness.is_none());
        let longest = soft.map(|held| {
            let longest = held.ties.iter().map(longer).fold(0.0, extreme::greatest);
            (held.label(), longest)
        });
        longest.filter(|(_, longer)| *longer > 0.0).collect()
    }

    /// The particles that attachments tie, in order.
    pub(crate) fn tied_particles(&self) -> Vec<usize> {
        let ties = self.attachments.held.values().flat_map(|held| &held.ties);
        let tied: BTreeSet<_> = ties.map(|tie| self.model.particle(tie.point)).collect();
        tied.into_iter().collect()
    }

    /// From now on attaches points of a body, where they are, to another body, to a solid or to a place: bodies of this world by
    /// their names in [`Self::scene`], solids as scenes count them. Each point gets a damped spring that acts equally on both
    /// sides and whose rest length is its length at first (0 unless a shell or cloud is attached to something that it does not
    /// touch). Moving solids take attached points along. Attachments last until they are [detached](Self::detach) or one of their
    /// bodies is removed. They survive a [change](Self::change); only the scene's own are saved. Attached bodies still collide
    /// with each other unless their groups say otherwise. Waits for the last submission.
    ///
    /// # Errors
    /// As [`Scene::check`](crate::scene::Scene::check); points that the body does not have or that are too far from another
    /// body's tetrahedra; a rigid body that is free with an implicit integrator in a world without contact; a stiffness too high
    /// for the step; a solid in a world without contact; a replicated world, in which attachments belong to the scene; a lost
    /// device. The world is then unchanged.
    pub fn attach(&mut self, attachment: &Attachment) -> Result<AttachmentId> {
        self.wait_submission()?;
        if self.scene.replica_count() > 1 {
            let got = format!("one of {} replicas", self.scene.replica_count());
            let want = "a world without replicas: in replicas, attachments belong to the scene";
            return Err(Error::value("attach: the world", got, want));
        }
        self.scene.check_attachment("attach", attachment)?;
        let positions = self.present_positions()?;
        let all = 0..self.model.bodies.len();
        let ties = self.ties("attach", attachment, all, Some(&positions))?;
        let before = self.attachments.clone();
        let number =
            self.attachments.add(Held { attachment: attachment.clone(), of_scene: None, ties });
        if let Err(error) = self.bind_attachments() {
            self.attachments = before;
            self.bind_attachments()?;
            return Err(error);
        }
        let tied: BTreeSet<_> =
            self.attachments.held[&number].ties.iter().flat_map(Tie::bodies).collect();
        self.wake_around(&tied.into_iter().collect::<Vec<_>>())?;
        Ok(self.attachment_id(number))
    }

    fn attachment_id(&self, number: u32) -> AttachmentId {
        let world = self.slots.world();
        AttachmentId { world, number }
    }

    /// Removes an attachment. Waits for the last submission.
    ///
    /// # Errors
    /// An attachment that no longer exists or belongs to another world; a lost device.
    pub fn detach(&mut self, id: AttachmentId) -> Result<()> {
        self.wait_submission()?;
        let own = id.world == self.slots.world();
        if !own || self.attachments.held.remove(&id.number).is_none() {
            let what = if own { "was detached" } else { "belongs to another world" };
            let got = format!("one that {what} ({id:?})");
            let want = "an attachment that still exists";
            return Err(Error::value("the attachment", got, want));
        }
        self.bind_attachments()
    }

    /// All present attachments, the scene's first.
    pub fn attachments(&self) -> impl Iterator<Item = (AttachmentId, &Attachment)> {
        let held = self.attachments.held.iter();
        held.map(|(number, held)| (self.attachment_id(*number), &held.attachment))
    }

    /// Ties what the scene says, between bodies that are present, as they stand at its start.
    pub(super) fn begin_attachments(&mut self) -> Result<()> {
        let mut attachments =
            Attachments { of_scene: self.scene.attachments.clone(), ..Attachments::default() };
        for replica in 0..self.scene.replica_count() {
            let within = self.scene.replica_bodies(replica)?;
            for (number, attachment) in self.scene.attachments.iter().enumerate() {
                let at = format!("attachment {}", number + 1);
                if self.is_missing(attachment, within.clone()) {
                    continue;
                }
                attachments.add(Held {
                    attachment: attachment.clone(),
                    of_scene: Some([replica, number]),
                    ties: self.ties(&at, attachment, within.clone(), None)?,
                });
            }
        }
        self.attachments = attachments;
        self.bind_attachments()?;
        self.choice.warnings.extend(self.attachments.shortening.take());
        Ok(())
    }

    /// Goes on with the attachments of another world of the same bodies: with what holds there, as it was tied, but for what
    /// the scene has changed, which ties its points as they are.
    pub(super) fn resume_attachments(&mut self, from: Attachments) -> Result<()> {
        let of_scene = |held: &Held| held.of_scene;
        let positions = self.present_positions()?;
        let mut own = std::mem::take(&mut self.attachments);
        let mut kept =
            Attachments { given: from.given, of_scene: own.of_scene, ..Attachments::default() };
        for (number, held) in from.held {
            let Some(place) = of_scene(&held) else {
                self.scene.check_moved_by_ties("attach", &held.attachment)?;
                if self.scene.check_attachment("attach", &held.attachment).is_ok() {
                    kept.held.insert(number, held);
                }
                continue;
            };
            let same = own.held.iter().find(|(_, own)| of_scene(own) == Some(place));
            let same = same.filter(|(_, own)| own.attachment == held.attachment);
            if let Some(its) = same.map(|(its, _)| *its) {
                own.held.remove(&its);
                kept.held.insert(number, held);
            }
        }
        for (_, mut held) in own.held {
            let Some([replica, number]) = held.of_scene else {
                continue;
            };
            // What was let go stays so.
            if from.of_scene.get(number) != Some(&held.attachment) {
                let within = self.scene.replica_bodies(replica)?;
                let label = held.label();
                held.ties = self.ties(&label, &held.attachment, within, Some(&positions))?;
                kept.add(held);
            }
        }
        self.attachments = kept;
        self.bind_attachments()
    }

    /// What the scene's attachments tie.
    pub(crate) fn tied_by_scene(&self) -> Vec<TiedByScene> {
        let held = self.attachments.held.values();
        let tied = held.filter_map(|held| {
            Some(TiedByScene { of_scene: held.of_scene?, ties: held.ties.clone() })
        });
        tied.collect()
    }

    /// The reverse of [`Self::tied_by_scene`], where the bodies that are tied are those of this world and not `absent`.
    pub(crate) fn held_again(
        &self,
        tied: Vec<TiedByScene>,
        absent: impl Fn(usize) -> bool,
    ) -> Option<Attachments> {
        let mut attachments = Attachments {
            given: self.attachments.given,
            of_scene: self.scene.attachments.clone(),
            ..Attachments::default()
        };
        let solids = self.common.solid_count as usize;
        let sound = |tie: &Tie| tie.is_in(&self.model, solids) && !tie.bodies().any(&absent);
        for TiedByScene { of_scene, ties } in tied {
            let [replica, number] = of_scene;
            let attachment = self.scene.attachments.get(number)?.clone();
            if replica >= self.scene.replica_count() || !ties.iter().all(sound) {
                return None;
            }
            attachments.add(Held { attachment, of_scene: Some(of_scene), ties });
        }
        Some(attachments)
    }

    /// Ties what the scene's attachments tied when a state was saved; nothing else holds.
    pub(super) fn restore_attachments(&mut self, tied: Attachments) -> Result<()> {
        self.attachments = tied;
        self.bind_attachments()
    }

    /// Leaves out what the scene says of a body that is gone: its attachments, its line forces, and motions of its pins.
    pub(super) fn forget_name(&mut self, name: &str) -> Result<()> {
        let kept = |attachment: &Attachment| !attachment.names(name);
        // Those after what goes get lower numbers; what goes holds no more.
        let numbers: Vec<_> = self.scene.attachments.iter().map(kept).collect();
        for held in self.attachments.held.values_mut() {
            if let Some([_, number]) = &mut held.of_scene {
                *number = numbers[..*number].iter().filter(|kept| **kept).count();
            }
        }
        self.scene.attachments.retain(kept);
        self.attachments.of_scene.retain(kept);
        let count = self.scene.events.len();
        self.scene.events.retain(|event| !event.names(name));
        if self.scene.events.len() < count {
            let pointer_spring = self.pointer_spring();
            self.drop_pointer_spring();
            let (obstacles, _, pulls) = setup::externals(&self.scene, &self.model, &self.clock);
            (self.obstacles, self.common.pull_count) = (obstacles, pulls);
            let obstacles = std::slice::from_ref(&self.obstacles);
            self.device.externals.write(&self.context, obstacles);
            self.set_pointer_spring(pointer_spring)?;
        }
        Ok(())
    }

    /// Lets go of all that a body has a part in.
    pub(super) fn detach_body(&mut self, body: usize) -> Result<()> {
        let before = self.attachments.held.len();
        let is_of = |held: &Held| held.ties.iter().any(|tie| tie.is_of(body));
        self.attachments.held.retain(|_, held| !is_of(held));
        match self.attachments.held.len() < before {
            true => self.bind_attachments(),
            false => Ok(()),
        }
    }
}
