//! Winding that does not change from triangle to triangle.

use super::Surface;
use super::topology::neighbours;

impl Surface {
    /// Turns triangles over so that any two that alone share an edge face the same side, which not every program sees to.
    /// What such edges connect faces where most of its area faced. What has one side only, like a Möbius strip, stays as it
    /// is.
    pub fn orient(&mut self) {
        let neighbours = neighbours(&self.triangles);
        let mut seen = vec![false; self.triangles.len()];
        for first in 0..self.triangles.len() {
            if seen[first] {
                continue;
            }
            let part = Part::around(first, &neighbours);
            part.triangles.iter().for_each(|(i, _)| seen[*i] = true);
            if !part.two_sided {
                continue;
            }
            let facing = |against: bool| {
                let those = part.triangles.iter().filter(|(_, own)| *own == against);
                those.map(|(i, _)| self.area(*i)).sum::<f64>()
            };
            let fewer = facing(true) < facing(false);
            for (i, _) in part.triangles.iter().filter(|(_, own)| *own == fewer) {
                self.flip_triangle(*i);
            }
        }
    }

    fn area(&self, i: usize) -> f64 {
        let [a, b, c] = self.corners(i);
        0.5 * (b - a).cross(c - a).length()
    }
}

/// What is connected by edges of two triangles.
struct Part {
    /// Each with whether it faces against the first.
    triangles: Vec<(usize, bool)>,
    two_sided: bool,
}

impl Part {
    fn around(first: usize, neighbours: &[Vec<(usize, bool)>]) -> Self {
        let mut found = std::collections::HashMap::from([(first, false)]);
        let mut triangles = vec![(first, false)];
        let (mut next, mut two_sided) = (0, true);
        while let Some(&(i, own)) = triangles.get(next) {
            next += 1;
            for &(other, against) in &neighbours[i] {
                let facing = own != against;
                match found.insert(other, facing) {
                    Some(known) => two_sided &= known == facing,
                    None => triangles.push((other, facing)),
                }
            }
        }
        Self { triangles, two_sided }
    }
}
