//! Fields over particles and drawn vertices.

use glam::{DVec3, UVec2, Vec2};

use crate::Result;
use crate::extreme::greatest;
use crate::family;
use crate::gpu::types::{Collide, Contact, NONE, Row, SLICE};
use crate::reference::inspect::field as reference;
use crate::reference::inspect::lines::{Touching, depth as depth_of};
use crate::reference::tets;
use crate::verify::oracle::longest_edge;
use crate::verify::touch::Touch;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// What stands where nothing is to be written.
pub(super) const UNTOUCHED: f32 = -77.0;

/// Shares of finite elements, and their slots at each particle: three each, in lists that overlap.
pub(super) struct Shares {
    rows: Vec<UVec2>,
    shares: Vec<Vec2>,
}

impl Shares {
    pub fn random(particles: usize, random: &mut Random) -> Self {
        let row = |i: u32| UVec2::new(i, i % 4);
        let shares = random.vectors(particles + 4 * SLICE as usize, 1.0);
        Self {
            rows: (0..particles as u32).map(row).collect(),
            shares: shares.into_iter().map(|share| share.truncate()).collect(),
        }
    }

    /// With `particle_values` or such, written beside one more.
    pub fn run(&self, bench: &Bench<'_>, written: &str, given: &Arrays<'_>) -> Result<Vec<f32>> {
        let own: &Arrays<'_> = &[
            ("fem_rows", &self.rows),
            ("fem_shares", &self.shares),
            (written, &vec![UNTOUCHED; bench.len() + 1]),
        ];
        let after = bench.run_each(&[own, given].concat())?;
        Ok(after.get(written))
    }

    /// Sum and sum of the magnitudes of one of the two shares at a particle.
    pub fn sum(&self, i: usize, of: usize) -> [f64; 2] {
        let slot = |e: u32| (self.rows[i].x + e * SLICE) as usize;
        let own = (0..self.rows[i].y).map(|e| f64::from(self.shares[slot(e)][of]));
        own.fold([0.0, 0.0], |[sum, size], x| [sum + x, size + x.abs()])
    }
}

/// The largest change of length of the edges around each particle; scale: (|x_i| + |x_j|)/l0 + 1.
pub fn strain(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let system = bench.oracle().system;
    let (x, springs) = (&system.position, &system.springs);
    let before = vec![UNTOUCHED; bench.len() + 1];
    let after = bench.run_each(&[("particle_values", &before)])?;
    let got: Vec<f32> = after.get("particle_values");
    let mut scale = vec![1.0_f64; bench.len()];
    for spring in springs {
        let [a, b] = spring.points;
        let rounding = 1.0 + x[a].distance(x[b]) / spring.rest;
        scale[a] = greatest(scale[a], rounding);
        scale[b] = greatest(scale[b], rounding);
    }
    for (i, scale) in scale.into_iter().enumerate() {
        errors.number(got[i], reference::strain(i, springs, x), scale);
    }
    errors.holds(got[bench.len()] == UNTOUCHED);
    Ok(())
}

/// −K (J − 1), by the walks over links, and by shares of finite elements in slots. Scale: K (Σ L³/6 + V0)/Σ V0, L the
/// longest edge of each tetrahedron.
pub fn pressure(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(17 + bench.len() as u64);
    let system = bench.oracle().system;
    let (x, all) = (&system.position, &system.tets);
    let mut rest = vec![0.0; bench.len()];
    let mut rounding = vec![0.0; bench.len()];
    for tet in all {
        for i in tet.corners {
            rest[i] += tet.rest_volume;
            rounding[i] += longest_edge(&tet.corners, x).powi(3) / 6.0 + tet.rest_volume;
        }
    }
    let modulus = |volume: &f64| {
        let inverse = if *volume > 0.0 { 1.0 / volume } else { 0.0 };
        Vec2::new(inverse as f32, random.between(0.0, 5.0) as f32)
    };
    let moduli: Vec<_> = rest.iter().map(modulus).collect();
    let shares = Shares::random(bench.len(), &mut random);
    let got = shares.run(bench, "particle_values", &[("moduli", &moduli)])?;
    for i in 0..bench.len() {
        let [inverse, k] = moduli[i].to_array().map(f64::from);
        if bench.case.bodies[system.body[i]].loaded == family::fem::LOADED {
            let [sum, size] = shares.sum(i, 0);
            errors.number(got[i], -k * inverse * sum, k * inverse * size);
        } else {
            let wanted = reference::pressure(i, k, all, x);
            errors.number(got[i], wanted, k * inverse * rounding[i]);
        }
    }
    errors.holds(got[bench.len()] == UNTOUCHED);
    let inverted = all.iter().any(|tet| tets::volume(tet.corners, x) < 0.0);
    errors.holds(inverted || bench.len() < 9);
    Ok(())
}

/// Records of every sort, the last of them beyond their number; the number, or the capacity where that is less.
pub(super) fn records(bench: &Bench<'_>, random: &mut Random) -> (Vec<Contact>, [usize; 2]) {
    let mut all = Touch::random(bench, &bench.oracle(), random).contacts;
    for of_edge in all.iter_mut().filter(|contact| contact.a.dofs.y != NONE) {
        of_edge.feature_a += bench.len() as u32;
    }
    let counts = [2, 1].map(|left| all.len().saturating_sub(left));
    (all, counts)
}

/// What touches in each record.
pub(super) fn touching(contact: &Contact) -> Vec<Touching> {
    if !contact.is_contact() || contact.gap <= 0.0 {
        return Vec::new();
    }
    let way = f64::from(contact.gap) * contact.normal.as_dvec3();
    let alone = |i: u32, way: DVec3| Touching { points: vec![(i as usize, 1.0)], way };
    let ends: Vec<_> = contact.a.parts().map(|(i, w)| (i as usize, f64::from(w))).collect();
    if let [first, second] = ends[..] {
        return vec![Touching { points: vec![first, second], way }];
    }
    let mut all = vec![alone(contact.a.dofs.x, way)];
    if contact.b.dofs.y == NONE {
        all.push(alone(contact.b.dofs.x, -way));
    }
    all
}

/// Runs the kernel with `count` such records and room for `capacity`.
pub(super) fn counted(
    bench: &Bench<'_>,
    all: &[Contact],
    [count, capacity]: [usize; 2],
    threads: usize,
    given: &Arrays<'_>,
) -> Result<Written> {
    let collide = Collide {
        feature_count: 2,
        edge_count: bench.len() as u32,
        capacity: capacity as u32,
        ..Collide::default()
    };
    let rows: Vec<_> = all.iter().map(|c| Row { gap: c.gap, ..Row::default() }).collect();
    let all: Vec<_> = all.iter().map(|c| Contact { gap: 9.0, ..*c }).collect();
    let own: &Arrays<'_> = &[
        ("contacts", &all),
        ("rows", &rows),
        ("record_first", &[7, 8, count as u32]),
        ("collide", &[collide]),
    ];
    bench.run(bench.case.sim, threads, &[own, given].concat())
}

/// The deepest penetration vector of each particle, with fewer records than room and with more. A direction's length is as rounded as
/// the depth: that is the scale.
pub fn depth(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(19 + bench.len() as u64);
    let (all, [less, more]) = records(bench, &mut random);
    for counts in [[less, more], [more, less]] {
        let before = vec![0.0_f32; bench.len() + 1];
        let after = counted(bench, &all, counts, all.len(), &[("depths", &before)])?;
        let known: Vec<_> = all[..less].iter().flat_map(touching).collect();
        for (i, got) in after.get::<f32>("depths").iter().enumerate() {
            let wanted = depth_of(i, &known);
            errors.number(*got, wanted, wanted);
        }
    }
    Ok(())
}

/// Σ w_k f_k over the corners; scale: Σ |w_k f_k|.
pub fn skin(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let skin = &bench.case.model.skin;
    let (drawn, values) = (skin.corners.len(), Random::new(23).numbers(bench.len(), -3.0, 5.0));
    let arrays: &Arrays<'_> =
        &[("particle_values", &values), ("skin_values", &vec![UNTOUCHED; drawn + 1])];
    let got: Vec<f32> = bench.run(bench.case.sim, drawn, arrays)?.get("skin_values");
    for (v, (corners, weights)) in skin.corners.iter().zip(&skin.weights).enumerate() {
        let part = |k: usize| f64::from(weights[k] as f32) * f64::from(values[corners[k] as usize]);
        let parts = [0, 1, 2, 3].map(part);
        let scale = parts.iter().map(|part| part.abs()).sum();
        errors.number(got[v], parts.iter().sum(), scale);
    }
    errors.holds(got[drawn] == UNTOUCHED);
    Ok(())
}
