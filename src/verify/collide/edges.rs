//! The passes that find edges of one body that pass through another.
//!
//! The worlds' positions are exact in f32, so that which cells an edge stands in is decided alike; which tetrahedra it
//! passes through lies between what the reference finds a little inside of them and a little outside.

use std::collections::BTreeMap;

use glam::{IVec3, UVec3, Vec3};

use super::super::errors::ErrorStats;
use super::inside::compare;
use super::search::Search;
use crate::Result;
use crate::gpu::Kernel;
use crate::gpu::types::{
    BODY_BITS, Box, EDGE_CELL, EDGE_PART, HIT_STRIDE, MAX_OVERLAPS, NONE, OVERLAP_STRIDE,
};
use crate::reference::contact::boxes::Aabb;
use crate::reference::contact::detect::Hit;
use crate::reference::contact::geometry::interval_in_tet;

/// How far a barycentric coordinate may be off, in the terms that it is added up from.
const SHARE: f64 = 16.0 * f32::EPSILON as f64;

/// The grid of edges is empty and no edge is in any body; what stands of particles stays.
pub fn edge_begin(kernel: &Kernel, search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
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
    grid[lists..2 * lists].fill(0);
    let (left, of_edges) = search.read_hits()?;
    errors.case();
    errors.words(&arrays.edge_grid.read(context)?, &grid);
    errors.words(&of_edges.tets, &vec![NONE; words * edges]);
    errors.words(&of_edges.counts, &vec![0; edges]);
    errors.holds(left == of_particles);
    Ok(())
}

/// Each edge that may be inside another body stands in the lists of all the cells that its box covers, once, on each
/// level where these are few, and its body's bit in the cells' words.
pub fn edge_insert(search: &Search<'_>, errors: &mut ErrorStats) {
    errors.case();
    let lists = search.arrays.constants.edge_table as usize;
    let (heads, next) = search.edge_grid.split_at(lists);
    let (bits, next) = next.split_at(lists);
    let mut list_of = BTreeMap::new();
    for (list, &head) in (0..).zip(heads) {
        let mut node = head;
        while node != NONE {
            let Some(&after) = next.get(node as usize) else {
                return errors.holds(false);
            };
            if list_of.insert(node, list).is_some() {
                return errors.holds(false);
            }
            node = after;
        }
    }
    let edges = 0..search.edges.len();
    let mut wanted: Vec<_> = edges.flat_map(|e| nodes(search, e)).collect();
    wanted.sort_unstable_by_key(|node| node.number);
    let got: Vec<_> = list_of.into_iter().flat_map(<[u32; 2]>::from).collect();
    let words = |node: &Node| [node.number, node.list];
    errors.words(&got, &wanted.iter().flat_map(words).collect::<Vec<_>>());
    let mut wanted_bits = vec![0; lists];
    for node in &wanted {
        wanted_bits[node.cell as usize] |= node.bit;
    }
    errors.words(bits, &wanted_bits);
}

/// An edge in one of its cells.
struct Node {
    number: u32,
    list: u32,
    /// Which word has the bits of what is in the cell.
    cell: u32,
    /// That of the edge's body.
    bit: u32,
}

/// The nodes of an edge.
fn nodes(search: &Search<'_>, e: usize) -> Vec<Node> {
    let constants = &search.arrays.constants;
    let [a, b] = ends(search, e).map(|i| search.tested[i]);
    let (low, high) = (a.position.min(b.position), a.position.max(b.position));
    let boxes = &search.overlaps[OVERLAP_STRIDE as usize * a.body as usize..];
    let touching = search.bodies[a.body as usize].touching.min(MAX_OVERLAPS);
    // Edges are not tested against their own body.
    let meets = |o: &Box| o.b != 0 && high.cmpge(o.low).all() && low.cmple(o.high).all();
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
                let replica = search.scene.bodies[a.body as usize].replica as u32;
                let owner = BODY_BITS * replica + a.body % BODY_BITS;
                let word = |whose| {
                    hash(cell(low) + step, 2 * level + wider, whose) & (constants.edge_table - 1)
                };
                nodes.push(Node {
                    number: first + k,
                    list: word(owner),
                    cell: word(replica),
                    bit: bit(a.body),
                });
            }
        }
        wider = 1;
    }
    nodes
}

/// What the grids tell a body apart by.
pub fn bit(body: u32) -> u32 {
    1 << (body % BODY_BITS)
}

/// The hash of a cell (Teschner et al. 2003, section 3.2), a kind of list and whose it is.
pub fn hash(cell: IVec3, kind: u32, owner: u32) -> u32 {
    let factors = UVec3::new(73_856_093, 19_349_663, 83_492_791);
    let parts = cell.as_uvec3().wrapping_mul(factors);
    let key = parts.x ^ parts.y ^ parts.z ^ kind.wrapping_mul(2_654_435_761);
    let key = key ^ owner.wrapping_mul(2_246_822_519);
    key ^ (key >> 15)
}

/// The bodies that each edge passes through, by brute force over all tetrahedra of all bodies that may touch its own.
pub fn edges_in_tets(search: &Search<'_>, errors: &mut ErrorStats) {
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
    compare(search, &search.edge_hits, &found, holds, errors);
}

/// The particles at an edge's ends.
pub fn ends(search: &Search<'_>, e: usize) -> [usize; 2] {
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
