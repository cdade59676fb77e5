//! Lines of forces, of penetration vectors and of colliders.

use glam::{DVec3, UVec4, Vec3, Vec4};

use super::field::{counted, records, touching};
use crate::Result;
use crate::gpu::types::{Contact, Lines, Mark, NONE, Outline, Pose, Segment, Side, SkinPoint};
use crate::reference::inspect::lines::{self as reference, Touching};
use crate::verify::poses;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// What stands where nothing is to be written.
pub(super) const UNTOUCHED: Segment =
    Segment { start: Vec3::splat(-77.0), value: -77.0, end: Vec3::splat(-77.0), body: 77 };

/// m a of each particle of each body; scale: m times that of the acceleration.
pub fn force_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (case, scale, oracle) = (bench.case, 0.01, bench.oracle());
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let wanted = oracle.acceleration(x, v);
    for (body, ranges) in (0..).zip(&case.model.bodies) {
        let count = ranges.particles.len();
        let lines =
            Lines { first: ranges.particles.start as u32, count: count as u32, scale, body };
        let arrays: &Arrays<'_> = &[("lines", &[lines]), ("segments", &vec![UNTOUCHED; count + 1])];
        let got: Vec<Segment> = bench.run(case.sim, count, arrays)?.get("segments");
        errors.holds(got[count] == UNTOUCHED);
        for (got, i) in got.iter().zip(ranges.particles.clone()) {
            let mass = match oracle.system.pinned(i) {
                true => 0.0,
                false => oracle.system.mass(i),
            };
            let (force, rounding) = (mass * wanted.value[i], mass * wanted.scale[i]);
            errors.holds(got.start == case.particles[i].position && got.body == body);
            errors.number(got.value, force.length(), rounding);
            let end = x[i] + f64::from(scale) * force;
            errors.vector(got.end, end, x[i].length() + f64::from(scale) * rounding);
        }
    }
    Ok(())
}

/// Records of every sort, some of them with a point of a pose on their first side, some of them manifolds.
struct Records {
    all: Vec<Contact>,
    poses: Vec<Pose>,
    /// What touches in each of them, and whose it is.
    touching: Vec<Vec<(u32, Touching)>>,
    /// Of particles, behind them of the points of poses.
    position: Vec<DVec3>,
}

impl Records {
    fn new(bench: &Bench<'_>, mut all: Vec<Contact>, random: &mut Random) -> Self {
        let poses = poses::random(random);
        let mut position = bench.oracle().system.position;
        let mut lists = Vec::new();
        for (c, contact) in all.iter_mut().enumerate() {
            let bodies = contact.bodies.to_array();
            let mut own: Vec<_> = bodies.into_iter().zip(touching(contact)).collect();
            if c % 3 == 0 && contact.is_contact() && contact.a.dofs.y == NONE {
                let (pose, arm) = (c % poses.len(), random.vector(1.0).as_vec3());
                let dof = (bench.len() + pose) as u32;
                contact.a =
                    Side { dofs: UVec4::new(dof, NONE, NONE, NONE), weights: arm.extend(0.0) };
                let at = poses::exact(&poses[pose]);
                if let Some((_, touching)) = own.first_mut() {
                    touching.points = vec![(position.len(), 1.0)];
                }
                position.push(at.position + at.rotation * arm.as_dvec3());
            }
            if c % 7 == 5 {
                contact.feature_a = 2 * bench.len() as u32 + c as u32;
                own.clear();
            }
            lists.push(own);
        }
        Self { all, poses, touching: lists, position }
    }
}

/// The penetration vectors of each body's points, edges and spheres; scale: the place's and the way's lengths.
pub fn depth_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(29 + bench.len() as u64);
    let (all, [less, more]) = records(bench, &mut random);
    let given = Records::new(bench, all, &mut random);
    let x = &given.position;
    for (body, counts) in [(0, [less, more]), (1, [more, less]), (5, [less, more])] {
        let lines = Lines { count: counts[1] as u32, scale: 10.0, body, ..Lines::default() };
        let arrays: &Arrays<'_> = &[
            ("lines", &[lines]),
            ("poses", &given.poses),
            ("segments", &vec![UNTOUCHED; given.all.len() + 1]),
        ];
        let after = counted(bench, &given.all, counts, counts[1], arrays)?;
        let got: Vec<Segment> = after.get("segments");
        errors.holds(got[counts[1]..].iter().all(|got| *got == UNTOUCHED));
        for (c, got) in got[..counts[1]].iter().enumerate() {
            errors.holds(got.body == body);
            let mut known = given.touching[c..less.max(c)].iter().take(1).flatten();
            let Some((_, touching)) = known.find(|(of, _)| *of == body) else {
                errors.holds(got.start == got.end && got.value == 0.0);
                continue;
            };
            let [start, end] = reference::penetration_vector(touching, 10.0, x);
            let depth = touching.way.length();
            // Of a point of a pose what it is made of.
            let reach: f64 = touching.points.iter().map(|(i, _)| x[*i].length() + 4.0).sum();
            errors.vector(got.start, start, reach);
            errors.vector(got.end, end, reach + 10.0 * depth);
            errors.number(got.value, depth, depth);
        }
    }
    Ok(())
}

/// x = X + R a of both ends.
pub fn collider_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(53 + bench.len() as u64);
    let given = poses::random(&mut random);
    let outlines: Vec<_> = (0..bench.len() + 3)
        .map(|_| Outline {
            start: random.vector(2.0).as_vec3(),
            pose: random.index(0, given.len()) as u32,
            end: random.vector(2.0).as_vec3(),
        })
        .collect();
    let count = bench.len();
    let lines = Lines { count: count as u32, ..Lines::default() };
    let arrays: &Arrays<'_> = &[
        ("lines", &[lines]),
        ("poses", &given),
        ("outlines", &outlines),
        ("segments", &vec![UNTOUCHED; outlines.len()]),
    ];
    let got: Vec<Segment> = bench.run(bench.case.sim, count, arrays)?.get("segments");
    errors.holds(got[count..].iter().all(|got| *got == UNTOUCHED));
    for (got, outline) in got[..count].iter().zip(&outlines) {
        let pose = &given[outline.pose as usize];
        let at = poses::exact(pose);
        errors.holds(got.body == pose.body && got.value == 0.0);
        for (got, own) in [(got.start, outline.start), (got.end, outline.end)] {
            let arm = own.as_dvec3();
            let size = at.position.length() + 2.0 * arm.length();
            errors.vector(got, at.position + at.rotation * arm, size);
        }
    }
    Ok(())
}

/// Places among random particles, and the sum of the magnitudes that each is made of.
fn anchors(
    bench: &Bench<'_>,
    count: usize,
    random: &mut Random,
) -> (Vec<SkinPoint>, Vec<[DVec3; 2]>) {
    let x = bench.oracle().system.position;
    let one = |random: &mut Random| {
        let corners = [0; 4].map(|_| random.index(0, x.len()) as u32);
        let weights = [0; 4].map(|_| random.between(-0.5, 1.0) as f32);
        let terms = corners.iter().zip(weights).map(|(i, w)| f64::from(w) * x[*i as usize]);
        let place = terms.clone().sum();
        let size = terms.map(|term| term.abs()).sum();
        (SkinPoint { corners: corners.into(), weights: Vec4::from(weights) }, [place, size])
    };
    // Of nothing there are no places.
    (0..count.min(x.len())).map(|_| one(random)).unzip()
}

/// Lines of each body's particles go on by d = Σ w x − x.
pub fn skin_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(59 + bench.len() as u64);
    let x = bench.oracle().system.position;
    let (anchors, places) = anchors(bench, bench.len(), &mut random);
    for (body, ranges) in (0..).zip(&bench.case.model.bodies) {
        let particles = ranges.particles.clone();
        let mut given: Vec<_> = particles
            .clone()
            .map(|_| Segment {
                start: random.vector(2.0).as_vec3(),
                value: 3.0,
                end: random.vector(2.0).as_vec3(),
                body,
            })
            .collect();
        given.push(UNTOUCHED);
        let (first, count) = (particles.start as u32, particles.len());
        let lines = Lines { first, count: count as u32, ..Lines::default() };
        let arrays: &Arrays<'_> =
            &[("lines", &[lines]), ("anchors", &anchors), ("segments", &given)];
        let got: Vec<Segment> = bench.run(bench.case.sim, count, arrays)?.get("segments");
        errors.holds(got[count] == UNTOUCHED);
        for ((got, given), i) in got.iter().zip(&given).zip(particles) {
            let [place, size] = places[i];
            let (way, reach) = (place - x[i], size.length() + x[i].length());
            errors.holds(got.value == 3.0 && got.body == body);
            for (got, given) in [(got.start, given.start), (got.end, given.end)] {
                let given = given.as_dvec3();
                errors.vector(got, given + way, reach + given.length());
            }
        }
    }
    Ok(())
}

/// Three lines through x = Σ w x, along the axes.
pub fn mark_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(61 + bench.len() as u64);
    let (anchors, places) = anchors(bench, bench.len() / 2 + 1, &mut random);
    let marks: Vec<_> = (0..)
        .zip(&anchors)
        .map(|(k, SkinPoint { corners, weights })| Mark {
            corners: *corners,
            weights: *weights,
            size: 0.1 * k as f32,
            body: k,
        })
        .collect();
    // One line of the last is left out.
    let count = (3 * marks.len()).saturating_sub(1);
    let lines = Lines { count: count as u32, ..Lines::default() };
    let arrays: &Arrays<'_> =
        &[("lines", &[lines]), ("marks", &marks), ("segments", &vec![UNTOUCHED; count + 1])];
    let got: Vec<Segment> = bench.run(bench.case.sim, count, arrays)?.get("segments");
    errors.holds(got[count] == UNTOUCHED);
    for (k, got) in got[..count].iter().enumerate() {
        let ([place, size], mark) = (places[k / 3], &marks[k / 3]);
        let arm = f64::from(mark.size) * DVec3::AXES[k % 3];
        errors.holds(got.value == 0.0 && got.body == mark.body);
        errors.vector(got.start, place - arm, size.length() + arm.length());
        errors.vector(got.end, place + arm, size.length() + arm.length());
    }
    Ok(())
}
