//! The passes that say when contacts are found anew, which bodies meet, and where each particle is tested.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use super::edges;
use super::edges::{bit, hash, list_of};
use super::folds;
use super::search::Search;
use crate::Result;
use crate::extreme;
use crate::gpu::types::{
    BODY_LEVELS, BOX_WORDS, Body, Box, Collide, LIST_AGE, LIST_LOADS, LIST_LONG, LIST_TOUCHING,
    LIST_TRAVEL, MAX_MEETINGS, MAX_OVERLAPS, NONE, OVERLAP_STRIDE, STATUS_STRAYED, STATUS_TRAVEL,
    Sim, Tested,
};
use crate::reference::contact::boxes::{self, Aabb};
use crate::verify::skin::areas;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{ErrorStats, faults};

/// Ways add up from step to step, those of projection twice, and a search begins where they are longer than it
/// may be without one: while no boxes meet a quarter of the gap between them; or where a pose has strayed; after a fault none
/// does.
pub fn watch(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let plan: Vec<u32> = search.array("plan");
    // In an empty world no way is too long.
    let stale = Some(f64::from(search.constants.stale)).filter(|x| *x < f64::from(f32::MAX));
    let Some(stale) = stale else {
        return Ok(());
    };
    let word = STATUS_TRAVEL as usize;
    let (mut lists, mut status) = (search.array::<u32>("contact_lists"), search.bench.status());
    let (none, before_it) = (vec![0_u32; plan.len()], vec![3_u32; plan.len()]);
    for (shift, meet, gap, before, way, fault, strayed) in [
        (0.0, true, 9.0, 0.0, 0.9, NONE, 0),
        (0.0, true, 9.0, 0.0, 1.1, NONE, 0),
        (0.0, true, 9.0, 0.0, 1.1, 5, 0),
        (0.0, true, 9.0, 0.8, 0.3, NONE, 0),
        (0.3, true, 9.0, 0.0, 0.3, NONE, 0),
        (0.3, true, 9.0, 0.0, 0.5, NONE, 0),
        (0.0, false, 8.0, 0.0, 1.9, NONE, 0),
        (0.1, false, 8.0, 0.3, 1.9, NONE, 0),
        (0.0, false, 0.0, 0.0, 0.9, NONE, 0),
        (0.0, false, 0.0, 0.0, 1.1, NONE, 0),
        (0.0, false, 9.0, 0.0, 0.1, NONE, 1),
        (0.0, true, 9.0, 0.0, 0.1, 5, 1),
    ] {
        let [shift, gap, before, way] = [shift, gap, before, way].map(|x: f64| (x * stale) as f32);
        let words = [1, u32::from(meet), gap.to_bits(), before.to_bits()];
        lists[..4].copy_from_slice(&words);
        lists[LIST_AGE as usize] = 5;
        let ways = [way, shift].map(|x| (x * x).to_bits());
        status[word..][..2].copy_from_slice(&ways);
        status[0] = fault;
        status[STATUS_STRAYED as usize] = strayed;
        let given: &Arrays<'_> =
            &[("contact_lists", &lists), ("status", &status), ("dispatches", &before_it)];
        let after = search.again("contact_watch", 1, given)?;
        let travel = f64::from(before) + f64::from(way) + 2.0 * f64::from(shift);
        let room = if meet { 0.0 } else { 0.25 * f64::from(gap) };
        let got: Vec<u32> = after.get("contact_lists");
        let again = (travel > stale.max(room) || strayed > 0) && fault == NONE;
        errors.words(&got[LIST_AGE as usize..LIST_LONG as usize], &[6, u32::from(again)]);
        errors.holds(got[LIST_LONG as usize] == lists[LIST_LONG as usize]);
        errors.number(f32::from_bits(got[LIST_TRAVEL as usize]), travel, travel.abs());
        errors.words(&after.status()[word..][..2], &[0, 0]);
        errors.words(&[after.status()[STATUS_STRAYED as usize]], &[0]);
        let wanted = match again {
            true => &plan,
            false => &none,
        };
        errors.words(&after.get::<u32>("dispatches"), wanted);
    }
    Ok(())
}

/// Every list is empty again, for the first search as for those that follow.
pub fn begin(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (particles, bodies) = (search.bench.len(), search.bench.case.bodies.len());
    let first: Vec<u32> = search.array("record_first");
    let mut lists: Vec<u32> = search.array("contact_lists");
    lists.fill(7);
    let given: &Arrays<'_> =
        &[("record_first_last", &vec![NONE; first.len()]), ("contact_lists", &lists)];
    let again = search.again("contact_begin", search.begin_threads(), given)?;
    let constants = &search.constants;
    let mut grid = vec![NONE; (constants.levels * constants.table) as usize];
    grid.resize(2 * grid.len(), 0);
    // Nothing is folded.
    let unfolded = [3e38_f32, -3e38].map(|x| [x.to_bits(); 3]).concat();
    let folds = [unfolded.repeat(bodies), vec![0; 3]].concat();
    let first_search = search.after("contact_begin");
    // The first search was asked for by the host.
    for (after, [travelled, asked], sum) in
        [(first_search, [0, 1], vec![0; first.len()]), (&again, [7, 7], first)]
    {
        let [of_particles, _] = search.hits_of(after);
        let got: Vec<u32> = after.get("grid");
        errors.words(&got[..grid.len()], &grid);
        let fast = search.words_of_fast();
        errors.words(&got[fast + 3 - folds.len()..fast + 3], &folds);
        errors.words(&of_particles.tets, &vec![NONE; of_particles.tets.len()]);
        errors.words(&of_particles.counts, &vec![0; particles]);
        // The words of manifolds are other passes'.
        let mut lists = vec![travelled, 0, f32::MAX.to_bits(), 0, 0, asked, 0];
        lists.resize(LIST_LOADS as usize, travelled);
        lists.resize(lists.len() + particles, 0);
        let got: Vec<u32> = after.get("boxes");
        errors.words(&got, &vec![NONE; BOX_WORDS as usize * (bodies + 1)]);
        errors.words(&after.get::<u32>("contact_lists")[..lists.len()], &lists);
        let got: Vec<u32> = after.get("record_first_last");
        errors.holds(got == sum);
        after.skip("edge_grid");
    }
    with_colliders(search, errors)?;
    edges::begun(search, errors)
}

/// Of colliders the counts are emptied, and of poses the loads.
fn with_colliders(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (colliders, poses, particles) = (70, 90, search.bench.len());
    let features = search.features() + colliders;
    let collide = Collide { feature_count: features as u32, ..search.constants };
    let sim = Sim { pose_count: poses as u32, ..search.bench.case.sim };
    let first: Vec<u32> = (0..=features as u32).collect();
    let loads = vec![7; LIST_LOADS as usize + particles + poses];
    let arrays: &Arrays<'_> = &[
        ("collide", &[collide]),
        ("counts", &vec![3_u32; features]),
        ("record_first", &first),
        ("record_first_last", &vec![NONE; first.len()]),
        ("contact_lists", &loads),
    ];
    let threads = search.begin_threads().max(features + 1).max(particles + poses);
    let after = search.again_in(sim, "contact_begin", threads, arrays)?;
    errors.words(&after.get::<u32>("counts"), &vec![0; features]);
    errors.words(&after.get::<u32>("record_first_last"), &first);
    let loads: Vec<u32> = after.get("contact_lists");
    errors.words(&loads[LIST_LOADS as usize..], &vec![0; particles + poses]);
    ["grid", "edge_grid", "hits", "boxes"].into_iter().for_each(|name| after.skip(name));
    Ok(())
}

/// Floats in the order of unsigned integers, undone.
pub(super) fn unordered(key: u32) -> f32 {
    f32::from_bits(if key >= 1 << 31 { key ^ (1 << 31) } else { !key })
}

/// Floats in the order of unsigned integers.
pub(in crate::verify) fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >= 1 << 31 { !bits } else { bits ^ (1 << 31) }
}

/// The least and largest coordinates of each body's positions and velocities, exactly, and the positions.
pub fn body_boxes(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("body_boxes");
    let (positions, speeds) = (boxes::body_boxes(&search.scene), boxes::body_speeds(&search.scene));
    let wanted = positions.iter().zip(&speeds).flat_map(|(x, v)| [x, v]);
    for (words, wanted) in after.get::<u32>("boxes").chunks_exact(6).zip(wanted) {
        let low = Vec3::from_array([0, 1, 2].map(|k| unordered(words[k])));
        let high = Vec3::from_array([3, 4, 5].map(|k| -unordered(words[k])));
        errors.vector(low, wanted.min, wanted.min.length());
        errors.vector(high, wanted.max, wanted.max.length());
        errors.holds(low.as_dvec3() == wanted.min && high.as_dvec3() == wanted.max);
    }
    Ok(())
}

/// How many bodies each touches, what it has in common with them and whose bits are there; scale: the coordinates and the margin.
pub fn body_pairs(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    put_down(search, search.after("body_pairs"), usize::MAX, errors);
    passing_noted(search, "body_pairs", usize::MAX, errors)
}

/// The same, but that one that meets more others than are noted one by one has a box around what it shares with all of them,
/// in the last place, and its fold in the first.
pub fn cell_overlaps(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("cell_overlaps");
    put_down(search, after, MAX_MEETINGS as usize, errors);
    let levels = BODY_LEVELS as usize;
    errors.words(&after.get::<u32>("meetings")[..levels], &vec![0; levels]);
    passing_noted(search, "cell_overlaps", MAX_MEETINGS as usize, errors)
}

/// Checks what a kernel notes of steps that carry bodies past each other: with bodies so thick that one is just too long, or
/// just not.
fn passing_noted(
    search: &Search<'_>,
    kernel: &str,
    most: usize,
    errors: &mut ErrorStats,
) -> Result<()> {
    let scene = &search.scene;
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    let longest = boxes::longest_passing(scene, &pairs, most);
    if longest == 0.0 {
        return Ok(());
    }
    for (load, wanted) in faults::NOTED {
        let thicker = (longest / load.sqrt()) as f32;
        let thicker = |body: &Body| Body { thickness: thicker * body.thickness, ..*body };
        let bodies: Vec<_> = search.bench.case.bodies.iter().map(thicker).collect();
        faults::noted(search.bench.case.sim, wanted, errors, |sim| {
            let given: &Arrays<'_> = &[("bodies", &bodies)];
            let after = search.again_in(sim, kernel, bodies.len(), given)?;
            for array in ["bodies", "overlaps", "contact_lists", "grid", "meetings"] {
                after.skip(array);
            }
            Ok(after.status())
        })?;
    }
    Ok(())
}

/// See [`body_pairs`]. `most`: bodies that one meets of which each has a box.
fn put_down(search: &Search<'_>, after: &Written, most: usize, errors: &mut ErrorStats) {
    let scene = &search.scene;
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    let meet = after.get::<u32>("contact_lists")[LIST_TOUCHING as usize] != 0;
    errors.holds(meet == pairs.touching.contains(&true));
    let bodies: Vec<Body> = after.get("bodies");
    let overlaps: Vec<Box> = after.get("overlaps");
    folds::in_grid(search, &after.get::<u32>("grid"), &pairs.fold, errors);
    let places = MAX_OVERLAPS as usize;
    for (b, shared) in pairs.shared.iter().enumerate() {
        errors.holds(bodies[b].touching as usize == shared.len());
        let mut wanted = shared.clone();
        let merged = pairs.touches[b].len() > most;
        if merged {
            let all = pairs.touches[b]
                .iter()
                .map(|o| Aabb::intersection(pairs.widened[b], pairs.widened[*o]));
            wanted = vec![Aabb::EMPTY; places];
            wanted[0] = pairs.fold[b];
            wanted[places - 1] = all.fold(Aabb::EMPTY, Aabb::union);
        } else if wanted.len() > places {
            let rest = wanted.split_off(places - 1).into_iter();
            wanted.extend(rest.reduce(Aabb::union));
        }
        let boxes = &overlaps[OVERLAP_STRIDE as usize * b..];
        let compare = |(got, wanted): (&Box, &Aabb)| {
            errors.holds(got.low.cmpgt(got.high).any() == wanted.is_empty());
            if wanted.is_empty() {
                return;
            }
            for (got, wanted) in [(got.low, wanted.min), (got.high, wanted.max)] {
                let reach = scene.bodies[b].margin + scene.bodies[b].radius;
                errors.vector(got, wanted, wanted.length() + reach);
            }
        };
        boxes.iter().zip(&wanted).for_each(compare);
        // A body stands among those that it touches where it is folded, without a bit.
        let others = pairs.touches[b].iter().map(|o| (*o, bit(*o as u32)));
        let folded = (!pairs.fold[b].is_empty()).then_some((b, 0));
        let mut bits: Vec<_> = others.chain(folded).collect();
        bits.sort_unstable();
        for (place, (_, bit)) in bits.iter().enumerate() {
            let last = place + 1 >= places || merged;
            let held = boxes[if last { places - 1 } else { place }].b;
            errors.holds(held & bit == *bit && (last || held == *bit));
        }
        if pairs.touching[b] {
            let (got, wanted) = (boxes[places], pairs.speeds[b]);
            errors.holds(got.low.as_dvec3() == wanted.min && got.high.as_dvec3() == wanted.max);
        }
    }
}

/// x + δ n + the way ahead; scale: |x| and the way's magnitude, and δ times that of n: the products of the edges around,
/// over the length of the sum of the area vectors. How many times as far fast particles go, and the longest of their ways;
/// and the grid.
pub fn grid_insert(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("grid_insert");
    let scene = &search.scene;
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    let normals = boxes::normals(scene);
    let lifted = boxes::tested_points(scene);
    let ways = boxes::ways_ahead(scene, &normals, &pairs);
    let turns = turns(search);
    let tested: Vec<Tested> = after.get("tested");
    for (i, got) in tested[..search.bench.len()].iter().enumerate() {
        let (b, x) = (scene.body[i], scene.position[i]);
        errors.holds(got.body as usize == b);
        let idle = search.found.bodies[b].touching == 0 || scene.tets.is_empty();
        if idle || scene.bodies[b].radius > 0.0 {
            errors.holds(got.position.as_dvec3() == x && got.normal == Vec3::ZERO);
            continue;
        }
        let others = 0.5 * (pairs.speeds[b].min + pairs.speeds[b].max);
        let speed = scene.velocity[i].length() + others.length();
        let outward = (scene.velocity[i] - others).dot(normals[i]);
        let noise = f64::from(f32::EPSILON) * 64.0;
        if turns[i] > 1e3 || outward.abs() < noise * speed * turns[i] && outward != 0.0 {
            continue;
        }
        errors.number(got.margin, scene.bodies[b].margin, scene.bodies[b].margin);
        errors.vector(got.normal, normals[i], turns[i]);
        let most = boxes::MAX_AHEAD * scene.bodies[b].edge;
        let scale = x.length() + scene.bodies[b].margin * turns[i] + scene.step * speed;
        errors.vector(got.position, lifted[i] + ways[i].clamp_length_max(most), scale);
        let (times, noise) =
            (ways[i].length() / most, noise * scene.step * speed * turns[i] / most);
        if in_a_box(search, i) && (times - 1.0).abs() > noise {
            let wanted = if times > 1.0 { times } else { 0.0 };
            errors.number(search.found.fast[i], wanted, wanted * (1.0 + noise));
        }
    }
    let grid: Vec<u32> = after.get("grid");
    errors.holds(in_grid(search, &grid));
    let ways = search.ways().into_iter().enumerate().filter(|(i, _)| in_a_box(search, *i));
    let ways: Vec<_> = ways.filter_map(|(_, way)| way).collect();
    let longest = ways.iter().fold(DVec3::ZERO, |longest, [_, way]| longest.max(way.abs()));
    let scale = ways.iter().map(|[start, way]| start.length() + way.length());
    let scale = scale.fold(0.0, extreme::greatest) / boxes::MAX_AHEAD;
    let got = &grid[search.words_of_fast()..][..3];
    let got = Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(got[k])));
    errors.vector(got, longest, 16.0 * scale);
    Ok(())
}

/// Per particle: the products of the edges that span the triangles around it, over the length of the sum of their area
/// vectors; 0 inside.
fn turns(search: &Search<'_>) -> Vec<f64> {
    let sums = areas(&search.scene.position, &search.scene.surface);
    let turn = |(sum, products): (DVec3, f64)| {
        if products > 0.0 { products / sum.length() } else { 0.0 }
    };
    sums.into_iter().map(turn).collect()
}

/// Whether each level of the grid has the points that may be inside another body, once each, those of a replica with
/// the same bit in one finest cell in one list, and for each cell the bits of what is in it.
fn in_grid(search: &Search<'_>, grid: &[u32]) -> bool {
    let (constants, count) = (&search.constants, search.bench.len());
    let (table, levels) = (constants.table as usize, constants.levels as usize);
    let (heads, next) = grid.split_at(levels * table);
    let (bits, next) = next.split_at(levels * table);
    let body = |i: usize| search.scene.body[i] as u32;
    let replica = |i: usize| search.scene.bodies[search.scene.body[i]].replica as u32;
    let cell = |i: usize, level: usize| {
        let inverse_cell = constants.inverse_cell / (1_u32 << level) as f32;
        let cell = search.found.ahead[i].position * inverse_cell;
        cell.floor().as_ivec3()
    };
    (0..levels).all(|level| {
        let next = &next[level * count..][..count];
        let Some(list_of) = list_of(&heads[level * table..][..table], next) else {
            return false;
        };
        let mut bits_at = vec![0_u32; table];
        for i in list_of.keys().map(|i| *i as usize) {
            let place = hash(cell(i, level), level as u32, replica(i)) as usize & (table - 1);
            bits_at[place] |= bit(body(i));
        }
        let mut list_at = BTreeMap::new();
        bits[level * table..][..table] == bits_at
            && (0..count).all(|i| {
                let list = list_of.get(&(i as u32)).copied();
                let place = (cell(i, 0).to_array(), replica(i), bit(body(i)));
                let first = list.map(|list| *list_at.entry(place).or_insert(list));
                list.is_some() == in_a_box(search, i) && list == first
            })
    })
}

/// Whether a particle may be inside another body by its body's boxes.
fn in_a_box(search: &Search<'_>, i: usize) -> bool {
    let (b, q) = (search.scene.body[i], search.found.ahead[i].position);
    let holds = |o: &Box| q.cmpge(o.low).all() && q.cmple(o.high).all();
    !search.scene.tets.is_empty() && search.shared(b).iter().any(holds)
}
