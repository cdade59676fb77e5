//! The passes that add up what bodies did to each other, on random contacts.

use std::collections::BTreeSet;

use glam::{DVec3, UVec2};

use super::linked::{exact, impulse};
use crate::Result;
use crate::gpu::types::{
    Collide, Contact, Impulse, MAX_TOUCHES, Row, SLICE, Sim, TouchSum, WORKGROUP,
};
use crate::reference::contact::touches::{Touch, add_up, touch};
use crate::verify::touch::{Touch as Contacts, exact as exact_contact};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// What stands where nothing is to be written.
pub(super) fn untouched() -> TouchSum {
    TouchSum { normal_impulse: -77.0, body: 77, ..TouchSum::default() }
}

/// Compares impulses and numbers of contacts of a body and `other`; scale: the magnitudes of what is added up.
pub(super) fn compare_impulses(
    got: &TouchSum,
    wanted: &Touch,
    other: u32,
    all: &[Touch],
    errors: &mut ErrorStats,
) {
    let own = all.iter().filter(|touch| touch.bodies == wanted.bodies);
    let sizes = own.map(|t| t.impulse.length() + t.normal_impulse.abs());
    let size = sizes.sum();
    errors.holds((got.body as usize, got.other) == (wanted.bodies[0], other));
    errors.holds(got.contacts as usize == wanted.contacts);
    errors.vector(got.impulse, wanted.impulse, size);
    errors.number(got.normal_impulse, wanted.normal_impulse, size);
}

/// Compares sums; scale of a place: its magnitude.
fn compare(got: &TouchSum, wanted: &Touch, all: &[Touch], errors: &mut ErrorStats) {
    compare_impulses(got, wanted, wanted.bodies[1] as u32, all, errors);
    errors.vector(got.place, wanted.place, 1.0 + wanted.place.length());
    errors.number(got.depth, wanted.depth, 0.0);
    errors.vector(got.normal, wanted.direction, 0.0);
}

/// Records of points, edges and spheres, of bodies with themselves, of contacts that neither push nor are inside, and such that
/// no contact came of; with their impulses.
fn records(bench: &Bench<'_>, random: &mut Random) -> (Vec<Contact>, Vec<Impulse>) {
    let mut records = Contacts::random(bench, &bench.oracle(), random).contacts;
    let pushes = |_: &Contact| {
        let mut pushes = impulse(0, random);
        pushes.normal = pushes.normal.max(1.0) - 1.0;
        pushes
    };
    let impulses = records.iter().map(pushes).collect();
    for (contact, any) in records.iter_mut().zip(0..) {
        if bench.len() > 1 {
            contact.bodies.y = any % 3;
        }
    }
    (records, impulses)
}

/// Sums of slices of records.
pub fn slices(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (records, impulses) = records(bench, &mut Random::new(67 + bench.len() as u64));
    let collide = Collide {
        feature_count: bench.len() as u32,
        // The last records are beyond the room.
        capacity: (records.len() - records.len() / 9) as u32,
        ..Collide::default()
    };
    let room = (collide.capacity as usize).min(records.len());
    let slice = SLICE as usize;
    let slice_count = records.len().div_ceil(slice);
    let rows: Vec<_> = records.iter().map(|c| Row { gap: c.gap, ..Row::default() }).collect();
    let arrays: &Arrays<'_> = &[
        ("touch_parts", &vec![untouched(); records.len() + slice]),
        ("slice_counts", &vec![77_u32; slice_count + 1]),
        ("contacts", &records),
        ("rows", &rows),
        ("impulses", &impulses),
        ("record_first", &vec![records.len() as u32; bench.len() + 1]),
        ("collide", &[collide]),
    ];
    let after = bench.run(bench.case.sim, (slice_count + 1) * WORKGROUP as usize, arrays)?;
    let parts: Vec<TouchSum> = after.get("touch_parts");
    let counts: Vec<u32> = after.get("slice_counts");
    let system = bench.oracle().system;
    let of_record = |c: usize| {
        let contact = &records[c];
        let bodies = contact.is_contact().then(|| contact.bodies.to_array().map(|b| b as usize))?;
        let radius = f64::from(bench.case.bodies[bodies[0]].radius);
        let contact = exact_contact(contact, f64::from(bench.case.sim.step));
        let impulse = exact(&impulses[c]);
        touch(&contact, &impulse, bodies, radius, &system.position)
    };
    for s in 0..=slice_count {
        let first = slice * s;
        if first >= room {
            errors.words(&counts[s..=s], &[77]);
            continue;
        }
        let own = first..(first + slice).min(room);
        let all: Vec<_> = own.filter_map(of_record).collect();
        let wanted = add_up(&all);
        errors.words(&counts[s..=s], &[wanted.len() as u32]);
        for (k, wanted) in wanted.iter().enumerate() {
            compare(&parts[first + k], wanted, &all, errors);
        }
        errors.holds(parts[first + wanted.len()] == untouched() || wanted.len() == slice);
    }
    Ok(())
}

/// A sum of anything.
pub(super) fn random_sum(random: &mut Random) -> TouchSum {
    TouchSum {
        impulse: random.vector(1.0).as_vec3(),
        normal_impulse: random.between(0.0, 2.0) as f32,
        place: random.vector(1.0).as_vec3(),
        depth: random.index(0, 9) as f32,
        normal: random.vector(1.0).as_vec3(),
        contacts: 1 + random.index(0, 9) as u32,
        ..TouchSum::default()
    }
}

/// Some sums of slices, each of some pairs of a few bodies, and how many each slice has.
fn parts(slices: usize, bodies: usize, random: &mut Random) -> (Vec<TouchSum>, Vec<u32>) {
    let mut parts = vec![untouched(); SLICE as usize * slices];
    let mut counts = Vec::new();
    for s in 0..slices {
        let count = random.index(0, 25);
        for k in 0..count {
            parts[SLICE as usize * s + k] = TouchSum {
                // Those of one slice are of different pairs.
                body: random.index(0, bodies) as u32,
                other: (40 * k + random.index(0, 3)) as u32,
                ..random_sum(random)
            };
        }
        counts.push(count as u32);
    }
    (parts, counts)
}

fn exact_sum(sum: &TouchSum) -> Touch {
    Touch {
        bodies: [sum.body, sum.other].map(|body| body as usize),
        impulse: sum.impulse.as_dvec3(),
        normal_impulse: f64::from(sum.normal_impulse),
        place: sum.place.as_dvec3(),
        depth: f64::from(sum.depth),
        direction: sum.normal.as_dvec3(),
        contacts: sum.contacts as usize,
    }
}

/// The sums of bodies over some steps, from none.
pub(super) struct Lists {
    /// As kernels keep them, with one more than there are bodies.
    sums: Vec<TouchSum>,
    counts: Vec<u32>,
    dropped: Vec<u32>,
    /// What has been added up of each body, with the slot of its step, and what was dropped before.
    all: Vec<Vec<(u32, Touch)>>,
    lost: Vec<usize>,
}

impl Lists {
    /// Of so many bodies.
    pub fn new(bodies: usize) -> Self {
        Self {
            sums: vec![untouched(); MAX_TOUCHES as usize * bodies + 1],
            counts: vec![0; bodies + 1],
            dropped: vec![0; bodies + 1],
            all: vec![Vec::new(); bodies],
            lost: vec![0; bodies],
        }
    }

    /// What the kernel adds up next.
    pub fn add(&mut self, body: usize, slot: u32, sum: &TouchSum) {
        self.all[body].push((slot, exact_sum(sum)));
        // Those of a step come in the order of what is touched.
        self.all[body].sort_by_key(|(slot, touch)| (*slot, touch.bodies[1]));
    }

    /// What has been dropped of a body.
    pub fn lose(&mut self, body: usize, contacts: usize) {
        self.lost[body] += contacts;
    }

    /// Runs the kernel for a step and compares what it keeps; of more than there is room for the first.
    pub fn step(
        &mut self,
        bench: &Bench<'_>,
        slot: u32,
        given: &Arrays<'_>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        let (count, most) = (self.all.len(), MAX_TOUCHES as usize);
        let own: &Arrays<'_> = &[
            ("touch_lists", &self.sums),
            ("touch_counts", &self.counts),
            ("touch_dropped", &self.dropped),
        ];
        let sim = Sim { slot, ..bench.case.sim };
        let after = bench.run(sim, count * WORKGROUP as usize, &[own, given].concat())?;
        (self.sums, self.counts) = (after.get("touch_lists"), after.get("touch_counts"));
        self.dropped = after.get("touch_dropped");
        errors.holds(self.sums[most * count] == untouched() && self.counts[count] == 0);
        for (b, all) in self.all.iter().enumerate() {
            let touches: Vec<_> = all.iter().map(|(_, touch)| *touch).collect();
            let wanted = add_up(&touches);
            let (kept, left) = wanted.split_at(wanted.len().min(most));
            let dropped = self.lost[b] + left.iter().map(|touch| touch.contacts).sum::<usize>();
            let words = [kept.len(), dropped].map(|word| word as u32);
            errors.words(&[self.counts[b], self.dropped[b]], &words);
            for (wanted, got) in kept.iter().zip(&self.sums[most * b..]) {
                compare(got, wanted, &touches, errors);
                let own = all.iter().filter(|(_, t)| t.bodies == wanted.bodies);
                let mut steps: Vec<_> = own.map(|(slot, _)| *slot).collect();
                steps.dedup();
                let last = steps.last().map_or(0, |last| last + 1);
                errors.holds((got.steps as usize, got.last) == (steps.len(), last));
            }
        }
        Ok(())
    }
}

/// Sums of bodies over two steps: those of the slices of their particles', edges' and colliders' records, each slice once; more bodies
/// than there is room for.
pub fn bodies(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.case.bodies.len();
    let mut random = Random::new(69 + bench.len() as u64);
    let (per_body, slice_count) = (random.index(20, 400), 2 * bench.len() / SLICE as usize + 8);
    let capacity = SLICE as usize * slice_count;
    // Each body has some records of particles, then some of edges, then some of colliders; some have none of a sort.
    let mut firsts = vec![0];
    for f in 0..3 * count as u32 {
        let more = if random.index(0, 4) > 0 { per_body as u32 } else { f % 2 };
        firsts.push((firsts[f as usize] + more).min(capacity as u32 + 9));
    }
    let range = |f: usize| UVec2::new(f as u32, f as u32 + 1);
    let sorts = |b: usize| [b, count + b, 2 * count + b];
    let ranges: Vec<_> = (0..count).flat_map(sorts).map(range).collect();
    let collide = Collide { capacity: capacity as u32, ..Collide::default() };
    let mut lists = Lists::new(count);
    for slot in [4, 9] {
        let (parts, slice_counts) = parts(slice_count, count.max(1), &mut random);
        for b in 0..count {
            let records = |f: usize| firsts[f] as usize..(firsts[f + 1] as usize).min(capacity);
            let own = sorts(b).into_iter().flat_map(records);
            let seen: BTreeSet<_> = own.map(|c| c / SLICE as usize).collect();
            for s in seen {
                let own = parts[SLICE as usize * s..].iter();
                let own = own.take(slice_counts[s] as usize);
                own.filter(|part| part.body as usize == b)
                    .for_each(|part| lists.add(b, slot, part));
            }
        }
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("record_first", &firsts),
            ("touch_parts", &parts),
            ("slice_counts", &slice_counts),
            ("touch_ranges", &ranges),
        ];
        lists.step(bench, slot, arrays, errors)?;
    }
    Ok(())
}

/// The lists of bodies one behind the other, as far as there is room; what comes next is in another step than their last.
pub fn list(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.case.bodies.len();
    let mut random = Random::new(71 + bench.len() as u64);
    let counts: Vec<_> = (0..count).map(|_| random.index(0, 6) as u32).collect();
    let mut offsets = vec![0];
    for count in &counts {
        offsets.push(offsets[offsets.len() - 1] + count);
    }
    let most = MAX_TOUCHES as usize;
    let sum = |random: &mut Random| TouchSum {
        impulse: random.vector(1.0).as_vec3(),
        last: 7,
        ..untouched()
    };
    let lists: Vec<_> = (0..most * count).map(|_| sum(&mut random)).collect();
    let own = |b: usize| most * b..most * b + counts[b] as usize;
    let mut later = lists.clone();
    (0..count).flat_map(own).for_each(|k| later[k].last = 0);
    let wanted: Vec<_> = (0..count).flat_map(|b| &later[own(b)]).copied().collect();
    for room in [wanted.len() + 3, (wanted.len() / 2).max(1)] {
        let arrays: &Arrays<'_> = &[
            ("touches", &vec![untouched(); room]),
            ("touch_lists", &lists),
            ("touch_counts", &counts),
            ("offsets", &offsets),
        ];
        let after = bench.run(bench.case.sim, count, arrays)?;
        let got: Vec<TouchSum> = after.get("touches");
        let mut filled = wanted.clone();
        filled.resize(filled.len().max(room), untouched());
        for (got, wanted) in got.iter().zip(&filled) {
            let [a, b] = [got, wanted].map(|sum| sum.impulse);
            errors.vector(a, b.as_dvec3(), DVec3::ONE.length());
            errors.holds(got == wanted);
        }
        let got: Vec<TouchSum> = after.get("touch_lists");
        errors.holds(got == later);
    }
    Ok(())
}
