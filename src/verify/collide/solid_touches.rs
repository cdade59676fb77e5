//! The passes that add up what solids did to bodies, on random pushes.

use glam::{UVec2, Vec3};

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::oracle::Oracle;
use super::super::pushes;
use super::super::tally::Tally;
use super::touches::{exact_sum, untouched};
use crate::Result;
use crate::gpu::types::{
    BOUNCE_TOUCHES, Body, BounceChange, Chunk, Externals, MAX_TOUCHES, SOLID_BOX, SOLID_PLANE,
    SOLID_SPHERE, Sim, Solid, TOUCH_SOLID, TouchSum,
};
use crate::gpu::{Buffer, Kernel, Uniforms};
use crate::reference::contact::touches::{Touch, add_up, touch_solid};
use crate::reference::solids::{self, Push};

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
            0 => Solid {
                kind: SOLID_PLANE,
                extent: turned.truncate().normalize(),
                ..solid
            },
            1 => Solid {
                kind: SOLID_SPHERE,
                extent: Vec3::splat(size),
                ..solid
            },
            _ => Solid {
                kind: SOLID_BOX,
                extent: size * Vec3::new(1.0, 0.7, 0.5),
                ..solid
            },
        }
    };
    (0..SOLIDS).map(|k| one(k, random)).collect()
}

/// Sums of chunks of random lengths, some without particles, of pushes that push or not, by so many solids that some have no
/// room; held particles have none.
pub fn chunks(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    tally.case();
    let context = bench.context;
    let mut random = Random::new(73 + bench.len() as u64);
    let mut case = bench.case.clone();
    let solids = random_solids(&mut random);
    case.externals.solids[..SOLIDS].copy_from_slice(&solids);
    case.sim.solid_count = SOLIDS as u32;
    let oracle = Oracle::new(&case, &case.sim, &case.particles);
    let system = &oracle.system;
    let push = |solid: usize, random: &mut Random| Push {
        solid,
        normal: f64::from((random.between(-1.0, 2.0) as f32).max(0.0)),
        impulse: random.vector(2.0).as_vec3().as_dvec3(),
    };
    let own = |random: &mut Random| {
        let (first, count) = (random.index(0, SOLIDS - 4), random.index(0, 5));
        (first..first + count)
            .map(|solid| push(solid, random))
            .collect()
    };
    let given: Vec<Vec<Push>> = (0..bench.len()).map(|_| own(&mut random)).collect();
    pushes::write(bench, &given);
    // Of one body each: first its first particles, then all the others.
    let mut chunks = Vec::new();
    for body in &case.model.bodies {
        let [first, end] = [body.particles.start, body.particles.end];
        let middle = first + random.index(0, 1 + (end - first).min(30));
        for [first, end] in [[first, middle], [middle, end]] {
            chunks.extend((first < end).then_some(Chunk {
                first: first as u32,
                end: end as u32,
            }));
        }
    }
    let most = MAX_TOUCHES as usize;
    let count = chunks.len();
    let sums = Buffer::new(
        context,
        "chunk_touches",
        &vec![untouched(); most * count + 1],
    )?;
    let counts = Buffer::new(context, "chunk_counts", &vec![UVec2::splat(77); count + 1])?;
    let array = Buffer::new(context, "chunks", &chunks)?;
    let externals = Uniforms::<Externals>::new(context, "externals", 1);
    externals.write(context, std::slice::from_ref(&*case.externals));
    let others = [
        sums.bind("chunk_touches"),
        counts.bind("chunk_counts"),
        array.bind("chunks"),
        externals.bind("externals"),
    ];
    let sim = Sim {
        chunk_count: count as u32,
        ..case.sim
    };
    bench.write(&case.particles, &case.particles);
    bench.run(kernel, sim, count, &others);
    let (sums, counts) = (sums.read(context)?, counts.read(context)?);
    tally.holds(sums[most * count] == untouched() && counts[count] == UVec2::splat(77));
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
        let wanted = add_up(&all);
        let (kept, left) = wanted.split_at(wanted.len().min(most));
        let dropped: usize = left.iter().map(|touch| touch.contacts).sum();
        tally.words(&counts[c].to_array(), &[kept.len() as u32, dropped as u32]);
        for (got, wanted) in sums[most * c..].iter().zip(kept) {
            compare(got, wanted, &all, &solids[wanted.bodies[1]], tally);
        }
    }
    Ok(())
}

/// Compares sums with a solid; scale: the magnitudes of what is added up, of a place, of what a distance from the solid is
/// made of, and of a direction from its centre.
fn compare(got: &TouchSum, wanted: &Touch, all: &[Touch], solid: &Solid, tally: &mut Tally) {
    let own = || all.iter().filter(|touch| touch.bodies == wanted.bodies);
    let size = own()
        .map(|t| t.impulse.length() + t.normal_impulse.abs())
        .sum();
    let [body, number] = wanted.bodies.map(|index| index as u32);
    tally.holds([got.body, got.other] == [body, TOUCH_SOLID | number]);
    tally.holds(got.contacts as usize == wanted.contacts && [got.steps, got.last] == [0; 2]);
    tally.vector(got.impulse, wanted.impulse, size);
    tally.number(got.normal_impulse, wanted.normal_impulse, size);
    let arm = wanted.place.distance(solid.centre.as_dvec3());
    let reach = 1.0 + wanted.place.length() + arm + f64::from(solid.extent.length());
    tally.number(got.depth, wanted.depth, reach);
    let direction = match (solid.kind, wanted.depth > 0.0) {
        (SOLID_PLANE, _) | (SOLID_BOX, true) => 1.0,
        (SOLID_SPHERE, _) => 1.0 + reach / arm,
        _ => 1.0 + reach / -wanted.depth,
    };
    tally.vector(got.normal, wanted.direction, direction);
    tally.vector(got.place, wanted.place, reach + direction);
}

/// Sums of bodies over two steps, from none, of none to five chunks each; more solids than there is room for.
pub fn bodies(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, count) = (bench.context, bench.case.bodies.len());
    let mut random = Random::new(75 + bench.len() as u64);
    let mut material = Vec::new();
    let mut chunk_count = 0;
    for _ in 0..count {
        let own = random.index(0, 6) as u32;
        material.push(Body {
            chunk_first: chunk_count,
            chunk_count: own,
            ..Body::default()
        });
        chunk_count += own;
    }
    let most = MAX_TOUCHES as usize;
    let material_array = Buffer::new(context, "bodies", &material)?;
    let lists = Buffer::new(context, "touch_lists", &vec![untouched(); most * count + 1])?;
    let counts = Buffer::new(context, "touch_counts", &vec![0_u32; count + 1])?;
    let dropped = Buffer::new(context, "touch_dropped", &vec![0_u32; count + 1])?;
    let mut all: Vec<Vec<(u32, Touch)>> = vec![Vec::new(); count];
    let mut without = vec![0; count];
    for slot in [4, 9] {
        tally.case();
        let mut parts = vec![untouched(); most * chunk_count as usize];
        let mut part_counts = Vec::new();
        for (b, body) in material.iter().enumerate() {
            let first = body.chunk_first as usize;
            for c in first..first + body.chunk_count as usize {
                let own = random.index(0, most + 1);
                let start = random.index(0, 12);
                for (k, part) in parts[most * c..].iter_mut().take(own).enumerate() {
                    *part = TouchSum {
                        impulse: random.vector(1.0).as_vec3(),
                        normal_impulse: random.between(0.0, 2.0) as f32,
                        place: random.vector(1.0).as_vec3(),
                        depth: random.index(0, 9) as f32,
                        normal: random.vector(1.0).as_vec3(),
                        contacts: 1 + random.index(0, 9) as u32,
                        body: b as u32,
                        other: TOUCH_SOLID | (start + k) as u32,
                        ..TouchSum::default()
                    };
                    all[b].push((slot, exact_sum(part)));
                }
                let lost = random.index(0, 3);
                without[b] += lost;
                part_counts.push(UVec2::new(own as u32, lost as u32));
            }
        }
        let parts = Buffer::new(context, "chunk_touches", &parts)?;
        let part_counts = Buffer::new(context, "chunk_counts", &part_counts)?;
        let others = [
            parts.bind("chunk_touches"),
            part_counts.bind("chunk_counts"),
            material_array.bind("bodies"),
            lists.bind("touch_lists"),
            counts.bind("touch_counts"),
            dropped.bind("touch_dropped"),
        ];
        let sim = Sim {
            slot,
            ..bench.case.sim
        };
        bench.run(kernel, sim, count, &others);
    }
    let (lists, counts) = (lists.read(context)?, counts.read(context)?);
    let dropped = dropped.read(context)?;
    tally.holds(lists[most * count] == untouched() && counts[count] == 0);
    for (b, all) in all.iter().enumerate() {
        let touches: Vec<_> = all.iter().map(|(_, touch)| *touch).collect();
        let wanted = add_up(&touches);
        let (kept, left) = wanted.split_at(wanted.len().min(most));
        let lost: usize = left.iter().map(|touch| touch.contacts).sum();
        tally.words(
            &[counts[b], dropped[b]],
            &[kept.len() as u32, (lost + without[b]) as u32],
        );
        for (wanted, got) in kept.iter().zip(&lists[most * b..]) {
            super::touches::compare(got, wanted, &touches, tally);
            let own = all
                .iter()
                .filter(|(_, touch)| touch.bodies == wanted.bodies);
            let mut steps: Vec<_> = own.map(|(slot, _)| *slot).collect();
            steps.dedup();
            let last = steps.last().map_or(0, |last| last + 1);
            tally.holds((got.steps as usize, got.last) == (steps.len(), last));
        }
    }
    Ok(())
}

/// Impacts of bodies that bounce as wholes, entered one by one.
pub fn bounces(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, count) = (bench.context, bench.case.bodies.len());
    let mut random = Random::new(76 + bench.len() as u64);
    let (most, each) = (MAX_TOUCHES as usize, BOUNCE_TOUCHES as usize);
    let lists = Buffer::new(context, "touch_lists", &vec![untouched(); most * count + 1])?;
    let counts = Buffer::new(context, "touch_counts", &vec![0_u32; count + 1])?;
    let dropped = Buffer::new(context, "touch_dropped", &vec![0_u32; count + 1])?;
    let mut all: Vec<Vec<Touch>> = vec![Vec::new(); count];
    for slot in [2, 3] {
        tally.case();
        let mut given = vec![untouched(); each * count];
        let mut changes = vec![BounceChange::default(); count];
        for b in 0..count {
            changes[b].touches = random.index(0, each + 1) as u32;
            let start = random.index(0, 4) as u32;
            for (k, touch) in given[each * b..][..changes[b].touches as usize]
                .iter_mut()
                .enumerate()
            {
                *touch = TouchSum {
                    impulse: random.vector(1.0).as_vec3(),
                    normal_impulse: random.between(0.0, 2.0) as f32,
                    place: random.vector(1.0).as_vec3(),
                    normal: random.vector(1.0).as_vec3(),
                    contacts: 1,
                    body: b as u32,
                    other: start + k as u32,
                    ..TouchSum::default()
                };
                all[b].push(exact_sum(touch));
            }
        }
        let given = Buffer::new(context, "bounce_touches", &given)?;
        let changes = Buffer::new(context, "bounce_changes", &changes)?;
        let others = [
            given.bind("bounce_touches"),
            changes.bind("bounce_changes"),
            lists.bind("touch_lists"),
            counts.bind("touch_counts"),
            dropped.bind("touch_dropped"),
        ];
        let sim = Sim {
            slot,
            ..bench.case.sim
        };
        bench.run(kernel, sim, count, &others);
    }
    let (lists, counts) = (lists.read(context)?, counts.read(context)?);
    for (b, all) in all.iter().enumerate() {
        let wanted = add_up(all);
        tally.words(&[counts[b]], &[wanted.len().min(most) as u32]);
        for (wanted, got) in wanted.iter().zip(&lists[most * b..]) {
            super::touches::compare(got, wanted, all, tally);
        }
    }
    Ok(())
}
