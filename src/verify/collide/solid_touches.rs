//! The passes that add up what solids did to bodies, on random pushes.

use glam::{UVec2, Vec3};

use super::touches::{Lists, compare_impulses, random_sum, untouched};
use crate::Result;
use crate::gpu::types::{
    Body, Chunk, MAX_TOUCHES, SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, Sim, Solid, TOUCH_SOLID,
    TouchSum, WORKGROUP,
};
use crate::model::BodyRanges;
use crate::reference::contact::touches::{Touch, add_up, touch_solid};
use crate::reference::solids::{self, Push};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Oracle, Random, pushes};

/// More than a list has room for.
const SOLIDS: usize = 40;

/// Planes, spheres and boxes that move, reaching into the particles' cube.
fn random_solids(random: &mut Random) -> Vec<Solid> {
    let one = |k: usize, random: &mut Random| {
        let turned = random.vector(1.0).as_vec3().extend(1.0).normalize();
        let size = random.between(0.3, 0.8) as f32;
        let solid = Solid {
            centre: random.vector(0.5).as_vec3(),
            velocity: random.vector(1.0).as_vec3(),
            spin: random.vector(2.0).as_vec3(),
            rotation: turned,
            ..Solid::default()
        };
        match k % 3 {
            0 => Solid { kind: SOLID_PLANE, extent: turned.truncate().normalize(), ..solid },
            1 => Solid { kind: SOLID_SPHERE, extent: Vec3::splat(size), ..solid },
            _ => Solid { kind: SOLID_BOX, extent: size * Vec3::new(1.0, 0.7, 0.5), ..solid },
        }
    };
    (0..SOLIDS).map(|k| one(k, random)).collect()
}

/// Chunks of one body each, of random lengths.
fn random_chunks(bodies: &[BodyRanges], random: &mut Random) -> Vec<Chunk> {
    let of_body = |body: &BodyRanges| {
        let start = body.particles.start as u32;
        let mut chunks = random.ranges(body.particles.len(), 300);
        for chunk in &mut chunks {
            (chunk.first, chunk.end) = (start + chunk.first, start + chunk.end);
        }
        chunks
    };
    bodies.iter().flat_map(of_body).collect()
}

/// Sums of chunks of pushes by so many solids that the last have no room; held particles have none.
pub fn chunks(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(73 + bench.len() as u64);
    let mut case = bench.case.clone();
    let solids = random_solids(&mut random);
    case.externals.solids[..SOLIDS].copy_from_slice(&solids);
    case.sim.solid_count = SOLIDS as u32;
    let oracle = Oracle::new(&case, &case.sim, &case.particles);
    let system = &oracle.system;
    let given = pushes::among(bench.len(), SOLIDS - 4, 4, &mut random);
    let chunks = random_chunks(&case.model.bodies, &mut random);
    let most = MAX_TOUCHES as usize;
    let count = chunks.len();
    let sim = Sim { chunk_count: count as u32, ..case.sim };
    let externals = std::slice::from_ref(&*case.externals);
    let arrays: &Arrays<'_> = &[
        ("chunk_touches", &vec![untouched(); most * count + 1]),
        ("chunk_counts", &vec![UVec2::splat(77); count + 1]),
        ("chunks", &chunks),
        ("externals", &externals),
        ("status", &pushes::status(bench, &given)),
    ];
    let after = bench.run(sim, count * WORKGROUP as usize, arrays)?;
    let sums: Vec<TouchSum> = after.get("chunk_touches");
    let counts: Vec<UVec2> = after.get("chunk_counts");
    errors.holds(sums[most * count] == untouched() && counts[count] == UVec2::splat(77));
    for (c, chunk) in chunks.iter().enumerate() {
        let mut all = Vec::new();
        let range = chunk.first as usize..chunk.end as usize;
        for i in range.filter(|i| !system.pinned(*i)) {
            let (body, x) = (system.body[i], system.position[i]);
            let radius = system.material(i).radius;
            let touch = |push: &Push| {
                let (_, seen) = solids::motion(system, push.solid).at(x, oracle.h);
                let depth = solids::depth(&system.solids[push.solid], seen);
                touch_solid(push, body, radius, x, depth)
            };
            all.extend(given[i].iter().filter_map(touch));
        }
        all.sort_by_key(|touch| touch.bodies[1]);
        let wanted = add_up(&all);
        let (kept, left) = wanted.split_at(wanted.len().min(most));
        let dropped: usize = left.iter().map(|touch| touch.contacts).sum();
        errors.words(&counts[c].to_array(), &[kept.len() as u32, dropped as u32]);
        for (got, wanted) in sums[most * c..].iter().zip(kept) {
            compare(got, wanted, &all, &solids[wanted.bodies[1]], errors);
        }
    }
    Ok(())
}

/// Compares sums with a solid; scale: the magnitudes of a place, of what a distance from the solid is made of, and of a
/// direction from its centre.
fn compare(got: &TouchSum, wanted: &Touch, all: &[Touch], solid: &Solid, errors: &mut ErrorStats) {
    let other = TOUCH_SOLID | wanted.bodies[1] as u32;
    compare_impulses(got, wanted, other, all, errors);
    errors.holds([got.steps, got.last] == [0; 2]);
    let arm = wanted.place.distance(solid.centre.as_dvec3());
    let reach = 1.0 + wanted.place.length() + arm + f64::from(solid.extent.length());
    errors.number(got.depth, wanted.depth, reach);
    let direction = match (solid.kind, wanted.depth > 0.0) {
        (SOLID_PLANE, _) | (SOLID_BOX, true) => 1.0,
        (SOLID_SPHERE, _) => 1.0 + reach / arm,
        _ => 1.0 + reach / -wanted.depth,
    };
    errors.vector(got.normal, wanted.direction, direction);
    errors.vector(got.place, wanted.place, reach + direction);
}

/// Sums of bodies over two steps, of none to five chunks each or more than a workgroup has threads; more solids than there is room
/// for.
pub fn bodies(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(75 + bench.len() as u64);
    let mut bodies = Vec::new();
    let mut chunks = 0;
    for b in 0..bench.case.bodies.len() {
        let own = if b % 5 == 1 { 67 } else { random.index(0, 6) as u32 };
        bodies.push(Body { chunk_first: chunks, chunk_count: own, ..Body::default() });
        chunks += own;
    }
    let most = MAX_TOUCHES as usize;
    let mut lists = Lists::new(bodies.len());
    for slot in [4, 9] {
        let mut parts = vec![untouched(); most * chunks as usize];
        let mut counts = Vec::new();
        let owners = bodies.iter().enumerate();
        let owners = owners.flat_map(|(b, body)| (0..body.chunk_count).map(move |_| b));
        for (parts, body) in parts.chunks_mut(most).zip(owners) {
            let (own, start) = (random.index(0, most + 1), random.index(0, 12));
            for (part, solid) in parts[..own].iter_mut().zip(start..) {
                *part = TouchSum {
                    body: body as u32,
                    other: TOUCH_SOLID | solid as u32,
                    ..random_sum(&mut random)
                };
                lists.add(body, slot, part);
            }
            let lost = random.index(0, 3);
            lists.lose(body, lost);
            counts.push(UVec2::new(own as u32, lost as u32));
        }
        let arrays: &Arrays<'_> =
            &[("chunk_touches", &parts), ("chunk_counts", &counts), ("bodies", &bodies)];
        lists.step(bench, slot, arrays, errors)?;
    }
    Ok(())
}
