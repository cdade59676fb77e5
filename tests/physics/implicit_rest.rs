//! Long implicit steps: they stay bounded, and come to rest where explicit ones do.

use pliant::World;
use pliant::internals::extreme;
use pliant::internals::integrate::bounds::{Rates, longest_step};
use pliant::scene::{Body, Fem, Integrator, Kind, Law, Mode, Pull, Scene, ShapeMatching, Step};

use crate::implicit_support::*;
use crate::shape_support::grid;
use crate::support::*;

/// A bar of 0.8 m × 0.4 m × 0.4 m that hangs by its upper end.
fn hanging(kind: Kind) -> Body {
    let mut body = lattice("bar", [2, 4, 2], [0.4, 0.8, 0.4], 1000.0, kind);
    body.pin = vec![within([-1.0, 0.39, -1.0], [1.0, 0.41, 1.0])];
    body
}

fn fem(law: Law) -> Kind {
    Fem { law, relaxation: Some(0.005), ..Fem::new(2e5, 0.3) }.into()
}

fn shape(mode: Mode) -> Kind {
    let (pull, clusters) = (Pull::Frequency(8.0), grid([1, 3, 1]));
    ShapeMatching { pull, beta: 0.5, mode, relaxation: 0.01, clusters, ..ShapeMatching::default() }
        .into()
}

fn kinds() -> Vec<(String, Kind)> {
    let mut kinds = vec![("springs".to_owned(), springs(2e5, 0.005))];
    kinds.extend(Law::ALL.map(|law| (law.name().to_owned(), fem(law))));
    let modes = [Mode::Rigid, Mode::Linear, Mode::Quadratic];
    kinds.extend(modes.map(|mode| (format!("{mode:?}"), shape(mode))));
    kinds
}

/// The world after some time [s], with drag enough to rest.
fn rested(mut scene: Scene, time: f64) -> World {
    scene.world.drag = 3.0;
    let mut world = world(&scene);
    world.step((time / world.stepping().step) as u64).unwrap();
    world
}

#[test]
fn implicit_bars_rest_where_explicit_ones_do() {
    for (name, kind) in kinds() {
        let with = |integrator, step| {
            let mut scene = newton(hanging(kind.clone()), FRAME);
            (scene.world.integrator, scene.world.step) = (integrator, step);
            rested(scene, 8.0)
        };
        let mut explicit = with(Integrator::SymplecticEuler, Step::Auto);
        let mut implicit = with(Integrator::ImplicitEuler, Step::Fixed(FRAME));
        let off = apart(&places(&mut explicit), &places(&mut implicit));
        assert!(off < 1e-4 * 0.8, "{name}: {off:e}");
    }
}

#[test]
fn implicit_block_rests_on_the_floor_where_an_explicit_one_does() {
    let with = |integrator, step| {
        let (kind, position) = (constants(600.0, 600.0, 5.0), [0.0, 0.4, 0.0]);
        let body = Body { kind, position, ..block(3, 0.2, 5.0) };
        let mut scene = newton(body, FRAME);
        scene.world.floor = Some(0.0);
        scene.world.friction = 0.0;
        (scene.world.integrator, scene.world.step) = (integrator, step);
        rested(scene, 5.0)
    };
    let mut explicit = with(Integrator::SymplecticEuler, Step::Auto);
    let mut implicit = with(Integrator::ImplicitEuler, Step::Fixed(FRAME));
    let (found, wanted) = (places(&mut implicit), places(&mut explicit));
    let off = apart(&found, &wanted);
    assert!(off < 1e-4 * 0.6 && longest(&read(&mut implicit)[1]) < 1e-3, "{off:e}");
    assert_eq!(implicit.solve().unwrap().unconverged, 0);
}

/// ω [1/s] of a body, from the device's power iteration; of shape matching its pull's.
fn stiffest(body: &Body) -> f64 {
    match &body.kind {
        Kind::Shape(_) => std::f64::consts::TAU * 8.0,
        _ => {
            let mut world = world(&floating(body.clone(), Integrator::Verlet, Step::Fixed(1e-6)));
            world.report().unwrap().stiffness[0]
        }
    }
}

/// Undamped, swung from the side at fifty times the bound of symplectic Euler.
#[test]
fn implicit_steps_stay_bounded_far_above_the_symplectic_bound() {
    for (name, kind) in kinds() {
        let kind = match kind {
            Kind::Fem(fem) => Fem { relaxation: Some(0.0), ..fem }.into(),
            Kind::Shape(shape) => ShapeMatching { relaxation: 0.0, ..shape }.into(),
            _ => constants(2000.0, 500.0, 0.0),
        };
        let mut body = hanging(kind);
        body.pin = vec![within([-0.21, 0.39, -1.0], [-0.19, 0.41, 1.0])];
        let stiffness = stiffest(&body);
        let rates = Rates { stiffness, damping: 0.0, least_damping: 0.0, drag: 0.0 };
        let step = 50.0 * longest_step(Integrator::SymplecticEuler, &rates);
        let swept = matches!(&body.kind, Kind::Fem(fem) if fem.law == Law::NeoHookean)
            || matches!(body.kind, Kind::Springs(_));
        let mut scene = newton(body, step.min(1.0));
        let all = [(Integrator::ImplicitEuler, None, 25), (Integrator::Vbd, Some(10), 100)];
        for (integrator, iterations, part) in all.into_iter().take(if swept { 2 } else { 1 }) {
            (scene.world.integrator, scene.world.iterations) = (integrator, iterations);
            let mut world = world(&scene);
            let far = (0..10).map(|_| {
                world.step(part).unwrap();
                let [x, _] = read(&mut world);
                longest(&x)
            });
            let most = far.fold(0.0, extreme::greatest);
            assert!(most < 3.0, "{name}, {integrator:?}: {most}");
        }
    }
}
