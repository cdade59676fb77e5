//! `integrator = "auto"`: the integrator that should cost least per simulated second of a scene.
//!
//! The choice comes from estimates alone, never from a clock, so that a scene gets the same one whenever it is run.

use serde::Serialize;

use super::cost::{self, Sizes};
use crate::collide;
use crate::model::Model;
use crate::scene::{Integrator, Scene, Step};
use crate::setup::{self, Estimate, SAFETY, Stepping};

/// An integrator as it would do in a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its name in scene files.
    pub integrator: &'static str,
    /// Length of its steps [s]; none where it is unsuitable.
    pub step: Option<f64>,
    /// Spring gathers per step that exact damping takes.
    pub damping_gathers: Option<u32>,
    /// What a simulated second costs [s], estimated, see [`cost`].
    pub cost: Option<f64>,
    /// Why it will not do.
    pub unsuitable: Option<String>,
}

/// What was picked, and from what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pick {
    /// The name of the one that was picked.
    pub integrator: &'static str,
    /// All that were considered, the cheapest first; none where a save file says what was picked.
    pub candidates: Vec<Candidate>,
}

impl Pick {
    /// What to tell a user, in a sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        let name = self.integrator;
        if self.candidates.is_empty() {
            return format!("integrator {name}, as the saved run had picked it");
        }
        let costs = self.candidates.iter().filter_map(|candidate| {
            let cost = candidate.cost?;
            Some(format!("{} {cost:.3e} s", candidate.integrator))
        });
        let costs = costs.collect::<Vec<_>>().join(", ");
        let unsuitable = self.candidates.iter().filter(|c| c.cost.is_none());
        let unsuitable: Vec<_> = unsuitable.map(|candidate| candidate.integrator).collect();
        let not = match unsuitable[..] {
            [] => String::new(),
            _ => format!("; unsuitable: {}", unsuitable.join(", ")),
        };
        format!(
            "integrator {name}, picked by the estimated cost of a simulated second: {costs}{not}"
        )
    }
}

/// Share of its bound within which an integrator is trusted that needs damping to be stable: it takes no more than about
/// this share of the damping for itself.
const DAMPED_ENOUGH: f64 = 0.1;

/// Picks the cheapest integrator that suits a scene; of equal ones the default, then the first in the format's order. Where
/// none suits it is the default, whose warnings or refusal are then the scene's.
#[must_use]
pub fn pick(scene: &Scene, model: &Model, estimates: &[Estimate]) -> (Integrator, Pick) {
    let open = &scene.world;
    let mut scene = scene.clone();
    let sizes = Sizes::new(model).colored(model);
    let default = Integrator::default();
    let others = Integrator::ALL.into_iter().filter(|i| *i != default);
    let considered = std::iter::once(default).chain(others).map(|integrator| {
        scene.world = open.with_integrator(integrator);
        (integrator, consider(&scene, model, &sizes, estimates))
    });
    cheapest(considered.collect())
}

/// The cheapest, of equal ones the first; the first also where none has a cost.
fn cheapest(mut considered: Vec<(Integrator, Candidate)>) -> (Integrator, Pick) {
    let key = |candidate: &Candidate| candidate.cost.unwrap_or(f64::INFINITY);
    // Stable: equal ones stay in order.
    considered.sort_by(|a, b| key(&a.1).total_cmp(&key(&b.1)));
    let integrator = considered
        .first()
        .map_or(Integrator::default(), |first| first.0);
    let candidates = considered.into_iter().map(|(_, candidate)| candidate);
    let pick = Pick {
        integrator: integrator.name(),
        candidates: candidates.collect(),
    };
    (integrator, pick)
}

/// How the scene's integrator would do.
fn consider(scene: &Scene, model: &Model, sizes: &Sizes, estimates: &[Estimate]) -> Candidate {
    let candidate = Candidate {
        integrator: scene.world.integrator.name(),
        step: None,
        damping_gathers: None,
        cost: None,
        unsuitable: None,
    };
    let stiffness = estimates.iter().map(|estimate| estimate.stiffness);
    let stiffness = stiffness.fold(0.0, f64::max);
    match good_step(scene, model, estimates) {
        Ok(stepping) => Candidate {
            step: Some(stepping.step),
            damping_gathers: Some(stepping.gathers),
            cost: Some(cost::per_second(scene, sizes, &stepping, stiffness)),
            ..candidate
        },
        Err(why) => Candidate {
            unsuitable: Some(why),
            ..candidate
        },
    }
}

/// The step that the scene's integrator would take, or why it will not do.
fn good_step(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
) -> std::result::Result<Stepping, String> {
    let on_damping = scene.world.integrator.needs_damping();
    if on_damping && scene.world.step == Step::Auto {
        return Err("needs damping to be stable, and an automatic step leaves little of it".into());
    }
    let choice = scene
        .check()
        .and_then(|()| setup::stepping(scene, model, estimates))
        .map_err(|error| error.to_string())?;
    if collide::is_restless(scene) {
        return Err("bodies that lie on each other do not come to rest with it".into());
    }
    if let Some(warning) = choice.few_sweeps {
        return Err(warning);
    }
    let rounding = setup::rounding_warnings(scene, model, estimates);
    if let Some(warning) = rounding.into_iter().next() {
        return Err(warning);
    }
    if scene.world.integrator == Integrator::ImplicitEuler
        && (collide::can_touch(scene) || !scene.obstacles().is_empty())
    {
        return Err("where bodies touch its steps may end before they have converged".into());
    }
    let share = if on_damping { DAMPED_ENOUGH } else { SAFETY };
    let good = share * choice.longest();
    // An automatic step keeps this by itself.
    if matches!(scene.world.step, Step::Fixed(step) if step > good) {
        let step = choice.stepping.step;
        return Err(format!(
            "world.step is {step} s, its largest good step {good:.3e} s"
        ));
    }
    Ok(choice.stepping)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::scene::{Body, DampingMode, Mass, Response, Springs};

    /// A lattice in free flight, and the rates [1/s², 1/s] that the device might have found of it.
    fn lattice(damping: f64) -> (Scene, Model, Vec<Estimate>) {
        let mut body = Body::lattice("a", [3; 3], [0.6; 3]);
        body.mass = Mass::Point(0.05);
        body.kind = Springs::Constants {
            distance: 60.0,
            volume: 20.0,
            damping,
        }
        .into();
        let mut scene = Scene {
            bodies: vec![body],
            ..Scene::default()
        };
        scene.world.auto_integrator = true;
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let rate = 6000.0 * damping;
        let estimate = Estimate {
            stiffness: 4e5,
            damping: rate,
            rate,
        };
        (scene, model, vec![estimate])
    }

    fn costs(pick: &Pick) -> Vec<(&str, Option<f64>)> {
        let costs = pick.candidates.iter();
        costs.map(|c| (c.integrator, c.cost)).collect()
    }

    #[test]
    fn soft_bodies_are_left_to_verlet() {
        for damping in [0.0, 0.1, 0.5] {
            let (scene, model, estimates) = lattice(damping);
            let (integrator, pick) = pick(&scene, &model, &estimates);
            println!("{damping}: {}", pick.reason());
            assert_eq!(integrator, Integrator::Verlet, "{:?}", costs(&pick));
            let costs = pick.candidates.iter().filter_map(|c| c.cost);
            assert!(costs.clone().all(|cost| cost > 0.0) && costs.is_sorted());
            assert_eq!(pick.candidates.len(), Integrator::ALL.len());
        }
    }

    /// Implicit steps cost the same whatever the stiffness.
    #[test]
    fn very_stiff_bodies_are_left_to_an_implicit_integrator() {
        // Stiff by their damping: its gathers cost explicit integrators more and more.
        let (scene, model, mut estimates) = lattice(200.0);
        let cost = |pick: &Pick| pick.candidates[0].cost.unwrap();
        estimates[0].stiffness *= 100.0;
        let (integrator, first) = pick(&scene, &model, &estimates);
        println!("{}", first.reason());
        assert!(integrator.is_implicit(), "{:?}", costs(&first));
        estimates[0].stiffness *= 1.2;
        let (again, second) = pick(&scene, &model, &estimates);
        assert_eq!(again, integrator);
        assert!(cost(&second) < 1.2 * cost(&first), "{}", second.reason());
        // Not where rounding would move them, or where they would touch something in steps that have not converged.
        let unsuitable = |scene: &Scene, estimates: &[Estimate]| {
            let (_, pick) = pick(scene, &model, estimates);
            let newton = pick.candidates.into_iter();
            let newton = newton.filter(|c| c.integrator == Integrator::ImplicitEuler.name());
            newton
                .map(|c| c.unsuitable.unwrap_or_default())
                .collect::<String>()
        };
        assert_eq!(unsuitable(&scene, &estimates), "");
        let mut over = scene.clone();
        over.world.floor = Some(-1.0);
        assert!(unsuitable(&over, &estimates).contains("converged"));
        estimates[0].stiffness *= 100.0;
        assert!(unsuitable(&scene, &estimates).contains("rounding"));
    }

    /// Rk4 where bodies can touch, and too few sweeps for a fixed step.
    #[test]
    fn what_would_be_warned_of_is_unsuitable() {
        let (mut scene, model, mut estimates) = lattice(0.5);
        let unsuitable = |scene: &Scene, estimates: &[Estimate], integrator: Integrator| {
            let (_, pick) = pick(scene, &model, estimates);
            let mut candidates = pick.candidates.iter();
            let found = candidates.find(|c| c.integrator == integrator.name());
            found.unwrap().unsuitable.clone()
        };
        assert!(unsuitable(&scene, &estimates, Integrator::Rk4).is_none());
        scene.world.self_contact = true;
        let why = unsuitable(&scene, &estimates, Integrator::Rk4).unwrap();
        assert!(why.contains("come to rest"), "{why}");
        assert!(unsuitable(&scene, &estimates, Integrator::Vbd).is_none());
        scene.world.step = Step::Fixed(1.0 / 60.0);
        estimates[0].stiffness = 1e10;
        let why = unsuitable(&scene, &estimates, Integrator::Vbd).unwrap();
        assert!(why.contains("world.iterations"), "{why}");
    }

    #[test]
    fn iterations_are_for_those_that_have_them() {
        let (mut scene, model, estimates) = lattice(2.0);
        let costs = |scene: &Scene| {
            let (_, pick) = pick(scene, &model, &estimates);
            let cost = |integrator: Integrator| {
                let mut candidates = pick.candidates.iter();
                let found = candidates.find(|c| c.integrator == integrator.name());
                found.unwrap().cost.unwrap()
            };
            [Integrator::Verlet, Integrator::Vbd].map(cost)
        };
        let before = costs(&scene);
        scene.world.iterations = Some(40);
        scene.check().unwrap();
        let after = costs(&scene);
        assert_eq!(before[0], after[0]);
        assert!(after[1] > 3.0 * before[1], "{before:?} {after:?}");
    }

    #[test]
    fn what_lives_on_damping_is_not_trusted_near_its_bound() {
        let (mut scene, with_volumes, estimates) = lattice(0.1);
        scene.bodies[0].kind = Springs::Constants {
            distance: 60.0,
            volume: 0.0,
            damping: 0.1,
        }
        .into();
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let cost = |pick: &Pick, integrator: Integrator| {
            let found = |entry: &(&str, Option<f64>)| entry.0 == integrator.name();
            costs(pick).into_iter().find(found).unwrap().1
        };
        let (_, by_itself) = pick(&scene, &model, &estimates);
        assert_eq!(cost(&by_itself, Integrator::Euler), None);
        // τ = 0.1/60 s; of volumes none is known.
        for (model, step, trusted) in [
            (&model, 2e-4, false),
            (&model, 1e-4, true),
            (&with_volumes, 1e-6, false),
        ] {
            scene.world.step = Step::Fixed(step);
            let (_, pick) = pick(&scene, model, &estimates);
            assert_eq!(cost(&pick, Integrator::Euler).is_some(), trusted, "{step}");
        }
    }

    #[test]
    fn damping_that_needs_gathers_costs_more() {
        let cost = |damping, mode| {
            let (mut scene, model, estimates) = lattice(damping);
            scene.bodies[0].damping_mode = Some(mode);
            pick(&scene, &model, &estimates).1.candidates[0]
                .cost
                .unwrap()
        };
        let capped = cost(2.0, DampingMode::Capped);
        let exact = cost(2.0, DampingMode::Exact);
        let explicit = cost(2.0, DampingMode::Explicit);
        assert!(
            capped < exact && exact < explicit,
            "{capped} {exact} {explicit}"
        );
    }

    #[test]
    fn the_cheapest_is_picked_whatever_it_is() {
        let entry = |integrator: Integrator, cost| {
            let candidate = Candidate {
                integrator: integrator.name(),
                step: None,
                damping_gathers: None,
                cost,
                unsuitable: None,
            };
            (integrator, candidate)
        };
        let (verlet, rk4, euler) = (Integrator::Verlet, Integrator::Rk4, Integrator::Euler);
        for (costs, wanted) in [
            ([Some(2.0), Some(1.0), Some(3.0)], rk4),
            ([Some(2.0), None, Some(1.0)], euler),
            ([Some(1.0), Some(1.0), Some(1.0)], verlet),
            ([None, None, Some(9.0)], euler),
            ([None, None, None], verlet),
        ] {
            let [a, b, c] = costs;
            let (integrator, pick) =
                cheapest(vec![entry(verlet, a), entry(rk4, b), entry(euler, c)]);
            assert_eq!(
                (integrator, pick.integrator),
                (wanted, wanted.name()),
                "{costs:?}"
            );
        }
    }

    #[test]
    fn where_none_suits_the_default_says_why() {
        let (mut scene, model, estimates) = lattice(0.1);
        scene.world.step = Step::Fixed(0.5);
        scene.world.response = Response::Source;
        let (integrator, pick) = pick(&scene, &model, &estimates);
        assert_eq!(integrator, Integrator::default());
        assert!(costs(&pick).iter().all(|(_, cost)| cost.is_none()));
        let why = pick.candidates[0].unsuitable.as_deref().unwrap();
        assert!(why.contains("world.step is 0.5 s"), "{why}");
    }
}
