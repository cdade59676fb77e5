//! The passes between the broad phase and the response: manifolds begin, are kept, and become contacts.

use glam::{UVec2, UVec4, Vec2, Vec3};

use super::crowd::{Crowd, KINDS};
use super::pairs::rim;
use crate::Result;
use crate::gpu::types::{
    Body, COLLIDER_PLANE, Collider, Contact, GROUP_ROW, LIST_MANIFOLDS, LIST_RECORDS, LIST_TOUCHED,
    MANIFOLD, Manifold, ManifoldPoint, NONE, SAME_CONTACT, Side, Solid, TOUCH_SOLID,
};
use crate::reference::scan::exclusive;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Pairs of a crowd's colliders, as many of each as there may be, in their order; and where those of each feature begin.
struct Pairs {
    all: Vec<UVec2>,
    first: Vec<u32>,
}

impl Pairs {
    fn new(crowd: &Crowd, random: &mut Random) -> Self {
        let (own, all) = (crowd.collide.first_obstacle, crowd.collide.collider_count);
        let soft = crowd.first_feature();
        let mut counts: Vec<u32> = (0..soft as u32).map(|f| f % 2).collect();
        let records = counts.iter().sum::<u32>() as usize;
        // Those of particles and edges are none.
        let mut pairs = vec![UVec2::splat(NONE); records];
        for a in 0..own {
            let mut others: Vec<u32> = (0..random.index(0, 6))
                .map(|_| random.index(a as usize + 1, all as usize + 1) as u32)
                .filter(|b| *b < all)
                .collect();
            others.sort_unstable();
            others.dedup();
            counts.push(others.len() as u32);
            pairs.extend(others.into_iter().map(|b| UVec2::new(a, b)));
        }
        Self { all: pairs, first: exclusive(&counts) }
    }

    /// The records that are pairs.
    fn own(&self, crowd: &Crowd) -> std::ops::Range<usize> {
        self.first[crowd.first_feature()] as usize..self.all.len()
    }

    /// In any order among those of a feature, as far as there is room.
    fn shuffled(&self, room: usize, random: &mut Random) -> Vec<UVec2> {
        let mut pairs = self.all.clone();
        for range in self.first.windows(2) {
            let own = &mut pairs[range[0] as usize..range[1] as usize];
            (1..own.len()).for_each(|k| own.swap(k, random.index(0, k + 1)));
        }
        pairs.iter_mut().skip(room).for_each(|pair| *pair = UVec2::splat(NONE));
        pairs
    }
}

/// Some manifold of a pair.
fn manifold(colliders: UVec2, random: &mut Random) -> Manifold {
    Manifold {
        normal: random.vector(1.0).normalize_or(glam::DVec3::X).as_vec3(),
        count: random.index(0, 5) as u32,
        line: random.vector(1.0).as_vec3(),
        last: random.index(0, 9) as u32,
        colliders,
        dofs: UVec2::new(5, 6),
        radii: Vec2::new(0.1, 0.2),
        reach: random.between(0.0, 1.0) as f32,
        same: 0.1,
        friction: 0.5,
        restitution: 0.2,
        rolling: 0.01,
        size: 1.0,
        rolling_impulse: random.vector(1.0).as_vec3(),
        rolls: random.index(0, 256) as u32,
        rim_a: random.vector(0.3).as_vec3(),
        rim_b: random.vector(0.3).as_vec3(),
        turns: random.index(0, 3) as u32,
        along: random.vector(1.0).as_vec3(),
        push: random.vector(1.0).as_vec3().extend(0.3),
    }
}

fn point(random: &mut Random) -> ManifoldPoint {
    ManifoldPoint {
        a: random.vector(1.0).as_vec3(),
        b: random.vector(1.0).as_vec3(),
        approach: random.between(0.0, 2.0) as f32,
        distance: random.between(-0.1, 0.1) as f32,
        impulse: random.vector(1.0).as_vec3().extend(random.between(0.0, 2.0) as f32),
    }
}

/// What a manifold has of its colliders, bodies and poses, and of the same pair in the last search; in the order of the pairs,
/// whatever that was in which they were put down.
pub fn begin(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (kind, half) in KINDS.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut random = Random::new(600 + kind as u64);
        let mut crowd = Crowd::new(bench, kind);
        let [pairs, last] = [(); 2].map(|()| Pairs::new(&crowd, &mut random));
        let records = pairs.all.len().max(last.all.len());
        let own = pairs.own(&crowd);
        let room = if half { (own.start + own.end) / 2 } else { records };
        crowd.collide.capacity = room as u32;
        let put = pairs.shuffled(room, &mut random);
        let known: Vec<_> = last.all.iter().map(|pair| manifold(*pair, &mut random)).collect();
        let known = if known.is_empty() { vec![Manifold::default()] } else { known };
        let none = vec![manifold(UVec2::splat(7), &mut random); records.max(1)];
        let arrays: &Arrays<'_> = &[
            ("pairs", &put),
            ("record_first", &pairs.first),
            ("record_first_last", &last.first),
            ("manifolds_last", &known),
            ("manifolds", &none),
        ];
        let after = crowd.run(bench, None, records, arrays)?;
        let got: Vec<Manifold> = after.get("manifolds");
        // Of what there is room for, in order.
        let mut there = put[..room.min(put.len())].to_vec();
        for range in pairs.first.windows(2) {
            let range = (range[0] as usize).min(there.len())..(range[1] as usize).min(there.len());
            there[range].sort_unstable_by_key(|pair| pair.y);
        }
        for (c, got) in got.iter().enumerate() {
            if !own.contains(&c) || c >= room {
                // Records of other contacts have no points.
                let count = if c < own.start.min(room) { 0 } else { none[0].count };
                errors.holds(*got == Manifold { count, ..none[0] });
                continue;
            }
            errors.words(&got.colliders.to_array(), &there[c].to_array());
            if got.colliders != there[c] {
                continue;
            }
            let same = |s: &usize| last.all[*s] == there[c];
            let before = (0..last.all.len().min(room)).find(same);
            let solids = &bench.case.externals.solids;
            begun(&crowd, solids, got, before.map(|s| (s as u32, &known[s])), errors);
        }
    }
    Ok(())
}

/// Compares what began.
fn begun(
    crowd: &Crowd,
    solids: &[Solid],
    got: &Manifold,
    last: Option<(u32, &Manifold)>,
    errors: &mut ErrorStats,
) {
    let [a, b] = got.colliders.to_array().map(|c| &crowd.colliders[c as usize]);
    let dofs = [a, b].map(|c| crowd.sim.particle_count + c.pose);
    errors.holds(got.dofs.to_array() == dofs && got.radii == Vec2::new(a.radius, b.radius));
    let [x, y] = [a, b].map(|c: &Collider| f64::from(crowd.searched[c.pose as usize].reach));
    errors.number(got.reach, x + y, x + y);
    let smaller = if b.kind == COLLIDER_PLANE { a.bound } else { a.bound.min(b.bound) };
    let same = f64::from(SAME_CONTACT) * f64::from(smaller);
    errors.number(got.same, same, same);
    let own = &crowd.bodies[a.body as usize];
    let other = match b.body {
        NONE => {
            let solid = &solids[(got.colliders.y - crowd.collide.first_obstacle) as usize];
            let friction = if solid.friction < 0.0 { own.friction } else { solid.friction };
            &Body { friction, restitution: solid.restitution, ..*own }
        }
        body => &crowd.bodies[body as usize],
    };
    let friction = (f64::from(own.friction) * f64::from(other.friction)).sqrt();
    errors.number(got.friction, friction, friction);
    errors.holds(got.restitution == own.restitution.max(other.restitution));
    errors.holds(got.rolling == own.rolling.max(other.rolling));
    errors.holds(got.size == own.edge.min(other.edge) && got.count == 0);
    let (number, normal, rolling) = match last {
        Some((number, last)) => (number, last.normal, last.rolling_impulse),
        None => (NONE, Vec3::ZERO, Vec3::ZERO),
    };
    errors.holds(got.last == number && got.normal == normal && got.rolling_impulse == rolling);
    errors.holds(got.line == Vec3::ZERO && got.rolls == 0);
    for (got, collider) in [(got.rim_a, a), (got.rim_b, b)] {
        errors.vector(got, rim(collider), f64::from(collider.half.x));
    }
}

/// The manifolds of the last search and their points are kept to the bit, as far as there is room; the records before them are
/// not.
pub fn keep(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (mut random, records) = (Random::new(610), bench.len() + 5);
    let manifolds: Vec<_> =
        (0..records as u32).map(|c| manifold(UVec2::new(c, c + 1), &mut random)).collect();
    let points: Vec<_> = (0..MANIFOLD as usize * records).map(|_| point(&mut random)).collect();
    let crowd = Crowd::new(bench, KINDS[0]);
    for (first, room) in [(0, records), (3, records), (3, records / 2), (records, records)] {
        let none = vec![manifold(UVec2::splat(NONE), &mut random); records];
        let no_points = vec![point(&mut random); points.len()];
        let mut lists = crowd.lists();
        lists[LIST_MANIFOLDS as usize] = first as u32;
        lists[LIST_RECORDS as usize] = records as u32;
        let collide = crate::gpu::types::Collide { capacity: room as u32, ..crowd.collide };
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("contact_lists", &lists),
            ("manifolds", &manifolds),
            ("manifold_points", &points),
            ("manifolds_last", &none),
            ("manifold_points_last", &no_points),
        ];
        let after = bench.run(crowd.sim, records, arrays)?;
        let kept = first.min(room)..room;
        let wanted = |c: usize| if kept.contains(&c) { manifolds[c] } else { none[c] };
        let got: Vec<Manifold> = after.get("manifolds_last");
        let numbers = |all: &[Manifold]| all.iter().map(|m| m.colliders.x).collect::<Vec<_>>();
        let wanted: Vec<_> = (0..records).map(wanted).collect();
        errors.words(&numbers(&got), &numbers(&wanted));
        errors.holds(got == wanted);
        let of = |k: usize| kept.contains(&(k / MANIFOLD as usize));
        let wanted = |k: usize| if of(k) { points[k] } else { no_points[k] };
        let wanted: Vec<_> = (0..points.len()).map(wanted).collect();
        errors.holds(after.get::<ManifoldPoint>("manifold_points_last") == wanted);
    }
    Ok(())
}

/// Which manifolds have points, in their order, and how many workgroups a thread for each takes.
pub fn fill(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (mut random, records) = (Random::new(630), 2 * bench.len() + 70);
    let crowd = Crowd::new(bench, KINDS[0]);
    for share in [0, 1, 2, 9] {
        let counts: Vec<_> = (0..records).map(|_| u32::from(random.index(0, 9) < share)).collect();
        let mut first = vec![0; records + 1];
        for c in 0..records {
            first[c + 1] = first[c] + counts[c];
        }
        let mut wanted: Vec<_> = (0..records as u32).filter(|c| counts[*c as usize] > 0).collect();
        let count = wanted.len() as u32;
        wanted.resize(records, 5);
        let collide = crate::gpu::types::Collide { capacity: records as u32, ..crowd.collide };
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("contact_lists", &crowd.lists()),
            ("manifold_first", &first),
            ("manifold_list", &vec![5_u32; records]),
        ];
        let after = bench.run(crowd.sim, records, arrays)?;
        errors.words(&after.get::<u32>("manifold_list"), &wanted);
        let mut lists = crowd.lists();
        let groups = count.div_ceil(64);
        let words = [count, groups.min(GROUP_ROW), groups.div_ceil(GROUP_ROW), 1];
        lists[LIST_TOUCHED as usize..][..4].copy_from_slice(&words);
        errors.words(&after.get::<u32>("contact_lists"), &lists);
    }
    Ok(())
}

/// The contact of a pair is at its deepest point; none without a point.
pub fn contacts(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (kind, half) in KINDS.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut random = Random::new(620 + kind as u64);
        let mut crowd = Crowd::new(bench, kind);
        let pairs = Pairs::new(&crowd, &mut random);
        let (own, records) = (pairs.own(&crowd), pairs.all.len());
        let room = if half { (own.start + own.end) / 2 } else { records };
        crowd.collide.capacity = room as u32;
        let manifolds: Vec<_> = pairs.all.iter().map(|pair| manifold(*pair, &mut random)).collect();
        let points: Vec<_> = (0..MANIFOLD as usize * records).map(|_| point(&mut random)).collect();
        let counts = vec![9_u32; records.max(1)];
        let none = vec![Contact { missed: 77, ..Contact::default() }; records.max(1)];
        let arrays: &Arrays<'_> = &[
            ("record_first", &pairs.first),
            ("manifolds", &manifolds),
            ("manifold_points", &points),
            ("contacts", &none),
            ("contact_lists", &crowd.lists()),
            ("manifold_counts", &counts),
        ];
        let after = crowd.run(bench, None, records.max(1), arrays)?;
        let has_points = |c: usize| own.contains(&c) && c < room && manifolds[c].count > 0;
        let wanted = |c| if c < room { u32::from(has_points(c)) } else { counts[c] };
        let wanted: Vec<_> = (0..counts.len()).map(wanted).collect();
        errors.words(&after.get::<u32>("manifold_counts"), &wanted);
        let mut lists = crowd.lists();
        lists[LIST_MANIFOLDS as usize] = own.start as u32;
        errors.words(&after.get::<u32>("contact_lists"), &lists);
        let got: Vec<Contact> = after.get("contacts");
        for (c, got) in got.iter().enumerate() {
            if !own.contains(&c) || c >= room {
                errors.holds(*got == none[0]);
                continue;
            }
            let own = &points[MANIFOLD as usize * c..][..manifolds[c].count as usize];
            errors.holds(*got == wanted_contact(&crowd, &manifolds[c], own));
        }
    }
    Ok(())
}

fn wanted_contact(crowd: &Crowd, manifold: &Manifold, points: &[ManifoldPoint]) -> Contact {
    let [a, b] = manifold.colliders.to_array().map(|c| &crowd.colliders[c as usize]);
    let obstacle = TOUCH_SOLID | manifold.colliders.y.wrapping_sub(crowd.collide.first_obstacle);
    let nothing = Side { dofs: UVec4::splat(NONE), ..Side::default() };
    let begun = Contact {
        a: nothing,
        b: nothing,
        feature_a: (crowd.first_feature() + manifold.colliders.x as usize) as u32,
        feature_b: manifold.colliders.y,
        bodies: UVec2::new(a.body, if b.body == NONE { obstacle } else { b.body }),
        ..Contact::default()
    };
    let all = points.iter().enumerate();
    let deepest = all.min_by(|(_, p), (_, q)| p.distance.total_cmp(&q.distance));
    let Some((k, deepest)) = deepest else {
        return begun;
    };
    // On the axis of what rolls its radius is between.
    let [radius_a, radius_b] = [(a, k), (b, k + 4)].map(|(collider, bit)| {
        collider.radius + if manifold.rolls >> bit & 1 > 0 { collider.half.x } else { 0.0 }
    });
    let side = |collider: &Collider, at: Vec3, radius: f32| {
        let pose = crowd.sim.particle_count + collider.pose;
        Side { weights: at.extend(radius), ..Side::of(&[(pose, 0.0)]) }
    };
    Contact {
        a: side(a, deepest.a, radius_a),
        // Of an obstacle without its pose.
        b: match b.body {
            NONE => Side { weights: side(b, deepest.b, radius_b).weights, ..nothing },
            _ => side(b, deepest.b, radius_b),
        },
        normal: manifold.normal,
        reach: radius_a + radius_b,
        gap: -deepest.distance,
        ..begun
    }
}
