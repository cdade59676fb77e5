//! Which edges, faces and points belong together; pure functions of the index arrays.

/// The faces of a positively oriented tetrahedron, wound so that their normals point outward.
pub const TET_FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// The six edges of a tetrahedron.
pub const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The edges of `tets`: lower point first, sorted, each once.
pub fn edges(tets: &[[u32; 4]]) -> Vec<[u32; 2]> {
    let edges = tets
        .iter()
        .flat_map(|tet| TET_EDGES.map(|[i, j]| [tet[i].min(tet[j]), tet[i].max(tet[j])]))
        .collect();
    let mut edges = sorted_by_first(edges, |edge| edge[0]);
    edges.dedup();
    edges
}

/// The edges of `triangles`, each with how it is passed (1: from its lower end) and by which triangle, in order.
fn passed_edges(triangles: &[[u32; 3]]) -> Vec<([u32; 2], i32, usize)> {
    let sides = |(t, &[a, b, c]): (usize, &[u32; 3])| {
        [[a, b], [b, c], [c, a]].map(|[i, j]| match i < j {
            true => ([i, j], 1, t),
            false => ([j, i], -1, t),
        })
    };
    let mut edges: Vec<_> = triangles.iter().enumerate().flat_map(sides).collect();
    edges.sort_unstable();
    edges
}

/// The number of edges of `triangles` that are not passed equally often in both directions: 0 for a closed surface with
/// consistent winding.
pub fn open_edges(triangles: &[[u32; 3]]) -> usize {
    passed_edges(triangles)
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.iter().map(|e| e.1).sum::<i32>() != 0)
        .count()
}

/// Two triangles that pass an edge the same way which as many pass as could pass it both ways: one of the two is turned over. No
/// open edge is one.
pub fn turned_over(triangles: &[[u32; 3]]) -> Option<[usize; 2]> {
    let edges = passed_edges(triangles);
    let mut same = edges.chunk_by(|a, b| a.0 == b.0);
    same.find_map(|same| {
        let sum = same.iter().map(|edge| edge.1).sum::<i32>();
        let mut more = same.iter().filter(|edge| edge.1 == sum.signum()).map(|edge| edge.2);
        match sum != 0 && same.len().is_multiple_of(2) {
            true => Some([more.next()?, more.next()?]),
            false => None,
        }
    })
}

/// Per triangle those that share an edge with it and no third one, and whether both pass it the same way: one of the two is
/// then turned over.
pub(super) fn neighbours(triangles: &[[u32; 3]]) -> Vec<Vec<(usize, bool)>> {
    let mut neighbours = vec![Vec::new(); triangles.len()];
    for same in passed_edges(triangles).chunk_by(|a, b| a.0 == b.0) {
        if let [(_, one, a), (_, other, b)] = *same {
            neighbours[a].push((b, one == other));
            neighbours[b].push((a, one == other));
        }
    }
    neighbours
}

/// For each of `tets` the tetrahedra behind the faces opposite its corners; `u32::MAX` behind a face that belongs to
/// no other, or to more than one.
pub fn across(tets: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let mut across = vec![[u32::MAX; 4]; tets.len()];
    for same in faces(tets).chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = *same {
            across[a as usize / 4][3 - a as usize % 4] = b / 4;
            across[b as usize / 4][3 - b as usize % 4] = a / 4;
        }
    }
    across
}

/// The faces of `tets`: their points in order, and 4 times the tetrahedron's number plus that in [`TET_FACES`]. Those with the
/// same points stand together.
fn faces(tets: &[[u32; 4]]) -> Vec<([u32; 3], u32)> {
    let of = |tet: &[u32; 4]| TET_FACES.map(|face| face.map(|i| tet[i]));
    let keys = tets.iter().flat_map(of).map(|mut key| {
        key.sort_unstable();
        key
    });
    sorted_by_first(keys.zip(0..).collect(), |face| face.0[0])
}

/// The faces that belong to exactly one of `tets`, wound outward, in the order of their tetrahedra.
pub fn surface_triangles(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut single: Vec<u32> = faces(tets)
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() == 1)
        .map(|same| same[0].1)
        .collect();
    single.sort_unstable();
    single.iter().map(|&id| TET_FACES[id as usize % 4].map(|i| tets[id as usize / 4][i])).collect()
}

/// Sorts `items`, whose order begins with the point `first`: into rows by that point, then each row. The rows are
/// short, so the time is linear in the number of items, which matters from a million tetrahedra on.
fn sorted_by_first<T: Ord + Copy + Default>(items: Vec<T>, first: impl Fn(&T) -> u32) -> Vec<T> {
    let points = items.iter().map(|item| first(item) as usize + 1).max().unwrap_or(0);
    let mut end = vec![0usize; points];
    items.iter().for_each(|item| end[first(item) as usize] += 1);
    let mut sum = 0;
    for row in &mut end {
        sum += std::mem::replace(row, sum);
    }
    let mut sorted = vec![T::default(); items.len()];
    for item in items {
        let slot = &mut end[first(&item) as usize];
        sorted[*slot] = item;
        *slot += 1;
    }
    let mut start = 0;
    for row in end {
        sorted[start..row].sort_unstable();
        start = row;
    }
    sorted
}

/// For every point the elements that it belongs to, in compressed rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incidence {
    /// Row starts: the elements of point `i` are `elements[first[i]..first[i + 1]]`; `points + 1` entries.
    pub first: Vec<u32>,
    /// Element indices, rising within a row.
    pub elements: Vec<u32>,
}

impl Incidence {
    /// Rows for `points` points over `elements`, whose corners must be below `points`.
    pub fn new<const N: usize>(points: usize, elements: &[[u32; N]]) -> Self {
        let mut first = vec![0u32; points + 1];
        for &corner in elements.as_flattened() {
            first[corner as usize + 1] += 1;
        }
        for i in 0..points {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut rows = vec![0u32; elements.len() * N];
        for (e, element) in elements.iter().enumerate() {
            for &corner in element {
                rows[next[corner as usize] as usize] = e as u32;
                next[corner as usize] += 1;
            }
        }
        Self { first, elements: rows }
    }

    /// The elements of `point`.
    pub fn of(&self, point: usize) -> &[u32] {
        &self.elements[self.first[point] as usize..self.first[point + 1] as usize]
    }
}

/// Keeps only the points that `elements` use, in their old order, and renumbers the corners. Returns for each point its
/// new number, `u32::MAX` where it was dropped.
pub fn drop_unused<P: Copy, const N: usize>(
    points: &mut Vec<P>,
    elements: &mut [[u32; N]],
) -> Vec<u32> {
    let mut used = vec![false; points.len()];
    for &corner in elements.as_flattened() {
        used[corner as usize] = true;
    }
    let mut renumbered = vec![u32::MAX; points.len()];
    let mut kept = 0;
    for i in 0..points.len() {
        if used[i] {
            points[kept] = points[i];
            renumbered[i] = kept as u32;
            kept += 1;
        }
    }
    points.truncate(kept);
    for corner in elements.as_flattened_mut() {
        *corner = renumbered[*corner as usize];
    }
    renumbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tets_share_one_face() {
        let tets = [[0, 1, 2, 3], [1, 2, 3, 4]];
        assert_eq!(edges(&tets).len(), 9);
        let surface = surface_triangles(&tets);
        assert_eq!(surface.len(), 6);
        assert!(surface.iter().all(|t| !(t.contains(&1) && t.contains(&2) && t.contains(&3))));
        assert_eq!(surface[0], [0, 2, 1]);
    }

    #[test]
    fn edges_are_sorted_and_unique() {
        let tets = [[7, 2, 9, 4], [2, 4, 9, 0], [9, 7, 4, 1]];
        let edges = edges(&tets);
        assert!(edges.is_sorted() && edges.iter().all(|e| e[0] < e[1]));
        assert_eq!(edges.len(), 12);
        assert!(super::edges(&[]).is_empty() && surface_triangles(&[]).is_empty());
    }

    #[test]
    fn incidence_lists_every_corner_once() {
        let tets = [[0, 1, 2, 3], [1, 2, 3, 4], [4, 2, 0, 5]];
        let rows = Incidence::new(7, &tets);
        assert_eq!(rows.of(2), [0, 1, 2]);
        assert_eq!(rows.of(5), [2]);
        assert!(rows.of(6).is_empty());
        assert_eq!(rows.elements.len(), 12);
    }

    #[test]
    fn unused_points_are_dropped_in_order() {
        let mut points = vec!['a', 'b', 'c', 'd', 'e'];
        let mut triangles = [[4, 1, 3]];
        let numbers = drop_unused(&mut points, &mut triangles);
        assert_eq!(numbers, [u32::MAX, 0, u32::MAX, 1, 2]);
        assert_eq!(points, ['b', 'd', 'e']);
        assert_eq!(triangles, [[2, 0, 1]]);
    }
}
