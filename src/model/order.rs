//! The order of a body's particles on the device.

use crate::gpu::types::SLICE;

/// Particles within which the order may change: few enough that neighbours stay near in memory.
const WINDOW: usize = 16 * SLICE as usize;

/// The particles' mesh indices in device order. Within windows they are sorted by their colour, where they have one, and
/// their number of elements, so that threads that run in step are neighbours and have equally long loops (the σ of
/// SELL-C-σ; Kreutzer et al. 2014).
pub fn particle_order(degrees: &[u32], colors: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
    for window in order.chunks_mut(WINDOW) {
        window.sort_by_key(|&i| {
            let i = i as usize;
            (colors.get(i).copied(), std::cmp::Reverse(degrees[i]))
        });
    }
    order
}
