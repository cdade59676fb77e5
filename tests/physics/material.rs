//! The modulus that a body given by `young` has.

use pliant::internals::Inside as _;
use pliant::scene::{Event, Integrator, Step};

use crate::support::*;

const YOUNG: f64 = 1e5;

/// Young's modulus of a bar of `cubes` cubes and lengths `size` [m], pulled along x by forces on its end points and held
/// at the other end, once drag has brought it to rest: stress over the strain of its middle half.
fn measured_young(cubes: [u32; 3], size: [f64; 3]) -> f64 {
    let strain = 2e-3;
    let mut body = lattice("bar", cubes, size, 1000.0, springs(YOUNG, 2e-3));
    let end = 0.5 * size[0];
    body.pin = vec![within([-1.01 * end, -10.0, -10.0], [-0.99 * end, 10.0, 10.0])];
    let mut scene = floating(body, Integrator::Verlet, Step::Auto);
    let first = (YOUNG / 1000.0).sqrt() * 0.5 * std::f64::consts::PI / size[0];
    scene.world.drag = 2.0 * first;
    // Forces in proportion to each point's share of the end's area.
    let force = YOUNG * strain * size[1] * size[2] / f64::from(cubes[1] * cubes[2]);
    for j in 0..=cubes[1] {
        for k in 0..=cubes[2] {
            let share = |i: u32, n: u32| if i == 0 || i == n { 0.5 } else { 1.0 };
            let at = |i: u32, n: u32, axis: usize| size[axis] * (f64::from(i) / f64::from(n) - 0.5);
            scene.events.push(Event::LineForce {
                body: "bar".into(),
                point: [end, at(j, cubes[1], 1), at(k, cubes[2], 2)],
                force: [force * share(j, cubes[1]) * share(k, cubes[2]), 0.0, 0.0],
                from: 0.0,
                to: f64::INFINITY,
            });
        }
    }
    let mut world = world(&scene);
    let time = 20.0 / first;
    world.step((time / world.stepping().step) as u64).unwrap();
    let snapshot = world.read().unwrap();
    assert!(
        rms(&snapshot.velocities) < 1e-3 * strain * end * first,
        "at rest: {}",
        rms(&snapshot.velocities)
    );
    let layer = |x: f64| {
        let near = |i: &usize| (world.model().rest_points[*i].x - x).abs() < 1e-6;
        let chosen: Vec<_> = (0..snapshot.positions.len()).filter(near).collect();
        chosen.iter().map(|&i| f64::from(snapshot.positions[i].x)).sum::<f64>()
            / chosen.len() as f64
    };
    let quarter = f64::from(cubes[0] / 4) / f64::from(cubes[0]) * size[0];
    let (left, right) = (quarter - end, end - quarter);
    let stretch = (layer(right) - layer(left)) / (right - left) - 1.0;
    YOUNG * strain / stretch
}

#[test]
fn young_modulus_of_the_lattice() {
    let bars: [([u32; 3], [f64; 3]); 20] = [
        ([8, 1, 1], [0.8, 0.1, 0.1]),
        ([8, 2, 2], [0.8, 0.2, 0.2]),
        ([12, 4, 4], [1.2, 0.4, 0.4]),
        ([16, 6, 6], [0.32, 0.12, 0.12]),
        ([12, 8, 8], [1.2, 0.8, 0.8]),
        ([12, 4, 4], [1.2, 0.3, 0.5]),
        ([12, 4, 4], [1.5, 0.4, 0.4]),
        ([12, 4, 4], [0.96, 0.4, 0.4]),
        ([12, 3, 3], [1.2, 0.3, 0.3]),
        // Cells of 2:1 and 3:1, along and across, and of 1:2:3.
        ([8, 1, 1], [1.6, 0.1, 0.1]),
        ([8, 1, 1], [2.4, 0.1, 0.1]),
        ([8, 1, 1], [0.8, 0.2, 0.2]),
        ([8, 1, 1], [0.8, 0.3, 0.3]),
        ([12, 4, 4], [2.4, 0.4, 0.4]),
        ([12, 4, 4], [3.6, 0.4, 0.4]),
        ([12, 4, 4], [1.2, 0.8, 0.8]),
        ([12, 4, 4], [1.2, 1.2, 0.4]),
        ([12, 3, 3], [1.2, 0.6, 0.9]),
        ([12, 3, 3], [2.4, 0.9, 0.3]),
        ([12, 3, 3], [3.6, 0.3, 0.6]),
    ];
    let mut off = Vec::new();
    for (cubes, size) in bars {
        let ratio = measured_young(cubes, size) / YOUNG;
        if (ratio - 1.0).abs() > 0.15 {
            off.push((cubes, size, ratio));
        }
    }
    assert!(off.is_empty(), "{off:?}");
}
