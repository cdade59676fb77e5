//! Another material for a body that has its place in the arrays.

use crate::extreme;
use std::mem::discriminant;
use std::sync::Arc;

use super::{FemElement, Model, Rest};
use crate::Result;
use crate::scene::{Body, Kind, Pull, Shape};

/// By how much a body's rates grow at the most; infinite where a term comes in that was 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// Of the largest eigenvalue of M⁻¹K.
    pub stiffness: f64,
    /// Of the largest eigenvalue of M⁻¹C.
    pub damping: f64,
}

/// By how much a sum grows at the most whose terms, none of them negative, are proportional to these constants, each new and
/// old. Exact where all have one ratio.
fn growth(constants: impl Iterator<Item = [f64; 2]>) -> f64 {
    let ratio = |[new, old]: [f64; 2]| match new == 0.0 {
        true => 0.0,
        false => new / old,
    };
    constants.map(ratio).fold(0.0, extreme::greatest)
}

/// Whether bodies of these kinds with the same mesh have the same arrays, but for the constants in them.
pub(crate) fn is_alike(kinds: [&Kind; 2]) -> bool {
    match kinds {
        [Kind::Shape(a), Kind::Shape(b)] => {
            let per_step = |shape: &Shape| matches!(shape.pull, Pull::Alpha(_));
            let pulls = per_step(a) == per_step(b);
            a.mode == b.mode && a.clusters == b.clusters && pulls
        }
        [a, b] => discriminant(a) == discriminant(b),
    }
}

impl Model {
    /// A body alone, its particles in the order that they have among others.
    ///
    /// # Errors
    /// As [`Model::new`], of the rest shape that is there.
    pub(crate) fn alone(body: &Body, rest: Arc<Rest>, colored: bool) -> Result<Self> {
        let mut model = Self::default();
        model.add(body, rest, colored)?;
        Ok(model)
    }

    /// By how much the rates that a body has at rest grow at the most where it gets the constants of one alone of a kind that
    /// [`is_alike`]; none where only one of them has constants that differ within it.
    pub(crate) fn growth(&self, index: usize, alone: &Self) -> Option<Growth> {
        let (ranges, [other]) = (&self.bodies[index], &alone.bodies[..]) else {
            return None;
        };
        if ranges.varied != other.varied {
            return None;
        }
        let springs = &self.springs[ranges.springs.clone()];
        let springs = || alone.springs.iter().zip(springs);
        let tets = alone.tets.iter().zip(&self.tets[ranges.tets.clone()]);
        let elements = &self.elements[ranges.elements.clone()];
        let elements = || alone.elements.iter().zip(elements);
        // Bulk and shear moduli: λ may be negative.
        let moduli = |e: &FemElement| [3.0 * e.lame.lambda + 2.0 * e.lame.mu, e.lame.mu];
        let elastic = elements().flat_map(|(new, old)| {
            let ([bulk, mu], [old_bulk, old_mu]) = (moduli(new), moduli(old));
            [[bulk, old_bulk], [mu, old_mu]]
        });
        let viscous = elements().flat_map(|(new, old)| {
            let at = |e: &FemElement| moduli(e).map(|modulus| e.relaxation * modulus);
            let ([bulk, mu], [old_bulk, old_mu]) = (at(new), at(old));
            [[bulk, old_bulk], [mu, old_mu]]
        });
        let area = [other.material.area, ranges.material.area];
        let distances = springs().map(|(new, old)| [new.distance, old.distance]);
        let volumes = tets.map(|(new, old)| [new.volume, old.volume]);
        let dampings = springs().map(|(new, old)| [new.damping, old.damping]);
        Some(Growth {
            stiffness: growth(distances.chain(volumes).chain(elastic).chain([area])),
            damping: growth(dampings.chain(viscous)),
        })
    }

    /// Gives a body the constants of one alone.
    pub(crate) fn exchange(&mut self, index: usize, alone: &Self) {
        let (ranges, [other]) = (&mut self.bodies[index], &alone.bodies[..]) else {
            return;
        };
        (ranges.make, ranges.material) = (other.make, other.material);
        let springs = &mut self.springs[ranges.springs.clone()];
        for (spring, new) in springs.iter_mut().zip(&alone.springs) {
            (spring.distance, spring.damping) = (new.distance, new.damping);
        }
        let tets = &mut self.tets[ranges.tets.clone()];
        for (tet, new) in tets.iter_mut().zip(&alone.tets) {
            tet.volume = new.volume;
        }
        let elements = &mut self.elements[ranges.elements.clone()];
        for (element, new) in elements.iter_mut().zip(&alone.elements) {
            *element = FemElement {
                corners: element.corners,
                ..*new
            };
        }
    }
}
