//! Contacts of particles with poses: what a step starts from, iterations of their impulses, and what all contacts of a pose give it.

use glam::{DMat3, DVec3, UVec2, Vec3, Vec4};

use crate::Result;
use crate::gpu::types::{
    Body, Collide, Contact, Entry, Impulse, LIST_AGE, LIST_LOADS, LIST_LONG, LIST_MANIFOLDS,
    LIST_RECORDS, NONE, POSE_ROWS, Pose, RIGID_DAMPING, RIGID_FREQUENCY, RIGID_SPEED, Row, SLICE,
    Side, Sim, WRENCH_ROWS,
};
use crate::reference::pose as reference;
use crate::reference::rigid::parts::{Part, Rub};
use crate::verify::collide::lists::{Act, SliceSum, compare_sums, slice_sums, with_sums};
use crate::verify::poses::{COUNT, exact, random, with_poses};
use crate::verify::touch::Lists;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// Contacts of particles with poses either way, and behind them manifolds of poses.
pub(super) struct Given {
    pub poses: Vec<Pose>,
    pub contacts: Vec<Contact>,
    /// The first of two poses.
    pub first: usize,
    lists: Lists,
    pub rows: Vec<Row>,
    pub impulses: Vec<Impulse>,
    wrenches: Vec<Vec4>,
}

impl Given {
    pub fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let poses = self::random(&mut random);
        let particles = bench.len();
        let contacts: Vec<_> = (0..particles + particles / 2 + 50)
            .map(|c| contact(particles, c, &mut random))
            .collect();
        let row = |_: &Contact| Row {
            delta: random.vector(1.0).as_vec3(),
            inverse_mass: random.between(0.1, 3.0) as f32,
            point: random.vector(2.0).as_vec3(),
            share: random.between(-1.0, 3.0).max(0.0) as f32,
            bias: random.between(-2.0, 2.0) as f32,
            kappa: random.between(0.1, 1.0) as f32,
            ..Row::default()
        };
        let rows = contacts.iter().map(row).collect();
        let impulse = |c: &Contact| Impulse {
            tangent: random.vector(1.0).as_vec3(),
            normal: random.between(-0.5, 2.0).max(0.0) as f32,
            normal_change: random.between(-1.0, 1.0) as f32,
            tangent_change: random.between(0.0, 1.0) as f32,
            feature_b: c.feature_b,
            body: 1,
        };
        let impulses = contacts.iter().map(impulse).collect();
        let wrench =
            |_| random.vector(1.0).as_vec3().extend(random.between(-1.0, 3.0).max(0.0) as f32);
        let wrenches = (0..WRENCH_ROWS as usize * contacts.len()).map(wrench).collect();
        let mut lists = Lists::new(&contacts, [particles, COUNT]);
        lists.words[LIST_MANIFOLDS as usize] = particles as u32;
        Self { poses, contacts, first: particles, lists, rows, impulses, wrenches }
    }

    pub fn run(&self, bench: &Bench<'_>, threads: usize, given: &Arrays<'_>) -> Result<Written> {
        self.run_of(bench, with_poses(&bench.case.sim), threads, given)
    }

    /// The same with another uniform.
    pub fn run_of(
        &self,
        bench: &Bench<'_>,
        sim: Sim,
        threads: usize,
        given: &Arrays<'_>,
    ) -> Result<Written> {
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
            ("wrenches", &self.wrenches),
        ];
        bench.run(sim, threads, &[own, given].concat())
    }

    /// The sums over slices of long lists.
    fn sums(&self, bench: &Bench<'_>) -> Vec<SliceSum> {
        let act = |i: usize, entry: &Entry| {
            let pose = &self.poses[i.checked_sub(bench.len())?];
            Some(self.act((entry.node / 8) as usize, entry.weight, pose.position.as_dvec3()))
        };
        slice_sums(&self.lists, &self.contacts, &self.rows, &act)
    }

    /// What contact c does to a pose at x that is on this side, 1 or −1.
    fn act(&self, c: usize, side: f32, x: DVec3) -> Act {
        let sign = f64::from(side);
        if c >= self.first {
            let [force, a, b] = [0, 1, 2].map(|k| self.wrenches[WRENCH_ROWS as usize * c + k]);
            let moment = if side > 0.0 { a } else { b };
            let term = |a: Vec4| {
                let term = sign * a.truncate().as_dvec3();
                (term, term.length())
            };
            return Act { terms: [term(force), term(moment)], share: f64::from(force.w) };
        }
        let row = &self.rows[c];
        let (delta, point) = (sign * row.delta.as_dvec3(), row.point.as_dvec3());
        let arms = point.length() + x.length();
        let moment = ((point - x).cross(delta), arms * delta.length());
        Act { terms: [(delta, delta.length()), moment], share: f64::from(row.share) }
    }

    /// What all contacts do to each pose; none where it has none.
    fn acts(&self, bench: &Bench<'_>) -> Vec<Option<Act>> {
        let mut all: Vec<Option<Act>> = vec![None; COUNT];
        for (c, contact) in self.contacts.iter().enumerate() {
            for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
                if let Some((p, pose)) = self.pose(bench, side) {
                    let act = self.act(c, sign, pose.position);
                    all[p] = Some(all[p].unwrap_or_default().with(act));
                }
            }
        }
        all
    }

    /// The pose that a side is of.
    pub fn pose(&self, bench: &Bench<'_>, side: &Side) -> Option<(usize, reference::Pose)> {
        let index = (side.dofs.x as usize).checked_sub(bench.len())?;
        Some((index, exact(&self.poses[index])))
    }

    /// Where a side is, and 1/m of what it is made of with masses split by loads.
    fn place(&self, bench: &Bench<'_>, side: &Side) -> (DVec3, f64) {
        if let Some((_, pose)) = self.pose(bench, side) {
            let own = side.weights.truncate().as_dvec3();
            return (pose.position + pose.rotation * own, pose.inverse_mass);
        }
        let loads = self.lists.loads();
        let of = |i: u32, w: f32| {
            let particle = &bench.case.particles[i as usize];
            let own = f64::from(w.abs()) * loads[i as usize] * f64::from(particle.inverse_mass);
            (f64::from(w) * particle.position.as_dvec3(), own)
        };
        let parts = side.parts().map(|(i, w)| of(i, w));
        let sum = parts.fold((DVec3::ZERO, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        (sum.0 / whole(side), sum.1)
    }

    /// Velocity of a side at a point.
    pub fn velocity(&self, bench: &Bench<'_>, side: &Side, x: DVec3) -> DVec3 {
        if let Some((p, pose)) = self.pose(bench, side) {
            return Part::whole(&pose, self.poses[p].spin.as_dvec3()).velocity_at(x);
        }
        let velocity = |i: u32| bench.case.particles[i as usize].velocity.as_dvec3();
        side.parts().map(|(i, w)| f64::from(w) * velocity(i)).sum::<DVec3>() / whole(side)
    }
}

/// The sum of a side's weights: 1 of the first, −1 of the second.
fn whole(side: &Side) -> f64 {
    side.parts().map(|(_, w)| f64::from(w)).sum()
}

/// The contact of a particle, or of three, with a pose, or of two poses behind those of the particles.
fn contact(particles: usize, c: usize, random: &mut Random) -> Contact {
    // Many are of one pose.
    let any = |random: &mut Random| [1, random.index(0, COUNT)][random.index(0, 2)];
    let of_pose = |p: usize, random: &mut Random| {
        let own = random.vector(0.3).as_vec3().extend(0.0);
        Side { weights: own, ..Side::of(&[((particles + p) as u32, 0.0)]) }
    };
    let one = any(random);
    let [a, b] = match c < particles {
        true => {
            let corners = [0, 1, 2].map(|k| ((c + 2 * k) % particles) as u32);
            let parts = match particles > 5 && c.is_multiple_of(4) {
                // A point beside the triangle, too.
                true if c % 8 == 4 => {
                    vec![(corners[0], 0.75), (corners[1], 0.5), (corners[2], -0.25)]
                }
                true => vec![(corners[0], 0.25), (corners[1], 0.25), (corners[2], 0.5)],
                false => vec![(c as u32, 1.0)],
            };
            let soft = Side::of(&parts);
            match c % 2 {
                0 => [of_pose(one, random), Side { weights: -soft.weights, ..soft }],
                _ => [soft, of_pose(one, random)],
            }
        }
        false => {
            let other = (one + random.index(1, COUNT)) % COUNT;
            [of_pose(one, random), of_pose(other, random)]
        }
    };
    Contact {
        a,
        b,
        normal: random.vector(1.0).normalize_or(DVec3::X).as_vec3(),
        reach: random.between(0.0, 4.0) as f32,
        friction: random.between(0.0, 0.9) as f32,
        size: 1.0,
        feature_a: c as u32,
        feature_b: (c % 3) as u32,
        bodies: UVec2::new(0, 1),
        ..Contact::default()
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

/// The velocity and the spin of a pose after its contacts.
fn compare_pushed(got: &Pose, before: &Pose, act: &Act, errors: &mut ErrorStats) {
    let [(impulse, linear), (moment, angular)] = act.terms;
    let [v, spin] = [before.velocity, before.spin].map(|a| a.as_dvec3());
    let whole = Part::whole(&exact(before), spin);
    let after = Part { velocity: v + whole.inverse_mass * impulse, ..whole.turned(moment) };
    errors.vector(got.velocity, after.velocity, v.length() + whole.inverse_mass * linear);
    let most = f64::from(before.inverse_inertia.max_element());
    errors.vector(got.spin, after.spin, spin.length() + most * angular);
    errors.kept(got, before, |p, got| (p.velocity, p.spin) = (got.velocity, got.spin));
}

/// As contacts find it: nothing pushes what sleeps.
pub(super) fn met(pose: &Pose) -> Pose {
    match pose.island {
        0 => *pose,
        _ => Pose { inverse_mass: 0.0, inverse_inertia: Vec3::ZERO, ..*pose },
    }
}

/// The rows of `contact_velocities` of a pose.
pub(super) fn pose_rows(all: &[Vec4], particles: usize, p: usize) -> &[Vec4] {
    &all[particles + POSE_ROWS as usize * p..][..POSE_ROWS as usize]
}

/// v and ω by the impulses that poses' contacts start from, and what these are solved by: the sum of their shares, and the
/// inertia in the world's axes.
pub fn begin(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 127);
    let unseen = vec![Vec4::splat(7.0); bench.len() + POSE_ROWS as usize * COUNT];
    let after = given.run(bench, COUNT, &[("contact_velocities", &unseen)])?;
    let seen: Vec<Vec4> = after.get("contact_velocities");
    errors.holds(seen[..bench.len()] == unseen[..bench.len()]);
    let got: Vec<Pose> = after.get("poses");
    for (p, act) in given.acts(bench).into_iter().map(Option::unwrap_or_default).enumerate() {
        let (got, before) = (&got[p], &met(&given.poses[p]));
        compare_pushed(&met(got), before, &act, errors);
        let rows = pose_rows(&seen, bench.len(), p);
        errors.holds(rows[0] == got.velocity.extend(before.inverse_mass));
        errors.holds(rows[1].truncate() == got.spin);
        errors.number(rows[1].w, act.share, act.share);
        errors.holds(rows[2].truncate() == before.position);
        let inertia = Part::whole(&exact(before), DVec3::ZERO).inverse_inertia;
        let most = f64::from(before.inverse_inertia.max_element());
        let [x, y, z] = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
        errors.vector(rows[3].truncate(), DVec3::new(x.x, y.y, z.z), most);
        errors.vector(rows[4].truncate(), DVec3::new(y.z, z.x, x.y), most);
        errors.holds(rows[5].truncate() == got.velocity && rows[6].truncate() == got.spin);
        let kicked = [2, 3, 4].map(|row| rows[row].w);
        errors.holds(kicked == before.velocity.to_array());
        errors.holds(rows[7] == before.spin.extend(0.0));
    }
    Ok(())
}

/// v and ω by what contacts give; what those of no contact are solved by, and the rest of it, stays.
pub fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 122);
    let unseen = vec![Vec4::splat(7.0); bench.len() + POSE_ROWS as usize * COUNT];
    let after = given.run(bench, COUNT, &[("contact_velocities", &unseen)])?;
    let seen: Vec<Vec4> = after.get("contact_velocities");
    errors.holds(seen[..bench.len()] == unseen[..bench.len()]);
    let got: Vec<Pose> = after.get("poses");
    for (p, act) in given.acts(bench).iter().enumerate() {
        let rows = pose_rows(&seen, bench.len(), p);
        errors.holds(rows[3..] == unseen[..POSE_ROWS as usize - 3]);
        let Some(act) = act else {
            errors.holds(got[p] == given.poses[p] && rows[..3] == unseen[..3]);
            continue;
        };
        errors.holds(rows[2] == given.poses[p].position.extend(7.0));
        let before = met(&given.poses[p]);
        compare_pushed(&met(&got[p]), &before, act, errors);
        errors.holds(rows[0] == got[p].velocity.extend(before.inverse_mass));
        errors.holds(rows[1] == got[p].spin.extend(7.0));
    }
    Ok(())
}

/// What pushes poses moves them, and contacts are solved by where that is, not by how fast.
pub fn push(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 127);
    let unseen = vec![Vec4::splat(7.0); bench.len() + POSE_ROWS as usize * COUNT];
    let after = given.run(bench, COUNT, &[("contact_velocities", &unseen)])?;
    let mut seen: Vec<Vec4> = after.get("contact_velocities");
    let got: Vec<Pose> = after.get("poses");
    for (p, act) in given.acts(bench).iter().enumerate() {
        let row = &mut seen[bench.len() + POSE_ROWS as usize * p + 2];
        let Some(act) = act else {
            errors.holds(got[p] == given.poses[p]);
            continue;
        };
        let before = met(&given.poses[p]);
        compare_pushed(&met(&got[p]), &before, act, errors);
        let way =
            (got[p].velocity - given.poses[p].velocity).as_dvec3() * f64::from(bench.case.sim.step);
        errors.vector(row.truncate(), DVec3::splat(7.0) + way, 7.0);
        *row = unseen[0].truncate().extend(row.w);
    }
    errors.holds(seen == unseen);
    Ok(())
}

/// Rows of contacts of particles with poses: gap, where it acts, W of the particles, the share of the pose, and the numbers of
/// the spring that takes them apart; impulses go on whole. Those of two poses are left alone.
pub fn prepare(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let mut given = Given::new(bench, 123);
    let h = f64::from(bench.case.sim.step);
    // Some touch just so, or close in within the step or not.
    for c in (0..given.first).filter(|c| c % 3 > 0) {
        let contact = &given.contacts[c];
        let [a, b] = [&contact.a, &contact.b].map(|side| given.place(bench, side).0);
        let apart = (a - b).dot(contact.normal.as_dvec3());
        given.contacts[c].reach = (apart - 2.0 * h * (c % 5) as f64) as f32;
    }
    // The velocity that the step ends with moves particles, or their mean velocity does.
    for contact_share in [1.0, 0.5] {
        let sim = Sim { contact_share, ..with_poses(&bench.case.sim) };
        prepare_with(&given, bench, sim, errors)?;
    }
    Ok(())
}

/// With this uniform.
fn prepare_with(given: &Given, bench: &Bench<'_>, sim: Sim, errors: &mut ErrorStats) -> Result<()> {
    let h = f64::from(sim.step);
    let threads = given.contacts.len();
    let nothing = vec![Impulse::default(); threads];
    let arrays: &Arrays<'_> = &[("impulses", &given.impulses), ("impulses_warm_start", &nothing)];
    let after = given.run_of(bench, sim, threads, arrays)?;
    // Counts are compared elsewhere.
    after.skip("status");
    let start: Vec<Impulse> = after.get("impulses_warm_start");
    let rows: Vec<Row> = after.get("rows");
    for c in given.first..threads {
        errors.holds(start[c] == nothing[c] && rows[c] == given.rows[c]);
    }
    for c in 0..given.first {
        let (got, was, contact) = (&rows[c], given.impulses[c], &given.contacts[c]);
        errors.holds(start[c] == Impulse { normal_change: 0.0, tangent_change: 0.0, ..was });
        let sides = [&contact.a, &contact.b];
        let [(a, of_a), (b, of_b)] = sides.map(|side| given.place(bench, side));
        let (normal, reach) = (contact.normal.as_dvec3(), f64::from(contact.reach));
        let gap = reach - (a - b).dot(normal);
        let far = 5.0 * (a.length() + b.length() + reach.abs() + 1.0);
        errors.number(got.gap, gap, far);
        let pose_is_a = sides[0].dofs.x as usize >= bench.len();
        let (point, soft, rigid) = if pose_is_a { (b, of_b, of_a) } else { (a, of_a, of_b) };
        let [of_soft, of_pose] = if pose_is_a { [sides[1], sides[0]] } else { sides };
        let pose = given.pose(bench, of_pose).map_or(DVec3::ZERO, |(_, pose)| pose.velocity);
        let moved = given.velocity(bench, of_soft, point);
        let ahead = (1.0 - f64::from(sim.contact_share)) * h;
        let far_ahead = far + 5.0 * ahead * (moved.length() + pose.length() + 1.0);
        errors.vector(got.point, point + ahead * (moved - pose), far_ahead);
        errors.number(got.inverse_mass, soft, soft);
        errors.holds(got.push == 0.0);
        // The speed is that where side a is.
        let [va, vb] = sides.map(|side| given.velocity(bench, side, a));
        let closing = -(va - vb).dot(normal);
        let sure = (h * closing + gap).abs() > 1e-5 * (far + h * closing.abs());
        if sure || was.normal > 0.0 {
            let acts = was.normal > 0.0 || -gap < h * closing;
            let share = if acts && soft.max(rigid) > 0.0 { 1.0 / soft.max(rigid) } else { 0.0 };
            errors.number(got.share, share, share);
        }
        // Of the gap that the kernel has found.
        let found = f64::from(got.gap);
        let (bias, kappa) = if found > 0.0 {
            let held = soft.min(rigid) == 0.0;
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

/// Contacts of poses in the lists of their participants. Those with particles go on from the whole of the last step's
/// impulses, those of two poses from none: their manifolds have these.
pub fn setup(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let mut given = Given::new(bench, 128);
    let mut random = Random::new(129);
    let records = given.contacts.len();
    // Half of them are not remembered.
    given.impulses.iter_mut().step_by(2).for_each(|impulse| impulse.feature_b += 5);
    let mut body = |_| Body {
        friction: random.between(0.1, 0.9) as f32,
        edge: random.between(0.1, 1.0) as f32,
        thickness: random.between(0.1, 1.0) as f32,
        ..Body::default()
    };
    let bodies = [0, 1].map(&mut body);
    let collide =
        Collide { capacity: records as u32, feature_count: records as u32, ..Collide::default() };
    let first: Vec<u32> = (0..=records as u32).collect();
    let dofs = bench.len() + COUNT;
    let nothing = vec![Impulse::default(); records];
    let arrays: &Arrays<'_> = &[
        ("collide", &[collide]),
        ("contact_lists", &vec![0_u32; LIST_LOADS as usize + dofs]),
        ("list_counts", &vec![0_u32; dofs]),
        ("contacts", &given.contacts),
        ("record_first", &first),
        ("record_first_last", &first),
        ("impulses", &given.impulses),
        ("impulses_warm_start", &nothing),
        ("bodies", &bodies),
    ];
    let sim = Sim { body_count: bodies.len() as u32, ..with_poses(&bench.case.sim) };
    let after = bench.run(sim, records, arrays)?;
    let friction = (f64::from(bodies[0].friction) * f64::from(bodies[1].friction)).sqrt();
    let got: Vec<Contact> = after.get("contacts");
    for (got, before) in got.iter().zip(&given.contacts) {
        errors.number(got.friction, friction, friction);
        errors.holds(got.size == bodies[0].edge.min(bodies[1].edge));
        errors.kept(got, before, |c, got| (c.friction, c.size) = (got.friction, got.size));
    }
    let mut wanted = Lists::new(&given.contacts, [bench.len(), COUNT]);
    wanted.words[..LIST_LOADS as usize].fill(0);
    wanted.words[LIST_RECORDS as usize] = records as u32;
    wanted.words[LIST_LONG as usize] = u32::from(wanted.counts.iter().any(|n| *n > SLICE));
    errors.words(&after.get::<u32>("contact_lists"), &wanted.words);
    errors.words(&after.get::<u32>("list_counts"), &wanted.counts);
    for (c, got) in after.get::<Impulse>("impulses_warm_start").iter().enumerate() {
        let (contact, was) = (&given.contacts[c], &given.impulses[c]);
        let begun = Impulse { feature_b: contact.feature_b, body: 1, ..Impulse::default() };
        if c >= given.first || c % 2 == 0 {
            errors.holds(*got == begun);
            continue;
        }
        let across = was.tangent.as_dvec3().reject_from_normalized(contact.normal.as_dvec3());
        let most = friction * f64::from(was.normal);
        errors.holds(got.normal == was.normal);
        let size = was.tangent.length() as f64 + most;
        errors.vector(got.tangent, across.clamp_length_max(most), size);
        errors.kept(got, &begun, |i, got| (i.normal, i.tangent) = (got.normal, got.tangent));
    }
    Ok(())
}

/// What a contact of a particle and a pose is solved by.
struct Solved {
    /// v of side a less that of b, and K: how it follows an impulse.
    velocity: DVec3,
    mobility: DMat3,
    /// Sums of the terms' magnitudes of both.
    scales: [f64; 2],
}

/// The parts of poses that contacts are solved by, each with the sum of its contacts' shares.
pub(super) fn parts_of_poses(poses: &[Pose], random: &mut Random) -> (Vec<Vec4>, Vec<(Part, f64)>) {
    let mut rows = Vec::new();
    let mut parts = Vec::new();
    for pose in poses {
        let of = random.between(4.0, 12.0) as f32;
        let mut part = Part::whole(&exact(pose), pose.spin.as_dvec3());
        let [x, y, z] = [0, 1, 2].map(|k| part.inverse_inertia.col(k).as_vec3());
        rows.extend([
            pose.velocity.extend(pose.inverse_mass),
            pose.spin.extend(of),
            pose.position.extend(0.0),
            Vec3::new(x.x, y.y, z.z).extend(0.0),
            Vec3::new(y.z, z.x, x.y).extend(0.0),
            random.vector(2.0).as_vec3().extend(0.0),
            random.vector(3.0).as_vec3().extend(0.0),
            (-pose.spin).extend(0.0),
        ]);
        // As it is rounded.
        let [x, y, z] = [x, y, z].map(|column| column.as_dvec3());
        part.inverse_inertia = DMat3::from_cols(
            DVec3::new(x.x, x.y, z.x),
            DVec3::new(x.y, y.y, y.z),
            DVec3::new(z.x, y.z, z.z),
        );
        parts.push((part, f64::from(of)));
    }
    (rows, parts)
}

impl Given {
    /// What contact c is solved by.
    fn solved(&self, c: usize, velocities: &[Vec4], parts: &[(Part, f64)]) -> Solved {
        let (contact, row) = (&self.contacts[c], &self.rows[c]);
        let (x, particles) = (row.point.as_dvec3(), self.first);
        let split = f64::from(row.inverse_mass);
        let mut solved = Solved {
            velocity: DVec3::ZERO,
            mobility: DMat3::from_diagonal(DVec3::splat(split)),
            scales: [0.0, split],
        };
        for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
            let Some(p) = (side.dofs.x as usize).checked_sub(particles) else {
                for (i, w) in side.parts() {
                    let v = f64::from(w) * velocities[i as usize].truncate().as_dvec3();
                    solved.velocity += v;
                    solved.scales[0] += v.length();
                }
                continue;
            };
            let (part, of) = parts[p];
            let arms = x.length() + part.position.length();
            solved.velocity += sign * part.velocity_at(x);
            solved.scales[0] += part.velocity.length() + part.spin.length() * arms;
            let split = part.split(f64::from(row.share).max(1e-30), of);
            let most = DVec3::from_array([0, 1, 2].map(|k| split.inverse_inertia.col(k).length()));
            solved.mobility += split.mobility(x);
            solved.scales[1] += split.inverse_mass + arms * arms * most.max_element();
        }
        solved
    }
}

/// λ' = max(0, λ − κ (v·n + b)/K − (1 − κ) λ) and friction; those without a share, and those of two poses, stay.
pub fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 124);
    let mut random = Random::new(125);
    let word = |_| random.vector(2.0).as_vec3().extend(0.3);
    let mut velocities: Vec<Vec4> = (0..bench.len()).map(word).collect();
    let (rows, parts) = parts_of_poses(&given.poses, &mut random);
    velocities.extend(rows);
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
    let (rows, impulses): (Vec<Row>, Vec<Impulse>) = (after.get("rows"), after.get("impulses"));
    for (c, got) in impulses.iter().enumerate() {
        let (contact, row, was) = (&given.contacts[c], &given.rows[c], &given.impulses[c]);
        if c >= given.first {
            errors.holds(got == was && rows[c] == *row);
            continue;
        }
        if row.share == 0.0 {
            errors.holds(got == was && rows[c] == Row { delta: Vec3::ZERO, ..*row });
            continue;
        }
        let Solved { velocity, mobility, scales } = given.solved(c, &velocities, &parts);
        let (n, [bias, kappa]) = (contact.normal.as_dvec3(), [row.bias, row.kappa].map(f64::from));
        let lambda = f64::from(was.normal);
        let along = n.dot(mobility * n);
        let speed = velocity.dot(n) + bias;
        let wanted = (lambda - kappa * speed / along - (1.0 - kappa) * lambda).max(0.0);
        let given_by = (scales[0] + bias.abs()) / along;
        let scale = 2.0 * lambda + given_by * (1.0 + scales[1] / along);
        errors.number(got.normal, wanted, scale);
        let most = f64::from(contact.friction) * f64::from(got.normal);
        let rub = Rub::new(n, mobility, velocity, was.tangent.as_dvec3(), most);
        let [least, largest] = rub.mobilities;
        let slide = was.tangent.length() as f64
            + scales[0] / least * (1.0 + scales[1] / least) * (1.0 + largest / least);
        if rub.margin() > 1e-4 {
            errors.vector(got.tangent, rub.next(), slide);
        }
        errors.holds(got.normal >= 0.0);
        errors.holds(f64::from(got.tangent.length()) <= most * (1.0 + 1e-5) + 1e-6 * slide);
        let change = |a: f32, b: f32| f64::from(a) - f64::from(b);
        let of_normal = f64::from(was.normal_change) + change(got.normal, was.normal);
        let changes = f64::from(was.normal_change.abs() + got.normal + was.normal);
        errors.number(got.normal_change, of_normal, changes);
        let way = (got.tangent.as_dvec3() - was.tangent.as_dvec3()).length();
        let way = f64::from(was.tangent_change) + way;
        errors.number(got.tangent_change, way, way + f64::from(got.tangent.length()));
        let delta = |i: &Impulse| f64::from(i.normal) * n + i.tangent.as_dvec3();
        errors.vector(rows[c].delta, delta(got) - delta(was), 2.0 * (slide + scale));
        errors.kept(&rows[c], row, |r, got| r.delta = got.delta);
        errors
            .kept(got, was, |i, got| *i = Impulse { feature_b: i.feature_b, body: i.body, ..*got });
    }
    errors.holds(given.contacts.iter().all(|contact| contact.a.dofs.x != NONE));
    Ok(())
}
