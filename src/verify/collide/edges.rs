//! The passes that find edges of one body that pass through another.
//!
//! The worlds' positions are exact in f32, so that which cells an edge stands in is decided alike; which tetrahedra it
//! passes through lies between what the reference finds a little inside of them and a little outside.

use std::collections::BTreeMap;

use glam::{IVec3, UVec3, Vec3};

use super::inside::compare;
use super::search::Search;
use crate::Result;
use crate::gpu::types::{BODY_BITS, Box, EDGE_CELL, EDGE_PART, HIT_STRIDE, NONE};
use crate::reference::contact::boxes::Aabb;
use crate::reference::contact::detect::Hit;
use crate::reference::contact::geometry::{from_middle, interval_in_tet};
use crate::verify::ErrorStats;
use crate::verify::trial::Arrays;

/// How far a barycentric coordinate may be off, in the terms that it is added up from.
const SHARE: f64 = 16.0 * f32::EPSILON as f64;

/// As a search begins, the grid of edges is empty and no edge is in any body.
pub fn begun(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (stride, particles) = (HIT_STRIDE as usize, search.bench.len());
    let (features, lists) = (search.features(), search.constants.edge_table as usize);
    if features == particles {
        return Ok(());
    }
    let [mut hits, mut counts, mut grid] =
        ["hits", "counts", "edge_grid"].map(|name| search.array::<u32>(name));
    hits[stride * particles..stride * features].fill(7);
    counts[particles..features].fill(7);
    grid.fill(7);
    let given: &Arrays<'_> = &[("hits", &hits), ("counts", &counts), ("edge_grid", &grid)];
    let after = search.again("contact_begin", search.begin_threads(), given)?;
    for name in ["grid", "boxes", "contact_lists", "record_first_last"] {
        after.skip(name);
    }
    grid[..lists].fill(NONE);
    grid[lists..2 * lists + 2].fill(0);
    errors.words(&after.get::<u32>("edge_grid"), &grid);
    let of_edges = stride * particles..stride * features;
    errors.words(&after.get::<u32>("hits")[of_edges.clone()], &vec![NONE; of_edges.len()]);
    errors.words(&after.get::<u32>("counts")[particles..features], &vec![0; features - particles]);
    Ok(())
}

/// The list that each node of lists by cell stands in: the first node of each list, and the one after each node. None where
/// one stands in two.
pub fn list_of(heads: &[u32], next: &[u32]) -> Option<BTreeMap<u32, u32>> {
    let mut list_of = BTreeMap::new();
    for (list, &head) in (0..).zip(heads) {
        let mut node = head;
        while node != NONE {
            if list_of.insert(node, list).is_some() {
                return None;
            }
            node = *next.get(node as usize)?;
        }
    }
    Some(list_of)
}

/// Each edge that may be inside another body stands in the lists of all the cells that its box covers, once, on each
/// level where these are few, and its body's bit in the cells' words.
pub fn edge_insert(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("edge_insert");
    let grid: Vec<u32> = after.get("edge_grid");
    let lists = search.constants.edge_table as usize;
    let (heads, next) = grid.split_at(lists);
    let (bits, next) = next.split_at(lists);
    let (kinds, next) = next.split_at(2);
    let Some(list_of) = list_of(heads, next) else {
        errors.holds(false);
        return Ok(());
    };
    let edges = 0..search.found.edges.len();
    let mut wanted: Vec<_> = edges.flat_map(|e| nodes(search, e)).collect();
    wanted.sort_unstable_by_key(|node| node.number);
    let got: Vec<_> = list_of.into_iter().flat_map(<[u32; 2]>::from).collect();
    let words = |node: &Node| [node.number, node.list];
    errors.words(&got, &wanted.iter().flat_map(words).collect::<Vec<_>>());
    let (mut wanted_bits, mut wanted_kinds) = (vec![0; lists], [0; 2]);
    for node in &wanted {
        wanted_bits[node.cell as usize] |= node.bit;
        wanted_kinds[node.kind] |= 1 << node.level;
    }
    errors.words(bits, &wanted_bits);
    errors.words(kinds, &wanted_kinds);
    Ok(())
}

/// An edge in one of its cells.
struct Node {
    number: u32,
    list: u32,
    /// Which word has the bits of what is in the cell.
    cell: u32,
    /// That of the edge's body.
    bit: u32,
    level: u32,
    /// 1 where a finer level has the edge, too.
    kind: usize,
}

/// The nodes of an edge.
fn nodes(search: &Search<'_>, e: usize) -> Vec<Node> {
    let constants = &search.constants;
    let [a, b] = ends(search, e).map(|i| search.found.tested[i]);
    let (low, high) = (a.position.min(b.position), a.position.max(b.position));
    // Edges are not tested against their own body.
    let meets = |o: &Box| o.b != 0 && high.cmpge(o.low).all() && low.cmple(o.high).all();
    if !search.shared(a.body as usize).iter().any(meets) {
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
        let replica = search.scene.bodies[a.body as usize].replica as u32;
        let owner = BODY_BITS * replica + a.body % BODY_BITS;
        for (k, cell) in cells(cell(low), cell(high)) {
            let word = |whose| hash(cell, 2 * level + wider, whose) & (constants.edge_table - 1);
            nodes.push(Node {
                number: first + k,
                list: word(owner),
                cell: word(replica),
                bit: bit(a.body),
                level,
                kind: wider as usize,
            });
        }
        wider = 1;
    }
    nodes
}

/// The cells from one to another that is at most one farther along each axis, by number.
pub fn cells(low: IVec3, high: IVec3) -> impl Iterator<Item = (u32, IVec3)> {
    let step = |k: u32| UVec3::new(k & 1, k >> 1 & 1, k >> 2).as_ivec3();
    let all = (0..8).map(move |k| (k, low + step(k)));
    all.filter(move |(_, cell)| cell.cmple(high).all())
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

/// The bodies that each edge passes through, and the tetrahedra whose parts of it are nearest to its middle, by brute force
/// over all tetrahedra of all bodies that may touch its own.
pub fn edges_in_tets(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("edges_in_tets");
    let (pairs, tets) = (search.all_pairs(), search.scene.tets_of_bodies());
    let found = [-SHARE, SHARE].map(|share| {
        let hits = |e: usize| {
            let own = search.scene.body[ends(search, e)[0]];
            let hit = |&body: &usize| {
                let part = |&tet: &usize| Some((tet, from_middle(part(search, e, tet, share)?)));
                let parts = tets[body].iter().filter_map(part);
                let (tet, _) = parts.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
                Some(Hit { body, tet })
            };
            pairs.touches[own].iter().filter_map(hit).collect()
        };
        (0..search.found.edges.len()).map(hits).collect()
    });
    // Of the kernel's it is no farther than it may be at the best, of the other one than it may be at the worst.
    let nearest = |e: usize, tet: usize, other: Option<usize>| {
        let at_best = part(search, e, tet, SHARE).map(from_middle);
        let at_worst = other.and_then(|other| part(search, e, other, -SHARE)).map(from_middle);
        at_best.is_some_and(|best| at_worst.is_none_or(|worst| best <= worst))
    };
    let [_, hits] = search.hits_of(after);
    compare(search, &hits, &found, nearest, errors);
    Ok(())
}

/// The particles at an edge's ends.
pub fn ends(search: &Search<'_>, e: usize) -> [usize; 2] {
    search.found.edges[e].ends.to_array().map(|i| i as usize)
}

/// The part of an edge in a tetrahedron whose faces are moved outward by `share` of the terms of its barycentric
/// coordinates, if it is more than `EDGE_PART`.
fn part(search: &Search<'_>, e: usize, tet: usize, share: f64) -> Option<[f64; 2]> {
    let scene = &search.scene;
    let [a, b] = ends(search, e).map(|i| search.found.tested[i].position.as_dvec3());
    let corners = scene.tets[tet].map(|i| scene.position[i]);
    let common = Aabb::around(corners).intersection(Aabb::around([a, b]));
    if common.is_empty() {
        return None;
    }
    let [u, v, w] = [1, 2, 3].map(|k| corners[k] - corners[0]);
    let longest = u.length().max(v.length()).max(w.length());
    let reach = a.distance(corners[0]).max(b.distance(corners[0]));
    let terms = 1.0 + reach * longest * longest / u.dot(v.cross(w)).abs();
    let least = f64::from(EDGE_PART) - share;
    let part = interval_in_tet(scene, tet, a, b - a, 1.0, share * terms);
    part.filter(|[from, to]| to - from > least)
}
