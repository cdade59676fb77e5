//! Shapes by their measures.

use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;
use serde::Serialize;

use super::Surface;

/// A shape given by a few dimensions, centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Shape {
    /// A box along the axes.
    Box {
        /// Its whole lengths [m].
        size: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// [m]
        radius: f64,
    },
    /// A capsule: all points within a radius of a segment along y.
    Capsule {
        /// [m]
        radius: f64,
        /// Of the segment [m]: the whole is two radii longer.
        length: f64,
    },
    /// A cylinder about y.
    Cylinder {
        /// [m]
        radius: f64,
        /// Along y [m].
        length: f64,
    },
    /// Two pyramids on one regular polygon in the plane y = 0 whose corners, like both tips, are 1 m from the origin: with 8
    /// triangles the regular octahedron.
    Bipyramid {
        /// Of both together, an even number from 6 on.
        triangles: u32,
    },
    /// A ring about y. Of bodies that deform alone: it is not convex.
    Torus {
        /// From the centre to the middle of the tube [m].
        radius: f64,
        /// Of the tube [m], below the other.
        tube: f64,
    },
}

/// Corners around what is drawn round, of what is rigid.
const AROUND: u32 = 24;
/// The same of what deforms, whose volume is that of its surface: within half a percent of what is round.
const FINE_AROUND: u32 = 64;
/// Parts that a surface which deforms is divided into along its longest side, at the most.
const MOST_PARTS: u32 = 64;

impl Shape {
    /// A closed surface to be drawn, wound outwards. What is round has its corners on the true surface.
    pub(crate) fn surface(&self) -> Surface {
        self.surface_of(AROUND, f64::INFINITY)
    }

    /// The same in small triangles, so that it bends: flat and straight parts, too, in about so many parts along the
    /// longest side.
    pub(crate) fn fine_surface(&self, parts: u32) -> Surface {
        let longest = match *self {
            Self::Box { size } => size.into_iter().fold(0.0, f64::max),
            Self::Sphere { radius } => 2.0 * radius,
            Self::Capsule { radius, length } => 2.0 * radius + length,
            Self::Cylinder { radius, length } => f64::max(2.0 * radius, length),
            Self::Bipyramid { .. } => 2.0,
            Self::Torus { radius, tube } => 2.0 * (radius + tube),
        };
        self.surface_of(FINE_AROUND, longest / f64::from(parts.clamp(1, MOST_PARTS)))
    }

    /// With so many corners around what is round, and straight parts no longer than `most` [m].
    pub(crate) fn surface_of(&self, around: u32, most: f64) -> Surface {
        match *self {
            Self::Box { size } => cuboid(size.into(), most),
            Self::Sphere { radius } => rounded(radius, 0.0, around, most),
            Self::Capsule { radius, length } => rounded(radius, length, around, most),
            Self::Cylinder { radius, length } => {
                let half = 0.5 * length;
                revolved(
                    around,
                    1,
                    &[(0.0, half), (radius, half), (radius, -half), (0.0, -half)],
                    most,
                )
            }
            Self::Bipyramid { triangles } => {
                let sides = triangles / 2;
                let side = 2.0 * (0.5 * TAU / f64::from(sides)).sin();
                revolved(sides, parts(side, most), &[(0.0, 1.0), (1.0, 0.0), (0.0, -1.0)], most)
            }
            Self::Torus { radius, tube } => torus(radius, tube, around),
        }
    }
}

/// A point of a circle about y, as far round.
fn on_circle(radius: f64, y: f64, share: f64) -> DVec3 {
    let (sine, cosine) = (TAU * share).sin_cos();
    DVec3::new(radius * cosine, y, -radius * sine)
}

/// The points of a grid on its sides, x first.
fn cuboid(size: DVec3, most: f64) -> Surface {
    let counts = size.to_array().map(|length| parts(length, most));
    let mut surface = Surface::default();
    let mut numbers = HashMap::new();
    for z in 0..=counts[2] {
        for y in 0..=counts[1] {
            for x in 0..=counts[0] {
                let place = [x, y, z];
                if (0..3).any(|k| place[k] == 0 || place[k] == counts[k]) {
                    numbers.insert(place, surface.points.len() as u32);
                    let share = |k: usize| f64::from(place[k]) / f64::from(counts[k]) - 0.5;
                    surface.points.push(size * DVec3::new(share(0), share(1), share(2)));
                }
            }
        }
    }
    for (axis, upper) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let corner = |i: u32, j: u32| {
            let mut place = [0; 3];
            (place[axis], place[u], place[v]) = (if upper { counts[axis] } else { 0 }, i, j);
            numbers[&place]
        };
        for (i, j) in (0..counts[u]).flat_map(|i| (0..counts[v]).map(move |j| (i, j))) {
            let (a, c) = (corner(i, j), corner(i + 1, j + 1));
            let (b, d) = (corner(i + 1, j), corner(i, j + 1));
            let [b, d] = if upper { [b, d] } else { [d, b] };
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    surface
}

/// A ball, or a capsule where there is a straight part.
fn rounded(radius: f64, length: f64, around: u32, most: f64) -> Surface {
    let (half, rings) = (0.5 * length, around / 4);
    let ring = |i: u32| {
        let (sine, cosine) = (FRAC_PI_2 * f64::from(i) / f64::from(rings)).sin_cos();
        (if i == 0 { 0.0 } else { radius * sine }, radius * cosine + half)
    };
    let upper: Vec<_> = (0..=rings).map(ring).collect();
    let lower = upper.iter().rev().skip(usize::from(length == 0.0)).map(|&(r, y)| (r, -y));
    let profile: Vec<_> = upper.iter().copied().chain(lower).collect();
    revolved(around, 1, &profile, most)
}

/// Parts no longer than `most` that a length has.
fn parts(length: f64, most: f64) -> u32 {
    (length / most).ceil().max(1.0) as u32
}

/// What a line of these radii and heights sweeps about y, from the upper pole down to the lower one: a prism's or pyramid's
/// sides, each divided across into so many.
fn revolved(sides: u32, across: u32, profile: &[(f64, f64)], most: f64) -> Surface {
    let mut rings = Vec::new();
    for pair in profile.windows(2) {
        let [(r, y), (s, z)] = [pair[0], pair[1]];
        let parts = parts((s - r).hypot(z - y), most);
        rings.extend((1..=parts).map(|k| {
            let share = f64::from(k) / f64::from(parts);
            if k == parts { (s, z) } else { (r + share * (s - r), y + share * (z - y)) }
        }));
    }
    let bottom = rings.pop().map_or(0.0, |(_, y)| y);
    let around = sides * across;
    let mut surface = Surface { points: vec![profile[0].1 * DVec3::Y], ..Surface::default() };
    for &(radius, y) in &rings {
        let corner = |k: u32| on_circle(radius, y, f64::from(k) / f64::from(sides));
        surface.points.extend((0..around).map(|j| {
            let (k, share) = (j / across, f64::from(j % across) / f64::from(across));
            corner(k).lerp(corner(k + 1), share)
        }));
    }
    let last = surface.points.len() as u32;
    surface.points.push(bottom * DVec3::Y);
    let at = |ring: u32, j: u32| 1 + ring * around + j % around;
    let lowest = rings.len() as u32 - 1;
    for j in 0..around {
        surface
            .triangles
            .extend([[0, at(0, j), at(0, j + 1)], [last, at(lowest, j + 1), at(lowest, j)]]);
        for ring in 0..lowest {
            surface.triangles.extend(between(|i, j| at(ring + i, j), j));
        }
    }
    surface
}

/// The square between two neighbours on a ring and on the one below it.
fn between(at: impl Fn(u32, u32) -> u32, j: u32) -> [[u32; 3]; 2] {
    let [a, b] = [at(0, j), at(0, j + 1)];
    let [d, c] = [at(1, j), at(1, j + 1)];
    [[a, d, c], [a, c, b]]
}

fn torus(radius: f64, tube: f64, around: u32) -> Surface {
    let share = |j: u32| f64::from(j) / f64::from(around);
    let ring = |i: u32| {
        // From the outermost ring downwards.
        let (sine, cosine) = (TAU * share(i)).sin_cos();
        (0..around).map(move |j| on_circle(radius + tube * cosine, -tube * sine, share(j)))
    };
    let at = |i: u32, j: u32| i % around * around + j % around;
    let squares = (0..around).flat_map(|i| (0..around).map(move |j| (i, j)));
    Surface {
        points: (0..around).flat_map(ring).collect(),
        triangles: squares.flat_map(|(i, j)| between(|k, j| at(i + k, j), j)).collect(),
        ..Surface::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fine surfaces are closed and wound outwards, their flat parts are in parts, and they are of the same volume.
    #[test]
    fn fine_surfaces_are_closed_and_divided() {
        let shapes = [
            Shape::Box { size: [1.0, 2.0, 0.5] },
            Shape::Capsule { radius: 0.3, length: 1.0 },
            Shape::Cylinder { radius: 0.4, length: 1.5 },
            Shape::Bipyramid { triangles: 8 },
            Shape::Torus { radius: 0.5, tube: 0.2 },
        ];
        let volume = |surface: &Surface| {
            let parts = (0..surface.triangles.len()).map(|i| {
                let [a, b, c] = surface.corners(i);
                a.dot(b.cross(c)) / 6.0
            });
            parts.sum::<f64>()
        };
        for shape in shapes {
            let [coarse, fine] = [shape.surface(), shape.fine_surface(12)];
            for surface in [&coarse, &fine] {
                surface.check().unwrap();
                assert_eq!(surface.open_edges(), 0, "{shape:?}");
            }
            let ratio = volume(&fine) / volume(&coarse);
            assert!((0.999..1.06).contains(&ratio), "{shape:?}: {ratio}");
            let edges = (0..fine.triangles.len()).flat_map(|i| {
                let [a, b, c] = fine.corners(i);
                [a.distance(b), b.distance(c), c.distance(a)]
            });
            let longest = edges.fold(0.0, f64::max);
            assert!(longest < 0.3, "{shape:?}: {longest} m");
        }
    }
}
