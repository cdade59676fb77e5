//! The selectable rules of contact beside each other: the table of the study.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme::{self, least};
use pliant::scene::{Body, Integrator, Projection, Response, Scene};
use pliant::world::Snapshot;

use crate::support::*;

/// What a scene can choose, and how often a step then evaluates forces.
const RULES: [(&str, Projection, Response, f64); 6] = [
    ("mass", Projection::Mass, Response::Impulse, 1.0),
    ("half", Projection::Half, Response::Impulse, 1.0),
    ("pressure", Projection::Pressure, Response::Impulse, 4.0),
    ("mass, source", Projection::Mass, Response::Source, 2.0),
    ("half, source", Projection::Half, Response::Source, 2.0),
    ("pressure, source", Projection::Pressure, Response::Source, 5.0),
];

/// Three unit cubes of 5³ cells set on each other on a floor, gaps of half a millimetre.
fn stack() -> Scene {
    let cube = |index: u32| {
        let (name, y) = (format!("cube {index}"), 0.5005 + 1.0005 * f64::from(index));
        Body { name, position: [0.0, y, 0.0], ..block(5, 0.2, 2.0) }
    };
    on_floor((0..3).map(cube), Integrator::Verlet)
}

/// Two unit cubes that meet off their centres at 2 m/s, without gravity and friction; the second is turned.
fn collision() -> Scene {
    let cube = |side: f64| {
        let mut body = block(5, 0.2, 0.4);
        body.name = format!("cube {side}");
        body.position = [0.55 * side, 0.15 * side, 0.1 * side];
        body.velocity = [-side, 0.0, 0.0];
        body.rotation = [0.0, 0.0, if side > 0.0 { 0.3 } else { 0.0 }];
        body.friction = Some(0.0);
        body
    };
    let mut scene = scene_of(vec![cube(-1.0), cube(1.0)]);
    scene.bodies[1].position[0] += 0.25;
    scene.world.gravity = [0.0; 3];
    scene
}

fn with_rules(mut scene: Scene, projection: Projection, response: Response) -> Scene {
    (scene.world.projection, scene.world.response) = (projection, response);
    scene
}

fn choose(scene: Scene, projection: Projection, response: Response) -> World {
    world(&with_rules(scene, projection, response))
}

/// Centroids of the bodies [m].
fn centroids(world: &World, snapshot: &Snapshot) -> Vec<DVec3> {
    (0..world.model().bodies.len()).map(|body| centre(world, snapshot, body)).collect()
}

/// What a stack does between two times.
#[derive(Debug)]
struct Rest {
    /// Root mean square of the points' speeds [m/s].
    speed: f64,
    /// Largest horizontal drift of a centroid [m].
    drift: f64,
    /// Mean depth of the contacts, and the largest since the start [mean edges].
    depth: [f64; 2],
    /// Least distance between the centroids of neighbours [m].
    height: f64,
}

fn rest(world: &mut World, from: f64, window: f64) -> Rest {
    let start = advance(world, from);
    let before = (centroids(world, &start), world.contacts());
    let (samples, mut squares) = (10, 0.0);
    let mut end = start;
    for _ in 0..samples {
        end = advance(world, window / f64::from(samples));
        squares += rms(&end.velocities).powi(2);
    }
    let after = (centroids(world, &end), world.contacts());
    let slid = |(a, b): (&DVec3, &DVec3)| (*b - *a).with_y(0.0).length();
    let inside = (after.1.inside - before.1.inside).max(1) as f64;
    Rest {
        speed: (squares / f64::from(samples)).sqrt(),
        drift: before.0.iter().zip(&after.0).map(slid).fold(0.0, extreme::greatest),
        depth: [(after.1.depth - before.1.depth) / inside, after.1.depth_max],
        height: after.0.windows(2).map(|pair| pair[1].y - pair[0].y).fold(f64::INFINITY, least),
    }
}

/// What a collision changes.
#[derive(Debug)]
struct Change {
    /// Largest gain of energy on the way, in parts of the energy at the start.
    gain: f64,
    /// Change of the momentum over the sum of all m |v|, and of the angular momentum over itself.
    momentum: [f64; 2],
    /// Speed at which the bodies part [m/s].
    parting: f64,
}

fn collide(world: &mut World, time: f64) -> Change {
    let system = system(world);
    let energy = |snapshot: &Snapshot| energies(&system, snapshot).total();
    let (first, start) = (momenta(world), world.read().unwrap());
    let (mut highest, mut end) = (0.0_f64, start.clone());
    for _ in 0..60 {
        end = advance(world, time / 60.0);
        highest = extreme::greatest(highest, energy(&end) / energy(&start) - 1.0);
    }
    Change {
        gain: highest,
        momentum: momenta(world).off(&first),
        parting: (drift(world, &end, 1) - drift(world, &end, 0)).x,
    }
}

/// Largest energy of two unit cubes that begin 0.1 m inside each other, the upper one 4 times as stiff, at rest and
/// without gravity: all of it is what the rule injects [J]. And the speed at which they part [m/s].
fn overlap(projection: Projection, response: Response) -> [f64; 2] {
    let mut scene = collision();
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        body.position = [0.03 * index as f64, 0.9 * index as f64, 0.02 * index as f64];
        body.rotation = [0.0; 3];
        body.velocity = [0.0; 3];
        body.kind = constants([60.0, 240.0][index], [20.0, 80.0][index], 0.4);
    }
    let mut world = choose(scene, projection, response);
    let system = system(&world);
    let (mut highest, mut parting) = (0.0_f64, 0.0);
    for _ in 0..20 {
        let snapshot = advance(&mut world, 0.05);
        highest = extreme::greatest(highest, energies(&system, &snapshot).total());
        parting = drift(&world, &snapshot, 1).y - drift(&world, &snapshot, 0).y;
    }
    [highest, parting]
}

/// Force evaluations per step with contacts.
fn evaluations(world: &World) -> f64 {
    let calls = |name| {
        let passes = world.passes();
        let pass = passes.iter().find(|pass| pass.0 == name);
        pass.map_or(0.0, |pass| pass.1 as f64)
    };
    let steps = calls("project") + calls("project_half");
    1.0 + calls("internal_force") / steps
}

#[test]
fn every_rule_carries_a_stack() {
    for (name, projection, response, wanted) in RULES {
        let mut world = choose(stack(), projection, response);
        let rest = rest(&mut world, 0.4, 0.2);
        assert_eq!(evaluations(&world), wanted, "{name}");
        let impulses = world.passes().iter().any(|p| p.0 == "contact_solve");
        assert_eq!(impulses, response == Response::Impulse, "{name}");
        let (inside, all) = (world.contacts().inside, world.contacts().contacts);
        let margin = (inside as f64) < 0.999 * all as f64;
        assert_eq!(margin, response == Response::Impulse, "{name}: {inside} {all}");
        assert!(rest.height > 0.9, "{name}: {rest:?}");
        // The source's stack slides as it quivers.
        let drift = if response == Response::Impulse { 2e-3 } else { 5e-3 };
        assert!(rest.drift < drift, "{name}: {rest:?}");
        assert!(rest.depth[1] < 0.2, "{name}: {rest:?}");
    }
}

#[test]
#[ignore = "minutes: the study's table"]
fn table_of_rest() {
    for (name, projection, response, _) in RULES {
        let mut world = choose(stack(), projection, response);
        let rest = rest(&mut world, 20.0, 10.0);
        if response == Response::Impulse {
            assert!(rest.speed < 1e-3, "{name}: {rest:?}");
            assert!(rest.drift < 1e-3, "{name}: {rest:?}");
        }
    }
}

#[test]
fn no_rule_changes_momentum_and_impulses_give_no_energy() {
    for (name, projection, response, _) in RULES {
        let mut world = choose(collision(), projection, response);
        let change = collide(&mut world, 0.6);
        assert!(change.momentum[0] < 1e-5, "{name}: {change:?}");
        if response == Response::Impulse {
            assert!(change.gain < 1e-6, "{name}: {change:?}");
            assert!(change.momentum[1] < 1e-4, "{name}: {change:?}");
            assert!(change.parting > 0.1, "{name}: {change:?}");
        } else {
            // Displacements and internal forces alone never turn a body round.
            assert!((change.parting + 2.0).abs() < 1e-5, "{name}: {change:?}");
        }
    }
}

#[test]
fn a_sudden_overlap_is_parted_gently() {
    for (name, projection, response, _) in RULES {
        let [energy, parting] = overlap(projection, response);
        if response == Response::Impulse {
            assert!(energy < 1.0, "{name}: {energy} J");
            assert!((0.0..0.5).contains(&parting), "{name}: {parting} m/s");
        } else {
            assert!(energy > 5.0, "{name}: {energy} J without a cap");
        }
    }
}

#[test]
fn every_rule_repeats_bit_for_bit() {
    for (name, projection, response, _) in RULES {
        assert_repeats(name, &with_rules(stack(), projection, response), &[30, 30]);
    }
}
