//! The passes that find edges of one body that pass through another, and their contacts.
//!
//! The worlds' positions are exact in f32, so that which cells an edge stands in is decided alike; which tetrahedra it
//! passes through lies between what the reference finds a little inside of them and a little outside.

use std::collections::BTreeMap;

use glam::{DVec3, IVec3, UVec3, Vec3};

use super::super::tally::Tally;
use super::depth::{reach, shape};
use super::inside::compare;
use super::search::Search;
use super::triangle::shares;
use crate::Result;
use crate::gpu::Kernel;
use crate::gpu::types::{
    Box, Contact, EDGE_CELL, EDGE_PART, HIT_STRIDE, MAX_HITS, MAX_OVERLAPS, NONE, OVERLAP_STRIDE,
};
use crate::reference::contact::boxes::Aabb;
use crate::reference::contact::detect::Hit;
use crate::reference::contact::geometry::{
    Crossing, Exits, barycentric_in_triangle, interval_in_tet,
};
use crate::reference::contact::penetration::{edge_normal, edge_way_out};
use crate::reference::contact::triangles::FACING;
use crate::reference::contact::{Record, Scene};

/// Of bodies that lie anyhow, at most one record in so many is left out.
const COMPARED: usize = 10;
/// How far a barycentric coordinate may be off, in the terms that it is added up from.
const SHARE: f64 = 16.0 * f32::EPSILON as f64;

/// The grid of edges is empty and no edge is in any body; what stands of particles stays.
pub fn edge_begin(kernel: &Kernel, search: &Search<'_>, tally: &mut Tally) -> Result<()> {
    let (context, arrays, particles) = (search.bench.context, &search.arrays, search.bench.len());
    let (edges, words) = (search.edges.len(), HIT_STRIDE as usize);
    let (of_particles, _) = search.read_hits()?;
    let mut grid = vec![7; search.edge_grid.len()];
    arrays.edge_grid.write(context, 0, &grid);
    let [hits, counts] = [words * edges, edges].map(|count| vec![7; count]);
    arrays.hits.write(context, words * particles, &hits);
    arrays.counts.write(context, particles, &counts);
    let lists = arrays.constants.edge_table as usize;
    search.run(kernel, lists, 0);
    grid[..lists].fill(NONE);
    let (left, of_edges) = search.read_hits()?;
    tally.case();
    tally.words(&arrays.edge_grid.read(context)?, &grid);
    tally.words(&of_edges.tets, &vec![NONE; words * edges]);
    tally.words(&of_edges.counts, &vec![0; edges]);
    tally.holds(left == of_particles);
    Ok(())
}

/// Each edge that may be inside another body stands in the lists of all the cells that its box covers, once, on each
/// level where these are few.
pub fn edge_insert(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let lists = search.arrays.constants.edge_table as usize;
    let (heads, next) = search.edge_grid.split_at(lists);
    let mut list_of = BTreeMap::new();
    for (list, &head) in (0..).zip(heads) {
        let mut node = head;
        while node != NONE {
            let Some(&after) = next.get(node as usize) else {
                return tally.holds(false);
            };
            if list_of.insert(node, list).is_some() {
                return tally.holds(false);
            }
            node = after;
        }
    }
    let mut wanted: Vec<_> = (0..search.edges.len())
        .flat_map(|e| nodes(search, e))
        .collect();
    wanted.sort_unstable();
    let words = |(node, list)| [node, list];
    let got: Vec<_> = list_of.into_iter().flat_map(words).collect();
    let wanted: Vec<_> = wanted.into_iter().flat_map(words).collect();
    tally.words(&got, &wanted);
}

/// The nodes of an edge, each with its list.
fn nodes(search: &Search<'_>, e: usize) -> Vec<(u32, u32)> {
    let constants = &search.arrays.constants;
    let [a, b] = ends(search, e).map(|i| search.tested[i]);
    let (low, high) = (a.position.min(b.position), a.position.max(b.position));
    let boxes = &search.overlaps[OVERLAP_STRIDE as usize * a.body as usize..];
    let touching = search.bodies[a.body as usize].touching.min(MAX_OVERLAPS);
    let meets = |o: &Box| high.cmpge(o.low).all() && low.cmple(o.high).all();
    if !boxes[..touching as usize].iter().any(meets) {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    let mut wider = 0;
    for level in 0..constants.edge_levels {
        let inverse_cell = constants.inverse_cell / (1_u32 << level) as f32;
        if (high - low).max_element() * inverse_cell > EDGE_CELL {
            continue;
        }
        let cell = |x: Vec3| (x * inverse_cell).floor().as_ivec3();
        let first = 8 * (constants.edge_count * level + e as u32);
        for k in 0..8 {
            let step = UVec3::new(k & 1, k >> 1 & 1, k >> 2).as_ivec3();
            if step.cmple(cell(high) - cell(low)).all() {
                let list = hash(cell(low) + step, 2 * level + wider) & (constants.edge_table - 1);
                nodes.push((first + k, list));
            }
        }
        wider = 1;
    }
    nodes
}

/// The hash of a cell (Teschner et al. 2003, section 3.2) and a kind of list.
fn hash(cell: IVec3, kind: u32) -> u32 {
    let factors = UVec3::new(73_856_093, 19_349_663, 83_492_791);
    let parts = cell.as_uvec3().wrapping_mul(factors);
    let key = parts.x ^ parts.y ^ parts.z ^ kind.wrapping_mul(2_654_435_761);
    key ^ (key >> 15)
}

/// The bodies that each edge passes through, by brute force over all tetrahedra of all bodies that may touch its own.
pub fn edges_in_tets(search: &Search<'_>, tally: &mut Tally) {
    let (pairs, tets) = (search.all_pairs(), search.scene.tets_of_bodies());
    let found = [-SHARE, SHARE].map(|share| {
        let hits = |e: usize| {
            let own = search.scene.body[ends(search, e)[0]];
            let hit = |&body: &usize| {
                let passes = |&tet: &usize| passes(search, e, tet, share);
                let tet = tets[body].iter().copied().find(passes)?;
                Some(Hit { body, tet })
            };
            pairs.touches[own].iter().filter_map(hit).collect()
        };
        (0..search.edges.len()).map(hits).collect()
    });
    let holds = |e: usize, tet: usize| passes(search, e, tet, SHARE);
    compare(search, &search.edge_hits, &found, holds, tally);
}

fn ends(search: &Search<'_>, e: usize) -> [usize; 2] {
    search.edges[e].ends.to_array().map(|i| i as usize)
}

/// Whether more than `EDGE_PART` of an edge is in a tetrahedron whose faces are moved outward by `share` of the terms of
/// its barycentric coordinates.
fn passes(search: &Search<'_>, e: usize, tet: usize, share: f64) -> bool {
    let scene = &search.scene;
    let [a, b] = ends(search, e).map(|i| search.tested[i].position.as_dvec3());
    let corners = scene.tets[tet].map(|i| scene.position[i]);
    let common = Aabb::around(corners).intersection(Aabb::around([a, b]));
    if common.is_empty() {
        return false;
    }
    let [u, v, w] = [1, 2, 3].map(|k| corners[k] - corners[0]);
    let longest = u.length().max(v.length()).max(w.length());
    let reach = a.distance(corners[0]).max(b.distance(corners[0]));
    let terms = 1.0 + reach * longest * longest / u.dot(v.cross(w)).abs();
    let part = f64::from(EDGE_PART) - share;
    interval_in_tet(scene, tet, a, b - a, 1.0, share * terms)
        .is_some_and(|[from, to]| to - from > part)
}

/// A contact of an edge, by the reference.
struct Wanted {
    /// Where on the edge.
    along: f64,
    /// The face that the way back leads through.
    face: Crossing,
    /// r
    direction: DVec3,
    /// g \[m\]
    gap: f64,
    /// What `along` is added up from.
    along_scale: f64,
}

/// Which records have a contact: with which triangle, from where on the edge, and how deep. Left out are those that the
/// reference decides otherwise when all inputs are shaken by some f32 epsilons.
pub fn edge_contacts(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let records = search.edge_records();
    let all = |scene: &Scene, tested: &[DVec3]| {
        let exits = Exits::new(scene);
        let wanted = |record: &Record| wanted(search, scene, &exits, tested, record);
        records.iter().map(wanted).collect::<Vec<_>>()
    };
    let wanted = all(&search.scene, &search.tested());
    let others = [7, 8, 9, 10].map(|seed| {
        let (scene, tested) = search.shaken(seed);
        all(&scene, &tested)
    });
    tally.holds(search.edge_contacts.len() == records.len());
    let mut compared = 0;
    for (r, (record, got)) in records.iter().zip(&search.edge_contacts).enumerate() {
        constants(search, record, got, tally);
        let face = |wanted: &[Option<Wanted>]| wanted[r].as_ref().map(|w| w.face.triangle);
        if others.iter().any(|other| face(other) != face(&wanted)) {
            continue;
        }
        compared += 1;
        tally.holds((got.particles.x == NONE) == wanted[r].is_none());
        if let (Some(wanted), true) = (&wanted[r], got.particles.x != NONE) {
            compare_contact(search, got, wanted, tally);
        }
    }
    if search.world.posed {
        tally.holds((records.len() - compared) * COMPARED <= records.len());
    }
}

/// None where an end is inside the body, too, where the way back leads through no face of it that looks against the edge,
/// and where that face's plane is further than the edge is long, or further off than twice the margins.
fn wanted(
    search: &Search<'_>,
    scene: &Scene,
    exits: &Exits<'_>,
    tested: &[DVec3],
    record: &Record,
) -> Option<Wanted> {
    let ends = ends(search, record.feature - tested.len());
    let words = HIT_STRIDE as usize;
    let held = |i: usize| {
        let list = &search.hits[1].tets[words * i..words * i + MAX_HITS as usize];
        let mut tets = list.iter().filter(|tet| **tet != NONE);
        tets.any(|tet| scene.body[scene.tets[*tet as usize][0]] == record.body)
    };
    if ends.into_iter().any(held) {
        return None;
    }
    let (along, along_scale) = middle(scene, exits, tested, ends, record)?;
    let record = Record { along, ..*record };
    let (face, penetration) = edge_way_out(scene, exits, tested, ends, &record)?;
    let direction = penetration.direction;
    if direction.dot(edge_normal(scene, ends)) > -FACING {
        return None;
    }
    let [q, x] = [tested, &scene.position].map(|x| x[ends[0]].lerp(x[ends[1]], along));
    let corner = scene.position[scene.surface[face.triangle][0]];
    let gap = (corner - x).dot(face.normal) / direction.dot(face.normal);
    let margin = f64::from(search.arrays.constants.margin) + q.distance(x);
    let near = -2.0 * margin <= gap && gap <= tested[ends[0]].distance(tested[ends[1]]);
    near.then_some(Wanted {
        along,
        face,
        direction,
        gap,
        along_scale,
    })
}

/// The middle of what is inside the body of an edge, around its part in the record's tetrahedron, and its scale: as far
/// as a face is uncertain, over the cosine between it and the edge.
fn middle(
    scene: &Scene,
    exits: &Exits<'_>,
    tested: &[DVec3],
    ends: [usize; 2],
    record: &Record,
) -> Option<(f64, f64)> {
    let [a, b] = ends.map(|i| tested[i]);
    let way = b - a;
    let [from, to] = interval_in_tet(scene, record.tet, a, way, 1.0, 0.0)?;
    let between = 0.5 * (from + to);
    let q = a + between * way;
    let ahead = exits.first(record.body, q, way, 1.0 - between);
    let back = exits.first(record.body, q, -way, between);
    let scale = |face: Option<Crossing>| {
        let Some(face) = face else { return 1.0 };
        let corners = scene.surface[face.triangle].map(|i| scene.position[i]);
        1.0 + reach(a, corners) / face.normal.dot(way).abs()
    };
    let last = ahead.map_or(1.0, |face| between + face.t);
    let first = back.map_or(0.0, |face| between - face.t);
    Some((0.5 * (first + last), 0.5 * (scale(ahead) + scale(back))))
}

/// What a contact takes over from its record and its bodies, whatever came of it.
fn constants(search: &Search<'_>, record: &Record, got: &Contact, tally: &mut Tally) {
    let ends = ends(search, record.feature - search.bench.len());
    let bodies = &search.bench.case.bodies;
    let (own, other) = (&bodies[search.scene.body[ends[0]]], &bodies[record.body]);
    tally.words(
        &[got.feature, got.body, got.fresh, got.unreached],
        &[record.feature as u32, record.body as u32, 1, 0],
    );
    let friction = f64::from(own.friction * other.friction).sqrt();
    tally.number(got.friction, friction, friction);
    tally.holds(got.restitution == own.restitution.max(other.restitution));
    tally.holds(got.edge == own.edge.min(other.edge));
    let participants = if got.particles.x == NONE {
        [NONE; 2]
    } else {
        ends.map(|i| i as u32)
    };
    tally.holds([got.particles.x, got.second] == participants);
}

/// Scales are those of contacts of points; to the distance of the triangle comes how far the place on the edge is off.
fn compare_contact(search: &Search<'_>, got: &Contact, wanted: &Wanted, tally: &mut Tally) {
    let scene = &search.scene;
    let ends = ends(search, got.feature as usize - search.bench.len());
    let triangle = scene.surface[wanted.face.triangle];
    let corners = triangle.map(|i| scene.position[i]);
    let [a, b, c] = corners;
    let edge = scene.position[ends[1]] - scene.position[ends[0]];
    let x = scene.position[ends[0]] + wanted.along * edge;
    let (r, n) = (wanted.direction, wanted.face.normal);
    let turned = shape(corners) / n.dot(r);
    tally.number(got.second_weight, wanted.along, wanted.along_scale);
    tally.number(got.weights.x, 1.0 - wanted.along, wanted.along_scale);
    tally.vector(got.normal, r, turned);
    let moved = wanted.along_scale * edge.length();
    let slid = moved * n.dot(edge.normalize()).abs() / n.dot(r);
    let gap = (x.distance(a) + x.length() + wanted.gap.abs()) * turned + slid;
    tally.number(got.gap, wanted.gap, gap);
    let y = x + wanted.gap * r;
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let terms = longest + y.distance(a) + moved + gap + x.length();
    let scale = longest * terms * shape(corners) / (b - a).cross(c - a).length();
    let barycentric = barycentric_in_triangle(y, corners).expect("faces have an area");
    shares(got, triangle, barycentric, scale, tally);
}
