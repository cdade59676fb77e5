//! The passes that make the lists of participants, on random contacts.

use glam::{DVec3, Vec3};

use super::linked::{Linked, room};
use crate::Result;
use crate::gpu::types::{Contact, Entry, NONE, Row, SLICE, SLICE_ROOM, Side};
use crate::verify::touch::Lists;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// How long the longest list is.
const LENGTHS: [usize; 7] = [1, 63, 64, 65, 128, 129, 1000];

/// The lists of participants in any order; the counts are then used up.
pub fn fill(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let linked = Linked::new(bench, &mut Random::new(73));
    for missing in [0, 3] {
        let count = linked.len().saturating_sub(missing);
        let lists = Lists::new(&linked.touch.contacts[..count], [bench.len(), 0]);
        let arrays: &Arrays<'_> = &[
            ("collide", &room(count)),
            ("list_first", &lists.first),
            ("list_counts", &lists.counts),
            ("nodes", &vec![NONE; 8 * linked.len()]),
        ];
        let after = linked.run(bench, bench.case.sim, linked.len(), arrays)?;
        errors.words(&after.get::<u32>("list_counts"), &vec![0; bench.len()]);
        let mut got: Vec<u32> = after.get("nodes");
        (0..bench.len()).for_each(|i| got[lists.range(i)].sort_unstable());
        let wanted: Vec<_> = lists.entries.iter().map(|entry| entry.node).collect();
        let unfilled = vec![NONE; 8 * (linked.len() - count)];
        errors.words(&got, &[wanted, unfilled].concat());
    }
    Ok(())
}

/// So many of some contacts, over and over, all of them of the first particle.
fn of_one(bench: &Bench<'_>, count: usize, random: &mut Random) -> Linked {
    let mut linked = Linked::new(bench, random);
    let real: Vec<_> = linked.real.iter().map(|c| linked.touch.contacts[*c]).collect();
    linked.touch.contacts = real.iter().cycle().take(count).copied().collect();
    linked.touch.contacts.iter_mut().for_each(|contact| contact.a = Side::of(&[(0, 1.0)]));
    linked.touch.lists = Lists::new(&linked.touch.contacts, [bench.len(), 0]);
    linked
}

/// The nodes of long lists, each part of them in ascending order.
fn by_parts(lists: &Lists, nodes: &[u32]) -> Vec<u32> {
    let mut sorted = vec![NONE; nodes.len()];
    for range in (0..lists.counts.len()).map(|i| lists.range(i)) {
        if range.len() > SLICE as usize {
            sorted[range.clone()].copy_from_slice(&nodes[range.clone()]);
            sorted[range].chunks_mut(SLICE as usize).for_each(<[u32]>::sort_unstable);
        }
    }
    sorted
}

/// Long lists sorted by parts.
pub fn sort(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(75);
    for length in LENGTHS {
        let linked = of_one(bench, length, &mut random);
        let nodes = linked.touch.lists.shuffled(&mut random);
        let arrays: &Arrays<'_> = &[
            ("collide", &room(length)),
            ("nodes", &nodes),
            ("sorted_nodes", &vec![NONE; nodes.len()]),
        ];
        let after = linked.run(bench, bench.case.sim, length, arrays)?;
        errors.words(&after.get::<u32>("sorted_nodes"), &by_parts(&linked.touch.lists, &nodes));
    }
    Ok(())
}

/// Lists in ascending order, of which one is long; of some records there is no room.
pub fn rank(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(74);
    for (length, missing) in LENGTHS.into_iter().flat_map(|length| [(length, 0), (length, 3)]) {
        let linked = of_one(bench, length, &mut random);
        let count = linked.len().saturating_sub(missing);
        let lists = Lists::new(&linked.touch.contacts[..count], [bench.len(), 0]);
        let nodes = lists.shuffled(&mut random);
        let empty = vec![Entry { node: NONE, weight: 7.0 }; 8 * linked.len()];
        let arrays: &Arrays<'_> = &[
            ("collide", &room(count)),
            ("list_first", &lists.first),
            ("sorted_nodes", &by_parts(&lists, &nodes)),
            ("nodes", &nodes),
            ("entries", &empty),
        ];
        let after = linked.run(bench, bench.case.sim, linked.len(), arrays)?;
        let words = |entries: &[Entry]| -> Vec<u32> {
            entries.iter().flat_map(|entry| [entry.node, entry.weight.to_bits()]).collect()
        };
        let unfilled = words(&empty[8 * count..]);
        errors.words(
            &words(&after.get::<Entry>("entries")),
            &[words(&lists.entries), unfilled].concat(),
        );
    }
    Ok(())
}

/// What a contact does to one of its participants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Act {
    /// Of a particle w δ and w λ r, of a pose the impulse and its moment about the centre; each with its terms' magnitude.
    pub terms: [(DVec3, f64); 2],
    /// Of a pose the contact's share.
    pub share: f64,
}

impl Act {
    /// Both together.
    pub fn with(self, other: Self) -> Self {
        let add = |k: usize| {
            let [(a, of_a), (b, of_b)] = [self.terms[k], other.terms[k]];
            (a + b, of_a + of_b)
        };
        Self { terms: [add(0), add(1)], share: self.share + other.share }
    }
}

/// The sum over a slice of a long list.
pub struct SliceSum {
    /// Its row behind those of the contacts.
    place: usize,
    sum: Act,
}

/// All of them; what an entry in the list of degree of freedom i does where that is a pose.
pub fn slice_sums(
    lists: &Lists,
    contacts: &[Contact],
    rows: &[Row],
    pose: &dyn Fn(usize, &Entry) -> Option<Act>,
) -> Vec<SliceSum> {
    let mut all = Vec::new();
    for i in (0..lists.counts.len()).filter(|i| lists.counts[*i] > SLICE) {
        let slices = lists.entries[lists.range(i)].chunks(SLICE as usize);
        for (place, slice) in (lists.range(i).start / SLICE_ROOM as usize..).zip(slices) {
            let act = |entry: &Entry| {
                pose(i, entry).unwrap_or_else(|| {
                    let c = (entry.node / 8) as usize;
                    on_particle(f64::from(entry.weight), &rows[c], &contacts[c])
                })
            };
            let sum = slice.iter().map(act).fold(Act::default(), Act::with);
            all.push(SliceSum { place, sum });
        }
    }
    all
}

/// The impulse on a particle, and how it is pushed apart.
fn on_particle(w: f64, row: &Row, contact: &Contact) -> Act {
    let delta = w * row.delta.as_dvec3();
    let pushed = row.gap > 0.0 && row.inverse_mass > 0.0;
    let push = if pushed { w * f64::from(row.push) / f64::from(row.inverse_mass) } else { 0.0 };
    let push = (push * contact.normal.as_dvec3(), push.abs());
    Act { terms: [(delta, delta.length()), push], share: 0.0 }
}

/// The rows with room for the sums over slices.
fn with_room(rows: &[Row]) -> Vec<Row> {
    let unseen = Row { delta: Vec3::splat(7.0), point: Vec3::splat(7.0), ..Row::default() };
    let mut rows = rows.to_vec();
    rows.resize(rows.len() + 8 * rows.len() / SLICE_ROOM as usize, unseen);
    rows
}

/// The rows, and behind them the sums over slices.
pub fn with_sums(rows: &[Row], sums: &[SliceSum]) -> Vec<Row> {
    let mut all = with_room(rows);
    for slice in sums {
        let [delta, point] = slice.sum.terms.map(|(sum, _)| sum.as_vec3());
        let share = slice.sum.share as f32;
        all[rows.len() + slice.place] = Row { delta, point, share, ..Row::default() };
    }
    all
}

/// Runs the kernel on the rows and compares what it leaves behind them.
pub fn compare_sums(
    rows: &[Row],
    sums: &[SliceSum],
    errors: &mut ErrorStats,
    run: impl FnOnce(&Vec<Row>, usize) -> Result<Vec<Row>>,
) -> Result<()> {
    let mut wanted = with_room(rows);
    // Eight threads for each place.
    let got = run(&wanted, 8 * (wanted.len() - rows.len()))?;
    for slice in sums {
        let row = rows.len() + slice.place;
        let Row { delta, point, share, .. } = got[row];
        for (got, (sum, scale)) in [delta, point].into_iter().zip(slice.sum.terms) {
            errors.vector(got, sum, scale);
        }
        errors.number(share, slice.sum.share, slice.sum.share);
        wanted[row] = Row { delta, point, share, ..Row::default() };
    }
    errors.holds(got == wanted);
    Ok(())
}

/// Sums over slices of particles' lists.
pub fn slices(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(76);
    for length in LENGTHS.map(|length| 2 * length) {
        let linked = Linked::crowded(bench, length, &mut random);
        let row = |row: &Row| Row {
            delta: random.vector(2.0).as_vec3(),
            inverse_mass: random.between(-0.5, 2.0).max(0.0) as f32,
            ..*row
        };
        let rows: Vec<_> = linked.touch.rows.iter().map(row).collect();
        let touch = &linked.touch;
        let sums = slice_sums(&touch.lists, &touch.contacts, &rows, &|_, _| None);
        compare_sums(&rows, &sums, errors, |rows, places| {
            let arrays: &Arrays<'_> = &[("collide", &linked.room()), ("rows", rows)];
            Ok(linked.run(bench, bench.case.sim, places, arrays)?.get("rows"))
        })?;
    }
    Ok(())
}
