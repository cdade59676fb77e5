//! Damping of springs that does not set the step: the sweeps of exact damping, and how many there are.

use glam::Vec4;

use super::elements::Loads;
use crate::Result;
use crate::gpu::types::Sim;
use crate::gpu::{Bound, Buffer, Recorder};
use crate::integrate::Arrays;
use crate::model::State;
use crate::scene::Integrator;

/// Beyond this many gathers a substep, springs are damped less instead.
pub const MAX_GATHERS: u32 = 64;

/// The share of the velocity that damping may take in one step: θ = min(most, scale (1 − slope h²ω²)) − h·drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// However soft the body.
    pub most: f64,
    /// Without `most`, at rates h²ω² = 0.
    pub scale: f64,
    /// What each unit of h²ω² takes of `scale`, as a share.
    pub slope: f64,
}

impl Budget {
    /// That of an integrator. Verlet and symplectic Euler: A + 2D < 4; leapfrog: A + 4D < 4. Runge–Kutta methods: where
    /// |R| ≤ 1 at the roots of z² + d z + a for d ≤ θ, a ≤ h²ω² (see `reference::damping`).
    #[must_use]
    pub fn of(integrator: Integrator) -> Self {
        let (most, scale, slope) = match integrator {
            // Of implicit ones only the brakes of shape matching would ask.
            Integrator::SymplecticEuler
            | Integrator::Verlet
            | Integrator::ImplicitEuler
            | Integrator::Vbd => (1.0, 2.0, 0.25),
            Integrator::Leapfrog => (1.0, 1.0, 0.25),
            Integrator::Euler | Integrator::Midpoint => (2.0, 2.0, 0.0),
            Integrator::Rk4 => (2.785, 5.72, 0.5 / 5.72),
        };
        Self { most, scale, slope }
    }

    /// θ in a step of `step` [s] of a body of ω² = `stiffness_rate` [1/s²]. Drag [1/s] damps, too, and takes its part.
    #[must_use]
    pub fn theta(&self, step: f64, stiffness_rate: f64, drag: f64) -> f64 {
        let left = self.scale * (1.0 - self.slope * step * step * stiffness_rate);
        (left.min(self.most) - step * drag).max(0.0)
    }
}

/// Whether exact damping acts half before and half after the step (Strang 1968), by Legendre's polynomials instead of
/// Chebyshev's: Runge–Kutta methods, of which the undamped step alone must be stable.
#[must_use]
pub fn halves(integrator: Integrator) -> bool {
    matches!(
        integrator,
        Integrator::Euler | Integrator::Midpoint | Integrator::Rk4
    )
}

/// h·rate that `gathers` sweeps bear, half before and half after the step: s² + s − 2, twice what Legendre's polynomial of
/// order 2 and degree s does (Meyer, Balsara, Aslam 2014).
#[must_use]
pub fn halves_reach(gathers: f64) -> f64 {
    gathers * gathers + gathers - 2.0
}

/// The smallest odd s ≥ 3 that bears h·max(σ_i + σ_j); 1 where `theta` does. Even s leave the fastest motion undamped.
#[must_use]
pub fn half_gathers(step: f64, rates: f64, theta: f64) -> f64 {
    if step * rates <= theta {
        return 1.0;
    }
    let s = (0.5 * ((9.0 + 4.0 * step * rates).sqrt() - 1.0))
        .ceil()
        .max(3.0);
    if s % 2.0 == 0.0 { s + 1.0 } else { s }
}

/// s = ⌈√(h·max(σ_i + σ_j)/θ)⌉: gathers that keep d_C whole; infinite where none do.
#[must_use]
pub fn gathers(step: f64, rates: f64, theta: f64) -> f64 {
    if rates == 0.0 {
        1.0
    } else {
        (step * rates / theta).sqrt().ceil().max(1.0)
    }
}

/// The passes that take exact damping from the velocity: s gathers over springs and finite elements' viscosity only, the
/// recurrence of Chebyshev's or Legendre's polynomials.
#[derive(Debug)]
pub struct DampingSweeps {
    gathers: u32,
    halves: bool,
    /// Of finite elements, by particle array.
    first_loads: [Loads; 2],
    first: [Bound; 2],
    /// Of finite elements, by particle array, by sweep array that is read.
    loads: [[Loads; 2]; 2],
    /// By particle array, by sweep array that is read.
    sweep: [[Bound; 2]; 2],
    end: [[Bound; 2]; 2],
    _fields: [Buffer<Vec4>; 2],
}

impl DampingSweeps {
    /// Sweeps with `gathers` ≥ 2 gathers.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, integrator: Integrator, gathers: u32) -> Result<Self> {
        let count = arrays.state.present().len();
        let fields = [
            Buffer::zeroed(arrays.context, "sweep a", count)?,
            Buffer::zeroed(arrays.context, "sweep b", count)?,
        ];
        let both = |kernel: &str| {
            let [a, b] = [0, 1].map(|from: usize| {
                let others = [
                    fields[from].bind("sweep_in"),
                    fields[1 - from].bind("sweep_out"),
                ];
                arrays.bind_both(kernel, &others)
            });
            let ([a0, a1], [b0, b1]) = (a, b);
            [[a0, b0], [a1, b1]]
        };
        let first = arrays.bind_both("damping_first", &[fields[0].bind("sweep_out")]);
        let (sweep, end) = (both("damping_sweep"), both("damping_end"));
        let loads = |current: usize, field: Option<&Buffer<Vec4>>| {
            let particles = &arrays.state.particles[current];
            arrays.elements.viscosity(arrays, particles, field)
        };
        Ok(Self {
            gathers,
            halves: halves(integrator),
            first_loads: [0, 1].map(|current| loads(current, None)),
            loads: [0, 1]
                .map(|current| [0, 1].map(|from: usize| loads(current, Some(&fields[from])))),
            first,
            sweep,
            end,
            _fields: fields,
        })
    }

    /// Whether the sweeps are recorded before the step and again after it, for half of it each.
    #[must_use]
    pub fn halves(&self) -> bool {
        self.halves
    }

    /// Uniform slots that the sweeps take, once.
    #[must_use]
    pub fn slots(&self) -> usize {
        match self.halves {
            true => self.gathers as usize - 1,
            false => 2,
        }
    }

    /// The uniforms of the sweeps, from what a substep's have in common. Legendre's recurrence has coefficients of its own
    /// for each sweep.
    #[must_use]
    pub fn fill(&self, sim: Sim) -> Vec<Sim> {
        let s = self.gathers as f32;
        if !self.halves {
            let chebyshev = |first_stage| Sim {
                first_stage,
                sweep_reach: s * s,
                sweep_product: 2.0,
                sweep_before: 1.0,
                ..sim
            };
            return vec![chebyshev(1), chebyshev(0)];
        }
        let theta = (s * s + s - 2.0) / (s * s + s);
        let legendre = |k: u32| Sim {
            first_stage: u32::from(k == 2),
            step: 0.5 * sim.step,
            drag: 0.0,
            theta_most: theta,
            theta_scale: theta,
            theta_slope: 0.0,
            sweep_reach: 0.5 * (s * s + s),
            sweep_product: (2 * k - 1) as f32 / k as f32,
            sweep_before: (k - 1) as f32 / k as f32,
            ..sim
        };
        (2..=self.gathers).map(legendre).collect()
    }

    /// Records the sweeps, their uniforms in the slots from `slot` on as [`Self::fill`] has them.
    pub fn sweep(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) {
        let count = state.present().len();
        let current = state.current;
        let slot_of = |k: u32| slot + (k as usize - 2).min(self.slots() - 1);
        self.first_loads[current].record(recorder, slot);
        recorder.dispatch(&self.first[current], count, slot);
        for k in 2..=self.gathers {
            let from = (k % 2) as usize;
            let pass = if k < self.gathers {
                &self.sweep
            } else {
                &self.end
            };
            self.loads[current][from].record(recorder, slot_of(k));
            recorder.dispatch(&pass[current][from], count, slot_of(k));
        }
        state.current = 1 - current;
    }
}
