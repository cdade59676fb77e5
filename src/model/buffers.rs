//! The model's arrays on the device.

use std::collections::HashMap;

use glam::{UVec2, UVec4, Vec4};

use super::link::{LinkTriangle, link_walk};
use super::{BodyKind, BodyRanges, Incidence, Model, Vertices, fans, size};
use crate::gpu::types::{ASLEEP, Body, Chunk, Element, Particle, Point, SkinPoint};
use crate::gpu::{Buffer, Content, Context};
use crate::{Error, Result};

/// Particles that one thread sums.
const CHUNK: usize = 256;

/// Constant arrays; `bodies` also carries the running estimates of each body's stiffness.
#[derive(Debug)]
pub struct ModelBuffers {
    /// What the kernels have to know.
    pub content: Content,
    /// Per particle; none of its elements where its body is absent.
    pub points: Buffer<Point>,
    /// The same of all bodies as if they were present, on the host.
    whole_points: Vec<Point>,
    /// First chunk of each body, and how many.
    body_chunks: Vec<[u32; 2]>,
    /// Per particle: its springs, the walk over its link, its triangles, and in varied bodies their constants.
    pub elements: Buffer<Element>,
    /// Per body.
    pub bodies: Buffer<Body>,
    /// Ranges of particles that one thread sums, body by body.
    pub chunks: Buffer<Chunk>,
    /// Per body: those that it is tied to (`ties::tie_groups`).
    pub tie_groups: Buffer<u32>,
    /// Of implicit integrators: the vertices by colour.
    pub vertices: Option<Vertices>,
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
    /// Uploads a model. `materials` has what the device needs of each body; its chunk range is filled in here. `solids`:
    /// whether there are obstacles.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a particle with more than 65 535 elements.
    pub fn new(
        context: &Context,
        model: &Model,
        mut materials: Vec<Body>,
        solids: bool,
    ) -> Result<Self> {
        let rows = Rows::new(model);
        let elements = Incidence::new(model.positions.len(), &rows.entries(model));
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
        let body_chunks = materials.iter();
        let body_chunks = body_chunks.map(|body| [body.chunk_first, body.chunk_count]);
        let whole_points = rows.points(model, &elements)?;
        let incidences = [
            (
                "elements",
                elements.entries.len(),
                Buffer::<Element>::STRIDE,
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
            content: content(model, solids),
            points: Buffer::new(context, "points", &whole_points)?,
            whole_points,
            body_chunks: body_chunks.collect(),
            elements: Buffer::new(context, "elements", &elements.entries)?,
            bodies: Buffer::new(context, "bodies", &materials)?,
            chunks: Buffer::new(context, "chunks", &chunks)?,
            tie_groups: {
                let alone: Vec<_> = (0..model.bodies.len() as u32).collect();
                Buffer::new(context, "tie_groups", &alone)?
            },
            vertices: match model.colors.is_empty() {
                true => None,
                false => Some(Vertices::new(context, model)?),
            },
            skin: Buffer::new(context, "skin", &skin_points(model))?,
            skin_fans: Buffer::new(context, "skin_fans", &skin_fans)?,
            skin_corners: Buffer::new(context, "skin_corners", &skin_corners)?,
            skin_indices,
        })
    }
}

impl ModelBuffers {
    /// Lets a body take part from the next submission on. `material` has what the device needs of it but its chunks.
    pub(crate) fn admit(&self, context: &Context, model: &Model, index: usize, material: Body) {
        let particles = model.bodies[index].particles.clone();
        let points = &self.whole_points[particles.clone()];
        self.points.write(context, particles.start, points);
        let [chunk_first, chunk_count] = self.body_chunks[index];
        let body = Body {
            chunk_first,
            chunk_count,
            ..material
        };
        self.bodies.write(context, index, &[body]);
    }

    /// Takes over what the bodies' steps bear.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn bear(&self, context: &Context, model: &Model) -> Result<()> {
        let mut bodies = self.bodies.read(context)?;
        for (body, ranges) in bodies.iter_mut().zip(&model.bodies) {
            body.borne = ranges.borne as f32;
        }
        self.bodies.write(context, 0, &bodies);
        Ok(())
    }

    /// Lets none of a body's elements act from the next submission on, until it is admitted again.
    pub(crate) fn put_to_sleep(&self, context: &Context, model: &Model, index: usize) {
        let particles = model.bodies[index].particles.clone();
        let mut points = self.whole_points[particles.clone()].to_vec();
        for point in &mut points {
            point.area_count |= ASLEEP;
        }
        self.points.write(context, particles.start, &points);
    }

    /// Leaves a body out from the next submission on: its particles have no elements, and it touches nothing.
    pub(crate) fn dismiss(&self, context: &Context, model: &Model, index: usize, material: Body) {
        let particles = model.bodies[index].particles.clone();
        let bare = Point {
            body: index as u32,
            ..Point::default()
        };
        self.points
            .write(context, particles.start, &vec![bare; particles.len()]);
        let [chunk_first, chunk_count] = self.body_chunks[index];
        let body = Body {
            chunk_first,
            chunk_count,
            group: 0,
            mask: 0,
            self_contact: 0,
            ..material
        };
        self.bodies.write(context, index, &[body]);
    }
}

fn content(model: &Model, solids: bool) -> Content {
    let any = |has: fn(&BodyRanges) -> bool| model.bodies.iter().any(has);
    Content {
        heterogeneous: any(|body| body.heterogeneous),
        areas: any(|body| body.material.area > 0.0),
        loads: any(|body| body.kind != BodyKind::Springs),
        solids,
    }
}

/// A particle's elements of one sort, each with its constants, in order.
pub type Row = Vec<(Element, Element)>;

/// The elements around each particle, once for all bodies of one make.
struct Rows {
    springs: Vec<Row>,
    links: Vec<Row>,
    areas: Vec<Row>,
    /// For each body the first one of its make, whose rows it has.
    first_alike: Vec<usize>,
}

impl Rows {
    fn new(model: &Model) -> Self {
        let mut known = HashMap::new();
        let bodies = model.bodies.iter().enumerate();
        let first_alike: Vec<_> = bodies
            .map(|(index, body)| match body.make {
                Some(make) => *known.entry(make).or_insert(index),
                None => index,
            })
            .collect();
        let mut own = vec![true; model.positions.len()];
        for (index, body) in model.bodies.iter().enumerate() {
            own[body.particles.clone()].fill(first_alike[index] == index);
        }
        Self {
            springs: spring_ends(model, &own),
            links: link_vertices(model, &own),
            areas: area_corners(model, &own),
            first_alike,
        }
    }

    /// Springs, links and triangles of a body's particles, one after another, and by how much their particles are off.
    fn of_body<'a>(
        &'a self,
        model: &Model,
        index: usize,
    ) -> (impl Iterator<Item = [&'a Row; 3]>, u32) {
        let alike = model.bodies[self.first_alike[index]].particles.clone();
        let off = model.bodies[index].particles.start - alike.start;
        let rows = alike.map(|i| [&self.springs[i], &self.links[i], &self.areas[i]]);
        (rows, off as u32)
    }

    /// All rows, one after another: springs, links, triangles, then in varied bodies the constants of springs and links.
    fn entries(&self, model: &Model) -> Vec<(u32, Element)> {
        let mut entries = Vec::new();
        for (index, body) in model.bodies.iter().enumerate() {
            let (rows, off) = self.of_body(model, index);
            for (i, rows) in body.particles.clone().zip(rows) {
                let [springs, links, _] = rows;
                let own = |element: &Element| Element {
                    other: element.other + off,
                    ..*element
                };
                let elements = rows.into_iter().flatten();
                entries.extend(elements.map(|row| (i as u32, own(&row.0))));
                if body.heterogeneous {
                    let constants = springs.iter().chain(links);
                    entries.extend(constants.map(|row| (i as u32, row.1)));
                }
            }
        }
        entries
    }

    fn points(&self, model: &Model, elements: &Incidence<Element>) -> Result<Vec<Point>> {
        let mut points = Vec::with_capacity(model.positions.len());
        for (index, body) in model.bodies.iter().enumerate() {
            let (rows, _) = self.of_body(model, index);
            for (i, rows) in body.particles.clone().zip(rows) {
                let [springs, links, areas] = rows.map(Vec::len);
                if springs.max(links) > 0xffff {
                    let message = format!(
                        "a point of body \"{}\" has {} elements, at most 65535 are supported",
                        body.name,
                        springs.max(links)
                    );
                    return Err(Error::Mesh(message));
                }
                points.push(Point {
                    first: elements.first[i],
                    counts: springs as u32 | (links as u32) << 16,
                    area_count: areas as u32 / 2,
                    body: index as u32,
                });
            }
        }
        Ok(points)
    }
}

fn spring_ends(model: &Model, own: &[bool]) -> Vec<Row> {
    let mut rows = vec![Row::new(); model.positions.len()];
    let springs = model.springs.iter();
    for spring in springs.filter(|spring| own[spring.points[0] as usize]) {
        let [a, b] = spring.points;
        let constants = Element {
            other: (spring.distance as f32).to_bits(),
            inverse_rest: spring.damping as f32,
        };
        for (own, other) in [(a, b), (b, a)] {
            let inverse_rest = (1.0 / spring.rest) as f32;
            let end = Element {
                other,
                inverse_rest,
            };
            rows[own as usize].push((end, constants));
        }
    }
    rows
}

/// Each particle's walk over its link. The sign of a tetrahedron's entries is that of its corners in ascending order.
fn link_vertices(model: &Model, own: &[bool]) -> Vec<Row> {
    let mut links: Vec<Vec<LinkTriangle>> = vec![Vec::new(); model.positions.len()];
    let springs = model
        .bodies
        .iter()
        .filter(|body| body.kind == BodyKind::Springs);
    let tets = springs.flat_map(|body| &model.tets[body.tets.clone()]);
    for tet in tets.filter(|tet| own[tet.corners[0] as usize]) {
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
        for (own, vertices) in [
            (i, [j, k, l]),
            (j, [i, k, l]),
            (k, [i, j, l]),
            (l, [i, j, k]),
        ] {
            links[own as usize].push(LinkTriangle {
                vertices,
                inverse_rest,
                volume: tet.volume as f32,
            });
        }
    }
    links.iter().map(|link| link_walk(link)).collect()
}

/// The surface triangles around each particle of bodies with areas, two entries each.
fn area_corners(model: &Model, own: &[bool]) -> Vec<Row> {
    let mut rows = vec![Row::new(); model.positions.len()];
    let bodies = model.bodies.iter().filter(|body| body.material.area > 0.0);
    let areas = bodies.flat_map(|body| &model.areas[body.areas.clone()]);
    for area in areas.filter(|area| own[area.corners[0] as usize]) {
        let [a, b, c] = area.corners;
        let inverse_rest = (1.0 / area.rest) as f32;
        for (own, second, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            for (other, inverse_rest) in [(second, inverse_rest), (third, 0.0)] {
                let corner = Element {
                    other,
                    inverse_rest,
                };
                rows[own as usize].push((corner, Element::default()));
            }
        }
    }
    rows
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
