//! Stable sorting on the device.

use glam::UVec2;

use super::Scan;
use crate::Result;
#[cfg(feature = "verify")]
use crate::gpu::Recorder;
use crate::gpu::types::{SCAN_BLOCK, SCAN_ITEMS, SORT_BITS, SORT_BLOCK, SORT_DIGITS, SORT_ITEMS};
use crate::gpu::{Bound, Buffer, Context, Kernel};

/// Sorts items (key, value) by their keys; those of one key stay in their order.
///
/// Radix sort from the least digit on (Satish, Harris and Garland 2009, "Designing Efficient Sorting Algorithms for Manycore
/// GPUs"): in each round the blocks count the values of a digit, the counts are scanned, and each item goes to its place. An even
/// number of rounds leaves the items where they were.
#[derive(Debug)]
pub struct Sort {
    rounds: Vec<Round>,
    #[cfg(feature = "verify")]
    threads: usize,
}

/// By one digit.
#[derive(Debug)]
pub(crate) struct Round {
    pub count: Bound,
    pub sums: Scan,
    pub scatter: Bound,
}

const ROUNDS: u32 = 32 / SORT_BITS;

/// Threads of the passes over blocks of so many items, and of the sums over the counts of these.
pub(crate) fn sort_threads(items: usize) -> [usize; 2] {
    let blocks = items.div_ceil(SORT_BLOCK as usize).max(1);
    let sums = (blocks * SORT_DIGITS as usize).div_ceil(SCAN_BLOCK as usize);
    [blocks * (SORT_BLOCK / SORT_ITEMS) as usize, sums * (SCAN_BLOCK / SCAN_ITEMS) as usize]
}

impl Sort {
    /// Binds the passes.
    ///
    /// # Errors
    /// No room for the items once more.
    pub fn new(context: &Context, items: &Buffer<UVec2>) -> Result<Self> {
        let [threads, _] = sort_threads(items.len());
        let counts = threads / 64 * SORT_DIGITS as usize;
        let spare = Buffer::<UVec2>::zeroed(context, "sort_spare", items.len())?;
        let round = |round: u32| {
            let [from, to] =
                if round.is_multiple_of(2) { [items, &spare] } else { [&spare, items] };
            let shift = Buffer::new(context, "sort_shift", &[SORT_BITS * round])?;
            let counts = Buffer::<u32>::zeroed(context, "sort_counts", counts)?;
            let offsets = Buffer::<u32>::zeroed(context, "sort_offsets", counts.len() + 1)?;
            let bind = |name: &str| {
                let bindings = [
                    from.bind("items_in"),
                    to.bind("items_out"),
                    shift.binding(),
                    counts.bind("counts"),
                    offsets.bind("offsets"),
                ];
                Kernel::new(context, name).bind(context, &bindings)
            };
            let sums = Scan::new(context, &counts, &offsets)?;
            Ok(Round { count: bind("sort_count"), sums, scatter: bind("sort_scatter") })
        };
        Ok(Self {
            rounds: (0..ROUNDS).map(round).collect::<Result<_>>()?,
            #[cfg(feature = "verify")]
            threads,
        })
    }

    /// Records the sort.
    #[cfg(feature = "verify")]
    pub fn record(&self, recorder: &mut Recorder<'_>) {
        for Round { count, sums, scatter } in &self.rounds {
            recorder.dispatch(count, self.threads, 0);
            sums.record(recorder);
            recorder.dispatch(scatter, self.threads, 0);
        }
    }

    /// Its rounds in their order.
    pub(crate) fn into_rounds(self) -> Vec<Round> {
        self.rounds
    }
}
