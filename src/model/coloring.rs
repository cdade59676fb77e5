//! Colours of a body's points such that no two points of one colour share an edge.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::mesh::Bounds;

/// Places are told apart to this part of the longest side of the points' box.
const RESOLUTION: f64 = 1e-7;

/// A colour for each point, from 0 on. Points take the least colour that their neighbours leave them, in the reverse of the
/// order in which the point with the fewest neighbours left is taken away (smallest-last; Matula & Beck 1983): no more
/// colours than one more than the most neighbours that any has left then. Of points with as many, where they are decides,
/// so that colours do not depend on how a mesh is numbered.
pub fn coloring(points: &[DVec3], edges: &[[u32; 2]]) -> Vec<u32> {
    let order = by_place(points);
    let mut place = vec![0; order.len()];
    for (rank, &i) in (0..).zip(&order) {
        place[i as usize] = rank;
    }
    let placed: Vec<_> = edges.iter().map(|edge| edge.map(|i| place[i as usize])).collect();
    let colors = greedy(points.len(), &placed);
    place.into_iter().map(|rank| colors[rank as usize]).collect()
}

/// The points from the least z on, of equal z from the least y, then x: as lattices number theirs. Of points in one place the
/// lower comes first.
fn by_place(points: &[DVec3]) -> Vec<u32> {
    let bounds = Bounds::of(points.iter().copied());
    let step = RESOLUTION * bounds.size().max_element();
    let key = |&i: &u32| {
        let [x, y, z] = ((points[i as usize] - bounds.min) / step).round().to_array();
        // no number where all are in one place
        [z, y, x].map(|k| k as i64)
    };
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_cached_key(key);
    order
}

/// The same where of points with as many neighbours left the first is taken away.
fn greedy(count: usize, edges: &[[u32; 2]]) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); count];
    for &[a, b] in edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    let mut colors = vec![u32::MAX; count];
    for &i in smallest_last(&neighbours).iter().rev() {
        let taken: BTreeSet<u32> =
            neighbours[i as usize].iter().map(|j| colors[*j as usize]).collect();
        let free = (0..).find(|color| !taken.contains(color));
        colors[i as usize] = free.unwrap_or(0);
    }
    colors
}

/// The points in the order in which they are taken away.
fn smallest_last(neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut left: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut queue: BTreeSet<(usize, u32)> =
        left.iter().enumerate().map(|(i, degree)| (*degree, i as u32)).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some((_, i)) = queue.pop_first() {
        order.push(i);
        for &j in &neighbours[i as usize] {
            let degree = &mut left[j as usize];
            if queue.remove(&(*degree, j)) {
                *degree -= 1;
                queue.insert((*degree, j));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::mesh::{Lattice, topology};

    fn check(count: usize, edges: &[[u32; 2]]) -> u32 {
        let colors = greedy(count, edges);
        assert_eq!(colors.len(), count);
        for &[a, b] in edges {
            assert_ne!(colors[a as usize], colors[b as usize]);
        }
        colors.iter().max().map_or(0, |most| most + 1)
    }

    #[test]
    fn neighbours_differ() {
        assert_eq!(check(0, &[]), 0);
        assert_eq!(check(3, &[]), 1);
        let complete: Vec<_> = (0..7).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        assert_eq!(check(7, &complete), 7);
        // A tree takes two whatever its order.
        let tree: Vec<_> = (1..1000_u32).map(|i| [i, i * 7 % i]).collect();
        assert_eq!(check(1000, &tree), 2);
        let mut seed = 1_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (seed >> 8) % below
        };
        for _ in 0..20 {
            let edges: Vec<_> =
                (0..500).map(|_| [random(100), random(100)]).filter(|[a, b]| a != b).collect();
            assert!(check(100, &edges) < 15);
        }
    }

    /// Lattices of five tetrahedra per cube have corners of two parities: those of one touch none of their kind, the others
    /// are as close as in a face-centred lattice, which takes four.
    #[test]
    fn a_lattice_takes_few() {
        let mesh = Lattice::new([6, 5, 4], DVec3::ZERO, DVec3::ONE).unwrap();
        let tets: Vec<_> = mesh.cubes().flat_map(|cube| mesh.tets(cube)).collect();
        let colors = check(mesh.point_count(), &topology::edges(&tets));
        assert!(colors <= 5, "{colors}");
    }

    #[test]
    fn numbers_do_not_matter() {
        let mesh = Lattice::new([5, 4, 3], DVec3::new(-0.1, 0.3, 7.0), DVec3::splat(1.1)).unwrap();
        let tets: Vec<_> = mesh.cubes().flat_map(|cube| mesh.tets(cube)).collect();
        let (points, edges): (Vec<_>, _) = (mesh.points().collect(), topology::edges(&tets));
        let colors = coloring(&points, &edges);
        let count = points.len() as u32;
        // 7 is prime to the 120 points
        let other = |i: u32| (7 * i + 3) % count;
        let mut moved = points.clone();
        (0..count).for_each(|i| moved[other(i) as usize] = points[i as usize]);
        let mut renumbered: Vec<_> = edges.iter().map(|[a, b]| [other(*b), other(*a)]).collect();
        renumbered.reverse();
        let got = coloring(&moved, &renumbered);
        assert_eq!(count, 120);
        assert!((0..count).all(|i| got[other(i) as usize] == colors[i as usize]));
        // as numbers are no places
        assert_ne!(greedy(points.len(), &renumbered), got);
    }

    #[test]
    fn points_in_one_place_have_colors_too() {
        assert_eq!(coloring(&[DVec3::ONE; 3], &[[0, 1], [1, 2]]), [0, 1, 0]);
        assert!(coloring(&[], &[]).is_empty());
    }
}
