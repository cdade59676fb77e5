//! Manifolds against what they must be: points on both cores, as far apart as said along a normal along which the cores are as far
//! apart, or in each other as little, as along any.

use std::ops::Range;

use glam::{DVec3, Vec3};

use super::mesh;
use super::pairs::Pairs;
use super::touching::normal_now;
use crate::Result;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_PLANE, COLLIDER_POINT,
    COLLIDER_SEGMENT, COLLIDER_TRIANGLE, Collide, MANIFOLD, Manifold, ManifoldPoint, NO_POINT,
    NONE, TURNS_AS_A, TURNS_AS_B, TURNS_NOT,
};
use crate::verify::poses::exact;
use crate::verify::trial::Written;
use crate::verify::{Bench, ErrorStats, Random, TOLERANCE};

/// The scale of lengths, in sizes of both colliders.
const SCALE: f64 = 4.0;
/// Records of other kinds.
const FIRST: usize = 3;
/// Cylinders are compared as exactly as others down to this depth, as a part of the size.
const DEEP: f64 = 0.05;

/// By distance and depth; of meshes, too.
pub fn gjk(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    check(bench, errors, false)?;
    mesh::check(bench, errors)
}

/// By axes.
pub fn sat(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    check(bench, errors, false)
}

/// By triangles, which have to meet.
pub fn triangles(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    check(bench, errors, true)
}

/// A search from nothing, and another one after it, which takes over what the first has left.
fn check(bench: &Bench<'_>, errors: &mut ErrorStats, meets: bool) -> Result<()> {
    let mut pairs = Pairs::new(bench.len(), 130);
    // Records of other kinds stand in front of them.
    let held = FIRST..bench.len().saturating_sub(1);
    let unseen = ManifoldPoint { distance: 7.0, ..ManifoldPoint::default() };
    let mut points = vec![unseen; MANIFOLD as usize * bench.len()];
    let random = &mut Random::new(131);
    for _ in 0..2 {
        let last = points.clone();
        let after = run(bench, &pairs, &held, &last)?;
        let got: Vec<Manifold> = after.get("manifolds");
        points = after.get("manifold_points");
        for (i, (manifold, before)) in got.iter().zip(&pairs.manifolds).enumerate() {
            let own = &points[MANIFOLD as usize * i..][..MANIFOLD as usize];
            if !held.contains(&i) {
                errors.holds(manifold == before && own.iter().all(|point| *point == unseen));
                continue;
            }
            compare(&pairs, manifold, before, own, meets, errors);
            compare_taken(manifold, own, &last, errors);
        }
        // The next search finds them somewhere else, with impulses.
        pairs.disturb(random);
        for point in &mut points {
            if point.distance < 1e30 {
                // On one of the two they are elsewhere.
                let far = [DVec3::ZERO, DVec3::splat(0.3)];
                let first = random.index(0, 2);
                point.a += (far[first] + random.vector(0.004)).as_vec3();
                point.b += (far[1 - first] + random.vector(0.004)).as_vec3();
                let normal = random.between(0.1, 2.0) as f32;
                point.impulse = random.vector(1.0).as_vec3().extend(normal);
                point.approach = random.between(-2.0, 0.0) as f32;
            }
        }
        for (i, (before, found)) in pairs.manifolds.iter_mut().zip(&got).enumerate() {
            if !held.contains(&i) {
                points[MANIFOLD as usize * i..][..MANIFOLD as usize].fill(unseen);
                continue;
            }
            (before.normal, before.last) = (found.normal, i as u32);
        }
    }
    Ok(())
}

pub(super) fn run(
    bench: &Bench<'_>,
    pairs: &Pairs,
    held: &Range<usize>,
    last: &[ManifoldPoint],
) -> Result<Written> {
    let particles = bench.case.sim.particle_count;
    let mut record_first = vec![held.start as u32; particles as usize + 1];
    record_first.push(held.end as u32);
    let collide = Collide {
        feature_count: particles + 1,
        capacity: bench.len() as u32,
        ..Collide::default()
    };
    let unseen = ManifoldPoint { distance: 7.0, ..ManifoldPoint::default() };
    bench.run(
        bench.case.sim,
        bench.len(),
        &[
            ("collide", &[collide]),
            ("record_first", &record_first),
            ("colliders", &pairs.colliders),
            ("hull_vertices", &pairs.vertices),
            ("hull_faces", &pairs.faces),
            ("poses", &pairs.poses),
            ("manifolds", &pairs.manifolds),
            ("manifold_points", &vec![unseen; last.len()]),
            ("manifold_points_last", &last.to_vec()),
        ],
    )
}

/// One manifold and its points.
fn compare(
    pairs: &Pairs,
    got: &Manifold,
    before: &Manifold,
    points: &[ManifoldPoint],
    meets: bool,
    errors: &mut ErrorStats,
) {
    errors.kept(got, before, |m, got| {
        (m.normal, m.count, m.rolls) = (got.normal, got.count, got.rolls);
        (m.turns, m.along) = (got.turns, got.along);
    });
    let numbers = got.colliders.to_array();
    let [a, b] = numbers.map(|number| &pairs.cores[number as usize]);
    let kinds = numbers.map(|number| pairs.colliders[number as usize].kind);
    let size: f64 = numbers.iter().map(|n| f64::from(pairs.colliders[*n as usize].bound)).sum();
    let (scale, near) = (SCALE * size, TOLERANCE * SCALE * size);
    let radii = got.radii.as_dvec2().element_sum();
    let most = f64::from(got.reach) + radii;
    let flat = |kind| matches!(kind, COLLIDER_BOX | COLLIDER_HULL | COLLIDER_TRIANGLE);
    let meets = meets && kinds.iter().all(|kind| flat(*kind));
    let (used, unused) = points.split_at((got.count as usize).min(points.len()));
    errors.holds(got.count <= MANIFOLD);
    let empty = ManifoldPoint { distance: NO_POINT, ..ManifoldPoint::default() };
    errors.holds(unused.iter().all(|point| *point == empty));
    let (best, _) = a.most_apart(b);
    errors.number(got.normal.length(), 1.0, 1.0);
    if got.normal == Vec3::ZERO {
        return;
    }
    if used.is_empty() {
        let apart = a.apart_along(b, got.normal.as_dvec3().normalize());
        errors.holds(if meets { best > -near } else { apart > most - near });
        return;
    }
    let n = got.normal.as_dvec3().normalize();
    let apart = a.apart_along(b, n);
    compare_turning(pairs, got, &used[0], errors);
    // A depth to 2e-6 of the size tells where points of round cores are to its root; deep in others also the depth is less exact.
    let is_inside = kinds.contains(&COLLIDER_CYLINDER) && best < 0.0;
    let is_deep = is_inside && best < -DEEP * size;
    // Of what lies about axes the normal is in closed form.
    if let Some(way) = a.between_axes(b).filter(|way| !is_deep && way.length() > near) {
        let far = way.length();
        if a.apart_along(b, way / far) > best - near && way.dot(n) > 0.9 * far {
            errors.vector(got.normal, way / far, 10.0 + scale / far);
        }
    }
    let both_edges = kinds == [COLLIDER_SEGMENT; 2];
    let mut least = f64::INFINITY;
    for (k, point) in used.iter().enumerate() {
        let [x, y] = pairs.places(got, k, point);
        // Segments along each other are not quite so.
        let off = if both_edges && used.len() > 1 { 3e3 } else { 1.0 } * scale;
        let off = if is_inside { 1e2 * off } else { off };
        // Foremost to 1e-4 of the radius, which is no more than half of the size.
        let rolling = ((got.rolls >> k) & 0x11).count_ones();
        let gap = f64::from(point.distance).max(0.0) + radii;
        let rim = (1e-4 * 0.5 * size + 4e-3 * gap) / TOLERANCE;
        let off = off.max(f64::from(rolling) * rim);
        errors.number(a.outside(x).max(0.0) as f32, 0.0, off);
        errors.number(b.outside(y).max(0.0) as f32, 0.0, off);
        let gap = n.dot(x - y);
        errors.number(point.distance, gap - radii, if is_deep { off } else { scale });
        errors.number((x - y - gap * n).length() as f32, 0.0, off);
        errors.holds(gap < most + near);
        least = least.min(f64::from(point.distance) + radii);
    }
    // Of what has touched before, another point may be nearer by CLIP_SAME.
    let bounds = numbers.map(|n| f64::from(pairs.colliders[n as usize].bound));
    let is_plane = kinds[1] == COLLIDER_PLANE;
    let smaller = if is_plane { size } else { 2.0 * bounds[0].min(bounds[1]) };
    let nearer = if used.len() > 1 && before.last != NONE { 1e-3 * smaller } else { 0.0 };
    errors.number(least as f32, least.clamp(apart, apart + nearer), scale);
    // Apart, two points that are as near as the cores are along a normal are the nearest. In each other, no direction is better; the
    // face of the search before stays where that is shallow.
    let is_first = before.last == NONE;
    if least < 0.0 && is_first && !is_deep {
        errors.number((best - least - nearer).max(0.0) as f32, 0.0, scale);
    }
    errors.holds(!meets || best < near);
}

/// Normals turn only where something is round, and between balls always; where nothing has moved they have not turned.
fn compare_turning(pairs: &Pairs, got: &Manifold, first: &ManifoldPoint, errors: &mut ErrorStats) {
    let numbers = got.colliders.to_array().map(|number| number as usize);
    let kinds = numbers.map(|number| pairs.colliders[number].kind);
    let is_round = got.radii.element_sum() > 0.0 || got.rolls > 0;
    let is_face = [TURNS_AS_A, TURNS_AS_B].contains(&got.turns);
    errors.holds(got.turns == TURNS_NOT || is_round);
    errors.holds(got.turns != TURNS_NOT || !(is_round && kinds == [COLLIDER_POINT; 2]));
    let poses = numbers.map(|number| exact(&pairs.poses[pairs.colliders[number].pose as usize]));
    if let Some((n, scale)) = normal_now(got, first, &poses) {
        // Edges are square to the normal to 1e-2.
        let off = if got.turns == TURNS_NOT || is_face { 1.0 } else { 1e-2 / TOLERANCE };
        errors.vector(got.normal, n, off.max(scale));
    }
}

/// What points take over: each of those before at most once, from the nearest within reach.
fn compare_taken(
    got: &Manifold,
    points: &[ManifoldPoint],
    last: &[ManifoldPoint],
    errors: &mut ErrorStats,
) {
    let nothing = ManifoldPoint::default();
    let place = MANIFOLD as usize * got.last as usize;
    let mut free = match (got.last, last.get(place..place + MANIFOLD as usize)) {
        (NONE, _) => Vec::new(),
        (_, Some(last)) => last.iter().filter(|p| p.distance < 1e30).collect(),
        (_, None) => return errors.holds(false),
    };
    let n = got.normal.as_dvec3();
    for point in points.iter().take(got.count as usize) {
        let far = |old: &ManifoldPoint| {
            let on = [(old.a, point.a), (old.b, point.b)];
            on.map(|(old, new)| old.as_dvec3().distance(new.as_dvec3()))
                .into_iter()
                .fold(f64::INFINITY, f64::min)
        };
        let nearest = (0..free.len()).min_by(|i, j| far(free[*i]).total_cmp(&far(free[*j])));
        let old = match nearest {
            Some(k) if far(free[k]) <= f64::from(got.same) => free.remove(k),
            _ => &nothing,
        };
        errors.holds((point.impulse.w, point.approach) == (old.impulse.w, old.approach));
        let tangent: DVec3 = old.impulse.truncate().as_dvec3();
        let along: Vec3 = point.impulse.truncate();
        errors.vector(along, tangent - n * n.dot(tangent), 4.0 * tangent.length());
    }
}
