//! Convex solids: what they reach along a direction, and how far two of them are apart or in each other, over all directions in
//! which that can be.

use glam::{DQuat, DVec3};

/// What a solid's surface lies about, in its own axes.
#[derive(Debug, Clone, PartialEq)]
pub enum Core {
    /// The hull of these corners: a point, a segment, a box, a triangle, a hull.
    Corners(Vec<DVec3>),
    /// A cylinder about y: its radius, half its length.
    Cylinder(f64, f64),
    /// All below y = 0.
    HalfSpace,
}

/// A convex solid in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Convex {
    /// What its surface lies about.
    pub core: Core,
    /// Where the core's origin is.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
    /// The directions in which faces of the core look, in the world.
    pub normals: Vec<DVec3>,
    /// The directions of its edges.
    pub edges: Vec<DVec3>,
}

/// Directions that stand for a circle of them.
const AROUND: usize = 720;

impl Convex {
    /// A core in its place.
    pub fn new(core: Core, position: DVec3, rotation: DQuat) -> Self {
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        match &core {
            Core::Corners(corners) => {
                let faces = hull_faces(corners);
                for (normal, face) in &faces {
                    normals.push(*normal);
                    for k in 0..face.len() {
                        edges.push(corners[face[(k + 1) % face.len()]] - corners[face[k]]);
                    }
                }
                if let ([_, _], []) = (&corners[..], &faces[..]) {
                    edges.push(corners[1] - corners[0]);
                }
                let mut seen: Vec<DVec3> = Vec::new();
                for edge in edges.drain(..).filter_map(DVec3::try_normalize) {
                    if seen.iter().all(|other| other.cross(edge).length() > 1e-9) {
                        seen.push(edge);
                    }
                }
                edges = seen;
            }
            Core::Cylinder(..) => {
                let angle = |k: usize| k as f64 * std::f64::consts::TAU / AROUND as f64;
                normals = vec![DVec3::Y, DVec3::NEG_Y];
                normals
                    .extend((0..AROUND).map(|k| DVec3::new(angle(k).cos(), 0.0, angle(k).sin())));
                // Along its rim, and the way up.
                edges = (0..AROUND / 2)
                    .map(|k| DVec3::new(-angle(k).sin(), 0.0, angle(k).cos()))
                    .chain([DVec3::Y])
                    .collect();
            }
            Core::HalfSpace => normals = vec![DVec3::Y],
        }
        let turned = |list: Vec<DVec3>| list.into_iter().map(|d| rotation * d).collect();
        Self { core, position, rotation, normals: turned(normals), edges: turned(edges) }
    }

    /// How far the core reaches along `d`, from the world's origin.
    pub fn reach(&self, d: DVec3) -> f64 {
        let own = self.rotation.inverse() * d;
        let reach = match &self.core {
            Core::Corners(corners) => {
                corners.iter().map(|corner| corner.dot(own)).fold(f64::NEG_INFINITY, f64::max)
            }
            Core::Cylinder(radius, half) => radius * own.x.hypot(own.z) + half * own.y.abs(),
            Core::HalfSpace if own.y > 1.0 - 1e-6 => 0.0,
            Core::HalfSpace => f64::INFINITY,
        };
        self.position.dot(d) + reach
    }

    /// How far a point is outside the core, no more than its distance: the most over the faces.
    pub fn outside(&self, x: DVec3) -> f64 {
        let normals = self.normals.iter().copied();
        let own = x - self.position;
        match &self.core {
            Core::Corners(corners) if corners.len() < 3 => {
                let ends = [corners[0], corners[corners.len() - 1]].map(|x| self.rotation * x);
                let d = ends[1] - ends[0];
                let t = if corners.len() == 1 {
                    0.0
                } else {
                    (own - ends[0]).dot(d) / d.length_squared()
                };
                own.distance(ends[0] + t.clamp(0.0, 1.0) * d)
            }
            Core::Cylinder(radius, half) => {
                let own = self.rotation.inverse() * own;
                (own.x.hypot(own.z) - radius).max(own.y.abs() - half)
            }
            Core::HalfSpace => own.dot(self.normals[0]),
            Core::Corners(_) => {
                normals.map(|n| x.dot(n) - self.reach(n)).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// How far the cores are apart along a unit vector out of `other` into this one.
    pub fn apart_along(&self, other: &Self, n: DVec3) -> f64 {
        -self.reach(-n) - other.reach(n)
    }

    /// Half of the axis that the core lies about; of a point none at all.
    fn half_axis(&self) -> Option<DVec3> {
        let half = match &self.core {
            Core::Corners(corners) if corners.len() < 3 => {
                0.5 * (corners[corners.len() - 1] - corners[0])
            }
            Core::Cylinder(_, half) => *half * DVec3::Y,
            _ => return None,
        };
        Some(self.rotation * half)
    }

    /// The shortest way from the other's axis to this one's, where it ends between the ends of both \[m\].
    pub fn between_axes(&self, other: &Self) -> Option<DVec3> {
        let [d, e] = [self.half_axis()?, other.half_axis()?];
        let way = self.position - other.position;
        // Along both the way between the feet has no part: a.d + s d.d - t e.d = 0 and its like.
        let [dd, ee, de] = [d.length_squared(), e.length_squared(), d.dot(e)];
        let area = dd * ee - de * de;
        let [s, t] = match (dd > 0.0, ee > 0.0) {
            (true, true) if area > 1e-6 * dd * ee => [
                (de * way.dot(e) - ee * way.dot(d)) / area,
                (dd * way.dot(e) - de * way.dot(d)) / area,
            ],
            (true, true) => return None,
            (true, false) => [-way.dot(d) / dd, 0.0],
            (false, true) => [0.0, way.dot(e) / ee],
            _ => [0.0; 2],
        };
        let is_inside = s.abs() < 0.99 && t.abs() < 0.99;
        is_inside.then(|| way + s * d - t * e)
    }

    /// The most that the cores are apart along any direction in which faces of either look or that is square to an edge of each:
    /// minus the depth of those in each other. Of those apart it is the distance where that is from a face or of two edges, else less.
    pub fn most_apart(&self, other: &Self) -> (f64, DVec3) {
        let mut best = (f64::NEG_INFINITY, DVec3::Y);
        let mut test = |n: DVec3| {
            let apart = self.apart_along(other, n);
            if apart > best.0 {
                best = (apart, n);
            }
        };
        other.normals.iter().for_each(|n| test(*n));
        if other.core == Core::HalfSpace {
            return best;
        }
        self.normals.iter().for_each(|n| test(-*n));
        for (a, b) in self.edges.iter().flat_map(|a| other.edges.iter().map(move |b| (*a, *b))) {
            if let Some(n) = a.cross(b).try_normalize() {
                test(n);
                test(-n);
            }
        }
        best
    }
}

/// The faces of the hull of these corners by brute force: each normal, and its corners, anticlockwise seen from outside. Of corners in
/// one plane both sides.
pub fn hull_faces(corners: &[DVec3]) -> Vec<(DVec3, Vec<usize>)> {
    let size = corners.iter().map(|x| x.distance(corners[0])).fold(0.0, f64::max);
    let mut faces: Vec<(DVec3, Vec<usize>)> = Vec::new();
    let all = 0..corners.len();
    let triples =
        all.clone().flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| [i, j, k])));
    for [i, j, k] in triples {
        let normal = (corners[j] - corners[i]).cross(corners[k] - corners[i]).try_normalize();
        for n in normal.into_iter().flat_map(|n| [n, -n]) {
            let height = |x: &DVec3| (*x - corners[i]).dot(n);
            let is_known = faces.iter().any(|(other, _)| other.dot(n) > 1.0 - 1e-8);
            if is_known || corners.iter().any(|x| height(x) > 1e-6 * size) {
                continue;
            }
            let mut on: Vec<_> =
                all.clone().filter(|x| height(&corners[*x]) > -1e-6 * size).collect();
            let middle = on.iter().map(|x| corners[*x]).sum::<DVec3>() / on.len() as f64;
            let u = (corners[on[0]] - middle).normalize();
            let v = n.cross(u);
            let angle = |x: &usize| {
                let d = corners[*x] - middle;
                d.dot(v).atan2(d.dot(u))
            };
            on.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            faces.push((n, on));
        }
    }
    faces
}
