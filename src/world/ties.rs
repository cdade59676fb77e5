//! The ties of attachments: found between bodies where they are, and bound with their stiffness.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::DVec3;

use super::World;
use super::attach::Held;
use super::trajectory::at_rest;
use crate::family::attachment::{Anchor, Tie, TieConstants, TieRates, Ties, tie_groups};
use crate::scene::{AttachedTo, Attachment};
use crate::{Error, Result};

impl World {
    /// Tied solids that move, in order: each has a waypoint.
    pub(super) fn tied_solids(&self) -> impl Iterator<Item = usize> {
        let solids = self.attachments.solids().into_iter();
        solids.filter(|solid| self.motions.moves(*solid))
    }

    /// Binds the passes of what is tied, and those of what moves, in whose table ties have waypoints.
    pub(super) fn bind_attachments(&mut self) -> Result<()> {
        match self.motions.is_empty() {
            true => self.bind_ties(),
            false => self.bind_motions(),
        }
    }

    /// Binds the passes for what is tied now; the table of waypoints is as it will be.
    pub(super) fn bind_ties(&mut self) -> Result<()> {
        let none = self.attachments.held.is_empty();
        if none && self.device.elements.ties.is_none() {
            self.progress.pace.bear(0);
            return Ok(());
        }
        let labels: Vec<_> = self.attachments.held.values().map(Held::label).collect();
        let labelled = self.attachments.held.values().zip(&labels);
        let ties = labelled.flat_map(|(held, label)| {
            let ties = held.ties.iter();
            ties.map(move |tie| (&label[..], &held.attachment, tie))
        });
        let ties: Vec<_> = ties.collect();
        let TieConstants { constants, halvings, shortening } =
            self.model.tie_constants(&ties, &self.tie_rates())?;
        self.progress.pace.bear(halvings);
        let first = self.motions.len() as u32;
        let moved: BTreeMap<_, _> = self.tied_solids().zip(first..).collect();
        let place = |((.., tie), constants): (&(_, _, &Tie), [f64; 2])| {
            let Anchor::Solid(solid, seen) = &tie.anchor else {
                return tie.device(&self.model, constants, None);
            };
            let waypoint = moved.get(solid).copied();
            // A solid that rests is a place.
            let rest = at_rest(&self.obstacles.solids[*solid]);
            let still = Tie {
                anchor: Anchor::Place(rest.position.as_dvec3() + rest.rotation.as_dquat() * *seen),
                ..(*tie).clone()
            };
            match waypoint {
                Some(_) => tie.device(&self.model, constants, waypoint),
                None => still.device(&self.model, constants, None),
            }
        };
        let device: Vec<_> = ties.iter().zip(constants).map(place).collect();
        let ends: Vec<_> = ties.iter().map(|(.., tie)| tie.ends(&self.model)).collect();
        let groups = tie_groups(self.model.bodies.len(), ties.iter().map(|(.., tie)| *tie));
        self.device.buffers.tie_groups.write(&self.context, 0, &groups);
        let waypoints = self.stepper.moved().map(|moved| moved.waypoints());
        self.attachments.shortening = shortening;
        self.device.elements.ties = match none {
            true => None,
            false => {
                let particles = self.model.positions.len();
                let carried = ties.iter().flat_map(|(.., tie)| tie.carried(&self.model));
                let carried: Vec<_> = carried.collect::<BTreeSet<_>>().into_iter().collect();
                Some(Ties::new(&self.context, &device, &ends, particles, &carried, waypoints)?)
            }
        };
        // Other worlds leave out what reads them.
        self.device.buffers.content.loads |= !none;
        self.bind_loads()
    }

    /// What decides how stiff ties are.
    fn tie_rates(&self) -> TieRates {
        // The longest, whatever length it has just now.
        let step = f64::from(self.choice.stepping.step as f32);
        match self.scene.world.integrator.is_implicit() {
            false => TieRates::explicit(step, self.most_halvings(), self.model.bodies.len()),
            true => TieRates::implicit(step, self.squares_at_rest().into_iter()),
        }
    }

    /// Where all particles are [m].
    pub(super) fn present_positions(&self) -> Result<Vec<DVec3>> {
        let particles = self.device.state.present().read(&self.context)?;
        Ok(particles.iter().map(|p| p.position.as_dvec3()).collect())
    }

    /// Whether a body of an attachment was removed.
    pub(super) fn is_missing(&self, attachment: &Attachment, within: Range<usize>) -> bool {
        let absent = |name: &String| {
            let body = self.named(name, within.clone());
            body.is_none_or(|body| self.model.bodies[body].absent)
        };
        let to = match &attachment.to {
            AttachedTo::Body(to) => absent(to),
            AttachedTo::Solid(_) | AttachedTo::Place => false,
        };
        to || absent(&attachment.body)
    }

    /// The body of a name among some of the scene's.
    fn named(&self, name: &str, mut within: Range<usize>) -> Option<usize> {
        within.find(|body| self.model.bodies[*body].name == *name)
    }

    /// The ties of an attachment between these bodies, where the particles are, or as all starts where nothing is given.
    pub(super) fn ties(
        &self,
        at: &str,
        attachment: &Attachment,
        within: Range<usize>,
        positions: Option<&[DVec3]>,
    ) -> Result<Vec<Tie>> {
        let body = |field: &str, name: &str| {
            let body = self.named(name, within.clone());
            let body = body.filter(|body| !self.model.bodies[*body].absent);
            body.ok_or_else(|| {
                let at = format!("{at}.{field}");
                Error::value(at, format!("{name:?}"), "a body that is in the world")
            })
        };
        let started = positions.unwrap_or(&self.model.positions);
        let own = body("body", &attachment.body)?;
        let points = self.model.tied_points(at, own, attachment)?;
        let to_place = |anchor: &dyn Fn(DVec3) -> Anchor| {
            let ties = points.iter().map(|point| Tie {
                point: *point,
                anchor: anchor(started[self.model.particle(*point)]),
                length: 0.0,
            });
            ties.collect()
        };
        match &attachment.to {
            AttachedTo::Place => Ok(to_place(&Anchor::Place)),
            AttachedTo::Body(to) => {
                let to = body("to", to)?;
                self.model.tie_to_body(at, &points, to, started)
            }
            AttachedTo::Solid(number) => {
                let floor = usize::from(self.scene.world.floor.is_some());
                let index = (*number as usize + floor).saturating_sub(1);
                let mut solid = self.solid(index)?;
                if positions.is_none() {
                    solid = at_rest(&self.obstacles.solids[index]);
                }
                let back = solid.rotation.as_dquat().inverse();
                let centre = solid.position.as_dvec3();
                Ok(to_place(&|x| Anchor::Solid(index, back * (x - centre))))
            }
        }
    }
}
