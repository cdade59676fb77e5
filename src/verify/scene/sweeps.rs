//! Steps of vertex block descent: a whole one in f64, its begin, sweeps and end.
//!
//! The scale of a velocity is the largest that a vertex of its body has in any sweep. In the norm of the energy, Σ e·H e,
//! sweeps do not enlarge the errors that they find (Gauss–Seidel of a positive matrix), so that those of sweeps add up at
//! the worst; but they take most of those away that lie in stiff directions, as rounding of positions does. In the tests'
//! scenes nothing is further off than 0.5 f32 epsilons of this scale, of 32.

use crate::extreme::greatest;
use glam::{DMat3, DVec3};

use super::Moment;
use crate::verify::case::Case;
use crate::verify::coarse::{carried, felt, moved};
use crate::verify::errors::ErrorStats;
use crate::verify::implicit::{begun, ended, lack};
use crate::verify::momenta::Motion;
use crate::verify::oracle::{Oracle, Scaled};
use crate::verify::press::{Multiplier, Pressed, multipliers, pressed, stiffening};
use crate::verify::vertex::{Near, nears};

/// A step under way.
struct Sweeps<'a> {
    case: &'a Case,
    /// The system at the iterate.
    oracle: Oracle<'a>,
    nears: Vec<Near<'a>>,
    /// x_n \[m\]
    starts: Vec<DVec3>,
    /// v* \[m/s\]
    targets: Vec<DVec3>,
    /// Of each vertex when it was solved last \[N/m\], with its scale.
    stiffness: Vec<(f64, f64)>,
    contact_blocks: Vec<Pressed>,
    /// Multipliers of solids.
    kept: Vec<Vec<Multiplier>>,
    /// Of each body, the scale of its velocities so far \[m/s\].
    scales: Vec<f64>,
}

impl<'a> Sweeps<'a> {
    fn begin(case: &'a Case, state: &Moment) -> Self {
        let oracle = Oracle::new(case, &case.sim, &case.particles);
        let count = case.particles.len();
        let mut sweeps = Self {
            case,
            starts: oracle.system.position.clone(),
            targets: oracle.system.velocity.clone(),
            stiffness: state
                .contact_blocks
                .iter()
                .map(|press| (f64::from(press.stiffness), 0.0))
                .collect(),
            contact_blocks: vec![Pressed::default(); count],
            kept: (0..count).map(|i| multipliers(&state.impulses, i)).collect(),
            scales: vec![0.0; case.bodies.len()],
            nears: nears(&oracle),
            oracle,
        };
        let begun = |i: usize| begun(&sweeps.oracle, i, f64::from(state.halves[i].w));
        let begun: Vec<_> = (0..count).map(begun).collect();
        for (i, begun) in begun.into_iter().enumerate() {
            if !sweeps.oracle.system.pinned(i) {
                sweeps.targets[i] = begun.start;
                sweeps.go(i, begun.guess);
            }
        }
        sweeps.carry();
        sweeps
    }

    /// Every body turns with its guess as a whole, unless something is pinned.
    fn carry(&mut self) {
        for ranges in &self.case.model.bodies {
            let (part, system) = (ranges.particles.clone(), &self.oracle.system);
            if part.clone().any(|i| system.pinned(i)) {
                continue;
            }
            let point = |i: usize| (system.mass(i), self.starts[i], system.velocity[i]);
            let points: Vec<_> = part.clone().map(point).collect();
            for (i, v) in part.zip(carried(&points, self.oracle.h)) {
                self.go(i, v);
            }
        }
    }

    /// The iterate of one vertex.
    fn go(&mut self, i: usize, v: DVec3) {
        self.oracle.system.velocity[i] = v;
        self.oracle.system.position[i] = self.starts[i] + self.oracle.h * v;
    }

    fn free(&self) -> Vec<usize> {
        let system = &self.oracle.system;
        (0..self.starts.len()).filter(|i| !system.pinned(*i)).collect()
    }

    /// How solids press on the iterate.
    fn press(&mut self, first: bool) {
        let [factor, slide] = stiffening(self.case.sim.implicit);
        for i in self.free() {
            let inertia = self.oracle.system.mass(i) / self.oracle.h.powi(2);
            let stiffness = factor * self.stiffness[i].0.max(inertia);
            let ratio = first.then_some(1.0);
            let press =
                pressed(&self.oracle, i, self.starts[i], [stiffness, slide], &self.kept[i], ratio);
            let kept = press.touches.iter().map(|touch| Multiplier {
                solid: touch.solid,
                impulse: touch.impulse,
                acted: touch.acts,
            });
            self.kept[i] = kept.collect();
            self.contact_blocks[i] = press;
        }
    }

    /// Every body as a whole, by its rigid motions, unless something is pinned.
    fn coarse(&mut self) {
        let h = self.oracle.h;
        for ranges in &self.case.model.bodies {
            let part = ranges.particles.clone();
            let system = &self.oracle.system;
            if part.is_empty() || part.clone().any(|i| system.pinned(i)) {
                continue;
            }
            let origin = system.position[part.start];
            let point = |i: usize| {
                let (left, _) = self.oracle.left(i, self.targets[i]);
                let press = &self.contact_blocks[i];
                let block = DMat3::IDENTITY * self.oracle.inertia(i) + press.hold;
                (system.position[i] - origin, press.force + left / h, block)
            };
            let (force, matrix) = felt(part.clone().map(point));
            let ways: Vec<_> =
                part.clone().map(|i| moved(force, matrix, system.position[i] - origin)).collect();
            for (i, way) in part.zip(ways) {
                self.go(i, self.oracle.system.velocity[i] + way / h);
                let press = &mut self.contact_blocks[i];
                press.force -= press.hold * way;
                press.force_scale += press.hold_scale * way.length();
            }
        }
    }

    /// Every vertex by itself, colour by colour.
    fn sweep(&mut self) {
        let colors = &self.case.model.colors;
        let mut order = self.free();
        order.sort_by_key(|i| colors[*i]);
        for i in order {
            let system = &self.oracle.system;
            self.nears[i].take(&system.position, &system.velocity);
            let solved = self.nears[i].solve(self.targets[i], &self.contact_blocks[i]);
            let body = system.body[i];
            self.scales[body] = greatest(self.scales[body], solved.step_scale);
            self.stiffness[i] = (solved.stiffness, solved.stiffness_scale);
            self.go(i, solved.velocity);
        }
    }

    /// What gives a body the momenta of its equations, which the sweeps meet only in part.
    fn motion(&self, body: usize) -> Motion {
        let points = self.case.model.bodies[body].particles.clone();
        let own = |i: usize| lack(&self.oracle, i, self.starts[i], self.targets[i]);
        let masses: Vec<_> = points.map(own).collect();
        Motion::of(&masses, self.oracle.h, masses[0].start)
    }

    fn scale(&self, i: usize) -> f64 {
        self.scales[self.oracle.system.body[i]]
    }
}

/// Compares a step of so many sweeps between two states of the world.
pub fn compare(case: &Case, sweeps: u32, [before, after]: [&Moment; 2], errors: &mut ErrorStats) {
    let mut step = Sweeps::begin(case, before);
    for k in 0..sweeps {
        step.press(k == 0);
        step.coarse();
        step.sweep();
    }
    errors.cases(1);
    errors.holds(after.particles.len() == case.particles.len());
    compare_presses(&step, after, errors);
    let mut v = Scaled::exact(step.oracle.system.velocity.clone());
    let mut turns = Scaled::exact(vec![DVec3::ZERO; case.particles.len()]);
    for (body, free) in after.free(case).into_iter().enumerate() {
        if free {
            let motion = step.motion(body);
            for i in case.model.bodies[body].particles.clone() {
                let x = step.oracle.system.position[i];
                turns.value[i] = motion.turned(x);
                v.value[i] += motion.shift + turns.value[i];
            }
        }
    }
    for i in step.free() {
        v.scale[i] += step.scale(i);
    }
    let (v, x) = ended(&step.oracle, &step.starts, v, &turns);
    errors.vectors(after.particles.iter().map(|p| p.velocity), &v);
    after.compare(case, &x, errors);
}

/// What the last sweep left of each vertex's stiffness, of the forces of solids, and of the multipliers, whichever place
/// they have.
fn compare_presses(step: &Sweeps<'_>, after: &Moment, errors: &mut ErrorStats) {
    let h = step.oracle.h;
    for i in step.free() {
        let (press, got) = (&step.contact_blocks[i], &after.contact_blocks[i]);
        let (stiffness, scale) = step.stiffness[i];
        let edge = f64::from(step.case.bodies[step.oracle.system.body[i]].edge);
        let moved = h * step.scale(i);
        errors.number(got.stiffness, stiffness, scale * (1.0 + moved / edge));
        // An impulse follows the velocity by h² k.
        let follows = 2.0 * stiffness * moved;
        errors.vector(got.force, press.force, press.force_scale + follows);
        let got = multipliers(&after.impulses, i);
        for solid in 0..step.oracle.system.solids.len() {
            let touch = press.touches.iter().find(|touch| touch.solid == solid);
            let (wanted, scale) = touch.map_or((DVec3::ZERO, 0.0), |t| (t.impulse, t.scale));
            let got = got.iter().find(|own| own.solid == solid);
            let got = got.map_or(DVec3::ZERO, |own| own.impulse);
            errors.vector(got.as_vec3(), wanted, scale + h * follows);
        }
    }
}
