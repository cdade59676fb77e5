//! What falls asleep, and what wakes it.

use glam::{DVec3, UVec2, UVec4, Vec3, Vec4};

use super::touching::{places, rims, rolled_out};
use crate::Result;
use crate::gpu::types::{
    Collide, Contact, Impulse, LIST_LOADS, LIST_MANIFOLDS, LIST_RECORDS, MANIFOLD, Manifold,
    ManifoldPoint, NONE, Pose, Row, Side, Sim,
};
use crate::reference::rigid::parts::Part;
use crate::reference::rigid::sleep::{Rest, islands};
use crate::verify::poses::{self, COUNT, exact, with_poses};
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// Rounds of labels after which all are known: of a chain, which is the longest, each makes the way a quarter as long.
const ROUNDS: usize = 8;

/// One side of a contact.
#[derive(Clone, Copy, Debug)]
enum End {
    Pose(usize),
    /// Whether any of them moves or can be moved.
    Particles(bool),
}

/// Contacts of particles with poses, and behind them manifolds, of which some are none.
struct Given {
    /// One of three that can be moved sleeps; of those that are held every other one moves. Each has its own body.
    poses: Vec<Pose>,
    contacts: Vec<Contact>,
    manifolds: Vec<Manifold>,
    points: Vec<ManifoldPoint>,
    rows: Vec<Row>,
    impulses: Vec<Impulse>,
    soft: usize,
    /// How many there is room for.
    room: usize,
}

impl Given {
    fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut poses = poses::random(&mut random);
        for (p, pose) in poses.iter_mut().enumerate() {
            let free = pose.inverse_mass > 0.0;
            (pose.body, pose.island) = (p as u32, 0);
            if free && p % 3 == 1 {
                pose.island = p as u32 + 1;
            }
            if pose.island > 0 || (!free && p % 2 == 0) {
                (pose.velocity, pose.spin) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
        let soft = 2 * bench.len();
        let mut given = Self {
            poses,
            contacts: Vec::new(),
            manifolds: Vec::new(),
            points: Vec::new(),
            rows: Vec::new(),
            impulses: Vec::new(),
            soft,
            room: soft + 4 * COUNT - 3,
        };
        for c in 0..soft + 4 * COUNT {
            let mut contact = match c < soft {
                true => of_particles(bench.len(), c, &mut random),
                false => given.of_poses(bench, &mut random),
            };
            if c % 9 == 4 {
                contact.a.dofs = UVec4::splat(NONE);
                given.manifolds.iter_mut().skip(c).for_each(|manifold| manifold.count = 0);
            }
            given.contacts.push(contact);
            // The records before those of poses have no manifolds.
            given.manifolds.resize(given.contacts.len(), Manifold::default());
            given.points.resize(MANIFOLD as usize * given.contacts.len(), ManifoldPoint::default());
            let bears = random.index(0, 3) == 0;
            let normal = if bears { random.between(0.1, 2.0) as f32 } else { 0.0 };
            given.impulses.push(Impulse { normal, ..Impulse::default() });
            let share = random.between(-1.0, 2.0).max(0.0) as f32;
            given.rows.push(Row { share, ..Row::default() });
        }
        given
    }

    /// Two poses whose sides are about as far apart as they come within two steps.
    fn of_poses(&mut self, bench: &Bench<'_>, random: &mut Random) -> Contact {
        let a = random.index(0, COUNT);
        let b = (a + random.index(1, COUNT)) % COUNT;
        let n = random.vector(1.0).normalize_or(DVec3::X);
        let ends = [a, b].map(|p| exact(&self.poses[p]));
        let radii = [(); 2].map(|()| random.between(-0.1, 0.2).max(0.0));
        let h = f64::from(bench.case.sim.step);
        let (rims, turns) = rims(random);
        let place = 0.5 * (ends[0].position + ends[1].position);
        for k in 0..MANIFOLD as usize {
            let gap = random.between(-4.0, 40.0) * h;
            let x = place + random.vector(0.4);
            let own = |end: usize, x: DVec3| {
                let out = rolled_out(rims, turns, k, end, ends[end].rotation, n);
                (ends[end].rotation.inverse() * (x - out - ends[end].position)).as_vec3()
            };
            let impulse = if random.index(0, 12) == 0 { 0.3 } else { 0.0 };
            self.points.push(ManifoldPoint {
                a: own(0, x + (0.5 * gap + radii[0]) * n),
                b: own(1, x - (0.5 * gap + radii[1]) * n),
                impulse: Vec4::W * impulse,
                ..ManifoldPoint::default()
            });
        }
        let dofs = [a, b].map(|p| (bench.len() + p) as u32);
        self.manifolds.push(Manifold {
            normal: n.as_vec3(),
            count: random.index(1, MANIFOLD as usize + 1) as u32,
            dofs: UVec2::from(dofs),
            radii: Vec3::new(radii[0] as f32, radii[1] as f32, 0.0).truncate(),
            rolls: turns,
            rim_a: rims[0].as_vec3(),
            rim_b: rims[1].as_vec3(),
            ..Manifold::default()
        });
        let [a, b] = dofs.map(|i| Side::of(&[(i, 0.0)]));
        Contact { a, b, ..Contact::default() }
    }

    fn run(&self, bench: &Bench<'_>, threads: usize, given: &Arrays<'_>) -> Result<Written> {
        let mut lists = vec![0; LIST_LOADS as usize + bench.len() + COUNT];
        lists[LIST_MANIFOLDS as usize] = self.soft as u32;
        lists[LIST_RECORDS as usize] = self.contacts.len() as u32;
        let collide = Collide { capacity: self.room as u32, ..Collide::default() };
        let own: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("contact_lists", &lists),
            ("poses", &self.poses),
            ("contacts", &self.contacts),
            ("manifolds", &self.manifolds),
            ("manifold_points", &self.points),
            ("rows", &self.rows),
            ("impulses", &self.impulses),
        ];
        bench.run(all_bodies(bench), threads, &[own, given].concat())
    }

    /// The sides of a contact; none of what is no contact.
    fn ends(&self, bench: &Bench<'_>, c: usize) -> Option<[End; 2]> {
        let contact = &self.contacts[c];
        let end = |side: &Side| match (side.dofs.x as usize).checked_sub(bench.len()) {
            Some(p) => End::Pose(p),
            None => End::Particles(side.parts().any(|(i, _)| {
                let particle = &bench.case.particles[i as usize];
                particle.inverse_mass > 0.0 || particle.velocity != Vec3::ZERO
            })),
        };
        contact.is_contact().then(|| [end(&contact.a), end(&contact.b)])
    }

    /// Whether an end is no pose that sleeps or that is held and stays.
    fn is_awake(&self, end: End) -> bool {
        match end {
            End::Particles(moves) => moves,
            End::Pose(p) => {
                let pose = &self.poses[p];
                let moves = (pose.velocity, pose.spin) != (Vec3::ZERO, Vec3::ZERO);
                pose.island == 0 && (pose.inverse_mass > 0.0 || moves)
            }
        }
    }

    fn can_sleep(&self, end: End) -> bool {
        match end {
            End::Particles(_) => false,
            End::Pose(p) => self.poses[p].inverse_mass > 0.0 && self.poses[p].island == 0,
        }
    }

    /// Whether the sides of a manifold act on each other, or come together within two steps; none where rounding decides.
    fn acts(&self, bench: &Bench<'_>, c: usize, [a, b]: [usize; 2]) -> Option<bool> {
        let manifold = &self.manifolds[c];
        let (n, h) = (manifold.normal.as_dvec3(), f64::from(bench.case.sim.step));
        let ends = [a, b].map(|p| exact(&self.poses[p]));
        let parts =
            [a, b].map(|p| Part::whole(&exact(&self.poses[p]), self.poses[p].spin.as_dvec3()));
        let (mut acts, mut unsure) = (false, false);
        let first = MANIFOLD as usize * c;
        let points = &self.points[first..first + manifold.count as usize];
        for (k, point) in points.iter().enumerate() {
            let [on_a, on_b] = places(manifold, k, point, &ends);
            let closing = -n.dot(parts[0].velocity_at(on_a) - parts[1].velocity_at(on_b));
            let left = n.dot(on_a - on_b) - 2.0 * h * closing;
            acts |= point.impulse.w > 0.0 || left < 0.0;
            unsure |= point.impulse.w <= 0.0 && left.abs() < 1e-5 * (10.0 + h * closing.abs());
        }
        (!unsure).then_some(acts)
    }
}

/// The uniform with the poses, each of a body of its own.
fn all_bodies(bench: &Bench<'_>) -> Sim {
    Sim { body_count: COUNT as u32, ..with_poses(&bench.case.sim) }
}

/// A contact of one or three particles with a pose, either way.
fn of_particles(particles: usize, c: usize, random: &mut Random) -> Contact {
    let pose = Side::of(&[((particles + random.index(0, COUNT)) as u32, 0.0)]);
    let corners = [0, 1, 2].map(|k| ((c + 5 * k) % particles) as u32);
    let parts = [(corners[0], 0.5), (corners[1], 0.25), (corners[2], 0.25)];
    let count = if particles > 15 && c.is_multiple_of(2) { 3 } else { 1 };
    let soft = Side::of(&parts[..count]);
    let [a, b] = if c.is_multiple_of(3) { [pose, soft] } else { [soft, pose] };
    Contact { a, b, ..Contact::default() }
}

/// Labels, no larger than their bodies' numbers.
fn labels(random: &mut Random) -> Vec<u32> {
    (1..=COUNT).map(|most| random.index(most / 2, most) as u32 + 1).collect()
}

/// The island of what sleeps is disturbed by what acts on it and is not asleep, nor held and at rest.
pub fn disturb(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 900);
    let mut wanted = vec![Some(0); COUNT];
    for c in 0..given.room {
        let Some(ends) = given.ends(bench, c) else {
            continue;
        };
        for (one, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let End::Pose(p) = one else { continue };
            if given.poses[p].island == 0 || !given.is_awake(other) {
                continue;
            }
            let acts = match ends {
                [End::Pose(a), End::Pose(b)] => given.acts(bench, c, [a, b]),
                _ => Some(given.rows[c].share > 0.0),
            };
            wanted[p] = match (wanted[p], acts) {
                (Some(1), _) | (_, Some(true)) => Some(1),
                (before, Some(false)) => before,
                (_, None) => None,
            };
        }
    }
    let before = vec![0_u32; COUNT];
    let after = given.run(bench, given.contacts.len(), &[("disturbed", &before)])?;
    let got: Vec<u32> = after.get("disturbed");
    let known = got.iter().zip(&wanted).filter_map(|(got, wanted)| Some((*got, (*wanted)?)));
    let (got, wanted): (Vec<_>, Vec<_>) = known.unzip();
    errors.holds(got.len() + 3 >= COUNT && wanted.contains(&1) && wanted.contains(&0));
    errors.words(&got, &wanted);
    Ok(())
}

/// The lesser of two labels goes to both bodies of a manifold that bears, and to the one that gave the other.
pub fn join(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 910);
    let mut random = Random::new(911);
    let [now, next] = [(); 2].map(|()| labels(&mut random));
    let mut wanted = next.clone();
    for c in given.soft..given.room {
        let Some([End::Pose(a), End::Pose(b)]) = given.ends(bench, c) else {
            continue;
        };
        let both = given.can_sleep(End::Pose(a)) && given.can_sleep(End::Pose(b));
        if both && given.impulses[c].normal > 0.0 && now[a] != now[b] {
            let least = now[a].min(now[b]);
            for body in [a, b, now[a].max(now[b]) as usize - 1] {
                wanted[body] = wanted[body].min(least);
            }
        }
    }
    let arrays: &Arrays<'_> = &[("islands", &now), ("islands_next", &next)];
    let after = given.run(bench, given.contacts.len() - given.soft, arrays)?;
    errors.words(&after.get::<u32>("islands_next"), &wanted);
    Ok(())
}

/// A label becomes that of the body that gave it; with joining, after some rounds, all know the least body of their island, of
/// chains and of whatever else.
pub fn jump(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let sim = all_bodies(bench);
    let mut random = Random::new(920);
    let now = labels(&mut random);
    let wanted: Vec<_> = now.iter().map(|label| now[*label as usize - 1]).collect();
    let arrays: &Arrays<'_> = &[("islands", &now), ("islands_next", &vec![0_u32; COUNT])];
    let after = bench.run(sim, COUNT, arrays)?;
    errors.words(&after.get::<u32>("islands_next"), &wanted);
    let mut pairs = |count: usize| {
        let pair = |_| [random.index(0, COUNT), random.index(0, COUNT)];
        (0..count).map(pair).collect::<Vec<_>>()
    };
    let chain = (1..COUNT).map(|k| [(k * 27) % COUNT, (k * 27 + 27) % COUNT]).collect();
    for joined in [chain, pairs(COUNT / 2), pairs(COUNT)] {
        let found = labelled(bench, sim, &joined)?;
        let wanted: Vec<_> =
            islands(COUNT, &joined).iter().map(|least| *least as u32 + 1).collect();
        errors.words(&found, &wanted);
    }
    Ok(())
}

/// The labels after the rounds, of free bodies of which manifolds bear on each other.
fn labelled(bench: &Bench<'_>, sim: Sim, joined: &[[usize; 2]]) -> Result<Vec<u32>> {
    let pose = |p: usize| Pose { body: p as u32, inverse_mass: 1.0, ..Pose::default() };
    let manifold = |pair: &[usize; 2]| {
        let dofs = pair.map(|p| (bench.len() + p) as u32);
        Manifold { dofs: UVec2::from(dofs), count: 1, ..Manifold::default() }
    };
    let mut lists = vec![0; LIST_LOADS as usize + bench.len() + COUNT];
    lists[LIST_RECORDS as usize] = joined.len() as u32;
    let collide = Collide { capacity: joined.len() as u32, ..Collide::default() };
    let bears = Impulse { normal: 1.0, ..Impulse::default() };
    let own: &Arrays<'_> = &[
        ("collide", &[collide]),
        ("contact_lists", &lists),
        ("poses", &(0..COUNT).map(pose).collect::<Vec<_>>()),
        ("manifolds", &joined.iter().map(manifold).collect::<Vec<_>>()),
        ("impulses", &vec![bears; joined.len()]),
    ];
    let begun: Vec<u32> = (1..=COUNT as u32).collect();
    let [mut a, mut b] = [begun.clone(), begun];
    for _ in 0..ROUNDS {
        let labels: &Arrays<'_> = &[("islands", &a), ("islands_next", &b)];
        let arrays = [own, labels].concat();
        b = bench.run_other("manifold_join", sim, joined.len(), &arrays)?.get("islands_next");
        a = bench.run(sim, COUNT, &[("islands", &b), ("islands_next", &a)])?.get("islands_next");
        b = bench.run(sim, COUNT, &[("islands", &a), ("islands_next", &b)])?.get("islands_next");
    }
    Ok(b)
}

/// What keeps an island awake: a pose that has not been at rest for long enough, and what is borne on that moves, or has another
/// label.
pub fn unrest(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let gravity = bench.case.sim.gravity.as_dvec3().length();
    for seed in [930, 931, 932] {
        let mut given = Given::new(bench, seed);
        let mut random = Random::new(seed + 10);
        for pose in &mut given.poses {
            let time = Rest::new(gravity, f64::from(pose.bound)).time;
            // Most have settled.
            let part = if random.index(0, 9) == 0 { 0.9 } else { 1.1 };
            pose.still = (part * time).min(1e30) as f32;
        }
        // Of few labels, so that some are the same, or each its own.
        let label = |p: usize| if seed == 930 { p as u32 % 5 + 1 } else { p as u32 + 1 };
        let labels: Vec<_> = (0..COUNT).map(label).collect();
        let mut wanted = vec![0; COUNT];
        let mut mark = |end: End| {
            if let (End::Pose(p), true) = (end, given.can_sleep(end)) {
                wanted[labels[p] as usize - 1] = 1;
            }
        };
        for (p, pose) in given.poses.iter().enumerate() {
            let time = Rest::new(gravity, f64::from(pose.bound)).time;
            if f64::from(pose.still) < time {
                mark(End::Pose(p));
            }
        }
        for c in (0..given.room).filter(|c| given.impulses[*c].normal > 0.0) {
            let Some([one, other]) = given.ends(bench, c) else {
                continue;
            };
            let both = given.can_sleep(one) && given.can_sleep(other);
            let apart = |a: usize, b: usize| labels[a] != labels[b];
            let disturbs = match (one, other) {
                (End::Pose(a), End::Pose(b)) if both => apart(a, b),
                _ => given.is_awake(one) && given.is_awake(other),
            };
            if disturbs {
                mark(one);
                mark(other);
            }
        }
        let threads = given.contacts.len().max(COUNT);
        let arrays: &Arrays<'_> = &[("islands", &labels), ("disturbed", &vec![0_u32; COUNT])];
        let after = given.run(bench, threads, arrays)?;
        errors.words(&after.get::<u32>("disturbed"), &wanted);
    }
    Ok(())
}

/// What of an undisturbed island can be moved is at rest and belongs to it.
pub fn sleep(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Given::new(bench, 940);
    let mut random = Random::new(941);
    let labels = labels(&mut random);
    let disturbed: Vec<_> = (0..COUNT).map(|_| random.index(0, 2) as u32).collect();
    let arrays: &Arrays<'_> =
        &[("poses", &given.poses), ("islands", &labels), ("disturbed", &disturbed)];
    let after = bench.run(all_bodies(bench), COUNT, arrays)?;
    let mut fallen = [0, 0];
    for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&given.poses).enumerate() {
        let falls = given.can_sleep(End::Pose(p)) && disturbed[labels[p] as usize - 1] == 0;
        let (velocity, spin, momentum) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let wanted = match falls {
            true => Pose { island: labels[p], velocity, spin, momentum, ..*before },
            false => *before,
        };
        errors.words(&[got.island], &[wanted.island]);
        errors.vector(got.velocity, wanted.velocity.as_dvec3(), 1.0);
        errors.holds(*got == wanted);
        fallen[usize::from(falls)] += 1;
    }
    errors.holds(fallen[0] > 0 && fallen[1] > 0);
    Ok(())
}

/// What sleeps in a disturbed island is awake, with the kick of the step; all else stays.
pub fn wake(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(950);
    let (poses, sim) = (Given::new(bench, 951).poses, all_bodies(bench));
    let disturbed: Vec<_> = (0..COUNT).map(|_| random.index(0, 2) as u32).collect();
    let carried: Vec<Vec4> = poses::carried(bench, &mut random);
    let arrays: &Arrays<'_> =
        &[("poses", &poses), ("carried", &carried), ("disturbed", &disturbed)];
    let after = bench.run(sim, COUNT, arrays)?;
    for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&poses).enumerate() {
        if before.island == 0 || disturbed[p] == 0 {
            errors.holds(got == before);
            continue;
        }
        errors.words(&[got.island], &[0]);
        poses::compare_kicked(bench, got, before, (p, &carried), errors);
        errors.kept(got, before, |pose, got| {
            (pose.velocity, pose.spin) = (got.velocity, got.spin);
            (pose.island, pose.still) = (0, 0.0);
        });
    }
    Ok(())
}
