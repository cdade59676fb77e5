//! Lines of forces, of penetration vectors and of colliders.

use glam::{DVec3, UVec4, Vec3};

use super::field::{counted, records, touching};
use crate::Result;
use crate::gpu::types::{Contact, Lines, NONE, Outline, Pose, Segment, Side};
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
