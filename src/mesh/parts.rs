//! What of the tetrahedra around a surface is of the body: what their corners carry of it, and how much of them is stiff.

use super::fit::{LATTICE_ALTITUDE, least_altitude};
use super::inside::Inside;
use super::moments::factors;
use super::tet::volume;
use super::topology;
use crate::extreme;
use glam::DVec3;

/// What of a tetrahedron is of the body that it was made around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Per corner: the part of the volume that the corner carries of what the surface encloses, and of what its neighbours
    /// gave it where it is light. Points that weigh the sum of these have the surface's volume, centre and inertia.
    pub carried: [f64; 4],
    /// The part of the volume that is stiff: what is inside, or less where the corners are too light to bear it.
    pub stiff: f64,
    /// The volume over the one that the tetrahedron had in the lattice.
    pub fullness: f64,
}

impl Part {
    /// That of a tetrahedron that is all of the body, as it was made.
    pub const ALL: Self = Self { carried: [0.25; 4], stiff: 1.0, fullness: 1.0 };

    /// The part of its volume that its corners carry; over all tetrahedra these volumes are the body's.
    pub fn inside(&self) -> f64 {
        self.carried.iter().sum()
    }
}

/// Each corner of a tetrahedron carries at least this part of what it would if all of it were inside, so that no point
/// is too light for an explicit step.
const LEAST: f64 = 0.5;

/// Rounds in which points give to lighter neighbours.
const SPREADING: usize = 10;

/// What a point gives on an edge in a round: it has at most 18 of them.
const GIVEN: f64 = 1.0 / 18.0;

/// A point bears this times the pull over mass of those of the lattice: explicit steps are up to its root shorter than there.
/// What it does not bear makes tetrahedra softer, and bodies that press each other push soft ones inside out
/// (docs/notes/embedding.md).
const BORNE: f64 = 1.3;

/// Rounds in which tetrahedra become as stiff as their corners bear; later ones change next to nothing.
const STIFFENING: usize = 20;

/// The parts of tetrahedra, in coordinates in which the cubes have unit edges; `lattice`: their volumes there.
///
/// Points at the border are light, their tetrahedra thin. A tetrahedron of volume V and least altitude a, stiff in the part
/// s, pulls at each corner like the mass s V/4 (a₀/a)² in the lattice, where the altitude is a₀. Points therefore give mass to
/// neighbours that have less for their pull, and the stiffness of a tetrahedron is what its corners then bear.
pub fn parts(points: &[DVec3], tets: &[[u32; 4]], lattice: &[f64], inside: &Inside) -> Vec<Part> {
    let corners = |tet: &[u32; 4]| tet.map(|i| points[i as usize]);
    let volumes: Vec<_> = tets.iter().map(|tet| volume(corners(tet))).collect();
    let own = |(tet, volume): (&[u32; 4], &f64)| {
        let carried = inside.carried(corners(tet));
        carried.map(|carried| (carried / volume).max(0.25 * LEAST))
    };
    let shares: Vec<[f64; 4]> = tets.iter().zip(&volumes).map(own).collect();
    let whole: Vec<f64> = shares.iter().map(|shares| shares.iter().sum()).collect();
    let pull = |(tet, volume): (&[u32; 4], &f64)| {
        let thin = (least_altitude(corners(tet)) / LATTICE_ALTITUDE).min(1.0);
        0.25 * volume / (thin * thin)
    };
    let pulls: Vec<f64> = tets.iter().zip(&volumes).map(pull).collect();
    let mut carried = vec![0.0; points.len()];
    for ((tet, volume), shares) in tets.iter().zip(&volumes).zip(&shares) {
        for (&i, share) in tet.iter().zip(shares) {
            carried[i as usize] += volume * share;
        }
    }
    let mut masses = spread(&carried, &pulled(points.len(), tets, &pulls, &whole), tets);
    let factors = factors(points, &masses, &inside.moments());
    for (mass, factor) in masses.iter_mut().zip(factors) {
        *mass *= factor;
    }
    let stiff = stiff(tets, &pulls, whole, &masses);
    let part = |t: usize| Part {
        carried: [0, 1, 2, 3].map(|k| {
            let i = tets[t][k] as usize;
            shares[t][k] * masses[i] / carried[i]
        }),
        stiff: stiff[t],
        fullness: volumes[t] / lattice[t],
    };
    (0..tets.len()).map(part).collect()
}

/// How hard each point is pulled by its tetrahedra, stiff in these parts.
fn pulled(count: usize, tets: &[[u32; 4]], pulls: &[f64], stiff: &[f64]) -> Vec<f64> {
    let mut pulled = vec![0.0; count];
    for ((tet, pull), stiff) in tets.iter().zip(pulls).zip(stiff) {
        for &i in tet {
            pulled[i as usize] += pull * stiff;
        }
    }
    pulled
}

/// Masses after points have given to neighbours that have less for their pull: a diffusion of mass over pull along the edges.
/// It keeps the sum, and what a point has for its pull stays between what its neighbours and itself had.
fn spread(masses: &[f64], pulled: &[f64], tets: &[[u32; 4]]) -> Vec<f64> {
    let edges = topology::edges(tets);
    let mut masses = masses.to_vec();
    for _ in 0..SPREADING {
        let ratios: Vec<_> = masses.iter().zip(pulled).map(|(m, p)| m / p).collect();
        for [i, j] in edges.iter().map(|edge| edge.map(|i| i as usize)) {
            let given = GIVEN * pulled[i].min(pulled[j]) * (ratios[i] - ratios[j]);
            masses[i] -= given;
            masses[j] += given;
        }
    }
    masses
}

/// The part of each tetrahedron that is stiff: the `whole`, or as much as no corner is pulled harder by all of its tetrahedra
/// than it bears.
fn stiff(tets: &[[u32; 4]], pulls: &[f64], whole: Vec<f64>, masses: &[f64]) -> Vec<f64> {
    let mut stiff = whole.clone();
    for round in 0..STIFFENING {
        let pulled = pulled(masses.len(), tets, pulls, &stiff);
        for ((tet, stiff), whole) in tets.iter().zip(&mut stiff).zip(&whole) {
            let borne = tet.map(|i| BORNE * masses[i as usize] / pulled[i as usize]);
            let more = borne.into_iter().fold(f64::INFINITY, extreme::least);
            // The first makes them all bearable, from where they only become stiffer.
            let least = if round == 0 { 0.0 } else { 1.0 };
            *stiff = (*stiff * more.max(least)).min(*whole);
        }
    }
    stiff
}
