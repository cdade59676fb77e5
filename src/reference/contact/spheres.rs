//! Spheres: the particles of clouds and shells, against each other and against the surfaces of tetrahedra.
//!
//! A sphere is the particle of a body with a radius. It touches what is as near as its surface, and n points from the
//! nearest point of the other to its centre; only where its centre is deeper inside tetrahedra than it reaches, the
//! nearest of all their triangles counts
//! (Müller, Heidelberger, Teschner, Gross 2005 leave contact of their points open; discs and points against the nearest
//! point of a triangle: Ericson 2005, "Real-time collision detection", 5.1.5).

use crate::extreme;
use glam::DVec3;

use super::boxes::{MAX_AHEAD, agree};
use super::geometry::{barycentric_in_triangle, in_tet, longest_edge};
use super::triangles::{Contact, target};
use super::{Scene, weighted};

/// Nearest points of two triangles that are closer than this, in radii, are one contact.
pub const SAME_POINT: f64 = 0.1;
/// Cosine above which a side leads towards the centre.
pub const TOWARDS: f64 = 1e-3;
/// Nearer than this, in mean edges, a point lies in a triangle.
const SAME_PLACE: f64 = 1e-7;
/// Of triangles that are equally near, on whose common edge or corner the nearest point lies, that counts which looks at
/// the sphere the most: how much a triangle that looks past it seems further away.
const ASIDE: f64 = 1e-3;
/// Triangles are flat where twice their area is no more than this times the square of their longest side.
const FLAT: f64 = 1e-5;
/// Nearer than this to a triangle, in mean edges, its normal is the direction.
const NEAR: f64 = 1e-6;

/// What a sphere can touch, in the order in which partners are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// The sphere of another particle.
    Sphere(usize),
    /// A surface triangle.
    Triangle(usize),
}

/// A sphere and another thing, touching or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    /// The particle.
    pub sphere: usize,
    /// The other.
    pub partner: Partner,
    /// The other's particles with their weights, which sum to 1.
    pub others: Vec<(usize, f64)>,
    /// n, the unit vector from the other to the sphere.
    pub direction: DVec3,
    /// R \[m\]: the radius, or the sum of both.
    pub reach: f64,
    /// s \[m\], the distance of the sphere's centre along n from the other's, or from the nearest point of the triangle:
    /// negative behind it.
    pub distance: f64,
    /// How much nearer they are than they must be for a contact \[m\]: there is one where this is positive.
    pub within: f64,
}

/// The nearest point of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Barycentric coordinates of the nearest point c.
    pub shares: [f64; 3],
    /// x − c \[m\].
    pub arm: DVec3,
    /// The triangle's unit normal n_f, outwards.
    pub normal: DVec3,
}

impl Nearest {
    /// l (1 + 1e-3 (1 − |n_f·(x − c)|/l)) \[m\], l = |x − c|: of the triangles of a body that with the least counts.
    pub fn score(&self) -> f64 {
        self.arm.length() + ASIDE * (self.arm.length() - self.arm.dot(self.normal).abs())
    }

    /// s \[m\]: l on the outer side of the triangle's plane or in it, −l behind it.
    pub fn distance(&self) -> f64 {
        if self.arm.dot(self.normal) >= 0.0 { self.arm.length() } else { -self.arm.length() }
    }
}

/// The point of a triangle that is nearest to `x`; None where the triangle is flat.
pub fn nearest(x: DVec3, corners: [DVec3; 3]) -> Option<Nearest> {
    let [a, b, c] = corners;
    let area = (b - a).cross(c - a);
    if area.length() <= FLAT * longest_edge(&corners).powi(2) {
        return None;
    }
    let normal = area.normalize();
    let of = |shares: [f64; 3]| {
        let nearest: DVec3 = (0..3).map(|k| shares[k] * corners[k]).sum();
        let arm = x - nearest;
        Nearest { shares, arm, normal }
    };
    let foot = x - (x - corners[0]).dot(normal) * normal;
    let foot = barycentric_in_triangle(foot, corners)?;
    if foot.iter().all(|&share| share >= 0.0) {
        return Some(of(foot));
    }
    let on_edge = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let along = ((x - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        let mut shares = [0.0; 3];
        (shares[k], shares[(k + 1) % 3]) = (1.0 - along, along);
        of(shares)
    };
    let length = |n: &Nearest| n.arm.length();
    let nearer = |a: &Nearest, b: &Nearest| length(a).total_cmp(&length(b));
    [0, 1, 2].map(on_edge).into_iter().min_by(nearer)
}

/// The sphere `i` and another one: with d = x_i − x_j, s = |d|, n = d/s (+Y where s = 0) and the approach
/// a = max(0, −(v_i − v_j)·n) there is a contact where s − R < δ_i + δ_j + min(h a, e/2), e the smaller mean edge.
pub fn with_sphere(scene: &Scene, i: usize, j: usize) -> Meeting {
    let (own, other) = (body(scene, i), body(scene, j));
    let arm = scene.position[i] - scene.position[j];
    let ahead = MAX_AHEAD * own.edge.min(other.edge);
    let meeting = Meeting {
        sphere: i,
        partner: Partner::Sphere(j),
        others: vec![(j, 1.0)],
        direction: arm.try_normalize().unwrap_or(DVec3::Y),
        reach: own.radius + other.radius,
        distance: arm.length(),
        within: 0.0,
    };
    meeting.reached(scene, own.margin + other.margin, ahead)
}

/// The sphere `i` and a triangle with the [nearest] point c: n = ±(x_i − c)/l, outwards, and n_f where l < 1e-6 e_i; with
/// the approach a = max(0, −(v_i − v_c)·n) there is a contact where |s| < R + δ_i + δ_b + min(h a, e_i/2), behind the
/// triangle with a = 0: what moves away from a body comes at those of its triangles that face away. None where the triangle
/// is flat.
pub fn with_triangle(scene: &Scene, i: usize, triangle: usize) -> Option<Meeting> {
    let corners = scene.surface[triangle];
    let (own, other) = (body(scene, i), body(scene, corners[0]));
    let nearest = nearest(scene.position[i], scene.corners(corners))?;
    let far = nearest.arm.length() >= NEAR * own.edge;
    let meeting = Meeting {
        sphere: i,
        partner: Partner::Triangle(triangle),
        others: corners.into_iter().zip(nearest.shares).collect(),
        direction: if far { nearest.arm / nearest.distance() } else { nearest.normal },
        reach: own.radius,
        distance: nearest.distance(),
        within: 0.0,
    };
    let ahead = if meeting.distance >= 0.0 { MAX_AHEAD * own.edge } else { 0.0 };
    Some(meeting.reached(scene, own.margin + other.margin, ahead))
}

/// Whether the nearest point c of a triangle is a local minimum of the distance of the sphere `i` to the surface: no side
/// of any of the `triangles` that c lies in leads from it towards the centre, (x − c)·(x_k − c) ≤ `cosine` |x − c| |x_k − c|
/// for each of their corners k; nearer than `place` \[m\] c lies in a triangle.
pub fn is_local(
    scene: &Scene,
    i: usize,
    triangle: usize,
    triangles: &[usize],
    [cosine, place]: [f64; 2],
) -> bool {
    let x = scene.position[i];
    let Some(near) = nearest(x, scene.corners(scene.surface[triangle])) else {
        return false;
    };
    let c = x - near.arm;
    let leads = |&t: &usize| {
        let corners = scene.corners(scene.surface[t]);
        let lies_in = nearest(c, corners).is_some_and(|n| n.arm.length() <= place);
        let towards = |k: &DVec3| {
            let side = *k - c;
            // Of a corner in which c lies there is no direction.
            side.length() > place && near.arm.dot(side) > cosine * near.arm.length() * side.length()
        };
        t != triangle && lies_in && corners.iter().any(towards)
    };
    !triangles.iter().any(leads)
}

/// Whether of two triangles of a body the first, whose score is the lower one, stands for both: their nearest points are
/// closer than 0.1 R, or the centre is behind one of them.
pub fn stands_for(scene: &Scene, first: &Meeting, second: &Meeting) -> bool {
    let radius = body(scene, first.sphere).radius;
    let [a, b] = [first, second].map(|m| weighted(&m.others, &scene.position));
    a.distance(b) <= SAME_POINT * radius || first.distance < 0.0 || second.distance < 0.0
}

/// What the sphere `i` touches of a body with these `triangles`: those whose nearest point is a [local minimum](is_local),
/// in the order of their [scores](Nearest::score), the first of equal ones, without those that one before
/// [stands for](stands_for). Where that is none and the body holds the centre, the nearest triangle, however deep it is.
pub fn with_body(scene: &Scene, i: usize, triangles: &[usize], holds_centre: bool) -> Vec<Meeting> {
    let scored = |&t: &usize| {
        let corners = scene.corners(scene.surface[t]);
        let score = nearest(scene.position[i], corners)?.score();
        Some((score, t, with_triangle(scene, i, t)?))
    };
    let mut all: Vec<_> = triangles.iter().filter_map(scored).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let deep = all.first().map(|(.., meeting)| meeting.clone());
    all.retain(|(_, t, meeting)| {
        let place = SAME_PLACE * body(scene, scene.surface[*t][0]).edge;
        meeting.within > 0.0 && is_local(scene, i, *t, triangles, [TOWARDS, place])
    });
    let mut kept: Vec<Meeting> = Vec::new();
    for (.., meeting) in all {
        if !kept.iter().any(|before| stands_for(scene, before, &meeting)) {
            kept.push(meeting);
        }
    }
    if kept.is_empty() && holds_centre {
        kept.extend(deep);
    }
    kept
}

/// The level of a body's spheres: the least l ≥ 0 with max(R, e/2) ≤ 2^l times that of the body for which it is least.
pub fn level(scene: &Scene, of: usize) -> u32 {
    let size = |body: &super::BodyContact| body.radius.max(0.5 * body.edge);
    let round = scene.bodies.iter().filter(|body| body.radius > 0.0);
    let least = round.map(size).fold(f64::INFINITY, extreme::least);
    let fits = |l: &u32| size(&scene.bodies[of]) <= least * 2.0_f64.powi(*l as i32);
    (0..).find(fits).unwrap_or_default()
}

fn body(scene: &Scene, particle: usize) -> &super::BodyContact {
    &scene.bodies[scene.body[particle]]
}

impl Meeting {
    /// With `within` for a margin \[m\] and a longest way ahead \[m\].
    fn reached(mut self, scene: &Scene, margin: f64, ahead: f64) -> Self {
        let approach = -weighted(&self.participants(), &scene.velocity).dot(self.direction);
        let ahead = (scene.step * approach.max(0.0)).min(ahead);
        self.within = self.reach + margin + ahead - self.distance.abs();
        self
    }

    fn participants(&self) -> Vec<(usize, f64)> {
        let others = self.others.iter().map(|&(k, share)| (k, -share));
        [(self.sphere, 1.0)].into_iter().chain(others).collect()
    }

    /// The contact of the two.
    pub fn contact(&self, scene: &Scene) -> Contact {
        let (own, other) = (body(scene, self.sphere), body(scene, self.others[0].0));
        let depth = self.reach - self.distance;
        let mut contact = Contact {
            feature: self.sphere,
            partner: match self.partner {
                Partner::Sphere(j) => scene.bodies.len() + j,
                Partner::Triangle(t) => scene.bodies.len() + scene.position.len() + t,
            },
            points: vec![(self.sphere, 1.0)],
            others: self.others.clone(),
            direction: self.direction,
            estimate: depth,
            reach: self.reach,
            depth,
            friction: (own.friction * other.friction).sqrt(),
            edge: own.edge.min(other.edge),
            target: 0.0,
        };
        contact.target = target(scene, &contact);
        contact
    }
}

/// Which of the spheres that the sphere `i` lists it has the contact with: of two on one level that list each other the
/// lower one has it, else the one that lists the other. So a pair touches whichever body comes first.
pub fn has_contact(
    scene: &Scene,
    i: usize,
    j: usize,
    lists: impl Fn(usize, usize) -> bool,
) -> bool {
    let alike = level(scene, scene.body[i]) == level(scene, scene.body[j]);
    lists(i, j) && (i < j || !alike || !lists(j, i))
}

/// The spheres of other bodies that the sphere `i` touches and has the contact with.
fn spheres(scene: &Scene, i: usize) -> impl Iterator<Item = Meeting> {
    let wider = |i: usize, j: usize| level(scene, scene.body[j]) >= level(scene, scene.body[i]);
    let meets = move |&j: &usize| {
        let [own, other] = [i, j].map(|k| scene.body[k]);
        let agree = other != own && agree(scene, own, other);
        agree && body(scene, j).radius > 0.0 && has_contact(scene, i, j, wider)
    };
    let all = (0..scene.position.len()).filter(meets);
    all.map(move |j| with_sphere(scene, i, j)).filter(|meeting| meeting.within > 0.0)
}

/// The triangles that it touches, of all bodies of tetrahedra that may touch its own, see [`with_body`]; ascending.
fn surfaces(scene: &Scene, i: usize) -> Vec<Meeting> {
    let own = scene.body[i];
    let tets = scene.tets_of_bodies();
    let mut found = Vec::new();
    for (b, triangles) in scene.surface_of_bodies().iter().enumerate() {
        if b != own && scene.bodies[b].radius <= 0.0 && agree(scene, own, b) {
            let holds = |t: &usize| in_tet(scene.position[i], scene.corners(scene.tets[*t]));
            found.extend(with_body(scene, i, triangles, tets[b].iter().any(holds)));
        }
    }
    found.sort_by_key(|meeting| meeting.partner);
    found
}

/// The contacts of all spheres, in order of feature, then of [`Partner`], with room for all.
pub fn contacts(scene: &Scene) -> Vec<Contact> {
    let round = (0..scene.position.len()).filter(|i| body(scene, *i).radius > 0.0);
    let met = round.flat_map(|i| spheres(scene, i).chain(surfaces(scene, i)));
    met.map(|meeting| meeting.contact(scene)).collect()
}
