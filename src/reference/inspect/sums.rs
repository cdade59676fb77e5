//! Sums over some points.

use glam::DVec3;

use crate::reference::System;

/// Sums over some points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums {
    /// Σ m \[kg\]
    pub mass: f64,
    /// Σ m x \[kg m\]
    pub moment: DVec3,
    /// ½ Σ m v² of those that are not held \[J\].
    pub kinetic: f64,
    /// Σ m v of those that are not held \[kg m/s\].
    pub momentum: DVec3,
    /// Least and greatest coordinates \[m\].
    pub bounds: [DVec3; 2],
    /// Greatest speed of those that are not held, or have no mass \[m/s\].
    pub speed: f64,
}

/// Of the points with these indices, of masses \[kg\], 0 where a pose has their mass; a system knows only the inverse ones, which
/// are 0 where one is held.
pub fn sums(points: &[usize], masses: &[f64], system: &System) -> Sums {
    let mut sums = Sums {
        mass: 0.0,
        moment: DVec3::ZERO,
        kinetic: 0.0,
        momentum: DVec3::ZERO,
        bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
        speed: 0.0,
    };
    for &i in points {
        let (m, x) = (masses[i], system.position[i]);
        sums.mass += m;
        sums.moment += m * x;
        sums.bounds = [sums.bounds[0].min(x), sums.bounds[1].max(x)];
        if !system.pinned(i) || m == 0.0 {
            let v = system.velocity[i].length();
            sums.kinetic += 0.5 * m * v * v;
            sums.speed = sums.speed.max(v);
            sums.momentum += m * system.velocity[i];
        }
    }
    sums
}

/// A point's share of the energies of the springs, tetrahedra and triangles at it \[J\]: each gives its ends the same.
pub fn elastic_share(point: usize, system: &System) -> f64 {
    let own = system.constraints().filter(|constraint| constraint.points().contains(&point));
    own.map(|own| own.energy(&system.position) / own.points().len() as f64).sum()
}
