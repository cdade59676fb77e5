//! What poses lack of their momenta at the end of an implicit step, and get.

use glam::{DMat3, DVec3};

use super::soft::{met, parts_of_poses, pose_rows};
use crate::Result;
use crate::gpu::types::{Body, BodyMotion, MomentumPart, NONE, POSE_ROWS, Pose, Sim, TIE_HELD};
use crate::verify::momenta::{self, Mass};
use crate::verify::poses::{self, COUNT, exact, with_poses};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Bodies of some chunks each, one for each pose but the last two, which have none.
fn chunked(poses: &mut [Pose], random: &mut Random) -> Vec<Body> {
    let mut first = 0;
    let body = |_| {
        let chunk_count = random.index(1, 5) as u32;
        first += chunk_count;
        Body { chunk_first: first - chunk_count, chunk_count, ..Body::default() }
    };
    let bodies: Vec<_> = (0..poses.len() - 2).map(body).collect();
    for (p, pose) in poses.iter_mut().enumerate() {
        pose.body = if p < bodies.len() { ((p * 7 + 3) % bodies.len()) as u32 } else { NONE };
    }
    bodies
}

/// m (v_k − v) and I (ω_k − ω) in equal parts over the chunks of each pose's body; of what nothing pushes or a place holds that; and
/// what stood there of no pose's body.
pub fn lacks(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let mut random = Random::new(149);
    let mut given = poses::random(&mut random);
    let (mut rows, _) = parts_of_poses(&given, &mut random);
    rows.splice(0..0, vec![glam::Vec4::NAN; bench.len()]);
    let bodies = chunked(&mut given, &mut random);
    let chunks: u32 = bodies.iter().map(|body| body.chunk_count).sum();
    let origin = |_| momenta::held(random.vector(2.0).as_vec3());
    let before: Vec<_> = (0..chunks).map(origin).collect();
    let kicked: Vec<_> =
        given.iter().map(|_| [(); 2].map(|()| random.vector(2.0).as_vec3())).collect();
    for (p, [v, spin]) in kicked.iter().enumerate() {
        let row = bench.len() + POSE_ROWS as usize * p;
        (0..3).for_each(|k| rows[row + 2 + k].w = v[k]);
        rows[row + 7] = spin.extend(0.0);
    }
    let sim = Sim { body_count: bodies.len() as u32, drag: 3.0, ..with_poses(&bench.case.sim) };
    // Every fifth is tied to a place.
    let tied = |body: u32| body % 5 == 1;
    let groups: Vec<_> =
        (0..bodies.len() as u32).map(|b| b | if tied(b) { TIE_HELD } else { 0 }).collect();
    let arrays: &Arrays<'_> = &[
        ("poses", &given),
        ("contact_velocities", &rows),
        ("bodies", &bodies),
        ("tie_groups", &groups),
        ("momenta", &before),
    ];
    let after = bench.run(sim, COUNT, arrays)?;
    let got: Vec<MomentumPart> = after.get("momenta");
    let of =
        |body: &Body| body.chunk_first as usize..(body.chunk_first + body.chunk_count) as usize;
    let mut written = vec![false; bodies.len()];
    for (pose, kicked) in given.iter().zip(kicked).filter(|(pose, _)| pose.body != NONE) {
        let body = &bodies[pose.body as usize];
        written[pose.body as usize] = true;
        let origin = before[body.chunk_first as usize].origin.truncate();
        let is_held = met(pose).inverse_mass == 0.0 || tied(pose.body);
        for part in &got[of(body)] {
            match is_held {
                true => errors.holds(*part == momenta::held(origin)),
                false => {
                    let kicked = kicked.map(|v| v.as_dvec3());
                    momenta::compare(part, &[lack(pose, kicked, body)], origin, errors)
                }
            }
        }
    }
    for (body, _) in bodies.iter().zip(written).filter(|(_, written)| !written) {
        errors.holds(got[of(body)] == before[of(body)]);
    }
    Ok(())
}

/// What a chunk of a pose's body has of it.
fn lack(pose: &Pose, [kicked, kicked_spin]: [DVec3; 2], body: &Body) -> Mass {
    let (at, share) = (exact(pose), 1.0 / f64::from(body.chunk_count));
    let mass = share / at.inverse_mass;
    let (v, spin, x) = (pose.velocity.as_dvec3(), pose.spin.as_dvec3(), at.position);
    let inertia = DMat3::from_cols(
        at.inertia_times(DVec3::X),
        at.inertia_times(DVec3::Y),
        at.inertia_times(DVec3::Z),
    );
    let greatest = 1.0 / at.inverse_inertia.min_element();
    Mass {
        mass,
        start: x,
        end: x,
        velocity: v,
        lack: mass * (kicked - v),
        size: mass * (kicked.length() + v.length()),
        inertia: share * inertia,
        spin: (
            share * at.inertia_times(kicked_spin - spin),
            2.0 * share * greatest * (kicked_spin.length() + spin.length()),
        ),
        turning: share * spin.dot(at.inertia_times(spin)),
    }
}

/// v and ω by what the pose's body is given.
pub fn shifts(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let mut random = Random::new(151);
    let mut given = poses::random(&mut random);
    let (mut rows, _) = parts_of_poses(&given, &mut random);
    rows.splice(0..0, vec![glam::Vec4::NAN; bench.len()]);
    let bodies = chunked(&mut given, &mut random);
    let motion = |_: &Body| BodyMotion {
        shift: random.vector(2.0).as_vec3().extend(1.0),
        turn: random.vector(2.0).as_vec3().extend(0.0),
        origin: random.vector(2.0).as_vec3().extend(0.0),
    };
    let shifts: Vec<_> = bodies.iter().map(motion).collect();
    let sim = Sim { body_count: bodies.len() as u32, ..with_poses(&bench.case.sim) };
    let arrays: &Arrays<'_> =
        &[("poses", &given), ("contact_velocities", &rows), ("body_shifts", &shifts)];
    let after = bench.run(sim, COUNT, arrays)?;
    let (got, seen): (Vec<Pose>, Vec<glam::Vec4>) =
        (after.get("poses"), after.get("contact_velocities"));
    for (p, (got, before)) in got.iter().zip(&given).enumerate() {
        let [seen, unseen] = [&seen, &rows].map(|rows| pose_rows(rows, bench.len(), p));
        errors.holds(seen[2..] == unseen[2..]);
        if before.body == NONE {
            errors.holds(got == before && seen[..2] == unseen[..2]);
            continue;
        }
        let BodyMotion { shift, turn, origin } = shifts[before.body as usize];
        let [shift, turn, origin] = [shift, turn, origin].map(|a| a.truncate().as_dvec3());
        let [v, spin, x] = [before.velocity, before.spin, before.position].map(|a| a.as_dvec3());
        let size = v.length() + shift.length() + turn.length() * (x.length() + origin.length());
        errors.vector(got.velocity, v + shift + turn.cross(x - origin), size);
        errors.vector(got.spin, spin + turn, spin.length() + turn.length());
        errors.holds(seen[0] == got.velocity.extend(unseen[0].w));
        errors.holds(seen[1] == got.spin.extend(unseen[1].w));
        errors.kept(got, before, |pose, got| {
            (pose.velocity, pose.spin) = (got.velocity, got.spin);
        });
    }
    Ok(())
}
