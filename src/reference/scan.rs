//! Prefix sums.

/// The sums of the counts before each item and, last, of all of them, modulo 2³²: one more than there are counts.
#[must_use]
pub fn exclusive(counts: &[u32]) -> Vec<u32> {
    let mut offsets = vec![0_u32];
    for (i, count) in counts.iter().enumerate() {
        offsets.push(offsets[i].wrapping_add(*count));
    }
    offsets
}
