//! Questions to a world: rays, points, boxes.

mod world;

use glam::{DVec3, Vec3, Vec4};

use self::world::{FAR, WORDS, World};
use super::trial::Arrays;
use super::{Bench, ErrorStats, Random};
use crate::gpu::types::{Box as GpuBox, INSIDE_SLACK, NONE, PointAnswer, QueryPiece, RayAnswer};
use crate::query::Ray;
use crate::reference::Solid;
use crate::reference::contact::geometry::{barycentric_in_triangle, longest_edge};
use crate::reference::query::{self as reference, Ray as Exact};
use crate::{Result, extreme};

pub const CHECKS: super::Checks = &[
    ("query_bound", super::Check::Trial(bound)),
    ("query_ray", super::Check::Trial(ray)),
    ("query_point", super::Check::Trial(point)),
    ("query_box", super::Check::Trial(in_box)),
];

/// The box of each range; scale: coordinates and radius.
fn bound(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let untouched = GpuBox { low: Vec3::splat(-77.0), a: 77, ..GpuBox::default() };
    for corners in [3, 4] {
        let mut random = Random::new(91 + bench.len() as u64);
        let world = World::new(bench, corners, &mut random);
        let count = world.pieces.len();
        let after = world.ask(count, &[("query_bounds", &vec![untouched; count + 1])])?;
        let got: Vec<GpuBox> = after.get("query_bounds");
        errors.holds(got[count] == untouched);
        for (piece, got) in world.pieces.iter().zip(&got) {
            let [low, high] = world.bounds(piece);
            let scale = |x: DVec3| x.length() + f64::from(piece.radius);
            errors.vector(got.low, low, scale(low));
            errors.vector(got.high, high, scale(high));
            errors.holds(got.a == piece.body);
        }
    }
    Ok(())
}

/// Rays through the cube that the particles are in, and from within it.
fn rays(random: &mut Random) -> Vec<Ray> {
    let ray = |k: usize| {
        let origin = random.vector(if k.is_multiple_of(2) { 6.0 } else { 0.8 });
        let direction = random.vector(0.7) - origin;
        let [origin, direction] = [origin, direction].map(|v| v.as_vec3());
        Ray { origin, direction }
    };
    (0..67).map(ray).collect()
}

/// The nearest that a ray meets by brute force, and what its distance, weights and normal are added up from.
struct Wanted {
    distance: f64,
    body: u32,
    element: u32,
    weights: DVec3,
    normal: DVec3,
    scales: [f64; 3],
}

fn nearest(world: &World<'_>, ray: &Exact, reach: f64) -> Option<Wanted> {
    let elements = world.asked().flat_map(|(piece, range)| {
        range.filter_map(move |e| match piece.radius > 0.0 {
            true => Wanted::sphere(world, piece, e, ray),
            false => Wanted::triangle(world, piece, e, ray),
        })
    });
    let solids = (0..).zip(&world.solids);
    let solids = solids.filter_map(|(k, solid)| Wanted::solid(k, solid, ray));
    let within = elements.chain(solids).filter(|met| met.distance < reach);
    within.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

impl Wanted {
    fn sphere(world: &World<'_>, piece: &QueryPiece, e: usize, ray: &Exact) -> Option<Self> {
        let (centre, radius) = (world.x[e], f64::from(piece.radius));
        let distance = ray.sphere(centre, radius)?;
        let reach = centre.distance(ray.origin);
        let along = (centre - ray.origin).dot(ray.direction);
        let across = (centre - ray.origin - along * ray.direction).length();
        let half = (radius * radius - across * across).max(0.0).sqrt();
        let scale = reach * (1.0 + across / half) + radius;
        Some(Self {
            distance,
            body: piece.body,
            element: e as u32,
            weights: DVec3::ZERO,
            normal: (ray.origin + distance * ray.direction - centre) / radius,
            scales: [scale, 0.0, (scale + ray.origin.length()) / radius],
        })
    }

    fn triangle(world: &World<'_>, piece: &QueryPiece, e: usize, ray: &Exact) -> Option<Self> {
        let [a, b, c, _] = world.corners(e);
        let distance = ray.triangle([a, b, c])?;
        let across = (b - a).cross(c - a);
        let side = longest_edge(&[a, b, c]);
        let reach = [a, b, c].map(|x| x.distance(ray.origin));
        let reach = reach.into_iter().fold(0.0, extreme::greatest);
        let area = across.dot(ray.direction).abs();
        let place = ray.origin + distance * ray.direction;
        Some(Self {
            distance,
            body: piece.body,
            element: e as u32,
            weights: barycentric_in_triangle(place, [a, b, c])?.into(),
            normal: across.normalize(),
            scales: [
                reach * (1.0 + side * side / area),
                1.0 + (reach + side) * side / area,
                1.0 + side * side / across.length(),
            ],
        })
    }

    fn solid(index: u32, solid: &Solid, ray: &Exact) -> Option<Self> {
        let (distance, normal) = reference::solid_ahead(solid, ray)?;
        let reach = 2.0 + ray.origin.length() + distance;
        let slope = normal.dot(ray.direction).abs();
        Some(Self {
            distance,
            body: NONE,
            element: index,
            weights: DVec3::ZERO,
            normal,
            scales: [reach / slope, 0.0, 1.0 + reach / slope],
        })
    }
}

/// The nearest triangle, sphere or solid: the same one, its distance, place, weights and normal. With r the distance from the
/// ray's origin, e the longest side, A twice the triangle's area as the ray sees it, scales: r (1 + e²/A), of weights
/// 1 + (r + e) e/A, of normals 1 + e² over the area; of a sphere r (1 + a/s), s half of the chord, a its distance from the
/// centre; of solids r over the cosine.
fn ray(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(93 + bench.len() as u64);
    let world = World::new(bench, 3, &mut random);
    let untouched = RayAnswer { distance: -77.0, ..RayAnswer::default() };
    for reach in [FAR, 0.7] {
        let seen = |ray: Ray| ray.with_axes(reach, "ray").expect("a direction");
        let rays: Vec<_> = rays(&mut random).into_iter().map(seen).collect();
        let arrays: &Arrays<'_> =
            &[("query_rays", &rays), ("ray_answers", &vec![untouched; rays.len() + 1])];
        let got: Vec<RayAnswer> = world.ask(rays.len(), arrays)?.get("ray_answers");
        errors.holds(got[rays.len()] == untouched);
        for (ray, got) in rays.iter().zip(&got) {
            let exact =
                Exact { origin: ray.origin.as_dvec3(), direction: ray.direction.as_dvec3() };
            let Some(wanted) = nearest(&world, &exact, f64::from(reach)) else {
                errors.holds((got.element, got.body) == (NONE, NONE));
                continue;
            };
            errors.holds((got.element, got.body) == (wanted.element, wanted.body));
            let [far, weights, normal] = wanted.scales;
            errors.number(got.distance, wanted.distance, far);
            let place = exact.origin + wanted.distance * exact.direction;
            errors.vector(got.position, place, far + exact.origin.length());
            errors.vector(got.weights, wanted.weights, weights);
            errors.vector(got.normal, wanted.normal, normal);
        }
    }
    Ok(())
}

/// What holds points: the same tetrahedron or sphere, the weights, the least of them. With L the longest edge and V the
/// volume scale 1 + L³/(6V); of a sphere 1 + |x|/r.
fn point(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(95 + bench.len() as u64);
    let world = World::new(bench, 4, &mut random);
    let points = random.fields(130, 1.0, 0.0);
    let untouched = PointAnswer { inside: -77.0, ..PointAnswer::default() };
    let arrays: &Arrays<'_> =
        &[("query_points", &points), ("point_answers", &vec![untouched; points.len() + 1])];
    let got: Vec<PointAnswer> = world.ask(points.len(), arrays)?.get("point_answers");
    errors.holds(got[points.len()] == untouched);
    for (point, got) in points.iter().zip(&got) {
        let p = point.truncate().as_dvec3();
        let Some((body, e, held)) = holder(&world, p) else {
            errors.holds((got.element, got.body) == (NONE, NONE));
            continue;
        };
        errors.holds((got.element, got.body) == (e as u32, body));
        match held {
            Err((depth, radius)) => {
                errors.number(got.inside, depth, 1.0 + p.length() / radius);
                errors.holds(got.weights == Vec4::ZERO);
            }
            Ok(weights) => {
                let corners = world.corners(e);
                let edges = [1, 2, 3].map(|k| corners[k] - corners[0]);
                let volume = edges[0].cross(edges[1]).dot(edges[2]).abs();
                let longest =
                    edges.iter().fold(p.distance(corners[0]), |most, e| most.max(e.length()));
                let scale = 1.0 + longest.powi(3) / volume;
                for (got, want) in got.weights.to_array().into_iter().zip(weights) {
                    errors.number(got, want, scale);
                }
                errors.number(got.inside, least(&weights), scale);
            }
        }
    }
    Ok(())
}

fn least(weights: &[f64]) -> f64 {
    weights.iter().copied().fold(f64::INFINITY, extreme::least)
}

/// A body, what of it holds a point, and its weights, or the depth in a sphere and its radius.
type Holder = (u32, usize, std::result::Result<[f64; 4], (f64, f64)>);

/// The first body that holds a point, what of it does best, with its weights or its depth and radius.
fn holder(world: &World<'_>, p: DVec3) -> Option<Holder> {
    let mut best: Option<Holder> = None;
    let mut most = -f64::from(INSIDE_SLACK);
    for (piece, range) in world.asked() {
        if best.is_some_and(|(body, ..)| body != piece.body) {
            break;
        }
        for e in range {
            let radius = f64::from(piece.radius);
            let held = match radius > 0.0 {
                true => Err((1.0 - p.distance(world.x[e]) / radius, radius)),
                false => match reference::barycentric(world.corners(e), p) {
                    Some(weights) => Ok(weights),
                    None => continue,
                },
            };
            let inside = match &held {
                Ok(weights) => least(weights),
                Err((depth, _)) if *depth < 0.0 => continue,
                Err((depth, _)) => *depth,
            };
            if inside > most {
                most = inside;
                best = Some((piece.body, e, held));
            }
        }
    }
    best
}

/// Which bodies have a part in boxes, small ones, large ones and points.
fn in_box(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(97 + bench.len() as u64);
    let world = World::new(bench, 4, &mut random);
    let own = |k: usize| {
        let middle = random.vector(1.5);
        let half = random.vector([0.0, 0.05, 0.4][k % 3]).abs();
        let [low, high] = [middle - half, middle + half].map(|x| x.as_vec3());
        let (a, b) = (0, 0);
        GpuBox { low, a, high, b }
    };
    let boxes: Vec<_> = (0..130).map(own).collect();
    let arrays: &Arrays<'_> =
        &[("query_boxes", &boxes), ("box_answers", &vec![77_u32; WORDS * boxes.len() + 1])];
    let got: Vec<u32> = world.ask(boxes.len(), arrays)?.get("box_answers");
    errors.holds(got[WORDS * boxes.len()] == 77);
    for (own, got) in boxes.iter().zip(got.chunks(WORDS)) {
        let bounds = [own.low, own.high].map(|x| x.as_dvec3());
        let mut wanted = vec![0_u32; WORDS];
        for (piece, mut range) in world.asked() {
            let radius = f64::from(piece.radius);
            let meets = |e: usize| match radius > 0.0 {
                true => {
                    let nearest = world.x[e].clamp(bounds[0], bounds[1]);
                    nearest.distance(world.x[e]) <= radius
                }
                false => reference::meets_box(world.corners(e), bounds),
            };
            if range.any(meets) {
                wanted[piece.body as usize / 32] |= 1 << (piece.body % 32);
            }
        }
        errors.words(got, &wanted);
    }
    Ok(())
}
