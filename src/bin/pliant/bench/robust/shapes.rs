//! Closed surfaces of size 1 that random scenes embed.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use pliant::Result;
use pliant::mesh::Surface;

/// A surface of genus 0 given by its radius in each direction, in rings around the y axis, scaled to a longest side of 1.
pub fn star(radius: impl Fn(DVec3) -> f64) -> Result<Surface> {
    const RINGS: u32 = 16;
    const AROUND: u32 = 24;
    let at = |direction: DVec3| radius(direction) * direction;
    let mut points = vec![at(DVec3::Y)];
    for ring in 1..RINGS {
        let (sin, cos) = (PI * f64::from(ring) / f64::from(RINGS)).sin_cos();
        points.extend((0..AROUND).map(|k| {
            let (z, x) = (TAU * f64::from(k) / f64::from(AROUND)).sin_cos();
            at(DVec3::new(sin * x, cos, sin * z))
        }));
    }
    points.push(at(-DVec3::Y));
    let last = points.len() as u32 - 1;
    let point = |ring: u32, k: u32| 1 + (ring - 1) * AROUND + k % AROUND;
    let mut triangles = Vec::new();
    for k in 0..AROUND {
        triangles.push([0, point(1, k + 1), point(1, k)]);
        triangles.push([last, point(RINGS - 1, k), point(RINGS - 1, k + 1)]);
        for ring in 1..RINGS - 1 {
            let [a, b] = [point(ring, k), point(ring, k + 1)];
            let [c, d] = [point(ring + 1, k), point(ring + 1, k + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    unit(points, triangles)
}

/// A torus whose tube is a quarter of its whole width.
pub fn torus() -> Result<Surface> {
    const AROUND: u32 = 24;
    const TUBE: u32 = 12;
    let mut points = Vec::new();
    for i in 0..AROUND {
        let (z, x) = (TAU * f64::from(i) / f64::from(AROUND)).sin_cos();
        let outward = DVec3::new(x, 0.0, z);
        points.extend((0..TUBE).map(|j| {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(TUBE)).sin_cos();
            (1.0 + 0.5 * cos) * outward + 0.5 * sin * DVec3::Y
        }));
    }
    let point = |i: u32, j: u32| (i % AROUND) * TUBE + j % TUBE;
    let mut triangles = Vec::new();
    for (i, j) in (0..AROUND).flat_map(|i| (0..TUBE).map(move |j| (i, j))) {
        let [a, b] = [point(i, j), point(i + 1, j)];
        let [c, d] = [point(i, j + 1), point(i + 1, j + 1)];
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    unit(points, triangles)
}

/// The surface with its box centred on the origin and its longest side 1, wound outward.
fn unit(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Surface> {
    let [low, high] = [DVec3::min, DVec3::max]
        .map(|pick| points.iter().copied().reduce(pick).unwrap_or_default());
    let side = (high - low).max_element();
    let centred = |x: DVec3| (x - 0.5 * (low + high)) / side;
    let mut surface = Surface::new(points.into_iter().map(centred).collect(), triangles, None)?;
    if surface.volume() < 0.0 {
        surface.flip();
    }
    Ok(surface)
}
