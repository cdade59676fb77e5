//! Broad phase: which bodies may touch, and where each particle is tested.

use crate::extreme;
use glam::DVec3;

use super::Scene;
use super::folds::folds;
use super::inside::RIM;
use crate::reference::skin;

/// How far ahead a particle is tested at the most, in mean edges.
pub const MAX_AHEAD: f64 = 0.5;
/// How far the way of one that comes further is followed at the most, in mean edges.
const MAX_WAY: f64 = 8.0;

/// An axis-aligned box; empty where a `min` exceeds its `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The lower corner \[m\].
    pub min: DVec3,
    /// The upper corner \[m\].
    pub max: DVec3,
}

impl Aabb {
    /// Holds nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        let grow = |b: Self, p: DVec3| Self { min: b.min.min(p), max: b.max.max(p) };
        points.into_iter().fold(Self::EMPTY, grow)
    }

    /// Grown by `margin` \[m\] on all sides.
    pub fn inflated(self, margin: f64) -> Self {
        self.widened(DVec3::splat(margin))
    }

    /// Grown by `reach` \[m\] along each axis, both ways.
    pub fn widened(self, reach: DVec3) -> Self {
        Self { min: self.min - reach, max: self.max + reach }
    }

    /// What both boxes hold.
    pub fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether it holds no point; one without extent still holds its own.
    pub fn is_empty(self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Whether it holds `p`, its faces included.
    pub fn holds(self, p: DVec3) -> bool {
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }
}

/// Which bodies touch.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPairs {
    /// Per body its box, widened by the reach of contact.
    pub widened: Vec<Aabb>,
    /// Per body the other bodies that it touches, ascending.
    pub touches: Vec<Vec<usize>>,
    /// Per body whether it touches another, or may touch itself.
    pub touching: Vec<bool>,
    /// Per body what its box has in common with those of the bodies that it touches, in their order; among them its fold,
    /// where it may touch itself.
    pub shared: Vec<Vec<Aabb>>,
    /// Per body where it is folded, and so may touch itself; empty where it is not.
    pub fold: Vec<Aabb>,
    /// Per body the box of the velocities of those that it touches \[m/s\].
    pub speeds: Vec<Aabb>,
    /// Per body the box that holds all its contacts; empty where it touches nothing.
    pub overlap: Vec<Aabb>,
}

impl BodyPairs {
    /// Bodies none of which touches anything.
    pub fn apart(count: usize) -> Self {
        let none = vec![Aabb::EMPTY; count];
        Self {
            widened: none.clone(),
            touches: vec![Vec::new(); count],
            touching: vec![false; count],
            shared: vec![Vec::new(); count],
            fold: none.clone(),
            speeds: none.clone(),
            overlap: none,
        }
    }
}

/// The unit normal n_i of every particle: the normalised sum of the cross products of the coarse-surface triangles
/// around it, 0 for particles inside, for spheres and where the sum vanishes.
pub fn normals(scene: &Scene) -> Vec<DVec3> {
    let mut normals = skin::normals(&scene.position, &scene.surface);
    for (normal, body) in normals.iter_mut().zip(&scene.body) {
        if scene.bodies[*body].radius > 0.0 {
            *normal = DVec3::ZERO;
        }
    }
    normals
}

/// The tested positions q_i = x_i + δ n_i \[m\], δ the margin of the particle's body.
pub fn tested_points(scene: &Scene) -> Vec<DVec3> {
    scene.position.iter().zip(lifts(scene)).map(|(x, lift)| *x + lift).collect()
}

/// δ n_i of every particle \[m\].
pub fn lifts(scene: &Scene) -> Vec<DVec3> {
    let normals = normals(scene);
    let lift = |i: usize| scene.bodies[scene.body[i]].margin * normals[i];
    (0..normals.len()).map(lift).collect()
}

/// The ways that surface particles come at other bodies in a step \[m\], where that is outward; no longer than eight mean
/// edges. Tested positions lie ahead by them, by no more than [`MAX_AHEAD`]. Of h (v_i − v), v the middle of the velocities
/// of those that its body touches, the part along the normal, and of that along the surface as much as is no longer than
/// twice the former.
pub fn ways_ahead(scene: &Scene, normals: &[DVec3], pairs: &BodyPairs) -> Vec<DVec3> {
    let way = |i: usize| {
        let body = scene.body[i];
        let middle = 0.5 * (pairs.speeds[body].min + pairs.speeds[body].max);
        let velocity = scene.velocity[i] - middle;
        let outward = velocity.dot(normals[i]);
        if !pairs.touching[body] || outward <= 0.0 {
            return DVec3::ZERO;
        }
        let (up, along) = (outward * normals[i], velocity - outward * normals[i]);
        let way = scene.step * (up + along.clamp_length_max(2.0 * outward));
        way.clamp_length_max(MAX_WAY * scene.bodies[body].edge)
    };
    (0..scene.position.len()).map(way).collect()
}

/// The box of every body's positions.
pub fn body_boxes(scene: &Scene) -> Vec<Aabb> {
    boxes_of(scene, &scene.position)
}

/// The box of every body's velocities.
pub fn body_speeds(scene: &Scene) -> Vec<Aabb> {
    boxes_of(scene, &scene.velocity)
}

fn boxes_of(scene: &Scene, vectors: &[DVec3]) -> Vec<Aabb> {
    let mut boxes = vec![Aabb::EMPTY; scene.bodies.len()];
    for (body, vector) in scene.body.iter().zip(vectors) {
        boxes[*body] = boxes[*body].union(Aabb { min: *vector, max: *vector });
    }
    boxes
}

/// Per box the others that it meets and may, ascending.
pub fn meetings(boxes: &[Aabb], may: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let meet =
        |b: usize, o: usize| b != o && may(b, o) && !boxes[b].intersection(boxes[o]).is_empty();
    let of = |b: usize| (0..boxes.len()).filter(|o| meet(b, *o)).collect();
    (0..boxes.len()).map(of).collect()
}

/// The least distance between two boxes that do not meet but may, along the axis on which they are furthest apart; infinite
/// where there are none.
pub fn least_gap(boxes: &[Aabb], may: impl Fn(usize, usize) -> bool) -> f64 {
    let pairs = (0..boxes.len()).flat_map(|b| (0..b).map(move |o| (b, o)));
    let gaps = pairs.filter(|(b, o)| may(*b, *o)).map(|(b, o)| {
        let common = boxes[b].intersection(boxes[o]);
        (common.min - common.max).max_element()
    });
    gaps.filter(|gap| *gap > 0.0).fold(f64::INFINITY, extreme::least)
}

/// Where a body stands in a grid of `levels` levels, those of level 0 `width` wide [m] and each twice as wide as the one
/// before: the least level whose cells are no narrower than its box is long, and on that the cell of the middle of the box. All
/// that are longer stand in the one cell of the last level. `outermost`: cells along an axis from the origin.
pub fn cell_of(own: Aabb, [width, outermost]: [f64; 2], levels: usize) -> (usize, DVec3) {
    let long =
        |level: &usize| (own.max - own.min).max_element() > width * 2.0_f64.powi(*level as i32);
    let level = (0..levels - 1).find(|level| !long(level)).unwrap_or(levels - 1);
    let cells = 0.5 * (own.min + own.max) / (width * 2.0_f64.powi(level as i32));
    let cell = cells.clamp(DVec3::splat(-outermost), DVec3::splat(outermost)).floor();
    (level, if level + 1 < levels { cell } else { DVec3::ZERO })
}

/// Bodies of a replica touch where their groups and masks agree both ways and their boxes meet, each widened by its radius, by twice the largest
/// margin and by the way that the body and the fastest of all come at each other in a step. The overlap box of a body is the union of what its widened box has in
/// common with those of the bodies it touches; a body with self-contact touches itself where it is folded, see [`folds`].
pub fn body_pairs(scene: &Scene, boxes: &[Aabb]) -> BodyPairs {
    let count = scene.bodies.len();
    let margins = scene.bodies.iter().map(|body| body.margin);
    let reach = DVec3::splat(RIM * margins.fold(0.0, extreme::greatest));
    let (speeds, (folds, _)) = (body_speeds(scene), folds(scene));
    let fastest = |speeds: Aabb| speeds.min.abs().max(speeds.max.abs());
    let all = speeds.iter().copied().fold(Aabb::EMPTY, Aabb::union);
    let widened = |b: usize| {
        let ahead = scene.step * (fastest(speeds[b]) + fastest(all));
        boxes[b].widened(reach + ahead + scene.bodies[b].radius)
    };
    let widened: Vec<Aabb> = (0..count).map(widened).collect();
    let touches = meetings(&widened, |b, o| agree(scene, b, o));
    let mut pairs = BodyPairs { fold: folds, widened, touches, ..BodyPairs::apart(count) };
    for b in 0..count {
        for (o, speed) in speeds.iter().enumerate() {
            let common = match o == b {
                true => pairs.fold[b],
                false if pairs.touches[b].contains(&o) => {
                    pairs.widened[b].intersection(pairs.widened[o])
                }
                false => Aabb::EMPTY,
            };
            if !common.is_empty() {
                pairs.shared[b].push(common);
                pairs.speeds[b] = pairs.speeds[b].union(*speed);
                pairs.overlap[b] = pairs.overlap[b].union(common);
            }
        }
        pairs.touching[b] = !pairs.shared[b].is_empty();
    }
    pairs
}

/// The longest way that a step carries a body past one that it touches, over half of what it and the thinnest of those measure.
/// How thick they are does not matter where they are more than `most`, itself left out: they count as nothing.
pub fn longest_passing(scene: &Scene, pairs: &BodyPairs, most: usize) -> f64 {
    let speeds = body_speeds(scene);
    let pass = |b: usize| {
        let itself = (!pairs.fold[b].is_empty()).then_some(b);
        let others = || pairs.touches[b].iter().copied().chain(itself);
        let thicknesses = others().map(|o| scene.bodies[o].thickness);
        let thinnest = match pairs.touches[b].len() > most {
            true => 0.0,
            false => thicknesses.fold(f64::INFINITY, f64::min),
        };
        let apart = |o: usize| {
            let (own, other) = (speeds[b], speeds[o]);
            (own.max - other.min).max(other.max - own.min)
        };
        let way = others().map(apart).reduce(DVec3::max)?;
        Some(2.0 * scene.step * way.length() / (scene.bodies[b].thickness + thinnest))
    };
    (0..scene.bodies.len()).filter_map(pass).fold(0.0, extreme::greatest)
}

/// Whether two bodies are of one replica, each in a group that the other touches, and one of them deforms: what is rigid
/// touches what is rigid otherwise.
pub fn agree(scene: &Scene, b: usize, o: usize) -> bool {
    let (b, o) = (&scene.bodies[b], &scene.bodies[o]);
    let deforms = !(b.rigid && o.rigid);
    deforms && b.replica == o.replica && b.group & o.mask != 0 && o.group & b.mask != 0
}
