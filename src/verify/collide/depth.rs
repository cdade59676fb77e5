//! The passes that find the penetration vector of a body.
//!
//! A point where a line leaves a body is as uncertain as the distance of the face from the line's start, over the cosine
//! that they meet at; its weight 1/d² twice as much, relative to d. Records whose faces are others when all inputs are
//! shaken by some f32 epsilons are left out.

use glam::DVec3;

use super::search::{Search, exact, known};
use crate::Result;
use crate::gpu::types::{Penetration, STATUS_SWEEPS};
use crate::reference::contact::border::{self, Border, Intersection, Rule};
use crate::reference::contact::geometry::{area_vector, barycentric};
use crate::reference::contact::penetration::{self, propagate_sweep};
use crate::reference::contact::{Record, Scene, weighted};
use crate::verify::ErrorStats;

/// Of bodies that lie anyhow, at most one in so many records is left out.
const COMPARED: usize = 10;

/// The penetration vectors of particles at the border, with and without anything remembered.
pub fn border(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (records, tested) = (search.records(), search.tested());
    let after: Vec<Penetration> = search.after("border_penetration").get("penetrations_out");
    let recalled = search.after("contact_match").array("penetrations_out");
    let of_particles = records.len() + search.sphere_records();
    errors.holds(after[of_particles..] == recalled.decode::<Penetration>()[of_particles..]);
    let before = &search.found.recalled[..records.len()];
    let remembered: Vec<_> = before.iter().map(exact).collect();
    let all =
        |scene: &Scene, tested: &[DVec3]| border::border(scene, tested, &records, &remembered);
    let wanted = all(&search.scene, &tested);
    let others = [1, 2].map(|seed| {
        let both = search.shaken(seed);
        both.map(|(scene, tested)| all(&scene, &tested))
    });
    let got = &search.found.sweeps[0];
    errors.holds(got.len() == records.len());
    let mut compared = 0;
    for (r, record) in records.iter().enumerate() {
        errors.words(&words(&got[r], got[r].sweep), &begun(record));
        let wanted = &wanted[r];
        if others.iter().flatten().any(|other| !alike(wanted, &other[r])) {
            continue;
        }
        compared += 1;
        if wanted.rule == Rule::Memory {
            errors.holds(exact(&got[r]) == wanted.penetration);
        } else {
            let scale = border_scale(search, record, &tested, wanted);
            compare(&got[r], wanted.penetration, scale, errors);
        }
    }
    if search.world.posed {
        errors.holds((records.len() - compared) * COMPARED <= records.len());
    }
    Ok(())
}

/// Each sweep from what the one before left.
pub fn propagate(search: &Search<'_>, errors: &mut ErrorStats) -> Result<()> {
    for after in search.passes("propagate") {
        after.skip("penetrations_out");
        after.skip("status");
    }
    let (records, tested) = (search.records(), search.tested());
    for (sweep, pair) in search.found.sweeps.windows(2).enumerate() {
        let before: Vec<_> = pair[0].iter().map(exact).collect();
        let wanted = propagate_sweep(&search.scene, &tested, &records, &before);
        for (r, (before, got)) in pair[0].iter().zip(&pair[1]).enumerate() {
            let found = known(got) && !known(before);
            let number = if found { sweep as u32 + 1 } else { before.sweep };
            errors.words(&words(got, got.sweep), &words(before, number));
            if known(before) {
                errors.holds(got == before);
            } else {
                let scale = sweep_scale(search, &tested, r, &pair[0]);
                compare(got, wanted[r], scale, errors);
            }
        }
    }
    let last = search.found.sweeps.iter().flatten().map(|p| p.sweep).max();
    let counted = search.array::<u32>("status")[STATUS_SWEEPS as usize];
    errors.holds(counted == last.unwrap_or(0));
    Ok(())
}

/// What a record has in this order.
pub fn words(p: &Penetration, sweep: u32) -> [u32; 4] {
    [p.feature, p.tet, p.body, sweep]
}

/// What a record begins with: feature, tetrahedron, body and sweep.
pub fn begun(record: &Record) -> [u32; 4] {
    [record.feature, record.tet, record.body, 0].map(|w| w as u32)
}

/// Scales of depth and direction; infinite where the directions nearly cancel.
pub type Scale = [f64; 2];

/// Compares a penetration vector.
pub fn compare(
    got: &Penetration,
    wanted: Option<penetration::Penetration>,
    scale: Scale,
    errors: &mut ErrorStats,
) {
    let [depth, direction] = scale;
    if direction > 1e3 {
        return;
    }
    errors.holds(known(got) == wanted.is_some());
    if let Some(wanted) = wanted {
        errors.number(got.depth, wanted.depth, depth);
        errors.vector(got.direction, wanted.direction, direction);
    }
}

/// Whether two penetration vectors are by the same rule and the same faces, or others in the same planes.
fn alike(one: &Border, other: &Border) -> bool {
    let same = |(a, b): (&Intersection, &Intersection)| {
        a.outside == b.outside && a.normal.dot(b.normal) > 1.0 - 1e-6
    };
    (one.rule, one.outside) == (other.rule, other.outside)
        && one.places.len() == other.places.len()
        && one.places.iter().zip(&other.places).all(same)
}

fn border_scale(search: &Search<'_>, record: &Record, tested: &[DVec3], wanted: &Border) -> Scale {
    let scene = &search.scene;
    let (mut weights, mut depths, mut directions, mut sum) = (0.0, 0.0, 0.0, DVec3::ZERO);
    let typical = wanted.penetration.map_or(0.0, |p| p.depth.abs());
    for place in &wanted.places {
        let corners = scene.surface[place.triangle].map(|i| scene.position[i]);
        let reach = reach(tested[record.feature], corners);
        let length = place.arm.length();
        let cosine = (place.arm.dot(place.normal) / length.max(f64::MIN_POSITIVE)).abs().max(1e-3);
        let turned = if place.outside.is_none() { back_scale(scene, tested, record) } else { 1.0 };
        let off = (reach + length * turned) / cosine;
        let relative = if length > scene.floor { 2.0 * off / length } else { 0.0 };
        let weight = 1.0 / place.arm.length_squared().max(scene.floor * scene.floor);
        let depth = place.arm.dot(place.normal).abs();
        weights += weight;
        depths += weight * (relative * (depth + typical) + reach);
        directions += weight * (relative + shape(corners));
        sum += weight * place.normal;
    }
    if weights == 0.0 {
        return [0.0, 1.0];
    }
    [depths / weights, directions / sum.length()]
}

/// The numbers that the distance of a face is added up from \[m\].
pub fn reach(q: DVec3, corners: [DVec3; 3]) -> f64 {
    q.distance(corners[0]) * shape(corners) + q.length()
}

/// The product of a triangle's edges over the length of their cross product.
pub fn shape([a, b, c]: [DVec3; 3]) -> f64 {
    let area = area_vector([a, b, c]).map_or(f64::MIN_POSITIVE, DVec3::length);
    a.distance(b) * a.distance(c) / area
}

/// What the velocity on the way that a point came is added up from, over its length.
fn back_scale(scene: &Scene, tested: &[DVec3], record: &Record) -> f64 {
    let corners = scene.tets[record.tet];
    let x = corners.map(|i| scene.position[i]);
    let Some(shares) = barycentric(tested[record.feature], x) else {
        return f64::INFINITY;
    };
    let parts: Vec<_> = corners.into_iter().zip(shares).collect();
    let own = scene.velocity[record.feature];
    let relative = own - weighted(&parts, &scene.velocity);
    let terms: f64 =
        parts.iter().map(|(k, share)| (share.abs() + 1.0) * scene.velocity[*k].length()).sum();
    (own.length() + terms * flatness(x)) / relative.length().max(f64::MIN_POSITIVE)
}

/// The product of a tetrahedron's edges at a corner over their triple product.
fn flatness([a, b, c, d]: [DVec3; 4]) -> f64 {
    let volume = (b - a).dot((c - a).cross(d - a)).abs();
    a.distance(b) * a.distance(c) * a.distance(d) / volume.max(f64::MIN_POSITIVE)
}

/// Σ w (|d| + |h|) / Σ w and Σ w / |Σ w r| over the neighbours that an earlier sweep reached.
fn sweep_scale(search: &Search<'_>, tested: &[DVec3], r: usize, before: &[Penetration]) -> Scale {
    let (scene, own) = (&search.scene, &before[r]);
    let i = own.feature as usize;
    let (mut weights, mut depths, mut sum) = (0.0, 0.0, DVec3::ZERO);
    let near = scene.edges.iter().filter(|edge| edge.contains(&i));
    for &[a, b] in near {
        let j = (a + b - i) as u32;
        for other in before.iter().filter(|p| p.feature == j && p.body == own.body && known(p)) {
            let arm = tested[j as usize].distance(tested[i]);
            let weight = 1.0 / arm.max(scene.floor).powi(2);
            weights += weight;
            depths += weight * (arm + f64::from(other.depth).abs());
            sum += weight * other.direction.as_dvec3();
        }
    }
    if weights == 0.0 {
        return [0.0, 1.0];
    }
    [depths / weights, weights / sum.length()]
}
