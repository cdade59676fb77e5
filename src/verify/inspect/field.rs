//! Fields over particles and drawn vertices.

use crate::extreme::greatest;
use glam::{DVec3, UVec2, UVec4, Vec2, Vec4};

use crate::Result;
use crate::family;
use crate::gpu::types::{Collide, Contact, NONE, SLICE};
use crate::gpu::{Buffer, Kernel, Uniforms};
use crate::reference::inspect::field as reference;
use crate::reference::inspect::lines::{Touching, depth as depth_of};
use crate::reference::tets;
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;
use crate::verify::oracle::{Oracle, longest_edge};

/// What stands where nothing is to be written.
const UNTOUCHED: f32 = -77.0;

/// The largest change of length of the edges around each particle; scale: (|x_i| + |x_j|)/l0 + 1.
pub fn strain(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let oracle = Oracle::new(bench.case, &bench.case.sim, &bench.case.particles);
    let (x, springs) = (&oracle.system.position, &oracle.system.springs);
    let values = Buffer::new(
        bench.context,
        "particle_values",
        &vec![UNTOUCHED; bench.len() + 1],
    )?;
    bench.write(&bench.case.particles, &bench.case.particles);
    let others = [values.bind("particle_values")];
    bench.dispatch(kernel, bench.case.sim, bench.len(), &others);
    let got = values.read(bench.context)?;
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
pub fn pressure(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(17 + bench.len() as u64);
    let oracle = Oracle::new(bench.case, &bench.case.sim, &bench.case.particles);
    let (x, all) = (&oracle.system.position, &oracle.system.tets);
    let mut rest = vec![0.0; bench.len()];
    let mut rounding = vec![0.0; bench.len()];
    for tet in all {
        for i in tet.corners {
            rest[i] += tet.rest_volume;
            rounding[i] += longest_edge(tet, x).powi(3) / 6.0 + tet.rest_volume;
        }
    }
    let modulus = |volume: &f64| {
        let inverse = if *volume > 0.0 { 1.0 / volume } else { 0.0 };
        Vec2::new(inverse as f32, random.between(0.0, 5.0) as f32)
    };
    let moduli: Vec<_> = rest.iter().map(modulus).collect();
    // Three shares each, in lists that overlap.
    let row = |i: usize| UVec2::new(i as u32, i as u32 % 4);
    let rows: Vec<_> = (0..bench.len()).map(row).collect();
    let mut share = || random.vector(1.0).as_vec3().truncate();
    let shares: Vec<_> = (0..bench.len() + 4 * SLICE as usize)
        .map(|_| share())
        .collect();
    let untouched = vec![UNTOUCHED; bench.len() + 1];
    let values = Buffer::new(bench.context, "particle_values", &untouched)?;
    let buffers = (
        Buffer::new(bench.context, "moduli", &moduli)?,
        Buffer::new(bench.context, "fem_rows", &rows)?,
        Buffer::new(bench.context, "fem_shares", &shares)?,
    );
    let others = [
        values.bind("particle_values"),
        buffers.0.bind("moduli"),
        buffers.1.bind("fem_rows"),
        buffers.2.bind("fem_shares"),
    ];
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.dispatch(kernel, bench.case.sim, bench.len(), &others);
    let got = values.read(bench.context)?;
    for i in 0..bench.len() {
        let [inverse, k] = moduli[i].to_array().map(f64::from);
        if bench.case.bodies[oracle.system.body[i]].loaded == family::fem::LOADED {
            let own = (0..rows[i].y).map(|e| f64::from(shares[(rows[i].x + e * SLICE) as usize].x));
            let (sum, size) = own.fold((0.0, 0.0), |(s, a), x| (s + x, a + x.abs()));
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
    let (n, count) = (bench.len(), bench.len() + 3);
    let mut contact = |k: usize| {
        let pick = |random: &mut Random| random.index(0, n) as u32;
        let [p, a, b, c, second] = [(); 5].map(|()| pick(random));
        let share = random.between(0.1, 0.9) as f32;
        let whole = Contact {
            normal: random.vector(1.0).normalize().as_vec3(),
            gap: random.between(-0.3, 1.0) as f32,
            particles: UVec4::new(p, a, b, c),
            weights: Vec4::new(1.0, -0.2, -0.3, -0.5),
            second: NONE,
            feature: p,
            ..Contact::default()
        };
        match k % 5 {
            // An edge.
            0 => Contact {
                feature: (n + k) as u32,
                weights: Vec4::new(share, -0.2, -0.3, -0.5),
                second,
                second_weight: 1.0 - share,
                ..whole
            },
            // Two spheres.
            1 => Contact {
                particles: UVec4::new(p, a, NONE, NONE),
                weights: Vec4::new(1.0, -1.0, 0.0, 0.0),
                ..whole
            },
            // No contact.
            2 => Contact {
                particles: UVec4::splat(NONE),
                ..whole
            },
            _ => whole,
        }
    };
    match n {
        0 => (Vec::new(), [0, 0]),
        _ => (
            (0..count).map(&mut contact).collect(),
            [count - 2, count - 1],
        ),
    }
}

/// What touches in each record.
pub(super) fn touching(contact: &Contact) -> Vec<Touching> {
    if contact.particles.x == NONE || contact.gap <= 0.0 {
        return Vec::new();
    }
    let way = f64::from(contact.gap) * contact.normal.as_dvec3();
    let alone = |i: u32, way: DVec3| Touching {
        points: vec![(i as usize, 1.0)],
        way,
    };
    let first = contact.particles.x;
    if contact.second != NONE {
        let points = [
            (first as usize, f64::from(contact.weights.x)),
            (contact.second as usize, f64::from(contact.second_weight)),
        ];
        let points = points.to_vec();
        return vec![Touching { points, way }];
    }
    let mut all = vec![alone(first, way)];
    if contact.particles.z == NONE {
        all.push(alone(contact.particles.y, -way));
    }
    all
}

/// The arrays of such records.
pub(super) struct Records {
    pub contacts: Buffer<Contact>,
    pub record_first: Buffer<u32>,
    pub collide: Uniforms<Collide>,
}

impl Records {
    /// `count` records, and room for `capacity`.
    pub fn new(bench: &Bench<'_>, all: &[Contact], [count, capacity]: [usize; 2]) -> Result<Self> {
        let context = bench.context;
        let collide = Uniforms::new(context, "collide", 1);
        collide.write(
            context,
            &[Collide {
                feature_count: 2,
                capacity: capacity as u32,
                ..Collide::default()
            }],
        );
        Ok(Self {
            contacts: Buffer::new(context, "contacts", all)?,
            record_first: Buffer::new(context, "record_first", &[7, 8, count as u32])?,
            collide,
        })
    }
}

/// The deepest way out of each particle, with fewer records than room and with more. A direction's length is as rounded as
/// the depth: that is the scale.
pub fn depth(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(19 + bench.len() as u64);
    let (all, [less, more]) = records(bench, &mut random);
    for counts in [[less, more], [more, less]] {
        errors.case();
        let records = Records::new(bench, &all, counts)?;
        let depths = Buffer::<f32>::zeroed(bench.context, "depths", bench.len() + 1)?;
        let others = [
            records.contacts.bind("contacts"),
            records.record_first.bind("record_first"),
            records.collide.bind("collide"),
            depths.bind("depths"),
        ];
        bench.dispatch(kernel, bench.case.sim, all.len(), &others);
        let got = depths.read(bench.context)?;
        let known: Vec<_> = all[..less].iter().flat_map(touching).collect();
        for (i, got) in got.iter().enumerate() {
            let wanted = depth_of(i, &known);
            errors.number(*got, wanted, wanted);
        }
    }
    Ok(())
}

/// Σ w_k f_k over the corners; scale: Σ |w_k f_k|.
pub fn skin(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(23);
    let skin = &bench.case.model.skin;
    let values: Vec<_> = (0..bench.len())
        .map(|_| random.between(-3.0, 5.0) as f32)
        .collect();
    let particle_values = Buffer::new(bench.context, "particle_values", &values)?;
    let untouched = vec![UNTOUCHED; skin.corners.len() + 1];
    let skin_values = Buffer::new(bench.context, "skin_values", &untouched)?;
    let others = [
        bench.buffers.skin.bind("skin"),
        particle_values.bind("particle_values"),
        skin_values.bind("skin_values"),
    ];
    bench.dispatch(kernel, bench.case.sim, skin.corners.len(), &others);
    let got = skin_values.read(bench.context)?;
    for (v, (corners, weights)) in skin.corners.iter().zip(&skin.weights).enumerate() {
        let part = |k: usize| f64::from(weights[k] as f32) * f64::from(values[corners[k] as usize]);
        let parts = [0, 1, 2, 3].map(part);
        let scale = parts.iter().map(|part| part.abs()).sum();
        errors.number(got[v], parts.iter().sum(), scale);
    }
    errors.holds(got[skin.corners.len()] == UNTOUCHED);
    Ok(())
}
