//! Questions to a world: rays, points, boxes.

use crate::extreme;
use std::ops::Range;

use glam::{DVec3, UVec4, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use super::oracle::Oracle;
use crate::Result;
use crate::gpu::types::{
    Box as GpuBox, INSIDE_SLACK, NONE, PointAnswer, Query, QueryPiece, RayAnswer,
};
use crate::gpu::{Binding, Buffer, Kernel, Uniforms};
use crate::query::Ray;
use crate::reference::query::{self as reference, Ray as Exact};

pub const CHECKS: super::Checks = &[
    ("query_bound", super::Check::Case(bound)),
    ("query_ray", super::Check::Case(ray)),
    ("query_point", super::Check::Case(point)),
    ("query_box", super::Check::Case(in_box)),
];

/// Bodies that pieces are of: more than one word has bits.
const BODIES: usize = 40;
/// Groups that are asked about.
const MASK: u32 = 0b101;
/// Farther than anything.
const FAR: f32 = 3e38;

/// Random elements of a case's particles, in pieces of ascending bodies.
struct World<'a> {
    bench: &'a Bench<'a>,
    x: Vec<DVec3>,
    pieces: Vec<QueryPiece>,
    elements: Vec<UVec4>,
    groups: Vec<u32>,
}

impl<'a> World<'a> {
    /// Triangles where `corners` is 3, else tetrahedra; and spheres.
    fn new(bench: &'a Bench<'a>, corners: usize, random: &mut Random) -> Self {
        let count = if bench.len() > 3 { bench.len() } else { 0 };
        let element = |random: &mut Random| {
            let [a, b, c, d] = random.distinct(0, count);
            UVec4::new(a, b, c, if corners == 3 { c } else { d })
        };
        let mut elements: Vec<_> = (0..count).map(|_| element(random)).collect();
        // Without area or volume: on a line, at a point.
        for e in elements.iter_mut().step_by(11) {
            (e.z, e.w) = (e.y, e.y);
        }
        for e in elements.iter_mut().step_by(13) {
            *e = UVec4::splat(e.x);
        }
        let mut pieces = Vec::new();
        for (count, radius) in [(elements.len(), 0.0), (bench.len(), 0.1)] {
            let mut first = 0;
            while first < count {
                let end = (first + random.index(0, 60)).min(count);
                pieces.push(QueryPiece {
                    first: first as u32,
                    end: end as u32,
                    body: 0,
                    radius: radius * random.between(0.5, 2.0) as f32,
                });
                first = end;
            }
        }
        let mut body = 0;
        for (k, piece) in pieces.iter_mut().enumerate() {
            // A body is of one kind; the spheres' begin one of their own.
            body = (body + usize::from(k % 3 == 1 || piece.radius > 0.0)).min(BODIES - 1);
            piece.body = body as u32;
        }
        let groups = (0..BODIES).map(|_| 1 << random.index(0, 4)).collect();
        let x = bench.case.particles.iter().map(|p| p.position.as_dvec3());
        Self {
            bench,
            x: x.collect(),
            pieces,
            elements,
            groups,
        }
    }

    fn corners(&self, e: usize) -> [DVec3; 4] {
        self.elements[e].to_array().map(|i| self.x[i as usize])
    }

    /// The pieces that are asked about, with their elements.
    fn asked(&self) -> impl Iterator<Item = (&QueryPiece, Range<usize>)> {
        let asked = |piece: &&QueryPiece| self.groups[piece.body as usize] & MASK != 0;
        let pieces = self.pieces.iter().filter(asked);
        pieces.map(|piece| (piece, piece.first as usize..piece.end as usize))
    }

    /// The box around a piece's elements.
    fn bounds(&self, piece: &QueryPiece) -> [DVec3; 2] {
        let mut bounds = [DVec3::splat(f64::from(FAR)), DVec3::splat(-f64::from(FAR))];
        let radius = DVec3::splat(f64::from(piece.radius));
        for e in piece.first as usize..piece.end as usize {
            let places = match piece.radius > 0.0 {
                true => vec![self.x[e]],
                false => self.corners(e).to_vec(),
            };
            for x in places {
                bounds = [bounds[0].min(x - radius), bounds[1].max(x + radius)];
            }
        }
        bounds
    }

    /// Runs a kernel with what is given and the case's.
    fn run(
        &self,
        kernel: &Kernel,
        query: Query,
        given: &[Binding<'_>],
        threads: usize,
    ) -> Result<()> {
        let context = self.bench.context;
        let gpu = |piece: &QueryPiece| {
            let [low, high] = self.bounds(piece).map(|x| x.as_vec3());
            let (a, b) = (piece.body, 0);
            GpuBox { low, a, high, b }
        };
        let bounds: Vec<_> = self.pieces.iter().map(gpu).collect();
        let uniform = Uniforms::new(context, "query", 1);
        uniform.write(context, &[query]);
        let buffers = (
            Buffer::new(context, "query_pieces", &self.pieces)?,
            Buffer::new(context, "query_elements", &self.elements)?,
            Buffer::new(context, "query_bounds", &bounds)?,
            Buffer::new(context, "query_groups", &self.groups)?,
        );
        // Of one name what is given.
        let mut others = given.to_vec();
        others.extend([
            uniform.bind("query"),
            buffers.0.bind("query_pieces"),
            buffers.1.bind("query_elements"),
            buffers.2.bind("query_bounds"),
            buffers.3.bind("query_groups"),
        ]);
        let particles = &self.bench.case.particles;
        self.bench.write(particles, particles);
        self.bench
            .dispatch(kernel, self.bench.case.sim, threads, &others);
        Ok(())
    }

    fn query(&self, count: usize) -> Query {
        Query {
            count: count as u32,
            piece_count: self.pieces.len() as u32,
            solid_count: self.bench.case.sim.solid_count,
            words: BODIES.div_ceil(32) as u32,
            mask: MASK,
        }
    }
}

/// The box of each range; scale: coordinates and radius.
pub fn bound(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let untouched = GpuBox {
        low: Vec3::splat(-77.0),
        a: 77,
        ..GpuBox::default()
    };
    for corners in [3, 4] {
        errors.case();
        let mut random = Random::new(91 + bench.len() as u64);
        let world = World::new(bench, corners, &mut random);
        let count = world.pieces.len();
        let bounds = Buffer::new(bench.context, "query_bounds", &vec![untouched; count + 1])?;
        world.run(
            kernel,
            world.query(0),
            &[bounds.bind("query_bounds")],
            count,
        )?;
        let got = bounds.read(bench.context)?;
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
    let mut best: Option<Wanted> = None;
    let mut take = |next: Wanted| {
        if next.distance < best.as_ref().map_or(reach, |best| best.distance) {
            best = Some(next);
        }
    };
    let at = |t: f64| ray.origin + t * ray.direction;
    for (piece, range) in world.asked() {
        for e in range {
            let radius = f64::from(piece.radius);
            let base = Wanted {
                distance: 0.0,
                body: piece.body,
                element: e as u32,
                weights: DVec3::ZERO,
                normal: DVec3::ZERO,
                scales: [0.0; 3],
            };
            if radius > 0.0 {
                let Some(distance) = ray.sphere(world.x[e], radius) else {
                    continue;
                };
                let scale = sphere_scale(ray, world.x[e], radius);
                take(Wanted {
                    distance,
                    normal: (at(distance) - world.x[e]) / radius,
                    scales: [scale, 0.0, (scale + ray.origin.length()) / radius],
                    ..base
                });
                continue;
            }
            let [a, b, c, _] = world.corners(e);
            let Some(distance) = ray.triangle([a, b, c]) else {
                continue;
            };
            let across = (b - a).cross(c - a);
            let side = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let reach = [a, b, c].map(|x| x.distance(ray.origin));
            let reach = reach.into_iter().fold(0.0, extreme::greatest);
            let area = across.dot(ray.direction).abs();
            take(Wanted {
                distance,
                weights: reference::corner_weights([a, b, c], at(distance)),
                normal: across.normalize(),
                scales: [
                    reach * (1.0 + side * side / area),
                    1.0 + (reach + side) * side / area,
                    1.0 + side * side / across.length(),
                ],
                ..base
            });
        }
    }
    let oracle = Oracle::new(
        world.bench.case,
        &world.bench.case.sim,
        &world.bench.case.particles,
    );
    for (k, solid) in oracle.system.solids.iter().enumerate() {
        if let Some((distance, normal)) = reference::solid_ahead(solid, ray) {
            let reach = 2.0 + ray.origin.length() + distance;
            let slope = normal.dot(ray.direction).abs();
            take(Wanted {
                distance,
                body: NONE,
                element: k as u32,
                weights: DVec3::ZERO,
                normal,
                scales: [reach / slope, 0.0, 1.0 + reach / slope],
            });
        }
    }
    best
}

fn sphere_scale(ray: &Exact, centre: DVec3, radius: f64) -> f64 {
    let reach = centre.distance(ray.origin);
    let along = (centre - ray.origin).dot(ray.direction);
    let across = (centre - ray.origin - along * ray.direction).length();
    let half = (radius * radius - across * across).max(0.0).sqrt();
    reach * (1.0 + across / half) + radius
}

/// The nearest triangle, sphere or solid: the same one, its distance, place, weights and normal. With r the distance from the
/// ray's origin, e the longest side, A twice the triangle's area as the ray sees it, scales: r (1 + e²/A), of weights
/// 1 + (r + e) e/A, of normals 1 + e² over the area; of a sphere r (1 + a/s), s half of the chord, a its distance from the
/// centre; of solids r over the cosine.
pub fn ray(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(93 + bench.len() as u64);
    let world = World::new(bench, 3, &mut random);
    let untouched = RayAnswer {
        distance: -77.0,
        ..RayAnswer::default()
    };
    for reach in [FAR, 0.7] {
        errors.case();
        let rays = rays(&mut random);
        let seen = |ray: &Ray| ray.with_axes(reach, "ray").expect("a direction");
        let rays: Vec<_> = rays.iter().map(seen).collect();
        let buffer = Buffer::new(bench.context, "query_rays", &rays)?;
        let answers = Buffer::new(
            bench.context,
            "ray_answers",
            &vec![untouched; rays.len() + 1],
        )?;
        let given = [buffer.bind("query_rays"), answers.bind("ray_answers")];
        world.run(kernel, world.query(rays.len()), &given, rays.len())?;
        let got = answers.read(bench.context)?;
        errors.holds(got[rays.len()] == untouched);
        for (ray, got) in rays.iter().zip(&got) {
            let exact = Exact {
                origin: ray.origin.as_dvec3(),
                direction: ray.direction.as_dvec3(),
            };
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
pub fn point(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(95 + bench.len() as u64);
    let world = World::new(bench, 4, &mut random);
    let points: Vec<_> = (0..130)
        .map(|_| random.vector(1.0).as_vec3().extend(0.0))
        .collect();
    let untouched = PointAnswer {
        inside: -77.0,
        ..PointAnswer::default()
    };
    let buffer = Buffer::new(bench.context, "query_points", &points)?;
    let answers = Buffer::new(
        bench.context,
        "point_answers",
        &vec![untouched; points.len() + 1],
    )?;
    let given = [buffer.bind("query_points"), answers.bind("point_answers")];
    world.run(kernel, world.query(points.len()), &given, points.len())?;
    let got = answers.read(bench.context)?;
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
                let longest = edges
                    .iter()
                    .fold(p.distance(corners[0]), |most, e| most.max(e.length()));
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
pub fn in_box(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(97 + bench.len() as u64);
    let world = World::new(bench, 4, &mut random);
    let boxes: Vec<_> = (0..130)
        .map(|k| {
            let middle = random.vector(1.5);
            let half = random.vector([0.0, 0.05, 0.4][k % 3]).abs();
            GpuBox {
                low: (middle - half).as_vec3(),
                high: (middle + half).as_vec3(),
                ..GpuBox::default()
            }
        })
        .collect();
    let words = BODIES.div_ceil(32);
    let buffer = Buffer::new(bench.context, "query_boxes", &boxes)?;
    let answers = Buffer::new(
        bench.context,
        "box_answers",
        &vec![77_u32; words * boxes.len() + 1],
    )?;
    let given = [buffer.bind("query_boxes"), answers.bind("box_answers")];
    world.run(kernel, world.query(boxes.len()), &given, boxes.len())?;
    let got = answers.read(bench.context)?;
    errors.holds(got[words * boxes.len()] == 77);
    for (own, got) in boxes.iter().zip(got.chunks(words)) {
        let bounds = [own.low, own.high].map(|x| x.as_dvec3());
        let mut wanted = vec![0_u32; words];
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
