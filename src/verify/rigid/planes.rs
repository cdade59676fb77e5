//! What poses lie on, and pairs that are only seams in it.

use glam::{DVec3, UVec2, UVec4, Vec4};

use super::pairs::Pairs;
use crate::Result;
use crate::gpu::types::{
    COLLIDER_BOX, COLLIDER_CYLINDER, COLLIDER_HULL, COLLIDER_PLANE, COLLIDER_TRIANGLE, Collide,
    Contact, Entry, LIST_LOADS, LIST_MANIFOLDS, LIST_RECORDS, LOOK_AHEAD, MANIFOLD, Manifold,
    ManifoldPoint, NO_POINT, NONE, PLANE_ALIKE, PLANES, Plane, Side, Sim, TURNS_AS_B, TURNS_NOT,
    TURNS_WITH_A, TURNS_WITH_B,
};
use crate::reference::rigid::Convex;
use crate::verify::poses::exact;
use crate::verify::{Bench, ErrorStats, Random};

/// Records of other kinds.
const FIRST: usize = 3;
/// What is level stands out of a plane by less than this part of the smaller bound.
const LEVEL: f64 = 1e-3;

/// Pairs some of which move, and some of which are held.
fn moving(bench: &Bench<'_>, random: &mut Random) -> Pairs {
    let mut pairs = Pairs::new(bench.len(), 140);
    for pose in &mut pairs.poses {
        pose.inverse_mass = if random.index(0, 4) == 0 { 0.0 } else { 1.0 };
        (pose.velocity, pose.spin) = (random.vector(2.0).as_vec3(), random.vector(2.0).as_vec3());
    }
    pairs
}

/// How far the surfaces of two colliders are apart along a direction out of the second into the first.
fn apart(pairs: &Pairs, [a, b]: [usize; 2], n: DVec3) -> f64 {
    let radii = pairs.colliders[a].radius + pairs.colliders[b].radius;
    pairs.cores[a].apart_along(&pairs.cores[b], n) - f64::from(radii)
}

/// How fast the collider moves along n at the centre of the pose of another one.
fn speed(pairs: &Pairs, collider: usize, at: usize, n: DVec3) -> f64 {
    let [pose, other] = [collider, at].map(|c| pairs.colliders[c].pose as usize);
    let [pose, other] = [pose, other].map(|p| &pairs.poses[p]);
    let arm = exact(other).position - exact(pose).position;
    n.dot(pose.velocity.as_dvec3() + pose.spin.as_dvec3().cross(arm))
}

/// How far the centre of another one's pose is in front of a collider along n.
fn height(pairs: &Pairs, collider: usize, at: usize, n: DVec3) -> f64 {
    let centre = exact(&pairs.poses[pairs.colliders[at].pose as usize]).position;
    centre.dot(n) - pairs.cores[collider].reach(n) - f64::from(pairs.colliders[collider].radius)
}

/// The directions in which flat faces look.
fn faces<'a>(pairs: &'a Pairs, collider: usize) -> &'a [DVec3] {
    let core: &'a Convex = &pairs.cores[collider];
    match pairs.colliders[collider].kind {
        COLLIDER_BOX | COLLIDER_HULL | COLLIDER_TRIANGLE => &core.normals,
        COLLIDER_CYLINDER => &core.normals[..2],
        _ => &[],
    }
}

/// Of those of a collider the one that a normal is.
fn face(pairs: &Pairs, collider: usize, n: DVec3) -> Option<DVec3> {
    let all = faces(pairs, collider).iter().copied();
    let nearest = all.max_by(|x, y| x.dot(n).total_cmp(&y.dot(n)))?;
    (nearest.dot(n) > f64::from(PLANE_ALIKE)).then_some(nearest)
}

/// The manifold of a collider with a partner, of which some are along faces of that.
fn manifold(pairs: &Pairs, [own, other]: [usize; 2], n: DVec3, random: &mut Random) -> Manifold {
    let is_a = random.index(0, 2) == 0;
    let [a, b] = if is_a { [own, other] } else { [other, own] };
    Manifold {
        normal: (if is_a { n } else { -n }).as_vec3(),
        count: random.index(0, 5) as u32,
        colliders: UVec2::new(a as u32, b as u32),
        dofs: UVec2::new(pairs.colliders[a].pose, pairs.colliders[b].pose),
        turns: match random.index(0, 6) {
            0 => TURNS_WITH_A,
            1 => TURNS_WITH_B,
            2 => TURNS_AS_B,
            _ => TURNS_NOT,
        },
        ..Manifold::default()
    }
}

/// A plane as it must be.
struct Wanted {
    normal: DVec3,
    gap: f64,
    height: f64,
    speed: f64,
    collider: u32,
    /// How far from the collider the other is, by which they are rounded \[m\].
    far: f64,
}

/// Of the planes that a collider lies on by its manifolds the nearest.
fn lain_on<'a>(
    pairs: &Pairs,
    own: usize,
    manifolds: impl Iterator<Item = &'a Manifold>,
) -> Vec<Wanted> {
    let mut planes: Vec<Wanted> = Vec::new();
    for m in manifolds {
        let is_a = m.colliders.x as usize == own;
        let other = if is_a { m.colliders.y } else { m.colliders.x };
        let n = if is_a { m.normal } else { -m.normal }.as_dvec3();
        let stays = m.count > 0 && ![TURNS_WITH_A, TURNS_WITH_B].contains(&m.turns);
        let (true, Some(n)) = (stays, face(pairs, other as usize, n)) else {
            continue;
        };
        let gap = apart(pairs, [own, other as usize], n);
        let height = height(pairs, other as usize, own, n);
        let [x, y] = [own, other as usize].map(|c| pairs.cores[c].position);
        match planes.iter_mut().find(|known| known.normal.dot(n) > f64::from(PLANE_ALIKE)) {
            Some(known) => {
                (known.gap, known.height) = (known.gap.min(gap), known.height.min(height));
                known.collider = if known.collider == other { other } else { NONE };
                known.far = known.far.max(x.distance(y));
            }
            None => planes.push(Wanted {
                normal: n,
                gap,
                height,
                speed: speed(pairs, other as usize, own, n),
                collider: other,
                far: x.distance(y),
            }),
        }
    }
    planes.sort_by(|x, y| x.gap.total_cmp(&y.gap));
    planes.truncate(PLANES as usize);
    planes
}

/// The nearest of the planes of faces that a pose touches along their normals; of two colliders whose faces are level one plane.
pub fn planes(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(141);
    let pairs = moving(bench, &mut random);
    let particles = bench.case.sim.particle_count;
    let sim = Sim { pose_count: pairs.poses.len() as u32, ..bench.case.sim };
    let mut list_first = vec![0; particles as usize + 1];
    let (mut manifolds, mut entries) =
        (vec![Manifold { count: 0, ..Manifold::default() }; FIRST], vec![]);
    let mut own_of = vec![0; pairs.poses.len()];
    (0..pairs.colliders.len()).for_each(|c| own_of[pairs.colliders[c].pose as usize] = c);
    for own in &own_of {
        // Of short lists some are level; a half space lies on nothing.
        let (count, is_long) = match random.index(0, 4) {
            _ if pairs.colliders[*own].kind == COLLIDER_PLANE => (0, false),
            0 => (12, true),
            _ => (random.index(0, 5), false),
        };
        let (mut other, mut n) = (*own, DVec3::X);
        for k in 0..count {
            if k == 0 || is_long || random.index(0, 2) == 0 {
                // Not itself.
                let others = pairs.colliders.len();
                other = (own + random.index(1, others)) % others;
                n = random.vector(1.0).normalize_or(DVec3::X);
                let all = faces(&pairs, other);
                if !all.is_empty() && random.index(0, 6) > 0 {
                    let off = [0.0, 0.0, 0.0, 1e-3, 0.03][random.index(0, 5)];
                    let along = all[random.index(0, all.len())];
                    let across = n.reject_from_normalized(along).normalize_or_zero();
                    n = (along + off * across).normalize();
                }
            } else if random.index(0, 2) == 0 {
                // The other one of a pair may be turned alike.
                other = if other ^ 1 == *own { other } else { other ^ 1 };
            }
            let mut touched = manifold(&pairs, [*own, other], n, &mut random);
            touched.dofs += particles;
            entries.push(Entry { node: 8 * manifolds.len() as u32, weight: 1.0 });
            manifolds.push(touched);
        }
        list_first.push(entries.len() as u32);
    }
    let none = vec![Plane { gap: 7.0, ..Plane::default() }; PLANES as usize * pairs.poses.len()];
    let after = bench.run(
        sim,
        pairs.poses.len(),
        &[
            ("list_first", &list_first),
            ("entries", &entries),
            ("manifolds", &manifolds),
            ("colliders", &pairs.colliders),
            ("hull_vertices", &pairs.vertices),
            ("hull_faces", &pairs.faces),
            ("poses", &pairs.poses),
            ("planes", &none),
        ],
    )?;
    let got: Vec<Plane> = after.get("planes");
    for (p, own) in own_of.iter().enumerate() {
        let [first, end] = [0, 1].map(|k| list_first[particles as usize + p + k] as usize);
        let listed = entries[first..end].iter().map(|entry| &manifolds[entry.node as usize / 8]);
        let listed = listed.filter(|_| pairs.poses[p].inverse_mass > 0.0);
        let wanted = lain_on(&pairs, *own, listed);
        let mut own: Vec<_> = got[PLANES as usize * p..][..PLANES as usize].to_vec();
        own.sort_by(|x, y| x.gap.total_cmp(&y.gap));
        let there = own.iter().filter(|plane| plane.gap < 1e38).count();
        errors.holds(there == wanted.len());
        for (plane, wanted) in own.iter().zip(wanted) {
            errors.vector(plane.normal, wanted.normal, 1.0);
            errors.number(plane.gap, wanted.gap, 2.0 + wanted.far);
            errors.number(plane.height, wanted.height, 2.0 + wanted.far);
            errors.number(plane.speed, wanted.speed, 4.0 * (1.0 + wanted.far));
            errors.holds(plane.collider == wanted.collider);
        }
    }
    Ok(())
}

/// A pair is a seam if a plane that one of the two lies on parts them as far as it does from what it is a plane of, and nothing comes
/// out of it.
pub fn seams(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(142);
    let mut pairs = moving(bench, &mut random);
    // Some of the triangles are a mesh's.
    for c in &pairs.colliders {
        if c.kind == COLLIDER_TRIANGLE && random.index(0, 2) == 0 {
            pairs.vertices[c.first_vertex as usize].w = f32::from_bits(3);
        }
    }
    let records = bench.len();
    let none = Plane { gap: 3e38, collider: NONE, ..Plane::default() };
    let mut planes = vec![none; PLANES as usize * pairs.poses.len()];
    let (mut manifolds, mut wanted) = (Vec::new(), Vec::new());
    for m in &pairs.manifolds {
        let [a, b] = m.colliders.to_array().map(|c| c as usize);
        let sides = [&pairs.colliders[a], &pairs.colliders[b]];
        let level = LEVEL * f64::from(sides[0].bound.min(sides[1].bound));
        let mut normal = random.vector(1.0).normalize_or(DVec3::X);
        let count = random.index(0, 5) as u32;
        let mut is_seam = false;
        // Of the eight planes one may be what the pair touches along.
        let like = random.index(0, 12);
        for (side, k) in (0..2).flat_map(|side| (0..PLANES as usize).map(move |k| (side, k))) {
            let [own, other] = if side == 0 { [a, b] } else { [b, a] };
            if random.index(0, 3) == 0 || sides[1].kind == COLLIDER_PLANE {
                continue;
            }
            let n = random.vector(1.0).normalize_or(DVec3::X).as_vec3();
            let exact_n = n.as_dvec3();
            let out = if side == 0 { exact_n } else { -exact_n };
            let alike = like == PLANES as usize * side + k;
            normal = if alike { out } else { normal };
            let [near, slow, behind] = [3, 2, 2].map(|of| random.index(0, of) > 0);
            let gap = apart(&pairs, [a, b], out) + if near { 0.5 } else { 1.5 } * level;
            let most = level / f64::from(LOOK_AHEAD);
            let sign = if random.index(0, 2) == 0 { 1.0 } else { -1.0 };
            let comes = sign * if slow { 0.5 } else { 1.5 } * most;
            // The other's centre, as seen from the pose.
            let pose = exact(&pairs.poses[pairs.colliders[own].pose as usize]).position;
            let height = exact_n.dot(pose - pairs.cores[other].position);
            let collider = [other as u32, NONE, 1 << 20][random.index(0, 3)];
            planes[PLANES as usize * pairs.colliders[own].pose as usize + k] = Plane {
                normal: n,
                gap: gap as f32,
                height: (height + if behind { 0.5 } else { 1.5 } * level) as f32,
                speed: (speed(&pairs, other, own, exact_n) + comes) as f32,
                collider,
            };
            is_seam |= near && slow && behind && collider != other as u32 && !alike;
        }
        let is_facet = |c: &crate::gpu::types::Collider| {
            c.kind == COLLIDER_TRIANGLE && pairs.vertices[c.first_vertex as usize].w.to_bits() > 0
        };
        manifolds.push(Manifold { normal: normal.as_vec3(), count, ..*m });
        wanted.push(is_seam && count > 0 && !sides.into_iter().any(is_facet));
    }
    let point = ManifoldPoint { distance: 0.5, ..ManifoldPoint::default() };
    let points = vec![point; MANIFOLD as usize * records];
    let side = Side { dofs: UVec4::splat(5), weights: Vec4::ONE };
    let contacts = vec![Contact { a: side, b: side, ..Contact::default() }; records];
    for room in [records, records / 2] {
        let mut lists = vec![0_u32; LIST_LOADS as usize + records];
        lists[LIST_MANIFOLDS as usize] = FIRST.min(records) as u32;
        lists[LIST_RECORDS as usize] = records as u32;
        let after = bench.run(
            bench.case.sim,
            records,
            &[
                ("collide", &[Collide { capacity: room as u32, ..Collide::default() }]),
                ("contact_lists", &lists),
                ("colliders", &pairs.colliders),
                ("hull_vertices", &pairs.vertices),
                ("poses", &pairs.poses),
                ("planes", &planes),
                ("manifolds", &manifolds),
                ("manifold_points", &points),
                ("contacts", &contacts),
            ],
        )?;
        let is_gone = |c: usize| wanted[c] && c >= FIRST && c < room;
        let got: Vec<Manifold> = after.get("manifolds");
        let got_points: Vec<ManifoldPoint> = after.get("manifold_points");
        let got_contacts: Vec<Contact> = after.get("contacts");
        let counts = |all: &[Manifold]| all.iter().map(|m| m.count).collect::<Vec<_>>();
        let mut left = counts(&manifolds);
        (0..records).filter(|c| is_gone(*c)).for_each(|c| left[c] = 0);
        errors.words(&counts(&got), &left);
        for c in 0..records {
            let count = left[c];
            errors.holds(got[c] == Manifold { count, ..manifolds[c] });
            let distance = if is_gone(c) { NO_POINT } else { point.distance };
            let own = &got_points[MANIFOLD as usize * c..][..MANIFOLD as usize];
            errors.holds(own.iter().all(|got| *got == ManifoldPoint { distance, ..point }));
            let mut contact = contacts[c];
            contact.a.dofs.x = if is_gone(c) { NONE } else { contact.a.dofs.x };
            errors.holds(got_contacts[c] == contact);
        }
    }
    Ok(())
}
