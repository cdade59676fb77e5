//! How much of what a surface encloses lies in each tetrahedron: integrals along parallel lines.

use super::moments::Moments;
use super::winding::WindingTree;
use super::{Bounds, Surface};
use glam::{DMat3, DVec3, UVec2, Vec3Swizzles as _};

/// Lines across the longest side of the box, at least.
const LINES: f64 = 160.0;

/// Lines across a cube, at least.
const PER_CUBE: f64 = 6.0;

/// Where in their cells the lines lie. Not in the middle: edges of a surface often lie in planes of the lattice.
const OFFSET: [f64; 2] = [0.5237, 0.4861];

/// The parts of lines along x that lie within a surface, in coordinates in which the cubes have unit edges.
pub struct Inside {
    count: UVec2,
    /// Between lines.
    spacing: f64,
    /// Per line the intervals of x.
    lines: Vec<Vec<[f64; 2]>>,
    /// The moments of all that is inside, where the surface is closed and encloses nothing twice.
    enclosed: Option<Moments>,
}

impl Inside {
    /// What lies within a surface in a box from 0 to `size`; `tree` holds its triangles. Where a line enters as
    /// often as it leaves, that says what is inside; elsewhere, at openings, the winding number does.
    pub fn new(surface: &Surface, tree: &WindingTree, size: DVec3) -> Self {
        let spacing = (size.max_element() / LINES).min(1.0 / PER_CUBE);
        let count = (size.yz() / spacing).ceil().as_uvec2();
        let mut inside = Self { count, spacing, lines: Vec::new(), enclosed: None };
        let mut crossings = vec![Vec::new(); (count.x * count.y) as usize];
        for corners in (0..surface.triangles.len()).map(|i| surface.corners(i)) {
            let [a, b, c] = corners;
            let twice_area = (b - a).cross(c - a).x;
            if twice_area == 0.0 {
                continue;
            }
            inside.for_each_line(&corners, |line, at| {
                let part = |p: DVec3, q: DVec3| (p - at).cross(q - at).x / twice_area;
                let parts = [part(b, c), part(c, a), part(a, b)];
                if parts.iter().all(|part| *part >= 0.0) {
                    let x = parts[0] * a.x + parts[1] * b.x + parts[2] * c.x;
                    crossings[line].push((x, if twice_area < 0.0 { 1 } else { -1 }));
                }
            });
        }
        if crossings.iter_mut().all(|line| encloses_once(line)) {
            let faces = (0..surface.triangles.len()).map(|i| surface.corners(i));
            inside.enclosed = Some(Moments::enclosed(faces));
        }
        let intervals = crossings.into_iter().enumerate();
        inside.lines = intervals
            .map(|(line, crossings)| intervals_of(inside.place(line), crossings, tree))
            .collect();
        inside
    }

    /// Where a line begins.
    fn place(&self, line: usize) -> DVec3 {
        let at = UVec2::new(line as u32 % self.count.x, line as u32 / self.count.x);
        let [y, z] = ((at.as_dvec2() + glam::DVec2::from(OFFSET)) * self.spacing).to_array();
        DVec3::new(0.0, y, z)
    }

    /// Calls `visit` with the number and the place of every line that passes the box around `corners`.
    fn for_each_line(&self, corners: &[DVec3], mut visit: impl FnMut(usize, DVec3)) {
        let bounds = Bounds::of(corners.iter().copied());
        let offset = glam::DVec2::from(OFFSET);
        let first = (bounds.min.yz() / self.spacing - offset).ceil().as_uvec2();
        let end = (bounds.max.yz() / self.spacing - offset).floor() + 1.0;
        let end = end.as_uvec2().min(self.count);
        for row in first.y..end.y {
            for column in first.x..end.x {
                let line = (row * self.count.x + column) as usize;
                visit(line, self.place(line));
            }
        }
    }

    /// The moments of all that is inside: of a closed surface its own, elsewhere those of the lines.
    pub fn moments(&self) -> Moments {
        if let Some(enclosed) = self.enclosed {
            return enclosed;
        }
        let area = self.spacing * self.spacing;
        let mut sum = Moments::ZERO;
        for (line, intervals) in self.lines.iter().enumerate() {
            for &[from, to] in intervals {
                let (length, x) = (to - from, self.place(line).with_x(0.5 * (from + to)));
                sum.add(area * length, x);
                sum.second.x_axis.x += area * length.powi(3) / 12.0;
            }
        }
        sum
    }

    /// ∫ N_c over what is inside of a tetrahedron, N_c the linear function that is 1 in corner c and 0 in the others.
    pub fn carried(&self, x: [DVec3; 4]) -> [f64; 4] {
        let inverse = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]).inverse();
        let four = |w: DVec3, rest: f64| [rest - w.element_sum(), w.x, w.y, w.z];
        let slopes = four(inverse.x_axis, 0.0);
        let area = self.spacing * self.spacing;
        let mut carried = [0.0; 4];
        self.for_each_line(&x, |line, at| {
            let starts = four(inverse * (at - x[0]), 1.0);
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            for (start, slope) in starts.into_iter().zip(slopes) {
                match -start / slope {
                    zero if slope > 0.0 => low = low.max(zero),
                    zero if slope < 0.0 => high = high.min(zero),
                    _ if start < 0.0 => high = f64::NEG_INFINITY,
                    _ => {}
                }
            }
            for &[from, to] in &self.lines[line] {
                let (from, to) = (from.max(low), to.min(high));
                for k in 0..4 {
                    let mean = starts[k] + slopes[k] * 0.5 * (from + to);
                    carried[k] += area * (to - from).max(0.0) * mean;
                }
            }
        });
        carried
    }
}

/// Whether a line is inside from each odd crossing to the next; sorts them.
fn encloses_once(crossings: &mut [(f64, i32)]) -> bool {
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let signs = crossings.iter().map(|crossing| crossing.1);
    crossings.len().is_multiple_of(2) && signs.eq([1, -1].into_iter().cycle().take(crossings.len()))
}

/// The intervals of a line that are inside, of where it crosses the surface: +1 where it enters, −1 where it leaves.
fn intervals_of(at: DVec3, mut crossings: Vec<(f64, i32)>, tree: &WindingTree) -> Vec<[f64; 2]> {
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let closed = crossings.iter().map(|crossing| crossing.1).sum::<i32>() == 0;
    let mut depth = 0;
    let mut intervals = Vec::new();
    for pair in crossings.windows(2) {
        depth += pair[0].1;
        let (from, to) = (pair[0].0, pair[1].0);
        let inside = match closed {
            true => depth > 0,
            false => tree.winding_number(at.with_x(0.5 * (from + to))) > 0.5,
        };
        if inside && to > from {
            intervals.push([from, to]);
        }
    }
    intervals
}
