//! The model's arrays on the device.

use glam::{UVec2, UVec4, Vec4};

use super::link::{LinkTriangle, link_walk};
use super::{Incidence, Model, fans, size};
use crate::gpu::types::{Body, Chunk, LinkVertex, Particle, Point, SkinPoint, SpringEnd};
use crate::gpu::{Buffer, Context};
use crate::{Error, Result};

/// Particles that one thread sums.
const CHUNK: usize = 256;

/// Constant arrays; `bodies` also carries the running estimates of each body's stiffness.
#[derive(Debug)]
pub struct ModelBuffers {
    /// Per particle.
    pub points: Buffer<Point>,
    /// Per particle and spring.
    pub springs: Buffer<SpringEnd>,
    /// Per particle: the walk over its link.
    pub links: Buffer<LinkVertex>,
    /// Per body.
    pub bodies: Buffer<Body>,
    /// Ranges of particles that one thread sums, body by body.
    pub chunks: Buffer<Chunk>,
    /// Per drawn vertex.
    pub skin: Buffer<SkinPoint>,
    /// Per drawn vertex: first entry in `skin_corners`, and how many.
    pub skin_fans: Buffer<UVec2>,
    /// Per drawn vertex and triangle: the triangle's other two vertices in order.
    pub skin_corners: Buffer<UVec2>,
    /// Triangles of the drawn surfaces.
    pub skin_indices: Buffer<u32>,
}

impl ModelBuffers {
    /// Uploads a model. `materials` has what the device needs of each body; its chunk range is filled in here.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a particle with more than 65 535 elements.
    pub fn new(context: &Context, model: &Model, mut materials: Vec<Body>) -> Result<Self> {
        let springs = Incidence::new(model.positions.len(), &spring_ends(model));
        let links = Incidence::new(model.positions.len(), &link_vertices(model));
        let (skin_fans, skin_corners) = fans(model.skin.corners.len(), &model.skin.triangles);
        let mut chunks = Vec::new();
        for (body, material) in model.bodies.iter().zip(&mut materials) {
            material.chunk_first = chunks.len() as u32;
            let end = body.particles.end;
            let ranges = body.particles.clone().step_by(CHUNK);
            chunks.extend(ranges.map(|first| Chunk {
                first: first as u32,
                end: (first + CHUNK).min(end) as u32,
            }));
            material.chunk_count = chunks.len() as u32 - material.chunk_first;
        }
        let incidences = [
            (
                "springs",
                springs.entries.len(),
                Buffer::<SpringEnd>::STRIDE,
            ),
            (
                "tetrahedra",
                links.entries.len(),
                Buffer::<LinkVertex>::STRIDE,
            ),
            ("fans", skin_corners.len(), Buffer::<UVec2>::STRIDE),
            (
                "skin",
                model.skin.corners.len(),
                Buffer::<SkinPoint>::STRIDE,
            ),
            (
                "particles",
                model.positions.len(),
                Buffer::<Particle>::STRIDE,
            ),
        ];
        size::check_largest(&context.info().name, context.largest_buffer(), &incidences)?;
        let skin_indices =
            Buffer::drawable(context, "skin_indices", model.skin.triangles.len() * 3)?;
        skin_indices.write(context, 0, model.skin.triangles.as_flattened());
        Ok(Self {
            points: Buffer::new(context, "points", &points(model, &springs, &links)?)?,
            springs: Buffer::new(context, "springs", &springs.entries)?,
            links: Buffer::new(context, "links", &links.entries)?,
            bodies: Buffer::new(context, "bodies", &materials)?,
            chunks: Buffer::new(context, "chunks", &chunks)?,
            skin: Buffer::new(context, "skin", &skin_points(model))?,
            skin_fans: Buffer::new(context, "skin_fans", &skin_fans)?,
            skin_corners: Buffer::new(context, "skin_corners", &skin_corners)?,
            skin_indices,
        })
    }
}

fn points(
    model: &Model,
    springs: &Incidence<SpringEnd>,
    links: &Incidence<LinkVertex>,
) -> Result<Vec<Point>> {
    let mut points = Vec::with_capacity(model.positions.len());
    for (index, body) in model.bodies.iter().enumerate() {
        for i in body.particles.clone() {
            let (spring_count, link_count) = (springs.count[i], links.count[i]);
            if spring_count.max(link_count) > 0xffff {
                let message = format!(
                    "a point of body \"{}\" has {} elements, at most 65535 are supported",
                    body.name,
                    spring_count.max(link_count)
                );
                return Err(Error::Mesh(message));
            }
            points.push(Point {
                spring_first: springs.first[i],
                link_first: links.first[i],
                counts: spring_count | link_count << 16,
                body: index as u32,
            });
        }
    }
    Ok(points)
}

fn spring_ends(model: &Model) -> Vec<(u32, SpringEnd)> {
    let ends = model.springs.iter().flat_map(|spring| {
        let [a, b] = spring.points;
        let inverse_rest = (1.0 / spring.rest) as f32;
        [
            (
                a,
                SpringEnd {
                    other: b,
                    inverse_rest,
                },
            ),
            (
                b,
                SpringEnd {
                    other: a,
                    inverse_rest,
                },
            ),
        ]
    });
    ends.collect()
}

/// Each particle's walk over its link. The sign of a tetrahedron's entries is that of its corners in ascending order.
fn link_vertices(model: &Model) -> Vec<(u32, LinkVertex)> {
    let mut links: Vec<Vec<LinkTriangle>> = vec![Vec::new(); model.positions.len()];
    for tet in &model.tets {
        let mut corners = tet.corners;
        let mut sign = 1.0;
        for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            if corners[a] > corners[b] {
                corners.swap(a, b);
                sign = -sign;
            }
        }
        let inverse_rest = (sign / (6.0 * tet.rest)) as f32;
        let [i, j, k, l] = corners;
        for (own, others) in [
            (i, [j, k, l]),
            (j, [i, k, l]),
            (k, [i, j, l]),
            (l, [i, j, k]),
        ] {
            links[own as usize].push((others, inverse_rest));
        }
    }
    let walk = |(own, link): (usize, &Vec<LinkTriangle>)| {
        link_walk(link)
            .into_iter()
            .map(move |entry| (own as u32, entry))
    };
    links.iter().enumerate().flat_map(walk).collect()
}

fn skin_points(model: &Model) -> Vec<SkinPoint> {
    let skin = &model.skin;
    let points = skin
        .corners
        .iter()
        .zip(&skin.weights)
        .map(|(corners, weights)| SkinPoint {
            corners: UVec4::from(*corners),
            weights: Vec4::from(weights.map(|w| w as f32)),
        });
    points.collect()
}
