//! Spheres: the particles of clouds and shells, against each other and against the surfaces of tetrahedra.
//!
//! A sphere is the particle of a body with a radius. It is not tested for being inside tetrahedra and needs no way out of
//! them: it touches what is as near as its surface, and n points from the nearest point of the other to its centre
//! (Müller, Heidelberger, Teschner, Gross 2005 leave contact of their points open; discs and points against the nearest
//! point of a triangle: Ericson 2005, "Real-time collision detection", 5.1.5).

use glam::DVec3;

use super::boxes::{MAX_AHEAD, agree};
use super::geometry::barycentric_in_triangle;
use super::triangles::{Contact, target};
use super::{Scene, weighted};

/// So many partners of a sphere are kept, those with the lowest numbers.
pub const PARTNERS_PER_SPHERE: usize = 16;
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
        if self.arm.dot(self.normal) >= 0.0 {
            self.arm.length()
        } else {
            -self.arm.length()
        }
    }
}

/// The point of a triangle that is nearest to `x`; None where the triangle is flat.
pub fn nearest(x: DVec3, corners: [DVec3; 3]) -> Option<Nearest> {
    let [a, b, c] = corners;
    let area = (b - a).cross(c - a);
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    if area.length() <= FLAT * longest * longest {
        return None;
    }
    let normal = area.normalize();
    let of = |shares: [f64; 3]| {
        let nearest: DVec3 = (0..3).map(|k| shares[k] * corners[k]).sum();
        let arm = x - nearest;
        Nearest {
            shares,
            arm,
            normal,
        }
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
        direction: if far {
            nearest.arm / nearest.distance()
        } else {
            nearest.normal
        },
        reach: own.radius,
        distance: nearest.distance(),
        within: 0.0,
    };
    let ahead = if meeting.distance >= 0.0 {
        MAX_AHEAD * own.edge
    } else {
        0.0
    };
    Some(meeting.reached(scene, own.margin + other.margin, ahead))
}

/// Of the triangles of a body that the sphere `i` touches that with the least [score](Nearest::score), the first of equal
/// ones.
pub fn with_body(scene: &Scene, i: usize, triangles: &[usize]) -> Option<Meeting> {
    let touched = |&t: &usize| {
        let meeting = with_triangle(scene, i, t).filter(|meeting| meeting.within > 0.0)?;
        let corners = scene.corners(scene.surface[t]);
        Some((nearest(scene.position[i], corners)?.score(), meeting))
    };
    let touched = triangles.iter().filter_map(touched);
    let best = touched.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, meeting)| meeting)
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
                Partner::Triangle(t) => scene.body[scene.surface[t][0]],
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
        contact.target = target(scene, &contact, own.restitution.max(other.restitution));
        contact
    }
}

/// Everything that a sphere touches: spheres of other bodies with higher numbers, and of each body of tetrahedra the
/// triangle that counts; only of bodies that may touch its own. Ascending; empty for particles that are no spheres.
pub fn meetings(scene: &Scene, i: usize) -> Vec<Meeting> {
    let own = scene.body[i];
    if scene.bodies[own].radius <= 0.0 {
        return Vec::new();
    }
    let meets = |other: usize| other != own && agree(scene, own, other);
    let sphere = |j: &usize| meets(scene.body[*j]) && body(scene, *j).radius > 0.0;
    let spheres = (i + 1..scene.position.len()).filter(sphere);
    let surfaces = scene.surface_of_bodies().into_iter().enumerate();
    let surfaces = surfaces.filter(|(b, _)| meets(*b) && scene.bodies[*b].radius <= 0.0);
    let triangles = surfaces.filter_map(|(_, triangles)| with_body(scene, i, &triangles));
    let spheres = spheres.map(|j| with_sphere(scene, i, j));
    let spheres = spheres.filter(|meeting| meeting.within > 0.0);
    let mut all: Vec<_> = spheres.chain(triangles).collect();
    all.sort_by_key(|meeting| meeting.partner);
    all
}

/// What each particle touches as a sphere, the lowest [`PARTNERS_PER_SPHERE`] partners, and whether there were more.
pub fn touching(scene: &Scene) -> Vec<(Vec<Meeting>, bool)> {
    let of_sphere = |i: usize| {
        let mut found = meetings(scene, i);
        let crowded = found.len() > PARTNERS_PER_SPHERE;
        found.truncate(PARTNERS_PER_SPHERE);
        (found, crowded)
    };
    (0..scene.position.len()).map(of_sphere).collect()
}

/// The contacts of all spheres, in order of feature, then of [`Partner`].
pub fn contacts(scene: &Scene) -> Vec<Contact> {
    let found = touching(scene).into_iter().flat_map(|(found, _)| found);
    found.map(|meeting| meeting.contact(scene)).collect()
}
