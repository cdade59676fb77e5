//! The kernels of the sort. Keys are any words, many of them alike in some of their digits.

use glam::UVec2;

use super::trial::Written;
use super::{Bench, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{SORT_BITS, SORT_BLOCK, SORT_DIGITS, SORT_ITEMS};
use crate::reference::scan::exclusive;

pub const CHECKS: Checks =
    &[("sort_count", Check::Trial(count)), ("sort_scatter", Check::Trial(scatter))];

/// Items per particle of the case: worlds of many workgroups of particles then have many blocks of items.
const ITEMS: usize = 17;
/// How many bits are done.
const SHIFTS: [u32; 3] = [0, 4 * SORT_BITS, 32 - SORT_BITS];

/// One at least.
fn items(bench: &Bench<'_>) -> Vec<UVec2> {
    let mut random = Random::new(44);
    let mut key = || random.index(0, 1 << 32) as u32 & random.index(0, 1 << 32) as u32;
    (0..=ITEMS * bench.len()).map(|i| UVec2::new(key(), i as u32)).collect()
}

fn digit(item: &UVec2, shift: u32) -> usize {
    (item.x >> shift & (SORT_DIGITS - 1)) as usize
}

/// How many items of each block have each digit, those of one digit in a row.
fn counts(items: &[UVec2], shift: u32) -> Vec<u32> {
    let blocks = items.len().div_ceil(SORT_BLOCK as usize);
    let mut counts = vec![0; SORT_DIGITS as usize * blocks];
    for (i, item) in items.iter().enumerate() {
        counts[digit(item, shift) * blocks + i / SORT_BLOCK as usize] += 1;
    }
    counts
}

fn run(bench: &Bench<'_>, items: &[UVec2], shift: u32, offsets: &[u32]) -> Result<Written> {
    let blocks = items.len().div_ceil(SORT_BLOCK as usize);
    let threads = blocks * (SORT_BLOCK / SORT_ITEMS) as usize;
    let arrays = [
        ("items_in", &items as _),
        ("items_out", &vec![UVec2::MAX; items.len()] as _),
        ("sort_shift", &[shift] as _),
        ("counts", &vec![u32::MAX; SORT_DIGITS as usize * blocks] as _),
        ("offsets", &offsets as _),
    ];
    bench.run(bench.case.sim, threads, &arrays)
}

fn count(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let items = items(bench);
    for shift in SHIFTS {
        let after = run(bench, &items, shift, &[])?;
        errors.words(&after.get::<u32>("counts"), &counts(&items, shift));
    }
    Ok(())
}

/// In the order of their digits, those of one digit as they were.
fn scatter(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let items = items(bench);
    for shift in SHIFTS {
        let after = run(bench, &items, shift, &exclusive(&counts(&items, shift)))?;
        let mut wanted = items.clone();
        wanted.sort_by_key(|item| digit(item, shift));
        let words =
            |items: &[UVec2]| -> Vec<u32> { items.iter().flat_map(|i| [i.x, i.y]).collect() };
        errors.words(&words(&after.get("items_out")), &words(&wanted));
    }
    Ok(())
}
