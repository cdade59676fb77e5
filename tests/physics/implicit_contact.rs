//! Implicit steps against closed forms where bodies touch or are held, with the default number of iterations: what sweeps leave
//! of a step's solution must not show in how bodies move as wholes.

use glam::DVec3;
use pliant::internals::extreme;
use pliant::scene::{Body, Integrator, Scene, Solid};

use crate::collide_support::{brick, standing};
use crate::support::*;
use crate::vbd::vbd;

const G: f64 = 9.81;

/// A block of 4 × 2 × 4 cells, of springs and of finite elements with Young's modulus 0.1 to 10 MPa.
fn blocks() -> Vec<(String, Body)> {
    let mut all = Vec::new();
    for young in [1e5, 1e6, 1e7] {
        for (name, kind) in [("springs", springs(young, 0.002)), ("fem", fem(young, 0.3, 0.002))] {
            let body = lattice("block", [4, 2, 4], [0.4, 0.2, 0.4], 1000.0, kind);
            let body = Body { position: [0.0, 0.1, 0.0], ..body };
            all.push((format!("{name} of {young:.0e} Pa"), body));
        }
    }
    all
}

fn scene(body: Body, friction: f64) -> Scene {
    let mut scene = on_floor([body], Integrator::Vbd);
    scene.world.friction = friction;
    scene
}

/// Where the middle is after `time` \[s\].
fn middle(scene: &Scene, time: f64) -> DVec3 {
    mean(&advance(&mut world(scene), time).positions)
}

/// Down a slope of 1 : 2 without friction a body comes g sin t²/2 far.
#[test]
fn blocks_slide_down_a_smooth_slope_as_fast_as_gravity_says() {
    let (slope, time) = (0.5_f64.atan(), 1.5);
    let wanted = 0.5 * G * slope.sin() * time * time;
    for (name, mut body) in blocks() {
        let out = DVec3::new(slope.sin(), slope.cos(), 0.0);
        body.position = (0.101 * out).to_array();
        body.rotation = [0.0, 0.0, -slope];
        let mut scene = scene(body, 0.0);
        scene.world.floor = None;
        scene.solids = vec![Solid::plane([0.0; 3], out.to_array())];
        let way =
            (middle(&scene, time) - 0.101 * out).dot(DVec3::new(slope.cos(), -slope.sin(), 0.0));
        assert!((way / wanted - 1.0).abs() < 0.02, "{name}: {way} m, {wanted}");
    }
}

/// With implicit Euler, too, where its steps converge: those of finite elements of 10 MPa need more iterations.
#[test]
fn friction_stops_blocks_of_implicit_euler() {
    for place in [2, 4] {
        let (name, mut body) = blocks().swap_remove(place);
        body.velocity = [3.0, 0.0, 0.0];
        let mut scene = scene(body, 0.3);
        scene.world.integrator = Integrator::ImplicitEuler;
        let mut world = world(&scene);
        let way = mean(&advance(&mut world, 1.1).positions).x;
        let (wanted, solve) = (9.0 / (0.6 * G), world.solve().unwrap());
        assert!((way / wanted - 1.0).abs() < 0.03, "{name}: {way} m, {wanted}");
        assert!(20 * solve.unconverged <= solve.steps, "{name}: {solve:?}");
    }
}

/// On a level floor a body that slides at 3 m/s comes v²/(2 µ g) far.
#[test]
fn friction_stops_blocks_where_coulomb_says() {
    for friction in [0.1, 0.3] {
        let wanted = 9.0 / (2.0 * friction * G);
        for (name, mut body) in blocks() {
            body.velocity = [3.0, 0.0, 0.0];
            // It stands after v/(mu g).
            let time = 1.15 * 3.0 / (friction * G);
            let way = middle(&scene(body, friction), time).x;
            assert!((way / wanted - 1.0).abs() < 0.03, "{name}, {friction}: {way} m, {wanted}");
        }
    }
}

/// What pulls at one edge of a body that lies on a smooth floor gives it the momentum F t.
#[test]
fn pulled_blocks_take_up_the_whole_momentum() {
    for (name, body) in blocks() {
        let mut scene = scene(body, 0.0);
        scene.events = vec![line_force("block", [0.2, -0.1, 0.0], [50.0, 0.0, 0.0], ALWAYS)];
        let (mut world, time) = (world(&scene), 0.5);
        advance(&mut world, time);
        let momentum = momenta(&mut world).linear.x;
        assert!((momentum / (50.0 * time) - 1.0).abs() < 0.02, "{name}: {momentum}");
    }
}

/// A beam that is let go from straight swings about its rest, where its energy is ρ g V times half of what its middle sinks by
/// less than at the start, about 8 J, and never has more than at the start. What it has beside that goes up and down: sweeps
/// that are too few for its slowest motion let it swing as if it were heavier than it is.
#[test]
fn beams_never_have_more_energy_than_at_the_start() {
    for relaxation in [0.0, 0.02] {
        let kind = fem(1e6, 0.0, relaxation);
        let mut body = lattice("beam", [20, 4, 4], [2.0, 0.4, 0.4], 1000.0, kind);
        body.pin = vec![within([-1.1, -1.0, -1.0], [-0.99, 1.0, 1.0])];
        let mut scene = vbd(vec![body], 10);
        scene.world.gravity = [0.0, -1.0, 0.0];
        let mut world = world(&scene);
        let system = system(&world);
        let mut all = Vec::new();
        for _ in 0..40 {
            world.step(15).unwrap();
            all.push(energies(&system, &world.read().unwrap()).total());
        }
        let [least, most] = [
            all.iter().copied().fold(f64::INFINITY, extreme::least),
            all.iter().copied().fold(f64::NEG_INFINITY, extreme::greatest),
        ];
        let rests = relaxation == 0.0 || (-9.5..-7.0).contains(&least);
        assert!(most < 0.01 && rests, "{relaxation}: {least} to {most} J");
    }
}

/// Six cubes on each other, at the automatic step: while they sway none sinks into another.
#[test]
fn six_cubes_do_not_sink_into_each_other() {
    let cubes = (0..6).map(|k| {
        let body = lattice(format!("cube {k}"), [2; 3], [1.0; 3], 1000.0, springs(1e6, 0.005));
        Body { position: [0.0, 0.502 + 1.002 * f64::from(k), 0.0], ..body }
    });
    let mut world = world(&on_floor(cubes, Integrator::Vbd));
    world.step((3.0 / world.stepping().step) as u64).unwrap();
    let end = world.read().unwrap();
    let heights = [0, 1, 2, 3, 4, 5].map(|body| centre(&world, &end, body).y);
    // The lowest bears five and a half, which compress it by about a twentieth.
    for (k, pair) in heights.windows(2).enumerate() {
        let apart = pair[1] - pair[0];
        assert!((0.93..1.0).contains(&apart), "{k}: {heights:?}");
    }
}

/// Contacts reach as far as bodies come in a step; they act where these touch.
#[test]
fn stiff_bodies_come_down_to_each_other() {
    for (integrator, gap) in [Integrator::ImplicitEuler, Integrator::Vbd]
        .into_iter()
        .flat_map(|integrator| [0.003, 0.05].map(|gap| (integrator, gap)))
    {
        let lower = brick([3; 3], [1.0; 3], [0.0, 0.5, 0.0], 1000.0, 1e8);
        let upper = brick([3; 3], [0.9; 3], [0.0, 1.45 + gap, 0.0], 1000.0, 1e8);
        let mut scene = standing([lower, upper]);
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let end = advance(&mut world, 1.0);
        let above = centre(&world, &end, 1).y - centre(&world, &end, 0).y - 0.95;
        // Sag under their own weight is 0.2 mm.
        assert!(above.abs() < 1e-3, "{}, {gap} m: {above:e} m", integrator.name());
    }
}
