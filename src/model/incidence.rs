//! Which elements touch which particle, laid out so that neighbouring threads read neighbouring addresses.

use glam::UVec2;

use crate::gpu::types::SLICE;

/// Entries per particle, interleaved by slices of [`SLICE`] particles (sliced ELLPACK; Kreutzer et al. 2014,
/// SELL-C-σ): entry e of a particle lies at `first + e · SLICE`.
#[derive(Clone, Debug, Default)]
pub struct Incidence<T> {
    /// Per particle: index of its first entry.
    pub first: Vec<u32>,
    /// Per particle: number of entries.
    pub count: Vec<u32>,
    /// All entries, with unused ones where a particle has fewer than its slice's longest.
    pub entries: Vec<T>,
}

impl<T: Clone + Default> Incidence<T> {
    /// Collects (particle, entry) pairs; a particle's entries keep their order.
    pub fn new(particles: usize, pairs: &[(u32, T)]) -> Self {
        Self::by_threads(&(0..particles as u32).collect::<Vec<_>>(), pairs)
    }

    /// The same where threads take particles in this order: slices are of threads.
    pub fn by_threads(order: &[u32], pairs: &[(u32, T)]) -> Self {
        let particles = order.len();
        let mut count = vec![0_u32; particles];
        for (particle, _) in pairs {
            count[*particle as usize] += 1;
        }
        let slice = SLICE as usize;
        let mut first = vec![0; particles];
        let mut end = 0_u32;
        for taken in order.chunks(slice) {
            for (lane, &i) in (0..).zip(taken) {
                first[i as usize] = end + lane;
            }
            end += SLICE * taken.iter().map(|&i| count[i as usize]).max().unwrap_or(0);
        }
        let mut entries = vec![T::default(); end as usize];
        let mut next = first.clone();
        for (particle, entry) in pairs {
            let next = &mut next[*particle as usize];
            entries[*next as usize] = entry.clone();
            *next += SLICE;
        }
        Self { first, count, entries }
    }

    /// Per particle: index of its first entry, and how many.
    pub fn ranges(&self) -> Vec<UVec2> {
        let ranges = self.first.iter().zip(&self.count);
        ranges.map(|(first, count)| UVec2::new(*first, *count)).collect()
    }
}

/// The fans of triangles around points: per point its first entry and how many, then the entries: of each triangle (a, b, c)
/// around a point a the other two corners, in order.
pub fn fans(points: usize, triangles: &[[u32; 3]]) -> (Vec<UVec2>, Vec<UVec2>) {
    let corners: Vec<_> = triangles
        .iter()
        .flat_map(|&[a, b, c]| {
            [(a, UVec2::new(b, c)), (b, UVec2::new(c, a)), (c, UVec2::new(a, b))]
        })
        .collect();
    let fans = Incidence::new(points, &corners);
    (fans.ranges(), fans.entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four threads of the second slice take the particles with an entry: the first slice has none to store.
    #[test]
    fn slices_are_of_threads() {
        let slice = SLICE as usize;
        let order: Vec<u32> =
            (0..slice as u32 + 4).map(|thread| (thread + 4) % (SLICE + 4)).collect();
        let pairs: Vec<_> = (0..4).map(|i| (i, 10 + i)).collect();
        let rows = Incidence::by_threads(&order, &pairs);
        assert_eq!(rows.first[..4], [0, 1, 2, 3]);
        assert_eq!((rows.count[0], rows.count[4]), (1, 0));
        assert_eq!((rows.entries.len(), &rows.entries[..4]), (slice, &[10, 11, 12, 13][..]));
        let plain = Incidence::new(order.len(), &pairs);
        assert_eq!((plain.first[3], plain.entries.len()), (3, slice));
    }
}
