//! The passes that make the lists of participants, on random contacts.

use super::linked::{Linked, room};
use crate::Result;
use crate::gpu::types::{Entry, LIST_LONG, NONE, SLICE, Side};
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
    let long = linked.touch.lists.counts.iter().any(|count| *count > SLICE);
    linked.touch.lists.words[LIST_LONG as usize] = u32::from(long);
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
