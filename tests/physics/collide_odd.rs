//! Odd neighbours: swallowed, coincident, three at one place, of unlike sizes, folded on themselves.

use glam::{DVec3, UVec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::mesh::{Lattice, TetMesh};
use pliant::scene::{Mass, Scene};
use pliant::world::Snapshot;

use crate::collide_support::*;
use crate::support::*;

/// Runs without a fault, all numbers finite, and keeps the momentum, 0.
fn calm(name: &str, scene: &Scene, time: f64) -> (World, Snapshot) {
    let mut world = world(scene);
    let mut fastest = 0.0_f64;
    let mut end = Snapshot::default();
    for _ in 0..20 {
        end = advance(&mut world, time / 20.0);
        let mut all = end.positions.iter().chain(&end.velocities);
        assert!(all.all(|x| x.is_finite()), "{name}: not finite");
        fastest = extreme::greatest(fastest, rms(&end.velocities));
    }
    let momentum = momenta(&mut world).linear.length();
    let whole: f64 = world.model().masses.iter().sum();
    assert!(momentum < 1e-5 * whole * fastest.max(1e-2), "{name}: {momentum:e} kg m/s");
    (world, end)
}

#[test]
fn swallowed_body_does_no_harm() {
    let big = brick([4; 3], [1.0; 3], [0.0; 3], 1000.0, 1e5);
    for (name, small) in [
        ("in the middle", brick([2; 3], [0.2; 3], [0.03, 0.05, 0.02], 1000.0, 1e5)),
        ("in one tetrahedron", brick([1; 3], [0.02; 3], [0.12, 0.13, 0.11], 1000.0, 1e5)),
        ("near a face", brick([2; 3], [0.2; 3], [0.03, 0.38, 0.02], 1000.0, 1e5)),
    ] {
        let scene = meeting([big.clone(), small]);
        let (end_world, end) = calm(name, &scene, 1.0);
        assert!(least_volume(&end_world, &end) > 0.3, "{name}");
        // What finds no penetration vector does not make every submission run twice.
        let mut often = world(&scene);
        for _ in 0..20 {
            often.step(2).unwrap();
            often.wait().unwrap();
        }
        let tally = often.contacts();
        assert!(tally.repeats <= 4, "{name}: {tally:?}");
    }
}

#[test]
fn coincident_bodies_do_no_harm() {
    for cubes in [1, 3] {
        let body = || brick([cubes; 3], [0.5; 3], [0.1, 0.2, 0.3], 1000.0, 1e5);
        let (world, end) = calm("twins", &meeting([body(), body()]), 1.0);
        assert!(least_volume(&world, &end) > 0.3);
        calm("triplets", &meeting([body(), body(), body()]), 1.0);
    }
}

/// Four cubes whose corners overlap around one place, so that points lie in three others: they part, gently.
#[test]
fn bodies_that_overlap_at_one_place_part() {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let cubes = corners.map(|c| {
        let place = (0.17 * DVec3::from(c)).to_array();
        let mut body = brick([3; 3], [0.6; 3], place, 1000.0, 1e5);
        body.rotation = [0.1 * c[0], 0.15 * c[1], 0.2 * c[2]];
        body
    });
    let mut start = world(&meeting(cubes.clone()));
    let before = start.read().unwrap();
    let crowd = most_holders(&start, &before);
    let (world, end) = calm("four cubes", &meeting(cubes), 4.0);
    assert!(crowd >= 3, "{crowd}");
    assert_eq!(world.contacts().overflowed, 0);
    let found = depths(&world, &end);
    assert!(found.max < 0.01, "{found:?}");
    assert!(least_volume(&world, &end) > 0.3);
}

/// The most bodies that hold one point of another.
fn most_holders(world: &World, snapshot: &Snapshot) -> usize {
    let (model, x) = (world.model(), doubles(&snapshot.positions));
    let holders = |own: usize, i: usize| {
        let others = model.bodies.iter().enumerate().filter(|(b, _)| *b != own);
        others.filter(|(_, other)| inside(model, other, x[i], &x)).count()
    };
    (0..model.bodies.len())
        .flat_map(|own| model.bodies[own].particles.clone().map(move |i| (own, i)))
        .map(|(own, i)| holders(own, i))
        .max()
        .unwrap()
}

/// A grain on a block with edges a hundred times as long, and grains under a block.
#[test]
fn bodies_whose_edges_differ_a_hundred_times_touch() {
    let block = |y: f64| brick([1; 3], [2.0; 3], [0.0, y, 0.0], 1000.0, 1e6);
    let grain = |x: f64, y: f64, z: f64| brick([1; 3], [0.02; 3], [x, y, z], 1000.0, 1e5);
    let scene = standing([block(1.0005), grain(0.31, 2.012, 0.17), grain(-0.2, 2.012, 0.4)]);
    let mut world = world(&scene);
    let edges = [0, 1].map(|b| world.model().bodies[b].edge);
    let end = advance(&mut world, 1.0);
    // The block sinks a little under its own weight.
    let lies = |world: &World, end: &Snapshot, b: usize| {
        let block = doubles(&end.positions[world.model().bodies[0].particles.clone()]);
        let top: Vec<f64> = block.iter().map(|x| x.y).filter(|y| *y > 1.0).collect();
        centre(world, end, b).y - top.iter().sum::<f64>() / top.len() as f64
    };
    assert!(edges[0] / edges[1] > 99.0, "{edges:?}");
    for b in [1, 2] {
        let height = lies(&world, &end, b);
        assert!((height - 0.01).abs() < 0.01, "grain {b} at {height}");
    }
    assert!(depths(&world, &end).max < 0.01, "{:?}", depths(&world, &end));
}

/// A hairpin: two arms of 0.8 m, joined at one end, whose other ends are pressed together.
fn hairpin(self_contact: bool) -> Scene {
    let (cubes, size) = ([8, 5, 2], DVec3::new(0.8, 0.5, 0.2));
    let lattice = Lattice::new(cubes, DVec3::ZERO, size).unwrap();
    let kept = |cube: &UVec3| cube.x == 0 || cube.y == 0 || cube.y == 4;
    let tets: Vec<[u32; 4]> =
        lattice.cubes().filter(kept).flat_map(|cube| lattice.tets(cube)).collect();
    let mesh = TetMesh::new(lattice.points().collect(), tets).unwrap();
    let mut body = from_mesh(mesh);
    (body.mass, body.kind) = (Mass::Density(1000.0), springs(1e5, 1e-2));
    let mut scene = meeting([body]);
    scene.world.self_contact = self_contact;
    for (y, force) in [(0.0, 1.5), (0.5, -1.5)] {
        for z in [0.0, 0.1, 0.2] {
            scene.events.push(line_force("body 0", [0.8, y, z], [0.0, force, 0.0], ALWAYS));
        }
    }
    scene
}

/// Least height of the upper arm's inner side over the lower arm's, at the free ends [m].
fn between_arms(scene: &Scene, time: f64) -> f64 {
    let mut world = world(scene);
    let at = |y: f64, z: f64| world.model().nearest(0, DVec3::new(0.8, y, z));
    let ends = [0.0, 0.1, 0.2].map(|z| (at(0.1, z), at(0.4, z)));
    let mut least = f64::INFINITY;
    for _ in 0..40 {
        let now = advance(&mut world, time / 40.0);
        for (lower, upper) in &ends {
            let way = now.positions[*upper].y - now.positions[*lower].y;
            least = extreme::least(least, f64::from(way));
        }
    }
    println!("self_contact {}: {least:.4} m, {:?}", scene.world.self_contact, world.contacts());
    least
}

/// Without a fold self-contact changes not a bit, whatever the body does, and looks for no contact; nor do parts that lie
/// beside each other at rest, as the arms of a hairpin.
#[test]
fn a_body_that_is_not_folded_feels_no_self_contact() {
    let mut block = block(5, 0.1, 0.5);
    (block.position, block.angular_velocity) = ([0.0, 0.6, 0.0], [3.0, 1.0, -2.0]);
    let mut still = hairpin(true);
    still.events.clear();
    let mut scenes = [standing([block]), still];
    scenes[1].bodies[0].velocity = [2.0, 0.0, 0.0];
    for scene in &mut scenes {
        let mut states = Vec::new();
        for self_contact in [false, true] {
            scene.world.self_contact = self_contact;
            let mut world = world(scene);
            states.push(advance(&mut world, 0.4));
            assert!(world.contact_records().unwrap().is_empty());
        }
        assert_eq!(states[0].positions, states[1].positions);
        assert_eq!(states[0].velocities, states[1].velocities);
    }
}

#[test]
fn hairpin_does_not_pass_through_itself() {
    let through = between_arms(&hairpin(false), 2.0);
    assert!(through < -0.1, "the arms do not even meet: {through} m");
    let stopped = between_arms(&hairpin(true), 2.0);
    assert!(stopped > -0.15 * 0.1, "{stopped} m");
}
