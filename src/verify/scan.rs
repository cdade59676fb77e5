//! The kernels of the prefix sum. Counts are any words, so that sums wrap around.

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use crate::Result;
use crate::gpu::types::{SCAN_BLOCK, SCAN_ITEMS};
use crate::gpu::{Buffer, Kernel};
use crate::reference::scan::exclusive;

pub const CHECKS: super::Checks = &[
    ("scan_reduce", super::Check::Case(reduce)),
    ("scan_blocks", super::Check::Case(blocks)),
    ("scan_apply", super::Check::Case(apply)),
];

/// Items per particle of the case: worlds of many workgroups of particles then have many blocks of items.
const ITEMS: usize = 17;

fn words(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| random.index(0, 1 << 32) as u32)
        .collect()
}

/// The sum of each block; of no items, that of one empty block.
fn sums(counts: &[u32]) -> Vec<u32> {
    let mut sums = vec![0_u32; counts.len().div_ceil(SCAN_BLOCK as usize).max(1)];
    for (sum, block) in sums.iter_mut().zip(counts.chunks(SCAN_BLOCK as usize)) {
        *sum = block.iter().copied().fold(0, u32::wrapping_add);
    }
    sums
}

/// Runs a kernel with so many workgroups on these arrays. Returns the block sums and the offsets after it.
fn run(
    kernel: &Kernel,
    bench: &Bench<'_>,
    groups: usize,
    counts: &[u32],
    block_sums: &[u32],
) -> Result<[Vec<u32>; 2]> {
    let context = bench.context;
    let unwritten = vec![u32::MAX; counts.len() + 1];
    let counts = Buffer::new(context, "counts", counts)?;
    let offsets = Buffer::new(context, "offsets", &unwritten)?;
    let sums = Buffer::new(context, "block_sums", block_sums)?;
    let others = [
        counts.bind("counts"),
        offsets.bind("offsets"),
        sums.bind("block_sums"),
    ];
    let threads = groups * (SCAN_BLOCK / SCAN_ITEMS) as usize;
    bench.dispatch(kernel, bench.case.sim, threads, &others);
    Ok([sums.read(context)?, offsets.read(context)?])
}

/// The sum of each block, without a look at what stood in its place.
pub fn reduce(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let counts = words(ITEMS * bench.len(), 41);
    let wanted = sums(&counts);
    let unwritten = vec![u32::MAX; wanted.len()];
    let [got, _] = run(kernel, bench, wanted.len(), &counts, &unwritten)?;
    errors.case();
    errors.words(&got, &wanted);
    Ok(())
}

/// The sums of the blocks before each, of as many blocks as the case has particles, but at least one.
pub fn blocks(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let before = words(bench.len().max(1), 42);
    let [got, _] = run(kernel, bench, 1, &[], &before)?;
    errors.case();
    errors.words(&got, &exclusive(&before)[..before.len()]);
    Ok(())
}

/// The sums of the items before each, and the total.
pub fn apply(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let counts = words(ITEMS * bench.len(), 43);
    let sums = sums(&counts);
    let before = &exclusive(&sums)[..sums.len()];
    let [_, got] = run(kernel, bench, sums.len(), &counts, before)?;
    errors.case();
    errors.words(&got, &exclusive(&counts));
    Ok(())
}
