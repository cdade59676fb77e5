//! Boxes that meet, found in a grid of cells whose widths double from level to level.

use std::collections::{BTreeSet, HashMap};

use glam::DVec3;

use crate::extreme;
use crate::mesh::Bounds;

/// Levels below the widest that boxes are told apart on; shorter ones stand with those.
const LEVELS: i32 = 40;

/// A level and a cell on it.
type Cell = (i32, [i64; 3]);

/// The pairs of boxes that meet, each once, the lower number first, in ascending order. A box stands in the cell of its middle,
/// on the level of its length, and looks for others there and on wider ones.
pub fn pairs(boxes: &[Bounds]) -> Vec<[usize; 2]> {
    let finite = |b: &usize| boxes[*b].min.is_finite() && boxes[*b].max.is_finite();
    let own: Vec<usize> = (0..boxes.len()).filter(finite).collect();
    let length = |b: usize| boxes[b].size().max_element();
    let longest = own.iter().map(|b| length(*b)).fold(f64::MIN_POSITIVE, extreme::greatest);
    let widest = longest.log2().ceil() as i32;
    let level = |b: usize| {
        let level = length(b).max(f64::MIN_POSITIVE).log2().ceil() as i32;
        level.max(widest - LEVELS)
    };
    let mut cells: HashMap<Cell, Vec<usize>> = HashMap::new();
    for &b in &own {
        let middle = 0.5 * (boxes[b].min + boxes[b].max);
        cells.entry((level(b), cell(middle, level(b)))).or_default().push(b);
    }
    let levels: BTreeSet<i32> = own.iter().map(|b| level(*b)).collect();
    let mut pairs = Vec::new();
    for &b in &own {
        for &wider in levels.range(level(b)..) {
            let meets = |o: &&usize| {
                let first = level(b) < wider || b < **o;
                let common =
                    boxes[b].min.max(boxes[**o].min).cmple(boxes[b].max.min(boxes[**o].max));
                first && common.all()
            };
            for cell in around(&boxes[b], wider) {
                let there = cells.get(&(wider, cell)).into_iter().flatten();
                pairs.extend(there.filter(meets).map(|o| [b.min(*o), b.max(*o)]));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn cell(x: DVec3, level: i32) -> [i64; 3] {
    let width = 2.0_f64.powi(level);
    (x / width).floor().to_array().map(|k| k as i64)
}

/// The cells where the middle of a box of this level that meets `own` can be, and those that rounding could make of them.
fn around(own: &Bounds, level: i32) -> Vec<[i64; 3]> {
    let reach = 0.501 * 2.0_f64.powi(level);
    let [low, high] = [cell(own.min - reach, level), cell(own.max + reach, level)];
    let mut cells = Vec::new();
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            cells.extend((low[2]..=high[2]).map(|z| [x, y, z]));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of this length at this place; numbers between 0 and 1 that repeat.
    fn boxes(count: usize, of: impl Fn(usize, [f64; 4]) -> (DVec3, f64)) -> Vec<Bounds> {
        let one = |k: usize| {
            let numbers = [2.0_f64, 3.0, 5.0, 7.0].map(|x| (k as f64 * x.sqrt()).fract());
            let (min, length) = of(k, numbers);
            Bounds { min, max: min + length * DVec3::new(1.0, 0.5, 1.0) }
        };
        (0..count).map(one).collect()
    }

    fn by_force(boxes: &[Bounds]) -> Vec<[usize; 2]> {
        let meet = |[a, b]: &[usize; 2]| {
            let (low, high) = (boxes[*a].min.max(boxes[*b].min), boxes[*a].max.min(boxes[*b].max));
            low.cmple(high).all()
        };
        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| [a, b]));
        all.filter(meet).collect()
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        let place = |[x, y, z, _]: [f64; 4], reach: f64| reach * DVec3::new(x, y, z);
        let worlds = [
            boxes(0, |_, _| (DVec3::ZERO, 1.0)),
            boxes(1, |_, _| (DVec3::ZERO, 1.0)),
            boxes(400, |_, n| (place(n, 40.0), 50.0_f64.powf(n[3]))),
            boxes(60, |_, n| (place(n, 0.5), 1.0)),
            // Face to face, points, and one around all.
            boxes(100, |k, _| (DVec3::new(k as f64, 0.0, 0.0), 1.0)),
            boxes(100, |k, _| (DVec3::new((k % 10) as f64, 0.0, 0.0), 0.0)),
            boxes(200, |k, n| {
                (place(n, 9.0) - 1e6 * f64::from(u8::from(k == 7)), if k == 7 { 4e6 } else { 1.0 })
            }),
        ];
        for (k, boxes) in worlds.iter().enumerate() {
            let wanted = by_force(boxes);
            assert_eq!(pairs(boxes), wanted, "world {k}");
            assert!(k < 2 || !wanted.is_empty(), "world {k}");
        }
    }
}
