//! Implicit steps of several bodies, of shells and clouds, of what flows and what is saved.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Event, Fem, Kind, Law, Mode, Plasticity, Pull, Scene, Shape};

use crate::cloud_support::{R, cloud, heap, pebble, table};
use crate::implicit_support::*;
use crate::shell_support::{ball, shell, slab};
use crate::support::*;

fn bodies() -> Scene {
    let mut scene = Scene::default();
    let kinds: [(&str, Kind); 3] = [
        ("springs", springs(1e6, 0.01)),
        ("fem", Fem { law: Law::Corotated, relaxation: Some(0.01), ..Fem::new(1e6, 0.4) }.into()),
        (
            "shape",
            Shape {
                pull: Pull::Frequency(30.0),
                mode: Mode::Linear,
                relaxation: 0.01,
                ..Shape::default()
            }
            .into(),
        ),
    ];
    for (k, (name, kind)) in kinds.into_iter().enumerate() {
        let mut body = lattice(name, [2, 2, 2], [0.5, 0.5, 0.5], 1000.0, kind);
        body.position = [0.02 * k as f64, 0.26 + 0.51 * k as f64, 0.0];
        scene.bodies.push(body);
    }
    scene.world.floor = Some(0.0);
    scene.world.integrator = pliant::scene::Integrator::ImplicitEuler;
    scene.world.step = pliant::scene::Step::Fixed(FRAME);
    scene.world.iterations = Some(8);
    scene
}

#[test]
fn implicit_bodies_of_all_kinds_stand_on_each_other() {
    let mut world = world(&bodies());
    world.step(300).unwrap();
    let speed = fastest(&mut world);
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

#[test]
fn implicit_worlds_resume_bit_for_bit() {
    let scene = bodies();
    let mut whole = world(&scene);
    whole.step(20).unwrap();
    let saved = whole.save().unwrap();
    whole.step(20).unwrap();
    let mut resumed = World::resume(context(), &scene, &saved).unwrap();
    resumed.step(20).unwrap();
    assert_eq!(whole.state_hash().unwrap(), resumed.state_hash().unwrap());
}

/// A bar that was bent beyond its yield keeps some of it.
#[test]
fn implicit_plastic_bar_keeps_its_bend() {
    let bent = |plasticity| {
        let mut body = lattice(
            "bar",
            [8, 2, 2],
            [2.0, 0.5, 0.5],
            1000.0,
            Fem { relaxation: Some(0.02), plasticity, ..Fem::new(1e6, 0.3) }.into(),
        );
        body.pin = vec![within([-1.01, -1.0, -1.0], [-0.99, 1.0, 1.0])];
        let mut scene = newton(body, FRAME);
        scene.world.gravity = [0.0; 3];
        scene.world.drag = 4.0;
        for y in [-0.25, 0.0, 0.25] {
            scene.events.push(Event::LineForce {
                body: "bar".into(),
                point: [1.0, y, 0.0],
                force: [0.0, -500.0, 0.0],
                from: 0.0,
                to: 1.5,
            });
        }
        let mut world = world(&scene);
        let mut tip = |steps| {
            world.step(steps).unwrap();
            let model = world.model();
            let end: Vec<_> =
                (0..model.positions.len()).filter(|i| model.positions[*i].x > 0.99).collect();
            let [x, _] = read(&mut world);
            -end.iter().map(|i| x[*i].y).sum::<f64>() / end.len() as f64
        };
        [tip(90), tip(180)]
    };
    let [loaded, left] = bent(Plasticity::default());
    assert!(loaded > 0.05 && left.abs() < 0.01 * loaded);
    let [loaded, left] = bent(Plasticity { yield_strain: 0.01, creep: 5.0, most: 0.5 });
    assert!(left > 0.4 * loaded, "{loaded} {left}");
}

/// A ball of triangles that keep their areas, and a slab of tetrahedra that do: each step is the dense solution in f64.
#[test]
fn implicit_areas_follow_the_dense_solution() {
    let mut ball = shell(ball(1));
    ball.scale = [0.3; 3];
    for (name, mut body) in [("ball", ball), ("slab", slab())] {
        if name == "slab" {
            body.mesh =
                pliant::scene::MeshSource::Lattice { cubes: [2, 1, 1], size: [0.4, 0.2, 0.2] };
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
    scene.world.integrator = pliant::scene::Integrator::ImplicitEuler;
    scene.world.step = pliant::scene::Step::Fixed(FRAME);
    let mut world = world(&scene);
    world.step(300).unwrap();
    let end = world.read().unwrap();
    let lowest = |body: usize| {
        let own = world.model().bodies[body].particles.clone();
        own.map(|i| f64::from(end.positions[i].y)).fold(f64::INFINITY, extreme::least)
    };
    let low = [lowest(0), lowest(1), lowest(3)];
    let speed = rms(&end.velocities);
    let wanted = [-0.5 + 0.005, -0.5 + R, R];
    for (low, wanted) in low.into_iter().zip(wanted) {
        assert!((low - wanted).abs() < 5e-3, "{low} {wanted}");
    }
    assert!(speed < 1e-3, "{speed:e}");
}
