//! Rigid degrees of freedom: the kick, the move, and contacts that they take part in.

use glam::{DQuat, DVec3, UVec2, Vec3, Vec4};

use super::collide::lists::{SliceSum, compare_sums, slice_sums, with_sums};
use super::touch::Lists;
use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{
    Collide, Contact, Impulse, LIST_AGE, NONE, Pose, RIGID_DAMPING, RIGID_FREQUENCY, RIGID_SPEED,
    Row, STATUS_TRAVEL, Side, Sim,
};
use crate::reference::pose as reference;

pub const CHECKS: Checks = &[
    ("pose_kick", Check::Trial(kick)),
    ("pose_move", Check::Trial(moves)),
    ("pose_apply", Check::Trial(apply)),
];

/// How many there are.
const COUNT: usize = 70;

/// Poses that turn, one in five of which nothing moves.
fn random(random: &mut Random) -> Vec<Pose> {
    let pose = |k: usize| {
        let free = f32::from(u8::from(k % 5 != 3));
        let axis = random.vector(1.0).normalize_or(DVec3::X);
        let rotation = DQuat::from_axis_angle(axis, random.between(-3.0, 3.0)).as_quat();
        let inverse = || Vec3::ONE + 20.0 * random.vector(0.5).abs().as_vec3();
        let inverse_inertia = free * { inverse }();
        Pose {
            position: random.vector(2.0).as_vec3(),
            inverse_mass: free * random.between(0.5, 3.0) as f32,
            rotation: Vec4::from(rotation),
            velocity: random.vector(2.0).as_vec3(),
            body: (k % 3) as u32,
            spin: random.vector(3.0).as_vec3(),
            momentum: random.vector(0.5).as_vec3(),
            inverse_inertia,
            bound: 1.0,
            margin: 0.02,
        }
    };
    (0..COUNT).map(pose).collect()
}

/// As the reference has it.
fn exact(pose: &Pose) -> reference::Pose {
    reference::Pose {
        position: pose.position.as_dvec3(),
        velocity: pose.velocity.as_dvec3(),
        rotation: DQuat::from_array(pose.rotation.to_array().map(f64::from)).normalize(),
        momentum: pose.momentum.as_dvec3(),
        inverse_mass: f64::from(pose.inverse_mass),
        inverse_inertia: pose.inverse_inertia.as_dvec3(),
    }
}

/// The uniform with these.
fn with_poses(sim: &Sim) -> Sim {
    Sim { pose_count: COUNT as u32, ..*sim }
}

/// v += h (g − drag (v − wind)) of those that are free.
fn kick(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (poses, sim) = (random(&mut Random::new(120)), with_poses(&bench.case.sim));
    let after = bench.run(sim, COUNT, &[("poses", &poses)])?;
    let [gravity, wind] = [sim.gravity, sim.wind].map(|a| a.as_dvec3());
    let (h, drag) = (f64::from(sim.step), f64::from(sim.drag));
    for (got, before) in after.get::<Pose>("poses").iter().zip(&poses) {
        let v = before.velocity.as_dvec3();
        let change = h * (gravity - drag * (v - wind));
        let wanted = if before.inverse_mass > 0.0 { v + change } else { v };
        errors.vector(got.velocity, wanted, v.length() + change.length());
        errors.kept(got, before, |p, got| p.velocity = got.velocity);
    }
    Ok(())
}

/// x += h v; L by the change of the spin; q turns by it.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (mut poses, sim) = (random(&mut Random::new(121)), with_poses(&bench.case.sim));
    // Some have been changed by no contact.
    for pose in poses.iter_mut().step_by(2) {
        let at = exact(pose);
        pose.spin = at.inverse_inertia_times(at.momentum).as_vec3();
    }
    let status = bench.status();
    let arrays: &Arrays<'_> = &[("poses", &poses), ("status", &status)];
    let after = bench.run(Sim { speed_limit: 1e4, ..sim }, COUNT, arrays)?;
    let h = f64::from(sim.step);
    let mut longest = 0.0_f64;
    for (got, before) in after.get::<Pose>("poses").iter().zip(&poses) {
        let at = exact(before);
        let spin = before.spin.as_dvec3();
        let changed = spin - at.inverse_inertia_times(at.momentum);
        let momentum = at.momentum + at.inertia_times(changed);
        let scale = at.momentum.length() + 2.0 * at.inertia_times(spin).length();
        errors.vector(got.momentum, momentum, scale);
        let wanted = reference::Pose { momentum, ..at }.moved(h);
        errors.vector(
            got.position,
            wanted.position,
            at.position.length() + h * at.velocity.length(),
        );
        // q and −q are the same.
        let q = DQuat::from_array(got.rotation.to_array().map(f64::from));
        let sign = q.dot(wanted.rotation).signum();
        let off = q * sign - wanted.rotation;
        errors.number(off.length() as f32, 0.0, 4.0);
        let spin = wanted.inverse_inertia_times(momentum);
        errors.vector(got.spin, spin, 4.0 * at.inverse_inertia.max_element() * scale);
        errors.kept(got, before, |p, got| {
            (p.position, p.rotation) = (got.position, got.rotation);
            (p.spin, p.momentum) = (got.spin, got.momentum);
        });
        longest = longest.max((h * at.velocity).length_squared());
    }
    let words = after.status();
    errors.holds(words[0] == u32::MAX);
    errors.number(f32::from_bits(words[STATUS_TRAVEL as usize]), longest, longest);
    Ok(())
}

/// Contacts of particles with poses either way, and of poses with each other.
struct Given {
    poses: Vec<Pose>,
    contacts: Vec<Contact>,
    lists: Lists,
    rows: Vec<Row>,
    impulses: Vec<Impulse>,
}

impl Given {
    fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let poses = self::random(&mut random);
        let particles = bench.len();
        let side_of_pose = |random: &mut Random| {
            let own = random.vector(0.3).as_vec3().extend(0.0);
            let dof = (particles + [1, random.index(0, COUNT)][random.index(0, 2)]) as u32;
            Side { weights: own, ..Side::of(&[(dof, 0.0)]) }
        };
        let contact = |c: usize, random: &mut Random| {
            let own = (c < particles).then_some([(c as u32, 1.0)]);
            let particle = own.map(|own| Side::of(&own));
            let [a, b] = match (particle, c % 3) {
                (Some(particle), 0) => [particle, side_of_pose(random)],
                (Some(particle), 1) => {
                    let weights = -particle.weights;
                    [side_of_pose(random), Side { weights, ..particle }]
                }
                _ => [(); 2].map(|()| side_of_pose(random)),
            };
            Contact {
                a,
                b,
                normal: random.vector(1.0).normalize_or(DVec3::X).as_vec3(),
                reach: random.between(0.0, 4.0) as f32,
                friction: random.between(0.0, 0.9) as f32,
                size: 1.0,
                feature_a: (c + 1000) as u32,
                feature_b: c as u32,
                bodies: UVec2::new(0, 1),
                ..Contact::default()
            }
        };
        let contacts: Vec<_> = (0..particles + 50).map(|c| contact(c, &mut random)).collect();
        let row = |_: &Contact| Row {
            delta: random.vector(1.0).as_vec3(),
            inverse_mass: random.between(0.1, 3.0) as f32,
            point: random.vector(2.0).as_vec3(),
            share: random.between(0.1, 3.0) as f32,
            bias: random.between(-2.0, 2.0) as f32,
            kappa: random.between(0.1, 1.0) as f32,
            ..Row::default()
        };
        let rows = contacts.iter().map(row).collect();
        let impulse = |c: &Contact| Impulse {
            tangent: random.vector(1.0).as_vec3(),
            normal: random.between(0.0, 2.0) as f32,
            normal_change: random.between(-1.0, 1.0) as f32,
            tangent_change: random.between(0.0, 1.0) as f32,
            feature_b: c.feature_b,
            body: 1,
        };
        let impulses = contacts.iter().map(impulse).collect();
        let lists = Lists::new(&contacts, [particles, COUNT]);
        Self { poses, contacts, lists, rows, impulses }
    }

    fn run(&self, bench: &Bench<'_>, threads: usize, given: &Arrays<'_>) -> Result<Written> {
        let collide = Collide { capacity: self.contacts.len() as u32, ..Collide::default() };
        let mut words = self.lists.words.clone();
        words[LIST_AGE as usize] = 1;
        let own: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("poses", &self.poses),
            ("contacts", &self.contacts),
            ("contact_lists", &words),
            ("list_first", &self.lists.first),
            ("entries", &self.lists.entries),
            ("rows", &with_sums(&self.rows, &self.sums(bench))),
        ];
        bench.run(with_poses(&bench.case.sim), threads, &[own, given].concat())
    }

    /// The sums over slices of long lists.
    fn sums(&self, bench: &Bench<'_>) -> Vec<SliceSum> {
        let place = |i: usize| Some(self.poses[i.checked_sub(bench.len())?].position.as_dvec3());
        slice_sums(&self.lists, &self.contacts, &self.rows, &place)
    }

    /// The pose that a side is of.
    fn pose(&self, bench: &Bench<'_>, side: &Side) -> Option<(usize, reference::Pose)> {
        let index = (side.dofs.x as usize).checked_sub(bench.len())?;
        Some((index, exact(&self.poses[index])))
    }

    /// Where a side is.
    fn place(&self, bench: &Bench<'_>, side: &Side) -> DVec3 {
        match self.pose(bench, side) {
            Some((_, pose)) => pose.position + pose.rotation * side.weights.truncate().as_dvec3(),
            None => bench.case.particles[side.dofs.x as usize].position.as_dvec3(),
        }
    }
}

/// Sums over slices of poses' lists.
pub fn slices(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 125);
    compare_sums(&given.rows, &given.sums(bench), errors, |rows, places| {
        Ok(given.run(bench, places, &[("rows", rows)])?.get("rows"))
    })
}

/// v and ω by what contacts give, and what these are solved by.
fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Given::new(bench, 122);
    let unseen = vec![Vec4::splat(7.0); bench.len() + 3 * COUNT];
    let after = given.run(bench, COUNT, &[("contact_velocities", &unseen)])?;
    let mut change = vec![(DVec3::ZERO, DVec3::ZERO, 0.0, 0.0); COUNT];
    for (contact, row) in given.contacts.iter().zip(&given.rows) {
        for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
            if let Some((p, pose)) = given.pose(bench, side) {
                let delta = sign * row.delta.as_dvec3();
                let arm = row.point.as_dvec3() - pose.position;
                change[p].0 += pose.inverse_mass * delta;
                change[p].1 += pose.inverse_inertia_times(arm.cross(delta));
                change[p].2 += pose.inverse_mass * delta.length();
                let arms = row.point.length() as f64 + pose.position.length();
                change[p].3 += pose.inverse_inertia.max_element() * arms * delta.length();
            }
        }
    }
    let seen: Vec<Vec4> = after.get("contact_velocities");
    errors.holds(seen[..bench.len()] == unseen[..bench.len()]);
    for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&given.poses).enumerate() {
        let (linear, angular, linear_scale, angular_scale) = change[p];
        let [v, spin] = [before.velocity, before.spin].map(|a| a.as_dvec3());
        errors.vector(got.velocity, v + linear, v.length() + linear_scale);
        errors.vector(got.spin, spin + angular, spin.length() + angular_scale);
        errors.kept(got, before, |p, got| (p.velocity, p.spin) = (got.velocity, got.spin));
        let own = [
            got.velocity.extend(before.inverse_mass),
            got.spin.extend(0.0),
            before.position.extend(0.0),
        ];
        errors.holds(seen[bench.len() + 3 * p..][..3] == own);
    }
    Ok(())
}

/// Rows of contacts with poses: gap, where it acts, mobilities split by loads, and the numbers of the spring that takes them
/// apart; impulses go on whole.
pub fn prepare(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 123);
    let threads = given.contacts.len();
    let nothing = vec![Impulse::default(); threads];
    let arrays: &Arrays<'_> = &[("impulses", &given.impulses), ("impulses_warm_start", &nothing)];
    let after = given.run(bench, threads, arrays)?;
    // Counts are compared elsewhere.
    after.skip("status");
    let (loads, h) = (given.lists.loads(), f64::from(bench.case.sim.step));
    let start: Vec<Impulse> = after.get("impulses_warm_start");
    for (c, (got, contact)) in after.get::<Row>("rows").iter().zip(&given.contacts).enumerate() {
        let was = given.impulses[c];
        let whole = Impulse { normal_change: 0.0, tangent_change: 0.0, ..was };
        errors.holds(start[c] == whole);
        let sides = [&contact.a, &contact.b];
        let places = sides.map(|side| given.place(bench, side));
        let (normal, reach) = (contact.normal.as_dvec3(), f64::from(contact.reach));
        let gap = reach - (places[0] - places[1]).dot(normal);
        let far = 5.0 * (places[0].length() + places[1].length() + reach + 1.0);
        errors.number(got.gap, gap, far);
        let poses = sides.map(|side| given.pose(bench, side));
        let point = match (poses[0], poses[1]) {
            (Some(_), Some(_)) => 0.5 * (places[0] + places[1]),
            (None, _) => places[0],
            (_, None) => places[1],
        };
        errors.vector(got.point, point, far);
        let mobility = |side: usize| -> [f64; 3] {
            let load = loads[sides[side].dofs.x as usize];
            let Some((_, pose)) = poses[side] else {
                let mass = bench.case.particles[sides[side].dofs.x as usize].inverse_mass;
                return [load * f64::from(mass); 3];
            };
            let arm = (point - pose.position).length();
            let most = pose.inverse_mass + arm * arm * pose.inverse_inertia.max_element();
            [load * pose.mobility(point, normal), load * most, load * most * (1.0 + far / arm)]
        };
        let [a, b] = [0, 1].map(mobility);
        errors.number(got.inverse_mass, a[0] + b[0], a[2] + b[2]);
        errors.number(got.inverse_mass, a[1] + b[1], a[2] + b[2]);
        errors.holds(got.push == 0.0);
        // Of the gap that the kernel has found.
        let found = f64::from(got.gap);
        let (bias, kappa) = if found > 0.0 {
            let held = a[0].min(b[0]) == 0.0;
            let frequency = f64::from(RIGID_FREQUENCY) * if held { 2.0 } else { 1.0 };
            let omega = std::f64::consts::TAU * frequency / h;
            let damping = 2.0 * f64::from(RIGID_DAMPING) + h * omega;
            let speed = (omega / damping * found).min(f64::from(RIGID_SPEED));
            (-speed, h * omega * damping / (1.0 + h * omega * damping))
        } else {
            (-found / h, 1.0)
        };
        errors.number(got.bias, bias, bias.abs());
        errors.number(got.kappa, kappa, 1.0);
        let delta = f64::from(was.normal) * normal + was.tangent.as_dvec3();
        errors.vector(got.delta, delta, f64::from(was.normal) + was.tangent.length() as f64);
    }
    Ok(())
}

/// λ' = max(0, λ − κ (v·n + b)/W − (1 − κ) λ), λ_t' = λ_t − v_t/W_t clipped to μ λ'; v of poses with their turn.
pub fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 124);
    let mut random = Random::new(125);
    let word = |_| random.vector(2.0).as_vec3().extend(0.3);
    let velocities: Vec<Vec4> = (0..bench.len() + 3 * COUNT).map(word).collect();
    let threads = given.contacts.len();
    let arrays: &Arrays<'_> = &[
        ("contact_velocities", &velocities),
        ("impulses", &given.impulses),
        ("impulses_warm_start", &given.impulses),
        ("dispatches", &[0_u32; 9]),
    ];
    let after = given.run(bench, threads, arrays)?;
    for name in ["dispatches", "status"] {
        after.skip(name);
    }
    let velocity = |side: &Side, point: DVec3| -> (DVec3, f64) {
        let at = |word: usize| velocities[word].truncate().as_dvec3();
        let i = side.dofs.x as usize;
        let Some(p) = i.checked_sub(bench.len()) else {
            return (at(i), at(i).length());
        };
        let first = bench.len() + 3 * p;
        let (v, spin, x) = (at(first), at(first + 1), at(first + 2));
        let scale = v.length() + spin.length() * (point.length() + x.length());
        (v + spin.cross(point - x), scale)
    };
    let rows: Vec<Row> = after.get("rows");
    for (c, got) in after.get::<Impulse>("impulses").iter().enumerate() {
        let (contact, row, was) = (&given.contacts[c], &given.rows[c], &given.impulses[c]);
        let (normal, point) = (contact.normal.as_dvec3(), row.point.as_dvec3());
        let [(a, near), (b, far)] = [&contact.a, &contact.b].map(|side| velocity(side, point));
        let (v, speeds) = (a - b, near + far);
        let [split, slide, bias, kappa] =
            [row.inverse_mass, row.inverse_mass, row.bias, row.kappa].map(f64::from);
        let lambda = f64::from(was.normal);
        let along = v.dot(normal);
        let wanted = (lambda - kappa * (along + bias) / split - (1.0 - kappa) * lambda).max(0.0);
        let scale = 2.0 * lambda + (speeds + bias.abs()) / split;
        errors.number(got.normal, wanted, scale);
        let across = was.tangent.as_dvec3() - (v - along * normal) / slide;
        let most = f64::from(contact.friction);
        let size = was.tangent.length() as f64 + 2.0 * speeds / slide;
        errors.vector(got.tangent, across.clamp_length_max(most * wanted), size + most * scale);
        let delta = |i: &Impulse| f64::from(i.normal) * normal + i.tangent.as_dvec3();
        errors.vector(rows[c].delta, delta(got) - delta(was), 2.0 * (size + scale));
        errors.kept(&rows[c], row, |r, got| r.delta = got.delta);
        errors
            .kept(got, was, |i, got| *i = Impulse { feature_b: i.feature_b, body: i.body, ..*got });
    }
    errors.holds(given.contacts.iter().all(|contact| contact.a.dofs.x != NONE));
    Ok(())
}
