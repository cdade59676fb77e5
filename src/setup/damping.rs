//! How damping is done: its mode, how many gathers keep it whole, and what is left of it.

use super::step::{Estimate, Stepping, stiffness_rate};
use crate::body::damping::{self, MAX_STAGES};
use crate::extreme;
use crate::family;
use crate::model::Model;
use crate::scene::{DampingMode, Integrator, Scene};

/// The body's own choice, or exact where the integrator lets damping not set the step.
pub fn damping_mode(integrator: Integrator, chosen: Option<DampingMode>) -> DampingMode {
    chosen.unwrap_or(match integrator.weakens_damping() {
        true => DampingMode::Exact,
        false => DampingMode::Explicit,
    })
}

/// The same of a scene's body.
pub(super) fn mode_of(scene: &Scene, index: usize) -> DampingMode {
    damping_mode(scene.world.integrator, scene.bodies[index].damping_mode)
}

/// Whether some body's stiffness is followed as it deforms: the share of its damping that is free depends on it.
pub fn follows_stiffness(scene: &Scene) -> bool {
    (0..scene.bodies.len()).any(|index| {
        family::of(&scene.bodies[index].kind).has_rates()
            && mode_of(scene, index) != DampingMode::Explicit
    })
}

/// Least damping over stiffness \[s\] of all vibrations of a body, the least of its springs or finite elements: C ≥ τ K where
/// it holds for each. 0 where one is undamped, and where the body keeps volumes or areas, whose stiffness has no damping of
/// its own.
pub(super) fn least_damping(model: &Model, index: usize) -> f64 {
    let body = &model.bodies[index];
    let volumes = model.tets[body.tets.clone()].iter().map(|tet| tet.volume);
    if volumes.fold(body.material.area, extreme::greatest) > 0.0 {
        return 0.0;
    }
    let springs = model.springs[body.springs.clone()].iter();
    let springs = springs
        .filter(|spring| spring.distance > 0.0)
        .map(|spring| spring.damping / spring.distance);
    let elements = model.elements[body.elements.clone()].iter();
    let all = springs.chain(elements.map(|element| element.relaxation));
    all.reduce(f64::min).unwrap_or(0.0)
}

/// The gathers that keep every exactly damped body's damping whole, and warnings where that is too many.
pub(super) fn damping_stages(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    step: f64,
) -> (u32, Vec<String>) {
    let at_most = f64::from(MAX_STAGES);
    let (mut most, mut warnings) = (1.0_f64, Vec::new());
    for (index, estimate) in estimates.iter().enumerate() {
        let name = &model.bodies[index].name;
        let wanted = wanted_stages(scene, index, estimate, step);
        if wanted > at_most {
            let what = match wanted.is_finite() {
                true => {
                    format!("needs {wanted} passes per step, but at most {at_most} are made, so it")
                }
                false => "is too strong for this step and".into(),
            };
            warnings.push(format!(
                "body \"{name}\": its damping {what} is weakened; use a shorter step"
            ));
        }
        most = most.max(wanted);
    }
    (most.min(at_most) as u32, warnings)
}

/// The gathers that keep a body's exact damping whole; 1 where it is damped otherwise, infinite where none do.
pub(super) fn wanted_stages(scene: &Scene, index: usize, estimate: &Estimate, step: f64) -> f64 {
    match mode_of(scene, index) {
        DampingMode::Exact => {
            let theta = damping::theta(&scene.world, step, stiffness_rate(estimate));
            damping::damping_stages(step, estimate.rate, theta)
        }
        DampingMode::Capped | DampingMode::Explicit => 1.0,
    }
}

/// The highest rate \[1/s\] of springs and finite elements whose damping is whole in a body of ω² = `stiffness_rate`
/// \[1/s²\].
pub fn whole_rate(scene: &Scene, index: usize, stepping: &Stepping, stiffness_rate: f64) -> f64 {
    let damping_stages = match mode_of(scene, index) {
        DampingMode::Explicit => return f64::INFINITY,
        DampingMode::Exact => f64::from(stepping.damping_stages),
        DampingMode::Capped => 1.0,
    };
    damping::theta(&scene.world, stepping.step, stiffness_rate) * damping_stages * damping_stages
        / stepping.step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Aabb, Body, Constant, Fem, Kind, Region, ShapeMatching, Springs};

    #[test]
    fn the_least_damping_is_that_of_the_least_damped_element() {
        let springs = |volume| Springs::Constants { distance: 60.0, volume, damping: 2.0 };
        let fem = |relaxation| Fem { relaxation: Some(relaxation), ..Fem::new(1e5, 0.3) };
        let part = |constant, value| {
            let (min, max) = ([-1.0, -1.0, -1.0], [0.05, 1.0, 1.0]);
            vec![Region { within: Aabb { min, max }, constants: vec![(constant, value)] }]
        };
        for (kind, regions, wanted) in [
            (springs(0.0).into(), vec![], 2.0 / 60.0),
            (springs(0.0).into(), part(Constant::Damping, 0.0), 0.0),
            (springs(0.0).into(), part(Constant::Volume, 9.0), 0.0),
            (springs(20.0).into(), vec![], 0.0),
            (Kind::from(fem(0.02)), vec![], 0.02),
            (fem(0.02).into(), part(Constant::Relaxation, 0.01), 0.01),
            (ShapeMatching::default().into(), vec![], 0.0),
        ] {
            let mut body = Body::lattice("a", [3, 2, 2], [0.6, 0.4, 0.3]);
            (body.kind, body.regions) = (kind, regions);
            let scene = Scene { bodies: vec![body], ..Scene::default() };
            let model = Model::new(&scene, "", u64::MAX).unwrap();
            let found = least_damping(&model, 0);
            let kind = &scene.bodies[0].kind;
            assert!((found - wanted).abs() < 1e-15, "{kind:?}: {found}");
        }
    }
}
