//! The kernels of the prefix sum. Counts are any words, so that sums wrap around.

use super::trial::Written;
use super::{Bench, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{SCAN_BLOCK, SCAN_ITEMS};
use crate::reference::scan::exclusive;

pub const CHECKS: super::Checks = &[
    ("scan_reduce", super::Check::Trial(reduce)),
    ("scan_blocks", super::Check::Trial(blocks)),
    ("scan_apply", super::Check::Trial(apply)),
];

/// Items per particle of the case: worlds of many workgroups of particles then have many blocks of items.
const ITEMS: usize = 17;

fn words(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.index(0, 1 << 32) as u32).collect()
}

/// The sum of each block; of no items, that of one empty block.
fn sums(counts: &[u32]) -> Vec<u32> {
    let mut sums = vec![0_u32; counts.len().div_ceil(SCAN_BLOCK as usize).max(1)];
    for (sum, block) in sums.iter_mut().zip(counts.chunks(SCAN_BLOCK as usize)) {
        *sum = block.iter().copied().fold(0, u32::wrapping_add);
    }
    sums
}

/// Runs a kernel with so many workgroups on these arrays.
fn run(bench: &Bench<'_>, groups: usize, counts: &[u32], block_sums: &[u32]) -> Result<Written> {
    let threads = groups * (SCAN_BLOCK / SCAN_ITEMS) as usize;
    let arrays = [
        ("counts", &counts as _),
        ("offsets", &vec![u32::MAX; counts.len() + 1] as _),
        ("block_sums", &block_sums as _),
    ];
    bench.run(bench.case.sim, threads, &arrays)
}

/// The sum of each block, without a look at what stood in its place.
fn reduce(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let counts = words(ITEMS * bench.len(), 41);
    let wanted = sums(&counts);
    let after = run(bench, wanted.len(), &counts, &vec![u32::MAX; wanted.len()])?;
    errors.words(&after.get::<u32>("block_sums"), &wanted);
    Ok(())
}

/// The sums of the blocks before each, of as many blocks as the case has particles, but at least one.
fn blocks(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let before = words(bench.len().max(1), 42);
    let after = run(bench, 1, &[], &before)?;
    let wanted = exclusive(&before);
    errors.words(&after.get::<u32>("block_sums"), &wanted[..before.len()]);
    Ok(())
}

/// The sums of the items before each, and the total.
fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let counts = words(ITEMS * bench.len(), 43);
    let sums = sums(&counts);
    let before = exclusive(&sums);
    let after = run(bench, sums.len(), &counts, &before[..sums.len()])?;
    errors.words(&after.get::<u32>("offsets"), &exclusive(&counts));
    Ok(())
}
