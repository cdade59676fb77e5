//! The passes that say when contacts are found anew, which bodies meet, and where each particle is tested.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use super::super::errors::ErrorStats;
use super::edges::{bit, hash};
use super::search::Search;
use crate::Result;
use crate::gpu::Kernel;
use crate::gpu::types::{
    BOX_WORDS, Box, CONTACT_ROUNDS, MAX_OVERLAPS, NONE, OVERLAP_STRIDE, ROW_WORDS, TALLY_TRAVEL,
    UNUSED,
};
use crate::reference::contact::boxes::{self, Aabb};

/// Ways add up from step to step, those of projection twice, and a search begins where they are longer than it
/// may be without one: while no boxes meet a quarter of the gap between them; after a fault none does.
pub fn watch(kernel: &Kernel, search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (context, count) = (search.bench.context, search.bench.len());
    let plan = search.arrays.plan.read(context)?;
    // An empty world has no margin.
    let stale = Some(f64::from(search.arrays.constants.stale)).filter(|x| x.is_finite());
    let Some(stale) = stale else {
        return Ok(());
    };
    let rows = &search.arrays.sized.rows;
    let word = 1 + search.bench.case.bodies.len() + TALLY_TRAVEL as usize;
    for (shift, meet, gap, before, way, fault) in [
        (0.0, true, 9.0, 0.0, 0.9, NONE),
        (0.0, true, 9.0, 0.0, 1.1, NONE),
        (0.0, true, 9.0, 0.0, 1.1, 5),
        (0.0, true, 9.0, 0.8, 0.3, NONE),
        (0.3, true, 9.0, 0.0, 0.3, NONE),
        (0.3, true, 9.0, 0.0, 0.5, NONE),
        (0.0, false, 8.0, 0.0, 1.9, NONE),
        (0.1, false, 8.0, 0.3, 1.9, NONE),
        (0.0, false, 0.0, 0.0, 0.9, NONE),
        (0.0, false, 0.0, 0.0, 1.1, NONE),
    ] {
        let [shift, gap, before, way] = [shift, gap, before, way].map(|x: f64| (x * stale) as f32);
        let words = [1, u32::from(meet), gap.to_bits(), before.to_bits()];
        rows.write(context, 2 * count, &words);
        let status = &search.bench.status;
        let ways = [way, shift].map(|x| (x * x).to_bits());
        status.write(context, word, &ways);
        status.write(context, 0, &[fault]);
        let none = vec![0; plan.len()];
        search.arrays.dispatches.write(context, 0, &none);
        search.run(kernel, 1, 0);
        let [moves, shifts] = if search.arrays.constants.moved > 0 {
            [2.0, 3.0 + f64::from(CONTACT_ROUNDS)]
        } else {
            [1.0, 2.0]
        };
        let travel = f64::from(before) + moves * f64::from(way) + shifts * f64::from(shift);
        let room = if meet { 0.0 } else { 0.25 * f64::from(gap) };
        errors.case();
        let got = f32::from_bits(rows.read(context)?[2 * count + 3]);
        errors.number(got, travel, travel.abs());
        errors.words(&status.read(context)?[word..word + 2], &[0, 0]);
        let wanted = if travel > stale.max(room) && fault == NONE {
            &plan
        } else {
            &none
        };
        errors.words(&search.arrays.dispatches.read(context)?, wanted);
    }
    search.bench.status.write(context, 0, &[NONE]);
    Ok(())
}

/// Every list is empty again.
pub fn begin(kernel: &Kernel, search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let context = search.bench.context;
    let (particles, bodies) = (search.bench.len(), search.bench.case.bodies.len());
    let first = search.arrays.record_first.read(context)?;
    search
        .arrays
        .record_first_last
        .write(context, 0, &vec![NONE; first.len()]);
    search
        .arrays
        .sized
        .rows
        .write(context, 0, &vec![7; 2 * particles + ROW_WORDS as usize]);
    search.run(kernel, search.features() + 1, 0);
    let lists = search.lists()?;
    let constants = &search.arrays.constants;
    let mut grid = vec![NONE; (constants.levels * constants.table) as usize];
    grid.resize(2 * grid.len(), 0);
    grid.resize(grid.len() + constants.levels as usize * particles, UNUSED);
    // Nothing is folded.
    let unfolded = [3e38_f32, -3e38].map(|x| [x.to_bits(); 3]).concat();
    grid.extend(unfolded.repeat(bodies));
    let mut rows: Vec<u32> = [NONE, 0].repeat(particles);
    rows.extend(if particles == 0 {
        [7; 4]
    } else {
        [7, 0, f32::MAX.to_bits(), 0]
    });
    errors.case();
    errors.words(&lists.grid, &grid);
    errors.words(&lists.hits.tets, &vec![NONE; lists.hits.tets.len()]);
    errors.words(&lists.hits.counts, &vec![0; particles]);
    errors.words(
        &lists.boxes,
        &vec![if particles > 0 { NONE } else { 0 }; BOX_WORDS as usize * (bodies + 1)],
    );
    errors.words(&lists.rows[..2 * particles + ROW_WORDS as usize], &rows);
    if particles > 0 {
        errors.words(&search.arrays.record_first_last.read(context)?, &first);
    }
    // As for the first search, so for those that follow.
    let same = lists.grid == search.empty.grid && lists.hits == search.empty.hits;
    errors.holds(same && lists.boxes == search.empty.boxes);
    Ok(())
}

/// Floats in the order of unsigned integers, undone.
pub(super) fn unordered(key: u32) -> f32 {
    f32::from_bits(if key >= 1 << 31 {
        key ^ (1 << 31)
    } else {
        !key
    })
}

/// The least and largest coordinates of each body's positions and velocities, exactly, and the positions.
pub fn body_boxes(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let (positions, speeds) = (
        boxes::body_boxes(&search.scene),
        boxes::body_speeds(&search.scene),
    );
    let wanted = positions.iter().zip(&speeds).flat_map(|(x, v)| [x, v]);
    for (words, wanted) in search.boxes.chunks_exact(6).zip(wanted) {
        let low = Vec3::from_array([0, 1, 2].map(|k| unordered(words[k])));
        let high = Vec3::from_array([3, 4, 5].map(|k| -unordered(words[k])));
        errors.vector(low, wanted.min, wanted.min.length());
        errors.vector(high, wanted.max, wanted.max.length());
        errors.holds(low.as_dvec3() == wanted.min && high.as_dvec3() == wanted.max);
    }
}

/// How many bodies each touches, what it has in common with them and whose bits are there; scale: the coordinates and the margin.
pub fn body_pairs(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let scene = &search.scene;
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    errors.holds(search.meet == pairs.touching.contains(&true));
    let touching: Vec<_> = search.bodies.iter().map(|body| body.touching).collect();
    let places = MAX_OVERLAPS as usize;
    for (b, shared) in pairs.shared.iter().enumerate() {
        errors.holds(touching[b] as usize == shared.len());
        let mut wanted = shared.clone();
        if wanted.len() > places {
            let rest = wanted.split_off(places - 1).into_iter();
            wanted.extend(rest.reduce(Aabb::union));
        }
        let boxes = &search.overlaps[OVERLAP_STRIDE as usize * b..];
        let compare = |(got, wanted): (&Box, &Aabb)| {
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
            let held = boxes[place.min(places - 1)].b;
            errors.holds(held & bit == *bit && (place + 1 >= places || held == *bit));
        }
        if pairs.touching[b] {
            let (got, wanted) = (boxes[places], pairs.speeds[b]);
            errors.holds(got.low.as_dvec3() == wanted.min && got.high.as_dvec3() == wanted.max);
        }
    }
}

/// x + δ n + the way ahead; scale: |x| and the way's magnitude, and δ times that of n: the products of the edges around,
/// over the length of the sum of the area vectors. And the grid.
pub fn grid_insert(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let scene = &search.scene;
    let pairs = boxes::body_pairs(scene, &boxes::body_boxes(scene));
    let normals = boxes::normals(scene);
    let lifted = boxes::tested_points(scene, &normals);
    let ahead = boxes::ways_ahead(scene, &normals, &pairs);
    let turns = turns(search);
    for (i, got) in search.tested.iter().enumerate() {
        let (b, x) = (scene.body[i], scene.position[i]);
        errors.holds(got.body as usize == b);
        let idle = search.bodies[b].touching == 0 || scene.tets.is_empty();
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
        let scale = x.length() + scene.bodies[b].margin * turns[i] + scene.step * speed;
        errors.vector(got.position, lifted[i] + ahead[i], scale);
    }
    errors.holds(in_grid(search));
}

/// Per particle: the products of the edges that span the triangles around it, over the length of the sum of their area
/// vectors; 0 inside.
fn turns(search: &Search<'_>) -> Vec<f64> {
    let x = &search.scene.position;
    let mut sums = vec![(DVec3::ZERO, 0.0); x.len()];
    for &[a, b, c] in &search.scene.surface {
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            let (left, right) = (x[b] - x[a], x[c] - x[a]);
            sums[a].0 += left.cross(right);
            sums[a].1 += left.length() * right.length();
        }
    }
    let turn = |(sum, products): (DVec3, f64)| {
        if products > 0.0 {
            products / sum.length()
        } else {
            0.0
        }
    };
    sums.into_iter().map(turn).collect()
}

/// Whether each level of the grid has the points that may be inside another body, once each, those of a replica with
/// the same bit in one finest cell in one list, and for each cell the bits of what is in it.
fn in_grid(search: &Search<'_>) -> bool {
    let (constants, count) = (&search.arrays.constants, search.bench.len());
    let (table, levels) = (constants.table as usize, constants.levels as usize);
    let (heads, next) = search.grid.split_at(levels * table);
    let (bits, next) = next.split_at(levels * table);
    (0..levels).all(|level| {
        let next = &next[level * count..(level + 1) * count];
        let mut list_of = BTreeMap::new();
        for (list, &head) in heads[level * table..(level + 1) * table].iter().enumerate() {
            let mut i = head;
            while i != NONE {
                if list_of.insert(i as usize, list).is_some() {
                    return false;
                }
                i = next[i as usize];
            }
        }
        let mut bits_at = vec![0_u32; table];
        for i in list_of.keys() {
            let body = search.scene.body[*i];
            let inverse_cell = constants.inverse_cell / (1_u32 << level) as f32;
            let cell = (search.tested[*i].position * inverse_cell).floor();
            let replica = search.scene.bodies[body].replica as u32;
            let place = hash(cell.as_ivec3(), level as u32, replica) as usize & (table - 1);
            bits_at[place] |= bit(body as u32);
        }
        let mut list_at = BTreeMap::new();
        let bits = &bits[level * table..(level + 1) * table];
        bits == bits_at
            && (0..count).all(|i| {
                let list = list_of.get(&i);
                let cell = search.tested[i].position * constants.inverse_cell;
                let cell = cell.floor().as_ivec3().to_array();
                let replica = search.scene.bodies[search.scene.body[i]].replica;
                let place = (cell, replica, bit(search.scene.body[i] as u32));
                let first = list.map(|list| *list_at.entry(place).or_insert(*list));
                let out = next[i] == UNUSED;
                list.is_some() == in_a_box(search, i)
                    && out == list.is_none()
                    && first == list.copied()
            })
    })
}

/// Whether a particle may be inside another body by its body's boxes.
fn in_a_box(search: &Search<'_>, i: usize) -> bool {
    let (b, q) = (search.scene.body[i], search.tested[i].position);
    let boxes = &search.overlaps[OVERLAP_STRIDE as usize * b..];
    let touching = search.bodies[b].touching.min(MAX_OVERLAPS) as usize;
    let tets = !search.scene.tets.is_empty();
    let holds = |o: &Box| tets && q.cmpge(o.low).all() && q.cmple(o.high).all();
    boxes[..touching].iter().any(holds)
}
