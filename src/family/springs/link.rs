//! The tetrahedra around a particle as a walk over its link: the triangles that they turn towards it. Neighbouring
//! triangles share two vertices, so that most steps of the walk fetch one vertex instead of three.

use super::rows::Row;
use crate::gpu::types::{Element, LINK_SLOT_SHIFT};

/// A triangle of a link, and what its tetrahedron carries.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkTriangle {
    /// Its particles.
    pub vertices: [u32; 3],
    /// 1/(6 V0) [1/m³], signed as [`Element`] says.
    pub inverse_rest: f32,
    /// k_V [J]
    pub volume: f32,
}

/// The walk over a particle's link. Three vertices are held at a time; each entry replaces one of them and then stands for
/// the triangle held, unless it carries 0, as the first two entries of a new start do.
pub fn link_walk(triangles: &[LinkTriangle]) -> Row {
    let neighbours = neighbours(triangles);
    let mut open: Vec<usize> = neighbours.iter().map(|own| own.count).collect();
    let mut used = vec![false; triangles.len()];
    let mut walk = Vec::with_capacity(triangles.len() + 2);
    let mut held = [u32::MAX; 3];
    let mut last = None;
    for _ in 0..triangles.len() {
        let reachable = last.and_then(|last: usize| {
            let unused = neighbours[last].iter().filter(|i| !used[*i]);
            unused.min_by_key(|i| open[*i])
        });
        // The triangle with the fewest ways on is the hardest to reach later.
        let next = reachable
            .or_else(|| (0..triangles.len()).filter(|i| !used[*i]).min_by_key(|i| open[*i]));
        let Some(next) = next else { break };
        let triangle = triangles[next];
        let vertices = triangle.vertices;
        if reachable.is_some() {
            let slot = (0..3).find(|slot| !vertices.contains(&held[*slot])).unwrap_or(0);
            let vertex =
                vertices.into_iter().find(|vertex| !held.contains(vertex)).unwrap_or(held[slot]);
            held[slot] = vertex;
            walk.push(entry(vertex, slot, &triangle));
        } else {
            held = vertices;
            walk.push(entry(held[0], 0, &LinkTriangle::default()));
            walk.push(entry(held[1], 1, &LinkTriangle::default()));
            walk.push(entry(held[2], 2, &triangle));
        }
        used[next] = true;
        for neighbour in neighbours[next].iter() {
            open[neighbour] -= 1;
        }
        last = Some(next);
    }
    walk
}

/// The entry, and its constants.
fn entry(vertex: u32, slot: usize, triangle: &LinkTriangle) -> (Element, Element) {
    let own = Element {
        other: vertex | (slot as u32) << LINK_SLOT_SHIFT,
        inverse_rest: triangle.inverse_rest,
    };
    let constants = Element { other: 0, inverse_rest: triangle.volume };
    (own, constants)
}

/// The triangles that share exactly two vertices with one: at each side those before and behind it in order.
#[derive(Clone, Copy, Debug, Default)]
struct Neighbours {
    all: [usize; 6],
    count: usize,
}

impl Neighbours {
    fn push(&mut self, triangle: usize) {
        self.all[self.count] = triangle;
        self.count += 1;
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.all.into_iter().take(self.count)
    }
}

fn neighbours(triangles: &[LinkTriangle]) -> Vec<Neighbours> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.vertices;
        edges.extend([(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b), index)));
    }
    edges.sort_unstable();
    let mut neighbours = vec![Neighbours::default(); triangles.len()];
    for pair in edges.windows(2) {
        let ((a, b, i), (c, d, j)) = (pair[0], pair[1]);
        let shared = triangles[i]
            .vertices
            .iter()
            .filter(|vertex| triangles[j].vertices.contains(vertex))
            .count();
        if (a, b) == (c, d) && shared == 2 {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a kernel makes of a walk: the triangles that carry something, each with its vertices in order.
    fn triangles(walk: &Row) -> Vec<([u32; 3], u32)> {
        let mut held = [0; 3];
        let mut found = Vec::new();
        for (entry, constants) in walk {
            held[(entry.other >> LINK_SLOT_SHIFT) as usize] =
                entry.other & ((1 << LINK_SLOT_SHIFT) - 1);
            assert_eq!(constants.inverse_rest, 2.0 * entry.inverse_rest);
            if entry.inverse_rest != 0.0 {
                let mut vertices = held;
                vertices.sort_unstable();
                found.push((vertices, entry.inverse_rest.to_bits()));
            }
        }
        found.sort_unstable();
        found
    }

    fn link_triangle(vertices: [u32; 3], inverse_rest: f32) -> LinkTriangle {
        LinkTriangle { vertices, inverse_rest, volume: 2.0 * inverse_rest }
    }

    fn check(link: &[LinkTriangle]) -> usize {
        let walk = link_walk(link);
        let mut wanted: Vec<_> = link
            .iter()
            .map(|triangle| {
                let mut vertices = triangle.vertices;
                vertices.sort_unstable();
                (vertices, triangle.inverse_rest.to_bits())
            })
            .collect();
        wanted.sort_unstable();
        assert_eq!(triangles(&walk), wanted);
        walk.len()
    }

    #[test]
    fn an_octahedron_takes_one_walk() {
        let link: Vec<LinkTriangle> = (0..8)
            .map(|i: u32| link_triangle([i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2)], 1.0 + i as f32))
            .collect();
        assert_eq!(check(&link), 8 + 2);
    }

    #[test]
    fn any_triangles_are_walked_once_each() {
        let mut seed = 1_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (seed >> 16) % below
        };
        for count in [0, 1, 2, 5, 40] {
            for _ in 0..50 {
                let link: Vec<LinkTriangle> = (0..count)
                    .map(|i| {
                        let a = random(9);
                        let b = (a + 1 + random(4)) % 9;
                        let c = (0..9)
                            .find(|c| *c != a && *c != b && random(2) == 0)
                            .unwrap_or((a.max(b) + 1) % 9);
                        let c = if c == a || c == b {
                            (0..9).find(|c| *c != a && *c != b).unwrap_or(0)
                        } else {
                            c
                        };
                        link_triangle([a, b, c], 1.0 + i as f32)
                    })
                    .collect();
                check(&link);
            }
        }
    }
}
