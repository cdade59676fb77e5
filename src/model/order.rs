//! The order of a body's particles on the device, and of threads that go through their elements.

use std::cmp::Reverse;
use std::ops::Range;

use crate::gpu::types::{SLICE, TAKEN_ZERO};

/// Particles within which the order may change: few enough that neighbours stay near in memory.
const WINDOW: usize = 16 * SLICE as usize;

// Small bodies together are shorter than two windows, and `Point::areas` tells how far a thread reaches.
const _: () = assert!(2 * WINDOW <= TAKEN_ZERO as usize);

/// The particles' mesh indices in device order. Within windows they are sorted by their colour, where they have one, and
/// their number of elements, so that threads that run in step are neighbours and have equally long loops (the σ of
/// SELL-C-σ; Kreutzer et al. 2014).
pub fn particle_order(degrees: &[u32], colors: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
    for window in order.chunks_mut(WINDOW) {
        window.sort_by_key(|&i| {
            let i = i as usize;
            (colors.get(i).copied(), Reverse(degrees[i]))
        });
    }
    order
}

/// The particle that each thread takes where threads go through elements: as they lie in bodies as large as a window; smaller
/// ones share a window, and their particles are sorted together. `bodies` are ranges of particles, one behind the other.
pub fn thread_order(degrees: &[u32], bodies: impl IntoIterator<Item = Range<usize>>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
    let mut sort =
        |window: Range<usize>| order[window].sort_by_key(|&i| Reverse(degrees[i as usize]));
    let mut window = 0..0;
    for body in bodies {
        let large = body.len() >= WINDOW;
        window.end = if large { body.start } else { body.end };
        if large || window.len() >= WINDOW {
            sort(window);
            window = body.end..body.end;
        }
    }
    sort(window);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_particles_of_small_bodies_by_degree_and_large_ones_as_they_lie() {
        let degrees: Vec<u32> = (0..4 * WINDOW as u32).map(|i| i % 7).collect();
        let ends = [27, 54, 100, 100 + 2 * WINDOW, 4 * WINDOW - 3, 4 * WINDOW];
        let bodies = ends.iter().scan(0, |start, &end| Some(std::mem::replace(start, end)..end));
        let order = thread_order(&degrees, bodies);
        let by = |range: Range<usize>| order[range].iter().map(|&i| degrees[i as usize]).collect();
        let first: Vec<u32> = by(0..100);
        assert!(first.is_sorted_by_key(|&degree| Reverse(degree)), "{first:?}");
        assert!(order[100..100 + 2 * WINDOW].is_sorted());
        let last: Vec<u32> = by(4 * WINDOW - 3..4 * WINDOW);
        assert!(last.is_sorted_by_key(|&degree| Reverse(degree)), "{last:?}");
        let mut all = order.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..4 * WINDOW as u32));
    }
}
