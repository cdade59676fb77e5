//! What shape matching returns to, and what it keeps of a deformation.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::scene::{Body, Clusters, Mass, MeshSource, Mode, Plasticity, Pull, ShapeMatching};

use crate::shape_support::*;
use crate::support::*;

/// Half of the way to the goals in a step, and half of the motion taken out.
fn damped(mode: (Mode, f64)) -> ShapeMatching {
    ShapeMatching { pull: Pull::Alpha(0.5), relaxation: 0.01, ..shape(mode) }
}

/// 10 000 points at random in a box.
fn cloud(shape: ShapeMatching) -> Body {
    let mut random = Random::new(8);
    let points = (0..10_000).map(|_| random.vector(1.0) * DVec3::new(1.0, 0.6, 0.4));
    let mut body = Body::new("cloud", MeshSource::Points(points.collect()));
    body.kind = shape.into();
    body
}

#[test]
fn ten_thousand_scattered_points_return_to_shape() {
    for mode in MODES {
        // Clusters that overlap pull each other: those of the most parameters are the hardest.
        let overlaps = match mode.0 {
            Mode::Quadratic => &[None, Some(4.0)][..],
            Mode::Rigid | Mode::Linear => &[None],
        };
        for overlap in overlaps.iter().copied() {
            let mut shape = damped(mode);
            if let Some(overlap) = overlap {
                shape.clusters = Clusters::Grid { count: [2; 3], overlap };
            }
            let body = Body { scatter: 5.0, ..cloud(shape) };
            let mut world = world(&free(body, 0.01));
            assert!(deformed(&mut world)[0] > 4.0);
            world.step(400).unwrap();
            let way = deformed(&mut world)[0];
            assert!(way < 2e-4, "{mode:?} {overlap:?}: {way}");
        }
    }
}

#[test]
fn collapsed_bodies_recover() {
    let starts = [
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0],
        [1.0, 1.0, -1.0],
        [1.0, 1.0, -0.01],
        [-1.0, -1.0, -1.0],
        [20.0, 0.1, 0.1],
    ];
    for mode in MODES {
        for clusters in [Clusters::Whole, grid([2, 1, 1])] {
            let flattened = |stretch: &[f64; 3]| {
                let shape = ShapeMatching { clusters: clusters.clone(), ..damped(mode) };
                Body { stretch: *stretch, rotation: [0.3, -0.5, 0.2], ..bar(shape) }
            };
            let scene = unlinked(starts.iter().map(flattened).collect(), 0.01);
            let mut world = world(&scene);
            world.step(600).unwrap();
            for (way, stretch) in deformed(&mut world).iter().zip(&starts) {
                assert!(*way < 1e-5, "{mode:?} {clusters:?} {stretch:?}: {way}");
            }
        }
    }
}

/// Starts half as long again, and flattened across.
#[test]
fn one_cluster_per_tetrahedron_recovers() {
    for mode in [MODES[0], MODES[1]] {
        let body = bar(ShapeMatching { clusters: Clusters::Tets, ..damped(mode) });
        let body = Body { stretch: [1.5, 0.5, 0.7], ..body };
        let mut world = world(&free(body, 0.01));
        world.step(2000).unwrap();
        let way = deformed(&mut world)[0];
        assert!(way < 1e-5, "{mode:?}: {way}");
    }
}

/// How far below its start the free end of a bar is that was held at the other end, pulled down for two seconds and let go.
fn bent(mode: (Mode, f64), plasticity: Plasticity) -> [f64; 2] {
    let (pull, clusters) = (Pull::Frequency(5.0), grid([4, 1, 1]));
    let shape = ShapeMatching { pull, relaxation: 0.02, plasticity, clusters, ..shape(mode) };
    let mut body = Body::lattice("bar", [16, 2, 2], [2.0, 0.25, 0.25]);
    (body.kind, body.mass) = (shape.into(), Mass::Point(1.0));
    body.pin = vec![within([-1.1; 3], [-0.8, 1.0, 1.0])];
    let mut scene = free(body, 0.01);
    scene.world.drag = 2.0;
    scene.events.push(line_force("bar", [1.0, 0.0, 0.0], [0.0, -60.0, 0.0], [0.0, 2.0]));
    let tip = |world: &mut World| {
        let i = world.model().nearest(0, DVec3::new(1.0, 0.0, 0.0));
        -f64::from(world.read().unwrap().positions[i].y)
    };
    let mut world = world(&scene);
    world.step(200).unwrap();
    let pulled = tip(&mut world);
    world.step(3000).unwrap();
    [pulled, tip(&mut world)]
}

#[test]
fn a_plastic_bar_keeps_its_bend() {
    let plasticity = Plasticity { yield_strain: 0.005, creep: 10.0, most: 0.5 };
    for mode in [(Mode::Linear, 0.5), (Mode::Quadratic, 0.5)] {
        let [pulled, left] = bent(mode, Plasticity::default());
        assert!(pulled > 0.2 && left.abs() < 0.01, "{mode:?}: {pulled} {left}");
        let [pulled, left] = bent(mode, plasticity);
        assert!(left > 0.1 && left < pulled, "{mode:?}: {pulled} {left}");
    }
}
