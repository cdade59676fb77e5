//! Contact events: who touches what, where, how hard, against balances of forces and momenta and the records themselves.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme::greatest;
use pliant::scene::{Body, Integrator, Scene, Step};
use pliant::world::{ContactEvents, Partner, Touch};

use crate::support::*;

/// Room for more than there will be.
pub const ROOM: usize = 256;

fn block(name: &str, size: [f64; 3], position: [f64; 3]) -> Body {
    let cells = size.map(|s| (4.0 * s).round().max(1.0) as u32);
    Body { position, ..lattice(name, cells, size, 1000.0, fem(2e5, 0.3, 0.02)) }
}

/// A block that lies on a wider one, which is held at its bottom.
fn stack(integrator: Integrator) -> Scene {
    let mut low = block("low", [1.0, 0.5, 1.0], [0.0, 0.25, 0.0]);
    low.pin.push(within([-1.0, -0.3, -1.0], [1.0, -0.24, 1.0]));
    let high = block("high", [0.5, 0.5, 0.5], [0.1, 0.76, 0.0]);
    let mut scene = scene_of(vec![low, high]);
    scene.world.integrator = integrator;
    scene
}

pub fn events(world: &mut World) -> ContactEvents {
    world.wait().unwrap();
    world.contact_events().unwrap().pop().unwrap()
}

pub fn momentum(world: &mut World, body: usize) -> DVec3 {
    let state = world.read().unwrap();
    let own = world.model().bodies[body].particles.clone();
    own.map(|i| world.model().masses[i] * state.velocities[i].as_dvec3()).sum()
}

/// What lies on another body presses on it with its weight, straight down, where the two meet.
#[test]
fn a_block_at_rest_presses_with_its_weight() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler, Integrator::Vbd] {
        let mut world = world(&stack(integrator));
        world.set_contact_events(ROOM).unwrap();
        assert_eq!(world.contact_events().unwrap(), []);
        let (mut begun, mut sum, mut span) = (0, DVec3::ZERO, 0.0);
        for frame in 0..240 {
            world.step_frame().unwrap();
            let seen = events(&mut world);
            assert_eq!((seen.steps, seen.time), (world.steps(), world.time()));
            assert_eq!(seen.dropped, 0);
            begun += seen.touching.iter().filter(|touch| touch.begins).count();
            if frame < 180 {
                continue;
            }
            let [touch] = seen.touching[..] else {
                panic!("{seen:?}");
            };
            assert_eq!((touch.body, touch.partner), (0, Partner::Body(1)));
            assert_eq!((touch.begins, seen.ended.len()), (false, 0));
            assert!(touch.contacts > 4 && touch.steps > 0 && touch.depth < 0.02, "{touch:?}");
            assert!((touch.position.y - 0.5).abs() < 0.03, "{touch:?}");
            assert!(touch.normal.distance(Vec3::NEG_Y) < 0.1, "{touch:?}");
            let along = -f64::from(touch.impulse.y) / f64::from(touch.normal_impulse);
            assert!((along - 1.0).abs() < 0.01, "{touch:?}");
            sum += touch.impulse.as_dvec3();
            span += seen.span;
        }
        let weight = 125.0 * 9.81;
        let force = sum / span;
        assert!((force.y / -weight - 1.0).abs() < 1e-3, "{force}");
        assert!(force.with_y(0.0).length() < 1e-3 * weight, "{force}");
        assert!((1..10).contains(&begun));
    }
}

/// A block that hits another one in the air: the impulses add up to what its momentum changes by, from a beginning to an end.
#[test]
fn the_impulses_of_a_collision_are_the_change_of_momentum() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Rk4] {
        let mut scene = scene_of(vec![
            block("still", [0.5; 3], [0.0; 3]),
            block("fast", [0.5; 3], [0.9, 0.05, 0.02]),
        ]);
        scene.bodies[1].velocity = [-3.0, 0.0, 0.0];
        scene.world.gravity = [0.0; 3];
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        world.set_contact_events(ROOM).unwrap();
        let (mut sum, mut began, mut ended) = (DVec3::ZERO, 0, 0);
        for _ in 0..60 {
            world.step_frame().unwrap();
            let seen = events(&mut world);
            for touch in &seen.touching {
                assert_eq!((touch.body, touch.partner), (0, Partner::Body(1)));
                sum += touch.impulse.as_dvec3();
                began += usize::from(touch.begins);
            }
            ended += seen.ended.len();
            let pair = (0, Partner::Body(1));
            assert!(seen.ended.iter().all(|ended| *ended == pair));
        }
        let [still, fast] = [0, 1].map(|body| momentum(&mut world, body));
        assert!(sum.distance(still) < 1e-4 * still.length(), "{sum} {still} {fast}");
        assert!(still.x < -150.0 && began > 0 && began == ended);
    }
}

/// Bodies of all kinds: pairs, depths and numbers are those of the records, step by step.
#[test]
fn events_are_those_of_the_records() {
    let mut world = world(&scene_file("models_stack.toml"));
    world.set_contact_events(ROOM).unwrap();
    let mut most = 0;
    for _ in 0..10 {
        frames(&mut world, 4);
        world.step(1).unwrap();
        let seen = events(&mut world);
        let points = world.model().bodies.iter().enumerate();
        let body_of: Vec<_> =
            points.flat_map(|(b, body)| body.particles.clone().map(move |_| b)).collect();
        // Of what is inside; what only pushes is in no record.
        let mut wanted: BTreeMap<[usize; 2], (f32, u32)> = BTreeMap::new();
        let records = world.contact_records().unwrap();
        for record in records.iter().filter(|r| r.is_contact() && r.gap > 0.0) {
            let pair = [body_of[record.a.dofs.x as usize], record.bodies.y as usize];
            let pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
            let entry = wanted.entry(pair).or_default();
            *entry = (entry.0.max(record.gap), entry.1 + 1);
        }
        for (pair, (depth, count)) in &wanted {
            let wanted = (pair[0], Partner::Body(pair[1]));
            let mut touching = seen.touching.iter();
            let touch = touching.find(|touch| (touch.body, touch.partner) == wanted);
            let touch = touch.unwrap_or_else(|| panic!("{pair:?} in {seen:?}"));
            assert_eq!((touch.depth, touch.steps), (*depth, 1));
            assert!(touch.contacts >= *count && touch.contacts as usize <= records.len());
        }
        most = greatest(most, wanted.len());
    }
    assert!(most > 1, "{most} pairs");
}

/// Events change no result, and what there is no room for is counted.
#[test]
fn events_cost_no_result() {
    let scene = scene_file("models_stack.toml");
    let run = |room: usize| {
        let mut world = world(&scene);
        world.set_contact_events(room).unwrap();
        let (mut dropped, mut kept) = (0, 0);
        for _ in 0..12 {
            world.step_frame().unwrap();
            world.wait().unwrap();
            for seen in world.contact_events().unwrap() {
                dropped += seen.dropped;
                kept += seen.touching.len();
            }
        }
        let passes = world.passes();
        let counted = passes.iter().any(|(name, ..)| name.starts_with("touch_"));
        assert_eq!(counted, room > 0);
        (world.state_hash().unwrap(), dropped, kept)
    };
    let [off, full, short] = [0, ROOM, 1].map(run);
    assert_eq!((off.0, off.1, off.2), (full.0, 0, 0));
    assert_eq!((full.0, full.1), (short.0, 0));
    assert!(full.2 > short.2 && short.1 > 0 && short.2 <= 12, "{full:?} {short:?}");
}

#[test]
fn events_where_there_are_none() {
    // Alone and in the air; not learnt any more; of a step that is tried several times.
    let mut scene = scene_of(vec![block("alone", [0.5; 3], [0.0, 1.0, 0.0])]);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    world.set_contact_events(ROOM).unwrap();
    world.step_frame().unwrap();
    let seen = events(&mut world);
    assert_eq!((seen.touching.len(), seen.ended.len(), seen.dropped), (0, 0, 0));
    assert!((seen.span - 1.0 / 60.0).abs() < 1e-9, "{seen:?}");
    world.set_contact_events(0).unwrap();
    world.step_frame().unwrap();
    assert_eq!(world.contact_events().unwrap(), []);
    assert!(world.set_contact_events(usize::MAX).is_err());
    scene.world.step = Step::Adaptive(None);
    let mut adaptive = crate::support::world(&scene);
    assert!(adaptive.set_contact_events(ROOM).is_err());
    adaptive.set_contact_events(0).unwrap();
}

/// A changed world goes on learning, and what touched before it does not begin again.
#[test]
fn events_go_on_in_a_changed_world() {
    let scene = stack(Integrator::Verlet);
    let mut world = world(&scene);
    world.set_contact_events(ROOM).unwrap();
    frames(&mut world, 60);
    let before = events(&mut world);
    let mut other = scene.clone();
    other.bodies[0].friction = Some(0.9);
    world.change(&other).unwrap();
    world.step_frame().unwrap();
    let after = events(&mut world);
    let pairs = |seen: &ContactEvents| {
        seen.touching.iter().map(|touch| (touch.body, touch.partner)).collect::<Vec<_>>()
    };
    let pair = vec![(0, Partner::Body(1))];
    assert_eq!((pairs(&before), pairs(&after)), (pair.clone(), pair));
    let begins = |touch: &Touch| touch.begins;
    assert!(!after.touching.iter().any(begins), "{after:?}");
}
