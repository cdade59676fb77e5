//! The passes that find what spheres touch, and their contacts.
//!
//! Which lists spheres and triangles stand in is decided alike, because the worlds' positions are exact in f32. Partners
//! are compared by brute force, except where the kernel's rounding decides.

use glam::{DVec3, IVec3, Vec3};

use super::edges::{cells, hash, list_of};
use super::meeting::{ROUNDING, corners, far, meet, terms, weight_terms};
use super::partners::Partners;
use super::search::Search;
use super::triangle::shares;
use crate::Result;
use crate::gpu::types::{
    Box, Contact, HIT_STRIDE, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS, NONE, SPHERE_STRIDE,
    Side,
};
use crate::reference::contact::geometry::longest_edge;
use crate::reference::contact::spheres::{Meeting, has_contact, level, with_sphere};
use crate::verify::ErrorStats;

/// The grid is empty; what stands behind its lists stays.
pub fn sphere_begin(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let first = search.after("sphere_begin");
    let lists = search.constants.sphere_table as usize;
    let mut grid = vec![7; first.get::<u32>("sphere_grid").len()];
    let after = search.again("sphere_begin", lists, &[("sphere_grid", &grid)])?;
    grid[..lists].fill(NONE);
    let levels = grid.len() - 2;
    grid[levels..].fill(0);
    errors.words(&after.get::<u32>("sphere_grid"), &grid);
    Ok(())
}

/// Each sphere stands in the list of its cell, each triangle in those of all cells that its box covers, once; both only
/// where they reach into what their body shares with others. The levels that have some are noted.
pub fn sphere_insert(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("sphere_insert");
    let grid: Vec<u32> = after.get("sphere_grid");
    let (heads, next) = grid.split_at(search.constants.sphere_table as usize);
    let (next, noted) = next.split_at(next.len() - 2);
    let Some(list_of) = list_of(heads, next) else {
        errors.holds(false);
        return Ok(());
    };
    let got: Vec<u32> = list_of.into_iter().flat_map(|(n, l)| [n, l]).collect();
    let mut levels = [0, 0];
    let mut wanted = Vec::new();
    for i in 0..search.bench.len() {
        let b = search.scene.body[i];
        let (x, radius) = (search.bench.case.particles[i].position, search.found.bodies[b].radius);
        if radius > 0.0 && shared(search, b, x - radius, x + radius) {
            let level = level(&search.scene, b);
            levels[0] |= 1 << level;
            let list = list(search, cell(search, x, level), 2 * level, b);
            wanted.extend([i as u32, list]);
        }
    }
    for t in 0..search.found.triangles.len() {
        if let Some((level, nodes)) = triangle_nodes(search, t) {
            levels[1] |= 1 << level;
            wanted.extend(nodes);
        }
    }
    errors.words(&got, &wanted);
    errors.words(noted, &levels);
    Ok(())
}

/// Whether a box reaches into what a body shares with those that it touches.
fn shared(search: &Search<'_>, body: usize, low: Vec3, high: Vec3) -> bool {
    let meets = |b: &Box| low.max(b.low).cmple(high.min(b.high)).all();
    search.shared(body).iter().any(meets)
}

/// The level of a triangle, and its nodes, each with its list.
fn triangle_nodes(search: &Search<'_>, t: usize) -> Option<(u32, Vec<u32>)> {
    let [a, b, c, body] = search.found.triangles[t].to_array().map(|i| i as usize);
    let corners = [a, b, c].map(|i| search.bench.case.particles[i].position);
    let low = corners[0].min(corners[1]).min(corners[2]);
    let high = corners[0].max(corners[1]).max(corners[2]);
    if !shared(search, body, low, high) {
        return None;
    }
    let constants = &search.constants;
    let extent = constants.inverse_sphere_cell * (high - low).max_element();
    let finest = (0..constants.sphere_levels).find(|k| extent <= (1_u32 << k) as f32);
    let level = finest.unwrap_or(constants.sphere_levels - 1);
    let mut nodes = Vec::new();
    for (k, cell) in cells(cell(search, low, level), cell(search, high, level)) {
        let node = (search.bench.len() + 8 * t) as u32 + k;
        nodes.extend([node, list(search, cell, 2 * level + 1, body)]);
    }
    Some((level, nodes))
}

fn cell(search: &Search<'_>, x: Vec3, level: u32) -> IVec3 {
    let inverse_cell = search.constants.inverse_sphere_cell / (1_u32 << level) as f32;
    (x * inverse_cell).floor().as_ivec3()
}

/// The list of a cell by its hash, and of a kind, where a body enters.
fn list(search: &Search<'_>, cell: IVec3, kind: u32, body: usize) -> u32 {
    let replica = search.scene.bodies[body].replica as u32;
    hash(cell, kind, replica) & (search.constants.sphere_table - 1)
}

/// A sphere's list of partners.
struct List<'a> {
    spheres: &'a [u32],
    triangles: &'a [u32],
    /// Which places have records.
    mask: u32,
    dropped: u32,
}

impl<'a> List<'a> {
    /// That of sphere `i`; None where it has more words than places.
    fn of(words: &'a [u32], i: usize) -> Option<Self> {
        let own = &words[SPHERE_STRIDE as usize * i..][..SPHERE_STRIDE as usize];
        let (spheres, rest) = own.split_at(MAX_SPHERE_HITS as usize);
        let (triangles, counts) = rest.split_at(MAX_TRIANGLE_HITS as usize);
        Some(Self {
            spheres: spheres.get(..counts[0] as usize)?,
            triangles: triangles.get(..counts[1] as usize)?,
            mask: counts[2],
            dropped: counts[3],
        })
    }
}

/// The spheres.
fn spheres<'a>(search: &'a Search<'_>) -> impl Iterator<Item = usize> + 'a {
    (0..search.bench.len()).filter(|i| search.is_round(*i))
}

/// What each sphere lists, by brute force.
pub fn sphere_find(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("sphere_find");
    let words: Vec<u32> = after.get("sphere_hits");
    let pairs = search.all_pairs();
    for i in spheres(search) {
        let Some(list) = List::of(&words, i) else {
            errors.holds(false);
            continue;
        };
        let partners = Partners::new(search, i, &pairs.touches[search.scene.body[i]]);
        if let Some(only) = partners.only() {
            errors.words(list.spheres, &only);
        }
        errors.holds(partners.allow(list.spheres, list.triangles, list.dropped as usize));
    }
    Ok(())
}

/// The nearest triangles of bodies that hold a centre and are not listed; which places have records, and how many those
/// are. No sphere is left in the lists of points in tetrahedra.
pub fn sphere_count(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("sphere_count");
    let words: Vec<u32> = after.get("sphere_hits");
    let [left, _] = search.hits_of(after);
    let lists = |i: usize, j: usize| {
        let list = List::of(&search.found.listed, i);
        list.is_some_and(|list| list.spheres.contains(&(j as u32)))
    };
    for i in spheres(search) {
        let lists_of = [&search.found.listed, &words].map(|words| List::of(words, i));
        let [Some(found), Some(got)] = lists_of else {
            errors.holds(false);
            continue;
        };
        errors.words(got.spheres, found.spheres);
        let mask = (0..).zip(got.spheres).fold(0, |mask, (place, j)| {
            mask | u32::from(has_contact(&search.scene, i, *j as usize, lists)) << place
        });
        let surfaces = (1 << got.triangles.len()) - 1;
        errors.words(&[got.mask], &[mask | surfaces << MAX_SPHERE_HITS]);
        errors.words(&[left.counts[i]], &[got.mask.count_ones()]);
        errors.holds(with_surfaces(search, i, found.triangles, got.triangles));
        let stride = HIT_STRIDE as usize;
        errors.holds(left.tets[stride * i..][..stride] == [NONE; 5]);
    }
    Ok(())
}

/// Whether a sphere's triangles are those that it `listed`, and of each body that holds its centre and is not listed the
/// nearest.
fn with_surfaces(search: &Search<'_>, i: usize, listed: &[u32], got: &[u32]) -> bool {
    let (scene, triangles) = (&search.scene, &search.found.triangles);
    let body = |t: &u32| triangles[*t as usize].w as usize;
    let hits = &search.found.hits.tets[HIT_STRIDE as usize * i..][..MAX_HITS as usize];
    let held = hits.iter().filter(|tet| **tet != NONE);
    let held = held.map(|tet| scene.body[scene.tets[*tet as usize][0]]);
    let deep: Vec<usize> = held.filter(|b| !listed.iter().any(|t| body(t) == *b)).collect();
    let added: Vec<_> = got.iter().filter(|t| !listed.contains(t)).collect();
    let flat = |b: usize| {
        let own = (0..triangles.len()).filter(|t| body(&(*t as u32)) == b);
        own.map(|t| meet(search, i, t)).all(|met| met.is_none())
    };
    let met = deep.iter().filter(|b| !flat(**b)).count();
    got.is_sorted_by(|a, b| a < b)
        && listed.iter().all(|t| got.contains(t))
        && (added.iter()).all(|t| deep.contains(&body(t)) && is_nearest(search, i, **t))
        && (got.len() == MAX_TRIANGLE_HITS as usize || added.len() == met)
}

/// Whether of its body's triangles none has a lower score, but for rounding.
fn is_nearest(search: &Search<'_>, i: usize, triangle: u32) -> bool {
    let body = |t: u32| search.found.triangles[t as usize].w;
    let score = |t: u32| {
        let (meeting, near) = meet(search, i, t as usize)?;
        Some((near.score(), ROUNDING * terms(search, &meeting)))
    };
    let Some((own, noise)) = score(triangle) else {
        return false;
    };
    let others = (0..search.found.triangles.len() as u32).filter(|t| body(*t) == body(triangle));
    others.filter_map(score).all(|(other, more)| own <= other + noise + more)
}

/// The contacts of spheres with their partners. n; scale: what the way from the nearest point is added up from, over its
/// length. g; scale: that and the reach. Weights; scale: their terms.
pub fn sphere_contacts(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let after = search.after("sphere_contacts");
    let scene = &search.scene;
    let (_, contacts, _) = search.contacts_of(&after.get::<Contact>("contacts"));
    let mut contacts = contacts.iter();
    for i in spheres(search) {
        let Some(list) = List::of(&search.found.partners, i) else {
            errors.holds(false);
            return Ok(());
        };
        let own = |(place, _): &(u32, &u32)| list.mask >> place & 1 == 1;
        let others = (0..).zip(list.spheres).filter(own).map(|(_, j)| (*j, false));
        let surfaces = list.triangles.iter().map(|t| (*t, true));
        for (word, of_triangle) in others.chain(surfaces) {
            let Some(got) = contacts.next() else {
                errors.holds(false);
                return Ok(());
            };
            let count = (scene.bodies.len() + scene.position.len()) as u32;
            let (meeting, partner) = if of_triangle {
                let Some(meeting) = with_side(search, i, word as usize, got) else {
                    errors.holds(false);
                    continue;
                };
                (meeting, count + word)
            } else {
                (with_sphere(scene, i, word as usize), scene.bodies.len() as u32 + word)
            };
            compare(search, got, &meeting, [list.dropped, partner], errors);
        }
    }
    errors.holds(contacts.next().is_none());
    Ok(())
}

/// The meeting with a triangle; where rounding decides on which side of it the centre is, as the kernel has it.
fn with_side(search: &Search<'_>, i: usize, triangle: usize, got: &Contact) -> Option<Meeting> {
    let (meeting, near) = meet(search, i, triangle)?;
    let terms = ROUNDING * terms(search, &meeting);
    if near.arm.dot(near.normal).abs() >= terms {
        return Some(meeting);
    }
    let reach = meeting.reach;
    Some(seen_from(meeting, f64::from(got.gap) <= reach))
}

/// The meeting as it is seen from the front of the triangle's plane, or from behind it.
fn seen_from(meeting: Meeting, front: bool) -> Meeting {
    if front == (meeting.distance >= 0.0) {
        return meeting;
    }
    Meeting { direction: -meeting.direction, distance: -meeting.distance, ..meeting }
}

fn compare(
    search: &Search<'_>,
    got: &Contact,
    wanted: &Meeting,
    [overflowed, partner]: [u32; 2],
    errors: &mut ErrorStats,
) {
    let others: Vec<_> = wanted.others.iter().map(|(i, _)| (*i as u32, 0.0)).collect();
    let other = wanted.others[0].0;
    errors.holds(
        *got == Contact {
            normal: got.normal,
            gap: got.gap,
            reach: got.reach,
            a: Side::of(&[(wanted.sphere as u32, 1.0)]),
            b: Side { weights: got.b.weights, ..Side::of(&others) },
            feature_a: wanted.sphere as u32,
            feature_b: partner,
            bodies: [wanted.sphere, other].map(|i| search.scene.body[i] as u32).into(),
            missed: overflowed,
            ..Contact::default()
        },
    );
    let depth = wanted.contact(&search.scene).depth;
    errors.number(got.reach, wanted.reach, wanted.reach);
    errors.number(got.gap, depth, wanted.reach + far(search, wanted));
    match corners(search, wanted)[..] {
        [a, b, c] => compare_triangle(search, got, wanted, [a, b, c], errors),
        _ => {
            errors.vector(got.normal, wanted.direction, 1.0);
            errors.holds(got.b.weights.to_array() == [-1.0, 0.0, 0.0, 0.0]);
        }
    }
}

/// The direction from a triangle, and the weights of its corners.
fn compare_triangle(
    search: &Search<'_>,
    got: &Contact,
    wanted: &Meeting,
    corners: [DVec3; 3],
    errors: &mut ErrorStats,
) {
    let ([a, b, c], apart) = (corners, wanted.distance.abs());
    let scene = &search.scene;
    // Where a sphere is on a triangle whether it is near enough for the triangle's own normal depends on rounding.
    let near = 1e-6 * scene.bodies[scene.body[wanted.sphere]].edge;
    if apart < near {
        let shape = longest_edge(&corners).powi(2) / (b - a).cross(c - a).length();
        errors.vector(got.normal, wanted.direction, shape);
    } else if apart > 1e3 * near {
        let scale = 1.0 + far(search, wanted) / apart;
        errors.vector(got.normal, wanted.direction, scale);
    }
    let terms = weight_terms(scene.position[wanted.sphere], corners);
    shares(got, &wanted.others, 1.0 + terms, errors);
}
