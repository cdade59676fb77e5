//! How stiff ties are: as stiff as the step bears, or as their attachments say.

use std::collections::BTreeMap;

use super::{Anchor, End, Tie};
use crate::extreme;
use crate::gpu::types::PROBE_MARGIN;
use crate::model::Model;
use crate::scene::Attachment;
use crate::{Error, Result};

/// h² Σ k w/m of all ties of a particle or a pose that get their stiffness from the step: bodies leave at least 1.4 of the 4 that a
/// Verlet step bears, and with the default damping ratio explicit Euler bears this.
const SHARE: f64 = 0.1;
/// The same of ties with a stiffness of their own, at the most, where the integrator is explicit.
const LARGEST_SHARE: f64 = 0.3;
/// h²ω² of the step that an explicit world would have by itself: SAFETY of the 2 of Verlet's method.
const USUAL_SQUARE: f64 = 2.56;

/// What decides how stiff ties are.
#[derive(Clone, Debug)]
pub(crate) struct TieRates {
    /// Of each body 1/h² [1/s²], h the step by which its ties get their stiffness; 0 of bodies that know of none.
    squares: Vec<f64>,
    /// The least of what is not 0 [1/s²].
    least: f64,
    /// The step that bounds it [s], and how often it may be halved.
    bound: Option<(f64, u32)>,
}

/// What ties act with.
#[derive(Clone, Debug)]
pub(crate) struct TieConstants {
    /// Of each its stiffness [N/m] and damping [N s/m].
    pub constants: Vec<[f64; 2]>,
    /// Halvings of the step that bears them.
    pub halvings: u32,
    /// Which of them it is halved for, and what would not shorten it.
    pub shortening: Option<String>,
}

impl TieRates {
    /// Of an explicit integrator's step [s], which may be halved so often.
    pub fn explicit(step: f64, halvings: u32, bodies: usize) -> Self {
        Self {
            squares: vec![1.0 / (step * step); bodies],
            least: 1.0 / (step * step),
            bound: Some((step, halvings)),
        }
    }

    /// Of an implicit integrator, which bears any: `squares` are the ω² of the bodies [1/s²], the largest eigenvalues of M⁻¹K, so
    /// that ties are as stiff as in the step that a body's own vibrations would leave an explicit integrator.
    pub fn implicit(step: f64, squares: impl Iterator<Item = f64>) -> Self {
        let margin = f64::from(PROBE_MARGIN * PROBE_MARGIN) / USUAL_SQUARE;
        Self {
            squares: squares.map(|square| margin * square).collect(),
            least: 1.0 / (step * step),
            bound: None,
        }
    }

    /// Of the softer one of the bodies that a tie is of, of those that have vibrations of their own.
    fn of(&self, tie: &Tie) -> f64 {
        let other = match &tie.anchor {
            Anchor::Body(corners, _) => Some(corners[0].body),
            Anchor::Solid(..) | Anchor::Place(_) => None,
        };
        let bodies = [Some(tie.point.body), other].into_iter().flatten();
        let squares = bodies.map(|body| self.squares[body]);
        let softest = squares.filter(|square| *square > 0.0).reduce(f64::min);
        softest.map_or(self.least, |square| square.max(self.least))
    }
}

impl Model {
    /// Stiffness [N/m] and damping [N s/m] of ties, each with what its attachment says and errors call it. A bound of the
    /// squared frequency of a particle or a pose is the sum over its ties of k |w| Σ |w'|/m, the inner sum over what moves of a tie
    /// (Gershgorin 1931). Of ties without a stiffness of their own it is `SHARE`/h² at the most; damping is that part of the
    /// critical one at the largest frequency of the tie's ends.
    ///
    /// # Errors
    /// Stiffnesses that an explicit step of this length does not bear, however often it may be halved.
    pub(crate) fn tie_constants(
        &self,
        ties: &[(&str, &Attachment, &Tie)],
        by: &TieRates,
    ) -> Result<TieConstants> {
        let rates: Vec<_> = ties.iter().map(|(.., tie)| self.moving(tie)).collect();
        let mut sums = BTreeMap::<usize, f64>::new();
        for (dof, rate) in rates.iter().flatten() {
            *sums.entry(*dof).or_default() += rate;
        }
        let largest = |sums: &BTreeMap<usize, f64>, rates: &[(usize, f64)]| {
            let of_ends = rates.iter().map(|(dof, _)| sums[dof]);
            of_ends.fold(0.0, extreme::greatest)
        };
        let stiffness: Vec<f64> = (ties.iter().zip(&rates))
            .map(|((_, attachment, tie), rates)| match attachment.stiffness {
                Some(stiffness) => stiffness,
                None if rates.is_empty() => 0.0,
                None => SHARE * by.of(tie) / largest(&sums, rates),
            })
            .collect();
        let mut squares = BTreeMap::<usize, f64>::new();
        for (rates, k) in rates.iter().zip(&stiffness) {
            for (dof, rate) in rates {
                *squares.entry(*dof).or_default() += k * rate;
            }
        }
        let mut all = TieConstants {
            constants: Vec::with_capacity(ties.len()),
            halvings: 0,
            shortening: None,
        };
        for (((at, attachment, _), rates), k) in ties.iter().zip(&rates).zip(stiffness) {
            let square = largest(&squares, rates);
            if let Some((step, most)) = by.bound
                && attachment.stiffness.is_some()
            {
                all.bear(at, k, square, step, most)?;
            }
            let damping = match square > 0.0 {
                true => 2.0 * attachment.damping_ratio * k / square.sqrt(),
                false => 0.0,
            };
            all.constants.push([k, damping]);
        }
        Ok(all)
    }

    /// What moves of a tie, with its part of |w| Σ |w'|/m; of a pose 1/m is the most that its point there follows an impulse by.
    fn moving(&self, tie: &Tie) -> Vec<(usize, f64)> {
        let mut ends = tie.ends(self);
        ends.retain(|end| end.mobility > 0.0);
        let all: f64 = ends.iter().map(|end| end.weight.abs()).sum();
        let rate = |end: &End| (end.dof, end.weight.abs() * all * end.mobility);
        ends.iter().map(rate).collect()
    }
}

impl TieConstants {
    /// Halves the step [s], at the most so often, until it bears a tie of stiffness `k` [N/m] and squared frequency `square`.
    ///
    /// # Errors
    /// A stiffness that it does not bear then.
    fn bear(&mut self, at: &str, k: f64, square: f64, step: f64, most: u32) -> Result<()> {
        // h² goes by 4 with each halving.
        let share = square * step * step / LARGEST_SHARE;
        let needed = (0.5 * share.log2()).ceil().max(0.0);
        if needed > f64::from(most) {
            let least = step / f64::from(1_u32 << most);
            let want = format!(
                "at most {:.3e} N/m in total per point, at a step of {least:.3e} s",
                k * 4_f64.powi(most as i32) / share
            );
            let got = format!("{k:.3e} N/m");
            return Err(Error::value(format!("{at}.stiffness"), got, want));
        }
        if needed as u32 > self.halvings {
            self.halvings = needed as u32;
            self.shortening = Some(format!(
                "{at}.stiffness of {k:.3e} N/m shortens the step from {step:.3e} s to {:.3e} s; up to {:.3e} N/m in total per point would not",
                step / f64::from(1_u32 << self.halvings),
                k / share
            ));
        }
        Ok(())
    }
}
