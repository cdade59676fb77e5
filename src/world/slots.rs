//! The slots that a world's arrays have for bodies, and who has them.

use std::ops::Range;

use glam::DMat3;

use super::number;
use super::rates::PowerIteration;
use crate::Result;
use crate::gpu::Context;
use crate::model::{Material, Model, State, placing};
use crate::scene::{Body, Kind, Scene};
use crate::setup::Estimate;

/// Identifies a body of a world; never reused for a body that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId {
    /// Where it was added, or what that went on from.
    world: u64,
    index: u32,
    generation: u32,
}

/// The places that a world has for bodies, and who has them.
#[derive(Debug)]
pub(super) struct BodySlots {
    /// In all ids of their bodies.
    world: u64,
    slots: Vec<BodySlot>,
    owners: Vec<Owner>,
}

/// One body's place in the arrays.
#[derive(Clone, Debug)]
pub(super) struct BodySlot {
    /// Rates of the body at rest, and the power iteration where it is turned so.
    pub estimate: Estimate,
    pub at_rest: PowerIteration,
    pub rotation: DMat3,
    /// Index into `owners`, while the body is present.
    owner: Option<u32>,
    /// What it goes on with when it wakes.
    asleep: Option<PowerIteration>,
    /// Where the body has got another material since.
    found: Option<MaterialEstimate>,
}

/// The material whose rates were found last, what they were, and the longest step that follows [s].
#[derive(Clone, Debug)]
pub(super) struct MaterialEstimate {
    pub kind: Kind,
    pub material: Material,
    pub estimate: Estimate,
    pub bound: f64,
}

/// What an id stands for.
#[derive(Clone, Copy, Debug, Default)]
struct Owner {
    generation: u32,
    /// Where the body is, while it is there.
    place: Option<usize>,
}

impl BodySlots {
    /// Of bodies as they are now, whose rates have just been estimated.
    pub fn new(
        context: &Context,
        scene: &Scene,
        model: &Model,
        state: &State,
        estimates: &[Estimate],
    ) -> Result<Self> {
        let probe = state.probe[0].read(context)?;
        let mut slots = Self { world: number(), slots: Vec::new(), owners: Vec::new() };
        for (index, (body, estimate)) in scene.bodies.iter().zip(estimates).enumerate() {
            let own = probe[model.bodies[index].particles.clone()].to_vec();
            slots.slots.push(BodySlot {
                estimate: *estimate,
                at_rest: PowerIteration::new(estimate, own),
                rotation: placing(body).1,
                owner: None,
                asleep: None,
                found: None,
            });
            if !model.bodies[index].absent {
                slots.give(index);
            }
        }
        Ok(slots)
    }

    /// Gives a place to a new owner.
    pub fn give(&mut self, index: usize) -> BodyId {
        let free = self.owners.iter().position(|owner| owner.place.is_none());
        let number = free.unwrap_or_else(|| {
            self.owners.push(Owner::default());
            self.owners.len() - 1
        });
        let owner = &mut self.owners[number];
        owner.place = Some(index);
        self.slots[index].owner = Some(number as u32);
        BodyId { world: self.world, index: number as u32, generation: owner.generation }
    }

    pub fn slot(&self, index: usize) -> &BodySlot {
        &self.slots[index]
    }

    /// Where the body of an id is; else whether the id is one of this world's.
    pub fn find(&self, id: BodyId) -> std::result::Result<usize, bool> {
        let own = id.world == self.world;
        let owner = self.owners.get(id.index as usize);
        let owner = owner.filter(|owner| own && owner.generation == id.generation);
        owner.and_then(|owner| owner.place).ok_or(own)
    }

    /// What the ids have in common.
    pub fn world(&self) -> u64 {
        self.world
    }

    pub fn set_asleep(&mut self, index: usize, asleep: Option<PowerIteration>) {
        self.slots[index].asleep = asleep;
    }

    pub fn asleep(&self, index: usize) -> Option<&PowerIteration> {
        self.slots[index].asleep.as_ref()
    }

    /// Rates of the bodies at rest, present or not.
    pub fn estimates(&self) -> Vec<Estimate> {
        self.slots.iter().map(|place| place.estimate).collect()
    }

    /// Rates of one body at rest.
    pub fn estimate(&self, index: usize) -> Estimate {
        self.slots[index].estimate
    }

    /// The material of a body whose rates were found, where it has another one.
    pub fn found(&self, index: usize) -> Option<&MaterialEstimate> {
        self.slots[index].found.as_ref()
    }

    /// Goes on with a body that has other rates now, which follow from those that were found of a material.
    pub fn set_estimate(
        &mut self,
        index: usize,
        estimate: Estimate,
        found: Option<MaterialEstimate>,
    ) {
        let slot = &mut self.slots[index];
        let square = estimate.stiffness;
        slot.at_rest = slot.at_rest.clone().at(square);
        slot.asleep = slot.asleep.take().map(|asleep| asleep.at(square));
        (slot.estimate, slot.found) = (estimate, found);
    }

    /// Sets ω² [1/s²] of the bodies at rest.
    pub fn set_square(&mut self, index: usize, square: f64) {
        self.slots[index].estimate.stiffness = square;
    }

    /// What the power iteration of a body begins with that is added there.
    pub fn at_rest(&self, index: usize) -> &PowerIteration {
        &self.slots[index].at_rest
    }

    /// Takes a place back; ids of its owner stand for nothing from now on.
    pub fn take(&mut self, index: usize) {
        self.slots[index].asleep = None;
        if let Some(number) = self.slots[index].owner.take() {
            let owner = &mut self.owners[number as usize];
            owner.place = None;
            owner.generation = owner.generation.wrapping_add(1);
        }
    }

    /// The places of a model for bodies of the same make as this one, and those of them that are free.
    pub fn of_make(&self, model: &Model, body: &Body, within: Range<usize>) -> [Vec<usize>; 2] {
        let archetype = Some(body.archetype_hash());
        let all = within.filter(|i| model.bodies[*i].archetype == archetype);
        let all: Vec<_> = all.collect();
        let mut free = all.clone();
        free.retain(|i| self.slots[*i].owner.is_none());
        [all, free]
    }

    pub fn id(&self, index: usize) -> Option<BodyId> {
        let number = self.slots.get(index)?.owner?;
        Some(BodyId {
            world: self.world,
            index: number,
            generation: self.owners[number as usize].generation,
        })
    }

    /// Goes on from the places of a world with fewer of them: owners, and what is known of the bodies at rest.
    pub fn follow(&mut self, models: [&Model; 2], old: &Self) {
        self.world = old.world;
        self.owners.clone_from(&old.owners);
        let ranges = models[0].bodies.iter().zip(&models[1].bodies);
        for (index, (before, now)) in ranges.enumerate() {
            let (own, known) = (&mut self.slots[index], &old.slots[index]);
            own.owner = known.owner;
            if now.archetype == before.archetype && before.device_index == now.device_index {
                *own = BodySlot { asleep: own.asleep.take(), ..known.clone() };
            }
        }
    }
}
