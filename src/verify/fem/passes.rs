//! The passes over elements: forces, viscosity, and how both change.

use crate::extreme;
use glam::{DMat3, DQuat, DVec3, Vec4};

use super::elements::{Elements, LAWS, PLASTICITY, UNTOUCHED, sorts};
use super::scales::*;
use crate::Result;
use crate::family::fem::rotation::nearest_rotation;
use crate::gpu::types::{
    Body, FemState, IMPLICIT_NOT, IMPLICIT_STEP, LAW_COROTATED, PROBE_DAMPING, PROBE_STIFFNESS, Sim,
};
use crate::model::Incidence;
use crate::reference::damping;
use crate::reference::fem::{
    damping_forces, damping_rate, flow, force_changes, forces, stiffness_rate,
};
use crate::verify::faults::{NOTED, noted};
use crate::verify::oracle::exact;
use crate::verify::states::field;
use crate::verify::{Bench, ErrorStats, Oracle, Random};

/// Elastic and viscous forces, with as much of the viscosity as the body's mode and the number of sweeps leave; the
/// kept rotation and the plastic flow.
pub fn force(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (k, (law, plastic)) in sorts().enumerate() {
        let elements = Elements::new(bench, law, plastic, 61 + k as u64);
        for (damping_stages, implicit) in [(1, IMPLICIT_NOT), (3, IMPLICIT_NOT), (1, IMPLICIT_STEP)]
        {
            let flowing = damping_stages > 1;
            let sim = Sim { damping_stages, implicit, flow: flowing.into(), ..bench.case.sim };
            let oracle = bench.oracle_of(&sim);
            let (x, v) = (&oracle.system.position, &oracle.system.velocity);
            let chord = oracle.system.chord;
            let after = elements.run(bench, sim, &[])?;
            elements.compare(
                &after,
                |t| {
                    let element = &elements.wanted[t];
                    let share = match element.corners[0] {
                        i if oracle.swept(i) => 0.0,
                        i if oracle.explicit(i) => 1.0,
                        _ => elements.share(t, &oracle, 1),
                    };
                    let elastic = forces(element, x);
                    let viscous = damping_forces(element, x, v, chord);
                    let force = [0, 1, 2, 3].map(|c| elastic[c] + share * viscous[c]);
                    let viscous = share * viscous_scale(element, x, v, chord);
                    (force, elastic_scale(element, x) + viscous)
                },
                errors,
            );
            elements.compare_states(
                &after.get("fem_states"),
                x,
                f64::from(sim.step),
                flowing,
                errors,
            );
        }
        elements.notes(bench, errors)?;
    }
    Ok(())
}

impl Elements {
    /// That a step is noted which is too long for the stiffest element.
    fn notes(&self, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
        let x = bench.oracle().system.position;
        let elements = self.wanted.iter().zip(&self.tets);
        let stiffest = elements
            .map(|(element, tet)| stiffness_rate(element, &x, f64::from(tet.shape_rate)))
            .fold(0.0, extreme::greatest);
        if stiffest == 0.0 {
            return Ok(());
        }
        for (load, wanted) in NOTED {
            let square = f64::from(bench.case.sim.step).powi(2);
            let borne = (square * stiffest / load) as f32;
            let bearing = self.bodies.iter().map(|body| Body { borne, ..*body });
            let bearing: Vec<_> = bearing.collect();
            noted(bench.case.sim, wanted, errors, |sim| {
                let after = self.run(bench, sim, &[("bodies", &bearing)])?;
                after.skip("corner_forces");
                after.skip("fem_states");
                Ok(after.status())
            })?;
        }
        Ok(())
    }

    /// φ of the viscosity's cap with so many gathers.
    fn share(&self, t: usize, oracle: &Oracle<'_>, damping_stages: u32) -> f64 {
        let element = &self.wanted[t];
        let shape = f64::from(self.tets[t].shape_rate);
        let rate = damping_rate(element, &oracle.system.position, shape);
        let theta = oracle.theta[oracle.system.body[element.corners[0]]];
        damping::factor(theta, damping_stages, oracle.h, rate)
    }

    /// What is kept: the nearest rotation, and S_p − I after the flow; untouched where the pass does not advance them.
    fn compare_states(
        &self,
        got: &[FemState],
        x: &[DVec3],
        h: f64,
        flowing: bool,
        errors: &mut ErrorStats,
    ) {
        for (t, got) in got.iter().enumerate() {
            let (element, before) = (&self.wanted[t], &self.states[t]);
            if !flowing || !(self.plastic || self.law == LAW_COROTATED) {
                errors.holds(got == before);
                continue;
            }
            let f = element.elastic_gradient(x);
            let uncertain = gradient_scale(element, x) * size(&element.plastic.inverse());
            let (r, _) = nearest_rotation(&f);
            let found = DMat3::from_quat(DQuat::from_vec4(got.rotation.as_dvec4()));
            let soft = uncertain / softest(element, x);
            for k in 0..3 {
                errors.vector(found.col(k).as_vec3(), r.col(k), soft);
            }
            if !self.plastic {
                errors.holds((got.diagonal, got.off) == (before.diagonal, before.off));
                continue;
            }
            let wanted = flow(element, x, PLASTICITY, h) - DMat3::IDENTITY;
            let off = DVec3::new(wanted.y_axis.z, wanted.z_axis.x, wanted.x_axis.y);
            errors.vector(got.diagonal, wanted.diagonal(), 1.0 + soft + uncertain);
            errors.vector(got.off, off, 1.0 + soft + uncertain);
        }
    }
}

/// The viscous forces of the velocities, and of any field: weakened as so many gathers ask.
pub fn viscosity(bench: &Bench<'_>, of_velocities: bool, errors: &mut ErrorStats) -> Result<()> {
    let field = field(bench, 71);
    for (k, damping_stages) in [2, 5].into_iter().enumerate() {
        let elements = Elements::new(bench, LAWS[2 * k % 3], false, 72 + k as u64);
        let sim = Sim { damping_stages, ..bench.case.sim };
        let oracle = bench.oracle_of(&sim);
        let x = &oracle.system.position;
        let w = match of_velocities {
            true => oracle.system.velocity.clone(),
            false => exact(field.iter().map(|w| w.truncate())),
        };
        let after = elements.run(bench, sim, &[("sweep_in", &field)])?;
        elements.compare(
            &after,
            |t| {
                let share = elements.share(t, &oracle, damping_stages);
                let element = &elements.wanted[t];
                let force = damping_forces(element, x, &w, 0.0).map(|f| share * f);
                (force, share * viscous_scale(element, x, &w, 0.0))
            },
            errors,
        );
    }
    Ok(())
}

/// −K w and −C w.
pub fn probe(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let field = field(bench, 81);
    let w = exact(field.iter().map(|w| w.truncate()));
    for (k, (law, plastic)) in sorts().enumerate() {
        let elements = Elements::new(bench, law, plastic, 82 + k as u64);
        for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
            let sim = Sim { probe, ..bench.case.sim };
            let oracle = bench.oracle_of(&sim);
            let x = &oracle.system.position;
            let after = elements.run(bench, sim, &[("probe_in", &field)])?;
            elements.compare(
                &after,
                |t| {
                    let element = &elements.wanted[t];
                    if probe == PROBE_DAMPING {
                        let force = damping_forces(element, x, &w, 0.0);
                        return (force, viscous_scale(element, x, &w, 0.0));
                    }
                    let force = force_changes(element, x, &w);
                    let change = gradient_scale(element, &w) * (1.0 + gradient_scale(element, x));
                    let scale = area(element) * stiffness(element, x) * turn(element, x) * change;
                    (force, scale)
                },
                errors,
            );
        }
    }
    Ok(())
}

/// Sums over each particle's slots, over its mass; particles without any are left alone.
pub fn gather(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(91);
    let mut pairs = Vec::new();
    for i in 0..bench.len() {
        for _ in 0..random.index(0, 9) {
            pairs.push((i as u32, random.vector(5.0).as_vec3().extend(3.0)));
        }
    }
    let rows = Incidence::new(bench.len(), &pairs);
    let after = bench.run_each(&[
        ("loads", &vec![UNTOUCHED; bench.len()]),
        ("fem_rows", &rows.ranges()),
        ("corner_forces", &rows.entries),
    ])?;
    for (i, got) in after.get::<Vec4>("loads").iter().enumerate() {
        let inverse_mass = f64::from(bench.case.particles[i].inverse_mass);
        let own = pairs.iter().filter(|(owner, _)| *owner as usize == i);
        let own: Vec<_> = own.map(|(_, f)| f.truncate().as_dvec3()).collect();
        if own.is_empty() {
            errors.holds(*got == UNTOUCHED);
            continue;
        }
        let scale: f64 = own.iter().map(|f| f.length()).sum();
        let sum: DVec3 = own.iter().sum();
        errors.vector(got.truncate(), inverse_mass * sum, inverse_mass * scale);
        errors.holds(got.w == 0.0);
    }
    Ok(())
}
