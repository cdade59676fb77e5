//! How large a scene's arrays become, before they are made.

use crate::gpu::Buffer;
use crate::gpu::types::{Element, Particle};
use crate::scene::{MeshSource, Scene};
use crate::{Error, Result};

/// Refuses lattices whose arrays one buffer cannot hold, before a point of them is made. (Meshes from files are as large
/// as their files; their buffers are checked when they are made.)
pub fn check_lattices(scene: &Scene, adapter: &str, largest_buffer: u64) -> Result<()> {
    let mut counts = [0_u64; 3];
    for body in &scene.bodies {
        if let MeshSource::Lattice { cubes, .. } = &body.mesh {
            for (sum, count) in counts.iter_mut().zip(lattice_counts(*cubes)) {
                *sum += count;
            }
        }
    }
    let [points, edges, tets] = counts.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let arrays = [
        ("particles", points, Buffer::<Particle>::STRIDE),
        (
            "elements",
            edges.saturating_mul(2).saturating_add(tets.saturating_mul(4)),
            Buffer::<Element>::STRIDE,
        ),
    ];
    check_largest(adapter, largest_buffer, &arrays)
}

/// Refuses arrays (name, count, bytes per element) of which the largest exceeds one buffer.
pub fn check_largest(
    adapter: &str,
    largest_buffer: u64,
    arrays: &[(&str, usize, u64)],
) -> Result<()> {
    let bytes = |(_, count, stride): &(&str, usize, u64)| (*count as u64).saturating_mul(*stride);
    match arrays.iter().max_by_key(|array| bytes(array)) {
        Some(array) if bytes(array) > largest_buffer => Err(Error::TooLarge {
            adapter: adapter.into(),
            array: array.0.into(),
            count: array.1 as u64,
            stride: array.2,
            needed: bytes(array),
            limit: largest_buffer,
        }),
        _ => Ok(()),
    }
}

/// Points, edges and tetrahedra of a lattice of cubes: an edge per side and one diagonal per face.
fn lattice_counts(cubes: [u32; 3]) -> [u64; 3] {
    let [x, y, z] = cubes.map(u64::from);
    let sides = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
    let faces = (x + 1) * y * z + x * (y + 1) * z + x * y * (z + 1);
    [(x + 1) * (y + 1) * (z + 1), sides + faces, 5 * x * y * z]
}

#[cfg(test)]
mod tests {
    use super::lattice_counts;

    #[test]
    fn lattice_counts_are_the_published_ones() {
        assert_eq!(lattice_counts([5, 5, 5]), [216, 990, 625]);
        assert_eq!(lattice_counts([40, 40, 40]), [68_921, 398_520, 320_000]);
    }
}
