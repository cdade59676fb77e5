//! Errors of one kernel, in units of their scale.

use glam::{DMat3, DVec3, Vec3};

use super::oracle::Scaled;
use super::{KernelResult, TOLERANCE};
use crate::gpu::Content;

/// The scale of a perturbation that must be noticed.
const PERTURBATION: f64 = 1e-3;

/// Collects the errors of one kernel.
#[derive(Debug)]
pub struct ErrorStats {
    name: &'static str,
    cases: usize,
    max_error: f64,
    /// The contents compared, and that of the largest error.
    contents: Vec<Content>,
    worst: Content,
    /// Whether a number is to be perturbed, and whether that is still to come.
    breaks: bool,
    perturb: bool,
}

impl ErrorStats {
    /// Nothing compared yet. `perturb`: the first number with a scale is changed before it is compared.
    pub fn new(name: &'static str, perturb: bool) -> Self {
        Self {
            name,
            cases: 0,
            max_error: 0.0,
            contents: Vec::new(),
            worst: Content::ALL,
            breaks: perturb,
            perturb,
        }
    }

    /// The kernel.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a number is changed.
    pub fn breaks(&self) -> bool {
        self.breaks
    }

    /// What follows is of worlds with this content.
    pub fn of(&mut self, content: Content) {
        self.contents.push(content);
    }

    /// Counts more cases.
    pub fn cases(&mut self, more: usize) {
        self.cases += more;
    }

    /// Compares one number. Where the scale is 0 only the same number will do.
    pub fn number(&mut self, got: f32, want: f64, scale: f64) {
        let mut got = f64::from(got);
        if self.perturb && scale > 0.0 {
            self.perturb = false;
            got += PERTURBATION * scale;
        }
        let difference = (got - want).abs();
        let error = if difference == 0.0 { 0.0 } else { difference / scale };
        self.error(if error.is_nan() { f64::INFINITY } else { error });
    }

    /// Compares one vector, axis by axis.
    pub fn vector(&mut self, got: Vec3, want: DVec3, scale: f64) {
        for axis in 0..3 {
            self.number(got[axis], want[axis], scale);
        }
    }

    /// Compares as many vectors as there should be.
    pub fn vectors(&mut self, got: impl ExactSizeIterator<Item = Vec3>, want: &Scaled) {
        self.holds(got.len() == want.value.len());
        for (got, (want, scale)) in got.zip(want.value.iter().zip(&want.scale)) {
            self.vector(got, *want, *scale);
        }
    }

    /// Compares one matrix, column by column.
    pub fn matrix(&mut self, got: &DMat3, want: &DMat3, scale: f64) {
        for k in 0..3 {
            self.vector(got.col(k).as_vec3(), want.col(k), scale);
        }
    }

    /// Compares whole numbers, of which only the same will do; one that is to be perturbed counts as another.
    pub fn words(&mut self, got: &[u32], want: &[u32]) {
        let perturbed = std::mem::take(&mut self.perturb);
        self.holds(got == want && !perturbed);
    }

    /// All is as it was but what `compared` takes over from what was found.
    pub fn kept<T: Clone + PartialEq>(
        &mut self,
        got: &T,
        before: &T,
        compared: impl Fn(&mut T, &T),
    ) {
        let mut want = before.clone();
        compared(&mut want, got);
        self.holds(*got == want);
    }

    /// A statement that holds or not.
    pub fn holds(&mut self, statement: bool) {
        self.error(if statement { 0.0 } else { f64::INFINITY });
    }

    fn error(&mut self, error: f64) {
        if error > self.max_error {
            self.max_error = error;
            self.worst = self.contents.last().copied().unwrap_or(Content::ALL);
        }
    }

    /// Whether no error so far is beyond the tolerance.
    pub fn agrees(&self) -> bool {
        self.max_error <= TOLERANCE
    }

    /// The result.
    pub fn result(self) -> KernelResult {
        KernelResult {
            name: self.name,
            cases: self.cases,
            compositions: self.contents.len(),
            worst: self.worst,
            max_error: self.max_error,
            tolerance: TOLERANCE,
            pass: self.agrees(),
        }
    }
}
