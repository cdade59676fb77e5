//! The modulus that a body given by `young` has.

use glam::DVec3;

use crate::bar_support::*;
use crate::support::*;

const YOUNG: f64 = 1e5;

/// Young's modulus of a bar of `cubes` cubes and lengths `size` [m], pulled along x by forces on its end points and held
/// at the other end, once drag has brought it to rest: stress over the strain of its middle half.
fn measured_young(cubes: [u32; 3], size: [f64; 3]) -> f64 {
    let strain = 2e-3;
    let mut scene = held(lattice("bar", cubes, size, 1000.0, springs(YOUNG, 2e-3)));
    pull(&mut scene, DVec3::X * YOUNG * strain * size[1] * size[2]);
    let omega = slowest(YOUNG, size[0]);
    let (mut world, start, x) = settled(&mut scene, omega, 20.0);
    let speed = rms(&world.read().unwrap().velocities);
    let end = 0.5 * size[0];
    assert!(speed < 1e-3 * strain * end * omega, "at rest: {speed}");
    let quarter = f64::from(cubes[0] / 4) / f64::from(cubes[0]) * size[0];
    let [left, right] = [quarter - end, end - quarter];
    let [a, b] = [left, right].map(|at| layer(&start, at, |i| x[i].x));
    YOUNG * strain / ((b - a) / (right - left) - 1.0)
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
    let ratios = bars.map(|(cubes, size)| (cubes, size, measured_young(cubes, size) / YOUNG));
    let off: Vec<_> = ratios.iter().filter(|(.., ratio)| (ratio - 1.0).abs() > 0.15).collect();
    assert!(off.is_empty(), "{off:?}");
}
