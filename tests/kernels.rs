//! Every kernel against the f64 reference.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::path::Path;

use pliant::internals::gpu::{compositions, kernel_names};
use pliant::internals::verify::{
    SIZES, TOLERANCE, verify_idle_kernels, verify_kernels, verify_scene,
};
use pliant::scene::{DampingMode, Integrator, Scene, Step};
use pliant::{Error, World};

#[path = "common/mod.rs"]
mod common;

use common::{context, device, scene_file};

const NONE: &[&str] = &[];

/// With every other kernel broken: all those agree that are not, in each way in which they are composed, and no others.
fn assert_agreement(parity: usize) {
    let names = kernel_names();
    let broken: Vec<_> = (names.iter().enumerate())
        .filter_map(|(k, name)| (k % 2 == parity).then_some(*name))
        .collect();
    let results = verify_kernels(context(), NONE, &broken).unwrap();
    let compared: BTreeSet<_> = results.iter().map(|result| result.name).collect();
    assert_eq!(compared, names.iter().copied().collect());
    for result in &results {
        let whole = !broken.contains(&result.name);
        assert_eq!(result.pass, whole, "{result:?}");
        if !whole {
            continue;
        }
        assert!(result.max_error <= TOLERANCE, "{result:?}");
        // Worlds that hold less run other code.
        let compositions = compositions(result.name).len();
        assert_eq!(result.compositions, compositions, "{result:?}");
        let cases = SIZES.len() + 2 * (compositions - 1);
        assert!(result.cases >= cases, "{result:?}");
    }
}

#[test]
fn kernels_agree_with_the_reference_unless_they_are_broken() {
    assert_agreement(0);
}

#[test]
fn the_other_kernels_agree_with_the_reference_unless_they_are_broken() {
    assert_agreement(1);
}

#[test]
fn kernels_are_composed_for_what_a_world_holds() {
    assert_eq!(
        ["verlet", "internal_force", "contact_move", "scan_apply"]
            .map(|name| compositions(name).len()),
        [14, 4, 2, 1]
    );
}

/// A comparison that passes without the kernel compares nothing.
#[test]
fn kernels_that_do_nothing_fail() {
    // On a device: what idle kernels leave makes some searches so long that CPU threads take minutes.
    let passed: Vec<_> = verify_idle_kernels(device())
        .unwrap()
        .into_iter()
        .filter(|result| result.pass)
        .map(|result| result.name)
        .collect();
    assert!(passed.is_empty(), "{passed:?}");
}

#[test]
fn an_unknown_kernel_is_an_error_that_lists_the_known_ones() {
    let error = verify_kernels(context(), NONE, &["verlet", "verlett"]).unwrap_err();
    assert!(matches!(error, Error::Value { .. }));
    let message = error.to_string();
    assert!(kernel_names().iter().all(|name| message.contains(name)), "{message}");
    // What is not compared cannot be broken either.
    let message = verify_kernels(context(), &["verlet"], &["euler"]).unwrap_err().to_string();
    assert!(message.contains("\"euler\"") && message.ends_with(": verlet"), "{message}");
    assert!(verify_kernels(context(), &["verlett"], NONE).is_err());
}

#[test]
fn kernels_are_compared_by_name() {
    let results = verify_kernels(context(), &["pair_fill", "euler"], &["euler"]).unwrap();
    let found: Vec<_> = results.iter().map(|result| (result.name, result.pass)).collect();
    assert_eq!(found, [("euler", false), ("pair_fill", true)]);
}

/// Two blocks that fall on the floor, a slope, a ball and a box within a second: one of them pinned, pulled and smooth,
/// the other rough and bouncing, in wind.
fn overflowed(integrator: Integrator, modes: [DampingMode; 2], step: f64) -> Scene {
    let (name, [one, other]) = (integrator.name(), modes.map(DampingMode::name));
    let text = format!(
        r#"
        [world]
        floor = 0.0
        step = {step}
        integrator = "{name}"
        drag = 0.3
        [[body]]
        name = "held"
        mesh = {{ lattice = [2, 3, 2], size = [0.5, 0.6, 0.4] }}
        position = [0.0, 0.6, 0.0]
        rotation = [0.2, 0.3, 0.4]
        velocity = [0.0, -1.0, 0.0]
        point_mass = 0.2
        damping = 2.0
        friction = 0.1
        damping_mode = "{one}"
        pin = [{{ box = [[-0.3, 0.2, -0.3], [-0.2, 0.4, 0.3]] }}]
        [[body]]
        name = "free"
        mesh = {{ lattice = [3, 2, 2], size = [0.6, 0.4, 0.4] }}
        position = [1.5, 0.9, 0.1]
        angular_velocity = [3.0, 1.0, -2.0]
        density = 40.0
        damping = 1.0
        damping_mode = "{other}"
        [[solid]]
        kind = "sphere"
        radius = 0.3
        position = [1.3, 0.2, 0.0]
        [[solid]]
        kind = "box"
        size = [0.6, 0.3, 0.8]
        position = [1.9, 0.1, 0.1]
        rotation = [0.1, 0.5, 0.3]
        [[solid]]
        kind = "plane"
        position = [-0.5, 0.0, 0.0]
        normal = [1.0, 0.5, 0.1]
        [[event]]
        kind = "line_force"
        body = "held"
        point = [0.25, -0.3, 0.2]
        force = [2.0, -3.0, 1.0]
        from = 0.05
        to = 0.45
        [[event]]
        kind = "wind"
        velocity = [2.0, 0.0, 1.0]
        from = 0.2
        to = 0.6
        "#
    );
    Scene::parse(&text, Path::new("overflowed.toml")).unwrap()
}

fn assert_scene(scene: &Scene) {
    let results = verify_scene(context(), scene).unwrap();
    let [result] = results[..] else { panic!("{results:?}") };
    assert_eq!(result.name, format!("scene:{}", scene.world.integrator.name()));
    assert!(result.pass && result.cases > 10, "{result:?}");
}

#[test]
fn every_integrator_agrees_with_the_reference_step_by_step() {
    use DampingMode::{Capped, Exact, Explicit};
    for integrator in Integrator::ALL.into_iter().filter(|i| !i.is_implicit()) {
        assert_scene(&overflowed(integrator, [Explicit, Explicit], 3e-4));
        if matches!(integrator, Integrator::Euler | Integrator::Midpoint | Integrator::Rk4) {
            continue;
        }
        let swept = overflowed(integrator, [Exact, Capped], 2e-3);
        assert!(World::new(context(), &swept).unwrap().stepping().damping_stages > 1);
        assert_scene(&swept);
        assert_scene(&overflowed(integrator, [Explicit, Exact], 5e-4));
    }
}

#[test]
fn an_empty_world_agrees() {
    let mut scene = Scene::default();
    for integrator in Integrator::ALL {
        scene.world.integrator = integrator;
        assert_scene(&scene);
    }
}

#[test]
fn scenes_of_shape_matching_agree_step_by_step() {
    for name in ["shape_modes.toml", "shape_plastic.toml", "shape_collapsed.toml"] {
        assert_scene(&scene_file(name));
    }
}

/// Springs, finite elements, clusters and a cloud, each with its kind of damping.
#[test]
fn all_kinds_of_bodies_in_one_world_agree_step_by_step() {
    let mut scene = scene_file("models_stack.toml");
    for body in &mut scene.bodies {
        body.mask = 0;
    }
    for integrator in Integrator::ALL {
        if integrator.is_implicit()
            || matches!(integrator, Integrator::Euler | Integrator::Midpoint)
        {
            continue;
        }
        scene.world.integrator = integrator;
        assert_scene(&scene);
    }
}

/// The scene with an implicit integrator, which has all damping in its forces, and an automatic step; bodies that could
/// touch do not.
fn implicit(mut scene: Scene, integrator: Integrator) -> Scene {
    scene.world.integrator = integrator;
    scene.world.step = Step::Auto;
    for body in &mut scene.bodies {
        (body.damping_mode, body.mask) = (None, 0);
    }
    scene
}

/// Pins, solids of all kinds, friction, bounces, drag, wind and a line force; springs, elements, volumes and areas.
#[test]
fn sweeps_agree_with_the_reference_step_by_step() {
    let explicit = [DampingMode::Explicit; 2];
    assert_scene(&implicit(overflowed(Integrator::Verlet, explicit, 1e-3), Integrator::Vbd));
    for name in [
        "fem_bar.toml",
        "soft_solids.toml",
        "soft_pinned.toml",
        "soft_shell.toml",
        "soft_core.toml",
    ] {
        assert_scene(&implicit(scene_file(name), Integrator::Vbd));
    }
}

/// The same, and the other laws, plastic flow and clusters.
#[test]
fn implicit_steps_solve_their_equation() {
    let explicit = [DampingMode::Explicit; 2];
    assert_scene(&implicit(
        overflowed(Integrator::Verlet, explicit, 1e-3),
        Integrator::ImplicitEuler,
    ));
    for name in ["fem_laws.toml", "fem_plastic.toml", "shape_plastic.toml", "soft_shell.toml"] {
        assert_scene(&implicit(scene_file(name), Integrator::ImplicitEuler));
    }
}

#[test]
fn steps_with_contact_between_bodies_are_refused() {
    for (name, integrator) in [
        ("models_stack.toml", Integrator::Verlet),
        ("models_stack.toml", Integrator::ImplicitEuler),
        ("soft_three_cubes.toml", Integrator::Vbd),
    ] {
        let mut scene = scene_file(name);
        scene.world.integrator = integrator;
        let message = verify_scene(context(), &scene).unwrap_err().to_string();
        assert!(
            message.contains("contact between bodies") && message.contains("mask = 0"),
            "{message}"
        );
    }
}
