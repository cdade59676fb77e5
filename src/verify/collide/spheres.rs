//! The passes that find what spheres touch, and their contacts.
//!
//! Which lists spheres and triangles stand in is decided alike, because the worlds' positions are exact in f32. Partners
//! are compared by brute force, except where the kernel's rounding decides.

use std::collections::BTreeMap;

use glam::{DVec3, IVec3, UVec3, UVec4, Vec3};

use super::super::tally::Tally;
use super::partners::Partners;
use super::search::Search;
use super::triangle::shares;
use crate::Result;
use crate::gpu::Kernel;
use crate::gpu::types::{Contact, MAX_SPHERE_HITS, NONE};
use crate::reference::contact::spheres::{Meeting, Nearest, nearest, with_sphere, with_triangle};

/// A partner's word is a particle, or a triangle with this bit.
pub const TRIANGLE_BIT: u32 = 1 << 31;
/// What kernels may be off by, in the terms that a distance is added up from.
pub const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

/// The grid is empty; what stands behind its lists stays.
pub fn sphere_begin(kernel: &Kernel, search: &Search<'_>, tally: &mut Tally) -> Result<()> {
    let (context, arrays) = (search.bench.context, &search.arrays);
    let lists = arrays.constants.sphere_table as usize;
    if lists == 0 {
        return Ok(());
    }
    let mut grid = vec![7; arrays.sphere_grid.len()];
    arrays.sphere_grid.write(context, 0, &grid);
    search.run(kernel, lists, 0);
    grid[..lists].fill(NONE);
    tally.case();
    tally.words(&arrays.sphere_grid.read(context)?, &grid);
    arrays.sphere_grid.write(context, 0, &search.sphere_grid);
    Ok(())
}

/// Each sphere stands in the list of its cell, each triangle in those of all cells that its box covers, once; both only
/// where their body touches others.
pub fn sphere_insert(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let lists = search.arrays.constants.sphere_table as usize;
    let (heads, next) = search.sphere_grid.split_at(lists);
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
    let got: Vec<u32> = list_of.into_iter().flat_map(|(n, l)| [n, l]).collect();
    let spheres = (0..search.bench.len()).filter(|&i| {
        let body = &search.bodies[search.scene.body[i]];
        body.radius > 0.0 && body.touching > 0
    });
    let mut wanted: Vec<u32> = spheres
        .flat_map(|i| {
            let cell = cell(search, search.bench.case.particles[i].position, 0);
            [i as u32, list(search, cell, 0)]
        })
        .collect();
    let triangles = (0..search.triangles.len()).flat_map(|t| triangle_nodes(search, t));
    wanted.extend(triangles);
    tally.words(&got, &wanted);
}

/// The nodes of a triangle, each with its list.
fn triangle_nodes(search: &Search<'_>, t: usize) -> Vec<u32> {
    let [a, b, c, body] = search.triangles[t].to_array().map(|i| i as usize);
    if search.bodies[body].touching == 0 {
        return Vec::new();
    }
    let corners = [a, b, c].map(|i| search.bench.case.particles[i].position);
    let low = corners[0].min(corners[1]).min(corners[2]);
    let high = corners[0].max(corners[1]).max(corners[2]);
    let constants = &search.arrays.constants;
    let extent = constants.inverse_sphere_cell * (high - low).max_element();
    let finest = (0..constants.sphere_levels).find(|k| extent <= (1_u32 << k) as f32);
    let level = finest.unwrap_or(constants.sphere_levels - 1);
    let first = cell(search, low, level);
    let mut nodes = Vec::new();
    for k in 0..8 {
        let step = UVec3::new(k & 1, k >> 1 & 1, k >> 2).as_ivec3();
        if step.cmple(cell(search, high, level) - first).all() {
            let node = search.bench.len() as u32 + 8 * t as u32 + k;
            nodes.extend([node, list(search, first + step, 1 + level)]);
        }
    }
    nodes
}

fn cell(search: &Search<'_>, x: Vec3, level: u32) -> IVec3 {
    let inverse_cell = search.arrays.constants.inverse_sphere_cell / (1_u32 << level) as f32;
    (x * inverse_cell).floor().as_ivec3()
}

/// The list of a cell by its hash (Teschner et al. 2003, section 3.2) and a kind of list.
fn list(search: &Search<'_>, cell: IVec3, kind: u32) -> u32 {
    let factors = UVec3::new(73_856_093, 19_349_663, 83_492_791);
    let parts = cell.as_uvec3().wrapping_mul(factors);
    let key = parts.x ^ parts.y ^ parts.z ^ kind.wrapping_mul(2_654_435_761);
    (key ^ (key >> 15)) & (search.arrays.constants.sphere_table - 1)
}

/// A sphere and a triangle of the kernels' list.
pub fn meet(search: &Search<'_>, i: usize, triangle: usize) -> Option<(Meeting, Nearest)> {
    let surface = search.surface_of[triangle];
    let corners = search.scene.surface[surface].map(|k| search.scene.position[k]);
    let near = nearest(search.scene.position[i], corners)?;
    Some((with_triangle(&search.scene, i, surface)?, near))
}

/// What a meeting's distance is added up from: the radii, the way ahead, and the ways to the other's particles, of which a
/// narrow triangle's weights are as uncertain as its shape.
pub fn terms(search: &Search<'_>, meeting: &Meeting) -> f64 {
    let scene = &search.scene;
    let speed = |k: usize| scene.step * scene.velocity[k].length();
    let ways: f64 = meeting.others.iter().map(|(k, _)| speed(*k)).sum();
    meeting.reach + speed(meeting.sphere) + ways + far(search, meeting)
}

/// What the way from the nearest point is added up from.
fn far(search: &Search<'_>, meeting: &Meeting) -> f64 {
    let x = scene_at(search, meeting.sphere);
    let corners: Vec<_> = meeting
        .others
        .iter()
        .map(|(k, _)| scene_at(search, *k))
        .collect();
    let away = corners.iter().map(|y| x.distance(*y)).fold(0.0, f64::max);
    match corners[..] {
        [a, b, c] => away + longest([a, b, c]) * weight_terms(x, [a, b, c]),
        _ => away,
    }
}

fn scene_at(search: &Search<'_>, i: usize) -> DVec3 {
    search.scene.position[i]
}

fn longest([a, b, c]: [DVec3; 3]) -> f64 {
    a.distance(b).max(b.distance(c)).max(c.distance(a))
}

/// What barycentric weights are added up from: products of sides and ways to the corners, over the square of the area.
fn weight_terms(x: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let side = longest(corners);
    let away = corners.iter().map(|y| x.distance(*y)).fold(side, f64::max);
    let area = (b - a).cross(c - a).length();
    (side * away / area).powi(2)
}

/// The partners of each sphere, by brute force.
pub fn sphere_find(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let pairs = search.all_pairs();
    let (mut lists, mut wanted) = (Vec::new(), Vec::new());
    let of_particles = search.partners.chunks_exact(MAX_SPHERE_HITS as usize + 1);
    for (i, words) in of_particles.enumerate() {
        let own = search.scene.body[i];
        let count = search.partner_counts[i] as usize;
        if search.scene.bodies[own].radius <= 0.0 || count > MAX_SPHERE_HITS as usize {
            tally.holds(count <= MAX_SPHERE_HITS as usize);
            continue;
        }
        let partners = Partners::new(search, i, &pairs.touches[own]);
        let (list, crowded) = (&words[..count], words[MAX_SPHERE_HITS as usize]);
        tally.holds(partners.allow(list, crowded != 0));
        if let Some(only) = partners.only() {
            lists.extend_from_slice(list);
            wanted.extend(only);
        }
    }
    tally.words(&lists, &wanted);
}

/// The contacts of spheres with their partners. n; scale: what the way from the nearest point is added up from, over its
/// length. g; scale: that and the reach. Weights; scale: their terms.
pub fn sphere_contacts(search: &Search<'_>, tally: &mut Tally) {
    tally.case();
    let scene = &search.scene;
    let mut contacts = search.sphere_contacts.iter();
    for i in 0..search.bench.len() {
        let count = search.partner_counts[i] as usize;
        let radius = scene.bodies[scene.body[i]].radius;
        if radius <= 0.0 {
            continue;
        }
        let list = &search.partners[(MAX_SPHERE_HITS as usize + 1) * i..];
        for word in &list[..count] {
            let Some(got) = contacts.next() else {
                return tally.holds(false);
            };
            let crowded = list[MAX_SPHERE_HITS as usize];
            let meeting = if *word < TRIANGLE_BIT {
                with_sphere(scene, i, *word as usize)
            } else {
                let t = (word & !TRIANGLE_BIT) as usize;
                let Some((meeting, near)) = meet(search, i, t) else {
                    tally.holds(false);
                    continue;
                };
                let terms = ROUNDING * terms(search, &meeting);
                let beside = near.arm.dot(near.normal).abs() < terms;
                if beside {
                    seen_from(meeting, f64::from(got.gap) <= radius)
                } else {
                    meeting
                }
            };
            compare(search, got, &meeting, crowded, tally);
        }
    }
    tally.holds(contacts.next().is_none());
}

/// The meeting as it is seen from the front of the triangle's plane, or from behind it.
fn seen_from(meeting: Meeting, front: bool) -> Meeting {
    if front == (meeting.distance >= 0.0) {
        return meeting;
    }
    Meeting {
        direction: -meeting.direction,
        distance: -meeting.distance,
        ..meeting
    }
}

fn compare(search: &Search<'_>, got: &Contact, wanted: &Meeting, crowded: u32, tally: &mut Tally) {
    let scene = &search.scene;
    let contact = wanted.contact(scene);
    let mut particles = UVec4::splat(NONE);
    particles.x = wanted.sphere as u32;
    for (k, (i, _)) in wanted.others.iter().enumerate() {
        particles[k + 1] = *i as u32;
    }
    tally.holds(
        *got == Contact {
            normal: got.normal,
            gap: got.gap,
            weights: got.weights.with_x(1.0),
            reach: got.reach,
            particles,
            second: NONE,
            feature: wanted.sphere as u32,
            body: scene.body[wanted.others[0].0] as u32,
            partner: contact.partner as u32,
            fresh: 1,
            crowded,
            ..Contact::default()
        },
    );
    let (far, apart) = (far(search, wanted), wanted.distance.abs());
    tally.number(got.reach, wanted.reach, wanted.reach);
    tally.number(got.gap, contact.depth, wanted.reach + far);
    // Where a sphere is on a triangle whether it is near enough for the triangle's own normal depends on rounding.
    let near = 1e-6 * scene.bodies[scene.body[wanted.sphere]].edge;
    let corners: Vec<_> = wanted
        .others
        .iter()
        .map(|(k, _)| scene_at(search, *k))
        .collect();
    let [a, b, c] = corners[..] else {
        tally.vector(got.normal, wanted.direction, 1.0);
        tally.holds(got.weights.to_array() == [1.0, -1.0, 0.0, 0.0]);
        return;
    };
    let x = scene_at(search, wanted.sphere);
    if apart < near {
        tally.vector(
            got.normal,
            wanted.direction,
            longest([a, b, c]).powi(2) / (b - a).cross(c - a).length(),
        );
    } else if apart > 1e3 * near {
        tally.vector(got.normal, wanted.direction, 1.0 + far / apart);
    }
    shares(got, &wanted.others, 1.0 + weight_terms(x, [a, b, c]), tally);
}
