//! Answers of queries.

use glam::{Vec3, Vec4};

use crate::gpu::types::{NONE, PointAnswer, RayAnswer};

/// What a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Met {
    /// A triangle of a body's coarse surface.
    Triangle {
        /// Index into [`Layout::triangles`](crate::world::Layout::triangles).
        triangle: usize,
        /// Weights of its corners; their sum is 1.
        weights: Vec3,
    },
    /// A sphere of a cloud.
    Sphere {
        /// The particle at its centre, in device order.
        particle: usize,
    },
    /// An obstacle of the scene: in the order of [`Scene::obstacles`](crate::Scene::obstacles), the floor first.
    Solid {
        /// Which one.
        solid: usize,
    },
}

/// A hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body; none for a solid.
    pub body: Option<usize>,
    /// What of it.
    pub met: Met,
    /// The position [m].
    pub position: Vec3,
    /// Distance from the origin of the ray [m].
    pub distance: f32,
    /// The outward unit normal; along the ray if that comes from inside.
    pub normal: Vec3,
}

/// What contains a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointHit {
    /// The body.
    pub body: usize,
    /// What of it.
    pub part: Part,
}

/// The part of a body that contains a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// A tetrahedron.
    Tetrahedron {
        /// Index into [`Layout::tets`](crate::world::Layout::tets).
        tetrahedron: usize,
        /// Barycentric coordinates; their sum is 1, the least may be 1e-5 below 0.
        weights: Vec4,
    },
    /// A sphere of a cloud or a shell.
    Sphere {
        /// The particle at its centre, in device order.
        particle: usize,
        /// Depth as a fraction of its radius: 1 at the centre, 0 at the surface.
        depth: f32,
    },
}

/// The numbers of the bits that are set.
pub(super) fn bits(words: &[u32]) -> impl Iterator<Item = usize> {
    let set = |(index, word): (usize, &u32)| {
        let word = *word;
        (0..32).filter(move |bit| (word >> bit) & 1 == 1).map(move |bit| 32 * index + bit)
    };
    words.iter().enumerate().flat_map(set)
}

pub(super) fn ray_hit(answer: &RayAnswer, spheres: &[bool]) -> Option<RayHit> {
    if answer.element == NONE {
        return None;
    }
    let body = (answer.body != NONE).then_some(answer.body as usize);
    let element = answer.element as usize;
    let met = match body {
        None => Met::Solid { solid: element },
        Some(body) if spheres[body] => Met::Sphere { particle: element },
        Some(_) => Met::Triangle { triangle: element, weights: answer.weights },
    };
    Some(RayHit {
        body,
        met,
        position: answer.position,
        distance: answer.distance,
        normal: answer.normal,
    })
}

pub(super) fn point_hit(answer: &PointAnswer, spheres: &[bool]) -> Option<PointHit> {
    if answer.body == NONE {
        return None;
    }
    let (body, element) = (answer.body as usize, answer.element as usize);
    let part = match spheres[body] {
        true => Part::Sphere { particle: element, depth: answer.inside },
        false => Part::Tetrahedron { tetrahedron: element, weights: answer.weights },
    };
    Some(PointHit { body, part })
}
