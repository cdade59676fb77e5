//! What a user should know of a run.

use super::measure::{CRUSHED, volume_share};
use super::{BodyMeasure, Measure, Sample};
use crate::collide::{ContactStats, can_touch};
use crate::extreme;
use crate::gpu::types::{MAX_AHEAD, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS};
use crate::model::{BodyRanges, Model};
use crate::number::short;
use crate::scene::Step;
use crate::setup::range_warnings;
use crate::world::{Snapshot, World};

/// All of them, at the end of a run.
pub(super) fn of(
    world: &World,
    state: &Snapshot,
    measure: &Measure,
    samples: &[Sample],
) -> Vec<String> {
    let (model, counts) = (world.model(), world.step_counts());
    let mut warnings = world.warnings().to_vec();
    let at_start = range_warnings(model, |i| model.positions[i]);
    for (body, warning) in range_warnings(model, |i| state.positions[i].as_dvec3()) {
        if at_start.iter().all(|(other, _)| *other != body) {
            warnings.push(warning);
        }
    }
    warnings.extend(contact_warnings(&world.contacts()));
    warnings.extend(crushed_warnings(&measure.bodies, model));
    warnings.extend(stretch_warning(&world.overstretched(&state.positions)));
    warnings.extend(speed_warnings(world, samples));
    warnings.extend(world.solve().and_then(|solve| solve.warning()));
    if counts.forced > 0 {
        warnings.push(format!(
            "{} steps exceeded `step_error`: the shortest possible step is {:.3e} s",
            counts.forced, counts.shortest
        ));
    }
    warnings
}

/// Of each body that is there and has lost most of the volume that it began with.
fn crushed_warnings(bodies: &[BodyMeasure], model: &Model) -> Vec<String> {
    let present = bodies.iter().zip(&model.bodies).filter(|(_, ranges)| !ranges.absent);
    let began = |ranges: &BodyRanges| volume_share(model, ranges, |i| model.positions[i as usize]);
    let crushed = present.filter(|(body, ranges)| {
        body.volume < CRUSHED * body.volume_rest && began(ranges) >= CRUSHED
    });
    let sentence = |(body, _): (&BodyMeasure, &BodyRanges)| {
        format!(
            "body \"{}\" is crushed to {:.2} of its volume: its material is too soft for its size, its weight or the load on \
             it, or its step too long",
            body.name,
            (body.volume / body.volume_rest).max(0.0)
        )
    };
    crushed.map(sentence).collect()
}

/// Of the attachment that has given way most.
fn stretch_warning(stretched: &[(String, f64)]) -> Option<String> {
    let (label, longer) = stretched.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let others = match stretched.len() - 1 {
        0 => String::new(),
        1 => " and one other".into(),
        others => format!(" and {others} others"),
    };
    Some(format!(
        "{label}{others} gave way, by up to {} m: without `stiffness` an attachment is as stiff as the step allows for the lighter of \
         its two sides; give it one [N/m]",
        short(*longer)
    ))
}

/// Part of the points in other bodies that may find no penetration vector: at a first touch some see only faces that look away.
const MOST_LOST: f64 = 0.1;
/// Depth of a rigid contact, in mean edges, beyond which something presses that does not give way.
const SUNK: f64 = 0.5;

/// What a user should know of the contacts that were counted.
fn contact_warnings(stats: &ContactStats) -> Vec<String> {
    let mut warnings = Vec::new();
    if stats.grown > 0 {
        warnings.push(format!(
            "contact lists were enlarged {} and the affected steps repeated; results do not depend on this",
            times(stats.grown)
        ));
    }
    if stats.overflowed > 0 {
        warnings.push(format!(
            "{} a point was inside more than {MAX_HITS} bodies at once and collided with the first {MAX_HITS} only; use fewer \
             bodies in one place, or a shorter `step` if they sink into each other",
            times(stats.overflowed)
        ));
    }
    if stats.dropped > 0 {
        warnings.push(format!(
            "{} a point of a cloud or shell had more neighbours than its list holds (the nearest {MAX_SPHERE_HITS} points and \
             {MAX_TRIANGLE_HITS} triangles of other bodies), and the rest were ignored; use a smaller `radius` or points further \
             apart",
            times(stats.dropped)
        ));
    }
    if stats.lost as f64 > MOST_LOST * stats.points as f64 {
        warnings.push(format!(
            "no penetration vector was found for {} of {} penetrating points, summed over all steps, so nothing pushed them out: \
             bodies overlap too deeply; leave more room between them at the start, or, where fast ones meet, use a shorter `step`",
            stats.lost, stats.points
        ));
    }
    // Without points of deformable bodies all contacts are of rigid ones.
    if stats.points == 0 && stats.depth_max > SUNK {
        warnings.push(format!(
            "a rigid body sank into another one or a solid by {:.2} of its mean edge: it started inside, or was pressed harder \
             than contact resists, as by a solid that moves; leave more room, or press with a body of finite mass",
            stats.depth_max
        ));
    }
    warnings
}

/// Of each body that a step carried further in one of the `samples` than contact sees: of spheres that is how far it looks
/// ahead, of meshes, which it looks for in each other, how thick they are. Rigid bodies see each other come, however fast, unless
/// the narrow phase looks for overlaps: of them only those that may meet a body that deforms. Before meshes pass each other,
/// automatic steps become as short as they can.
fn speed_warnings(world: &World, samples: &[Sample]) -> Vec<String> {
    let (scene, model) = (world.scene(), world.model());
    if !can_touch(scene) || model.bodies.len() < 2 {
        return Vec::new();
    }
    let stepping = world.stepping();
    let thickness = |o: usize| model.bodies[o].thickness;
    let swept = |body: &BodyRanges| body.rigid.is_some() && !scene.world.narrow.needs_overlap();
    let thinnest = |counts: &dyn Fn(&BodyRanges) -> bool| {
        let mut counted: Vec<_> =
            (0..model.bodies.len()).filter(|o| counts(&model.bodies[*o])).collect();
        counted.sort_by(|a, b| thickness(*a).total_cmp(&thickness(*b)));
        counted.truncate(2);
        counted
    };
    let [any, not_swept] = [thinnest(&|_| true), thinnest(&|body| !swept(body))];
    let mut warnings = Vec::new();
    for (b, body) in model.bodies.iter().enumerate() {
        let others = if swept(body) { &not_swept } else { &any };
        let Some(other) = others.iter().find(|other| **other != b) else {
            continue;
        };
        let speeds = samples.iter().filter_map(|sample| sample.bodies.get(b));
        let fastest = speeds.map(|body| body.max_speed).fold(0.0, extreme::greatest);
        let is_auto = scene.world.step == Step::Auto && body.radius == 0.0;
        let step = if is_auto { stepping.tick() } else { stepping.step };
        let (seen, what) = if body.radius > 0.0 {
            let ahead = f64::from(MAX_AHEAD) * body.edge;
            (ahead, format!("contact looks only {ahead:.3e} m ahead of its points"))
        } else {
            let seen = thickness(b) + thickness(*other);
            let what = "it and the thinnest other body together are only as thick as a plate of";
            (seen, format!("{what} {seen:.3e} m"))
        };
        if step * fastest > seen {
            warnings.push(format!(
                "body \"{}\" moved at {fastest:.3} m/s, that is {:.3e} m per step, but {what}: it may pass through other bodies; \
                 at that speed, use a `step` of at most {:.3e} s",
                body.name,
                step * fastest,
                seen / fastest
            ));
        }
    }
    warnings
}

fn times(count: u64) -> String {
    match count {
        1 => "once".into(),
        count => format!("{count} times"),
    }
}
