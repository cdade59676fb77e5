//! What a ray meets.

use crate::extreme;
use glam::{DVec3, Vec3};

use crate::Result;
use crate::gpu::types::{Beam, Candidate, NONE, PickChunk, SLICE};
use crate::gpu::{Binding, Buffer, Kernel, Uniforms};
use crate::inspect::Ray;
use crate::reference::inspect::pick::{self as reference, least as least_of};
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::tally::Tally;

/// What stands where nothing is to be written.
const UNTOUCHED: Candidate = Candidate {
    place: Vec3::splat(-7.0),
    distance: -7.0,
    index: 77,
    body: 77,
};

/// The beam of a ray, and the ray as the kernels read it.
fn beam(ray: Ray) -> (Beam, reference::Ray) {
    let beam = ray.beam().expect("a direction");
    let exact = reference::Ray {
        origin: beam.origin.as_dvec3(),
        direction: beam.direction.as_dvec3(),
    };
    (beam, exact)
}

/// Rays through the cube that the particles are in, and from within it.
fn rays(random: &mut Random) -> Vec<Ray> {
    let from = |random: &mut Random, reach: f64| {
        let origin = random.vector(reach);
        Ray {
            origin: origin.as_vec3(),
            direction: (random.vector(0.7) - origin).as_vec3(),
        }
    };
    (0..6)
        .map(|k| from(random, if k % 2 == 0 { 6.0 } else { 0.8 }))
        .collect()
}

/// A kernel's candidates.
fn run(
    kernel: &Kernel,
    bench: &Bench<'_>,
    beam: Beam,
    given: &[Binding<'_>],
) -> Result<Vec<Candidate>> {
    let uniform = Uniforms::new(bench.context, "beam", 1);
    uniform.write(bench.context, &[beam]);
    let untouched = vec![UNTOUCHED; beam.count as usize + 1];
    let candidates = Buffer::new(bench.context, "candidates", &untouched)?;
    let mut others = vec![uniform.bind("beam"), candidates.bind("candidates")];
    others.extend_from_slice(given);
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.run(kernel, bench.case.sim, beam.count as usize, &others);
    candidates.read(bench.context)
}

/// Compares one candidate with the wanted element; `scale`: of its distance.
fn compare(
    got: &Candidate,
    wanted: Option<(u32, f64)>,
    scale: impl Fn(u32) -> f64,
    tally: &mut Tally,
) {
    match wanted {
        None => tally.holds(got.index == NONE && got.distance > 1e38),
        Some((index, distance)) => {
            tally.holds(got.index == index);
            tally.number(got.distance, distance, scale(index));
        }
    }
}

/// The first triangle or sphere of each range that the ray meets. With r the distance from the ray's origin, e the longest
/// side, A twice the triangle's area as the ray sees it: scale r (1 + e²/A); of a sphere r (1 + r/s), s half of the chord.
pub fn pick(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let skin = &bench.case.model.skin;
    let mut random = Random::new(81 + bench.len() as u64);
    let points: Vec<_> = skin
        .corners
        .iter()
        .map(|_| random.vector(1.0).as_vec3())
        .collect();
    let positions: Vec<_> = points.iter().map(|x| x.extend(1.0)).collect();
    let mut indices = skin.triangles.clone();
    // Without area: a side, and a point.
    for t in indices.iter_mut().step_by(11) {
        t[2] = t[1];
    }
    for t in indices.iter_mut().step_by(13) {
        *t = [t[0]; 3];
    }
    let chunks = chunks(indices.len(), bench, &mut random);
    let visible: Vec<u32> = (0..9).map(|body| u32::from(body % 4 != 2)).collect();
    let buffers = (
        Buffer::new(bench.context, "skin_positions", &positions)?,
        Buffer::new(bench.context, "skin_indices", indices.as_flattened())?,
        Buffer::new(bench.context, "pick_chunks", &chunks)?,
        Buffer::new(bench.context, "visible", &visible)?,
    );
    let others = [
        buffers.0.bind("skin_positions"),
        buffers.1.bind("skin_indices"),
        buffers.2.bind("pick_chunks"),
        buffers.3.bind("visible"),
    ];
    for ray in rays(&mut random) {
        tally.case();
        let (mut beam, exact) = beam(ray);
        beam.count = chunks.len() as u32;
        let got = run(kernel, bench, beam, &others)?;
        tally.holds(got[chunks.len()] == UNTOUCHED);
        let corners = |t: u32| indices[t as usize].map(|i| points[i as usize].as_dvec3());
        let centre = |i: u32| bench.case.particles[i as usize].position.as_dvec3();
        for (chunk, got) in chunks.iter().zip(&got) {
            let radius = f64::from(chunk.radius);
            let distance = |e: u32| match radius > 0.0 {
                true => exact.sphere(centre(e), radius),
                false => exact.triangle(corners(e)),
            };
            let seen = if visible[chunk.body as usize] == 0 {
                None
            } else {
                least_of((chunk.first..chunk.end).map(|e| (e, distance(e))))
            };
            let scale = |e: u32| match radius > 0.0 {
                true => sphere_scale(&exact, centre(e), radius),
                false => triangle_scale(&exact, corners(e)),
            };
            compare(got, seen, scale, tally);
            tally.holds(got.body == chunk.body);
            if let Some((e, distance)) = seen {
                let place = exact.origin + distance * exact.direction;
                tally.vector(got.place, place, scale(e) + exact.origin.length());
            }
        }
    }
    Ok(())
}

/// Ranges of triangles, some empty, and of particles as spheres.
fn chunks(triangles: usize, bench: &Bench<'_>, random: &mut Random) -> Vec<PickChunk> {
    let mut chunks = Vec::new();
    for (count, radius) in [(triangles, 0.0), (bench.len(), 0.1)] {
        let mut first = 0;
        while first < count {
            let end = (first + random.index(0, 90)).min(count);
            chunks.push(PickChunk {
                first: first as u32,
                end: end as u32,
                body: (chunks.len() % 9) as u32,
                radius: radius * random.between(0.5, 2.0) as f32,
            });
            first = end;
        }
    }
    chunks
}

fn triangle_scale(ray: &reference::Ray, [a, b, c]: [DVec3; 3]) -> f64 {
    let reach = [a, b, c].map(|x| x.distance(ray.origin)).into_iter();
    let side = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let area = (b - a).cross(c - a).dot(ray.direction).abs();
    reach.fold(0.0, extreme::greatest) * (1.0 + side * side / area)
}

fn sphere_scale(ray: &reference::Ray, centre: DVec3, radius: f64) -> f64 {
    let reach = centre.distance(ray.origin);
    let along = (centre - ray.origin).dot(ray.direction);
    let across = (centre - ray.origin - along * ray.direction).length();
    let half = (radius * radius - across * across).max(0.0).sqrt();
    reach * (1.0 + across / half) + radius
}

/// The nearest particle of each slice of a body, to rays and to points; scale: its distance from the origin.
pub fn nearest(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(83 + bench.len() as u64);
    for (k, ray) in rays(&mut random).into_iter().enumerate() {
        tally.case();
        let (mut beam, mut exact) = beam(ray);
        if k % 3 == 2 {
            (beam.direction, beam.right, beam.up) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
            exact.direction = DVec3::ZERO;
        }
        let first = bench.len() / 5;
        (beam.first, beam.end, beam.body) = (first as u32, bench.len() as u32, 3);
        beam.count = (bench.len() - first).div_ceil(SLICE as usize) as u32;
        let got = run(kernel, bench, beam, &[])?;
        tally.holds(got[beam.count as usize] == UNTOUCHED);
        for (k, got) in got.iter().enumerate().take(beam.count as usize) {
            let first = beam.first + SLICE * k as u32;
            let end = (first + SLICE).min(beam.end);
            let place = |i: u32| bench.case.particles[i as usize].position;
            let distance = |i: u32| Some(exact.distance(place(i).as_dvec3()));
            let wanted = least_of((first..end).map(|i| (i, distance(i))));
            let scale = |i: u32| exact.origin.distance(place(i).as_dvec3());
            compare(got, wanted, scale, tally);
            let (index, _) = wanted.unwrap_or_default();
            tally.holds(got.place == place(index) && got.body == 3);
        }
    }
    Ok(())
}

/// The least of any candidates, the first of equal ones; none of none.
pub fn least(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(85 + bench.len() as u64);
    let uniform = Uniforms::new(bench.context, "beam", 1);
    for steps in [4.0, 1e6] {
        tally.case();
        let candidate = |k: usize, random: &mut Random| Candidate {
            place: random.vector(1.0).as_vec3(),
            distance: random.between(1.0, steps).floor() as f32,
            index: k as u32 + 9,
            body: k as u32 % 7,
        };
        let mut all: Vec<_> = (0..bench.len())
            .map(|k| candidate(k, &mut random))
            .collect();
        for none in all.iter_mut().step_by(3) {
            (none.distance, none.index) = (3e38, NONE);
        }
        uniform.write(
            bench.context,
            &[Beam {
                count: all.len() as u32,
                ..Beam::default()
            }],
        );
        let candidates = Buffer::new(bench.context, "candidates", &all)?;
        let found = Buffer::new(bench.context, "found", &[UNTOUCHED])?;
        let others = [
            uniform.bind("beam"),
            candidates.bind("candidates"),
            found.bind("found"),
        ];
        bench.run(kernel, bench.case.sim, 1, &others);
        let got = found.read(bench.context)?[0];
        let distances = all.iter().map(|c| {
            let known = (c.index != NONE).then_some(f64::from(c.distance));
            (c.index, known)
        });
        match least_of(distances) {
            None => tally.words(&[got.index], &[NONE]),
            Some((index, _)) => {
                let wanted = all[index as usize - 9];
                tally.words(&[got.index, got.body], &[wanted.index, wanted.body]);
                tally.holds(got == wanted);
            }
        }
    }
    Ok(())
}
