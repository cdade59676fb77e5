//! Which of many small solids or triangles is nearest to a point.

use super::Bounds;
use glam::DVec3;

/// Items in a leaf.
const LEAF: usize = 8;

/// A binary tree of boxes over items of `N` corners each: triangles or tetrahedra.
pub struct NearestTree<const N: usize> {
    items: Vec<[DVec3; N]>,
    /// The items, so ordered that each node has a range of them.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    bounds: Bounds,
    /// Its part of the order.
    first: usize,
    count: usize,
    /// The second child, the first one follows its parent; `None`: a leaf.
    second: Option<usize>,
}

impl<const N: usize> NearestTree<N> {
    /// A tree over `items`, of which there is at least one.
    pub fn new(items: Vec<[DVec3; N]>) -> Self {
        let count = items.len();
        let mut tree = Self { order: (0..count as u32).collect(), nodes: Vec::new(), items };
        tree.add(0, count);
        tree
    }

    /// Adds the node of a range, with all below it: halves of equally many items, divided along the box's longest side.
    fn add(&mut self, first: usize, count: usize) -> usize {
        let items = &self.items;
        let order = &mut self.order[first..first + count];
        let bounds = Bounds::of(order.iter().flat_map(|&item| items[item as usize]));
        let index = self.nodes.len();
        if count > LEAF {
            let axis = bounds.size().max_position();
            let along = |item: u32| items[item as usize].iter().map(|x| x[axis]).sum::<f64>();
            order.select_nth_unstable_by(count / 2, |&a, &b| along(a).total_cmp(&along(b)));
        }
        self.nodes.push(Node { bounds, first, count, second: None });
        if count > LEAF {
            self.add(first, count / 2);
            self.nodes[index].second = Some(self.add(first + count / 2, count - count / 2));
        }
        index
    }

    /// The corners of an item.
    pub fn corners(&self, item: u32) -> [DVec3; N] {
        self.items[item as usize]
    }

    /// The item nearest to a point by `distance`, of equally near ones that with the lowest number, and how far it is.
    pub fn nearest(&self, point: DVec3, distance: impl Fn(DVec3, [DVec3; N]) -> f64) -> (u32, f64) {
        let mut best = (u32::MAX, f64::INFINITY);
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            if box_distance(point, &node.bounds) > best.1 {
                continue;
            }
            if let Some(second) = node.second {
                // The nearer child lies on top of the stack.
                let far = |i: usize| box_distance(point, &self.nodes[i].bounds);
                let (a, b) = (index + 1, second);
                open.extend(if far(a) <= far(b) { [b, a] } else { [a, b] });
                continue;
            }
            for &item in &self.order[node.first..node.first + node.count] {
                let distance = distance(point, self.corners(item));
                if distance < best.1 || (distance == best.1 && item < best.0) {
                    best = (item, distance);
                }
            }
        }
        best
    }
}

fn box_distance(point: DVec3, bounds: &Bounds) -> f64 {
    point.distance(point.clamp(bounds.min, bounds.max))
}
