//! Implicit steps of several bodies, of shells and clouds.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::scene::{
    Body, Fem, Integrator, Law, MeshSource, Mode, Pull, Scene, ShapeMatching, Step,
};

use crate::cloud_support::{R, cloud, heap, pebble, table};
use crate::implicit_support::*;
use crate::shell_support::{ball, shell, slab};
use crate::support::*;

pub fn bodies() -> Scene {
    let fem = Fem { law: Law::Corotated, relaxation: Some(0.01), ..Fem::new(1e6, 0.4) };
    let pull = Pull::Frequency(30.0);
    let shape =
        ShapeMatching { pull, mode: Mode::Linear, relaxation: 0.01, ..ShapeMatching::default() };
    let kinds = [("springs", springs(1e6, 0.01)), ("fem", fem.into()), ("shape", shape.into())];
    let mut scene = scene_of((0..).zip(kinds).map(|(k, (name, kind))| {
        let body = lattice(name, [2, 2, 2], [0.5, 0.5, 0.5], 1000.0, kind);
        let k = f64::from(k);
        Body { position: [0.02 * k, 0.26 + 0.51 * k, 0.0], ..body }
    }));
    scene.world.floor = Some(0.0);
    (scene.world.integrator, scene.world.step) = (Integrator::ImplicitEuler, Step::Fixed(FRAME));
    scene.world.iterations = Some(8);
    scene
}

#[test]
fn implicit_bodies_of_all_kinds_stand_on_each_other() {
    let mut world = world(&bodies());
    world.step(300).unwrap();
    let speed = longest(&read(&mut world)[1]);
    let x = places(&mut world);
    let means: Vec<_> =
        x.chunks(27).map(|part| part.iter().map(|x| x.y).sum::<f64>() / 27.0).collect();
    // Each point sinks by what all below it is squeezed: ρ g ∫ (H − z)/E dz from the floor, H = 1.5 m. The body of clusters on
    // top sags by some g/(2π 30 Hz)² of its own.
    let sinks = |z: f64| 9810.0 / 1e6 * (1.5 * z - 0.5 * z * z);
    for (k, mean) in means.iter().enumerate() {
        let layers = [0.0, 0.25, 0.5].map(|z| sinks((z + 0.5 * k as f64).min(1.0)));
        let wanted = 0.25 + 0.5 * k as f64 - layers.iter().sum::<f64>() / 3.0;
        let most = [2e-4, 1.5e-3, 4e-3][k];
        assert!((mean - wanted).abs() < most, "{k}: {means:?}, wanted {wanted}");
    }
    assert!(speed < 0.05, "{speed:e}");
}

/// A ball of triangles that keep their areas, and a slab of tetrahedra that do: each step is the dense solution in f64.
#[test]
fn implicit_areas_follow_the_dense_solution() {
    let mut ball = shell(ball(1));
    ball.scale = [0.3; 3];
    for (name, mut body) in [("ball", ball), ("slab", slab())] {
        if name == "slab" {
            body.mesh = MeshSource::Lattice { cubes: [2, 1, 1], size: [0.4, 0.2, 0.2] };
        }
        body.area = 20.0;
        body.stretch = [1.2, 0.9, 1.1];
        body.angular_velocity = [1.0, -2.0, 1.5];
        let mut scene = newton(body, FRAME);
        scene.world.tolerance = Some(1e-6);
        scene.world.iterations = Some(30);
        let mut world = world(&scene);
        let system = system(&world);
        let error = off_the_reference(&mut world, &system, 5);
        assert!(error < 1e-4, "{name}: {error:e}");
    }
}

/// A shell and a cloud of points come to rest on the floor, and a pebble on a block of tetrahedra.
#[test]
fn implicit_shells_and_clouds_rest_on_what_they_fall_on() {
    let mut hull = shell(ball(3));
    (hull.scale, hull.area, hull.kind) = ([0.3; 3], 50.0, constants(50.0, 0.0, 0.5));
    hull.position = [0.0, 0.4, 0.0];
    let mut grains = cloud(&heap(3));
    grains.position = [1.0, 0.3, 0.0];
    let mut stone = pebble(DVec3::new(3.0, 0.2, 0.0), DVec3::ZERO);
    stone.name = "stone".into();
    let mut base = table();
    base.position = [3.0, -0.2, 0.0];
    let mut scene = scene_of(vec![hull, grains, base, stone]);
    scene.world.floor = Some(-0.5);
    (scene.world.integrator, scene.world.step) = (Integrator::ImplicitEuler, Step::Fixed(FRAME));
    let mut world = world(&scene);
    world.step(300).unwrap();
    let end = world.read().unwrap();
    let own = |body: usize| &end.positions[world.model().bodies[body].particles.clone()];
    let low = [0, 1, 3].map(|body| lowest(own(body)));
    let speed = rms(&end.velocities);
    let wanted = [-0.5 + 0.005, -0.5 + R, R];
    for (low, wanted) in low.into_iter().zip(wanted) {
        assert!((low - wanted).abs() < 5e-3, "{low} {wanted}");
    }
    assert!(speed < 1e-3, "{speed:e}");
}
