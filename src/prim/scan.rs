//! Exclusive prefix sums on the device: where each item's entries begin, from how many it has.

use crate::Result;
use crate::gpu::types::{SCAN_BLOCK, SCAN_ITEMS};
use crate::gpu::{Bound, Buffer, Context, Kernel, Recorder};

/// offsets\[i\] = Σ counts\[j\] over j < i, modulo 2³², for i from 0 to the number of items: the last is the total.
///
/// Reduce-then-scan (Merrill & Grimshaw 2009, "Parallel Scan for Stream Architectures"): each block of [`SCAN_BLOCK`] items
/// is summed, the blocks' sums are scanned, then each block is scanned from its own. No workgroup waits for another within a
/// dispatch. Items that fit in one block take one dispatch, others three.
#[derive(Debug)]
pub struct Scan {
    /// The dispatches in their order, each with its number of threads.
    passes: Vec<(Bound, usize)>,
}

impl Scan {
    /// Binds the passes: `counts` of n items are read, `offsets` of n + 1 are written. n is that of the buffers.
    ///
    /// # Errors
    /// No room for one number per block.
    ///
    /// # Panics
    /// When `offsets` does not have one element more than `counts`: a mistake in this crate.
    pub fn new(context: &Context, counts: &Buffer<u32>, offsets: &Buffer<u32>) -> Result<Self> {
        assert_eq!(
            offsets.len(),
            counts.len() + 1,
            "elements of {} for those of {}",
            offsets.label(),
            counts.label()
        );
        let blocks = counts.len().div_ceil(SCAN_BLOCK as usize).max(1);
        // Zeros: before a single block there is nothing.
        let block_sums = Buffer::<u32>::zeroed(context, "block_sums", blocks)?;
        let bind = |name: &str| {
            let bindings = [counts.bind("counts"), offsets.bind("offsets"), block_sums.binding()];
            Kernel::new(context, name).bind(context, &bindings)
        };
        let threads = blocks * (SCAN_BLOCK / SCAN_ITEMS) as usize;
        let mut passes = Vec::new();
        if blocks > 1 {
            passes.push((bind("scan_reduce"), threads));
            passes.push((bind("scan_blocks"), 1));
        }
        passes.push((bind("scan_apply"), threads));
        Ok(Self { passes })
    }

    /// Records the sum.
    pub fn record(&self, recorder: &mut Recorder<'_>) {
        for (pass, threads) in &self.passes {
            recorder.dispatch(pass, *threads, 0);
        }
    }

    /// The passes in their order, each with its number of threads.
    pub(crate) fn into_passes(self) -> Vec<(Bound, usize)> {
        self.passes
    }

    /// The passes in their order, each with its number of threads.
    pub(crate) fn passes(&self) -> &[(Bound, usize)] {
        &self.passes
    }
}
