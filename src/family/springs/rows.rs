//! Springs, volumes and areas as each particle sees them.

use std::collections::HashMap;

use super::link::{LinkTriangle, link_walk};
use crate::gpu::types::{Element, Point, TAKEN_SHIFT, TAKEN_ZERO};
use crate::model::{Incidence, Model};
use crate::{Error, Result};

/// A particle's elements of one sort, each with its constants, in order.
pub(super) type Row = Vec<(Element, Element)>;

/// The elements around each particle, once for all bodies of one make.
pub(crate) struct Rows {
    springs: Vec<Row>,
    links: Vec<Row>,
    areas: Vec<Row>,
    /// For each body the first one of its make, whose rows it has.
    first_alike: Vec<usize>,
}

impl Rows {
    /// Of all bodies of a model.
    pub fn new(model: &Model) -> Self {
        let mut known = HashMap::new();
        let bodies = model.bodies.iter().enumerate();
        let first_alike: Vec<_> = bodies
            .map(|(index, body)| match body.archetype {
                Some(archetype) => *known.entry(archetype).or_insert(index),
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

    /// All rows, one after another: springs, links, triangles, then in heterogeneous bodies the constants of springs and links.
    pub fn entries(&self, model: &Model) -> Vec<(u32, Element)> {
        let mut entries = Vec::new();
        for (index, body) in model.bodies.iter().enumerate() {
            let (rows, off) = self.of_body(model, index);
            for (i, rows) in body.particles.clone().zip(rows) {
                let [springs, links, _] = rows;
                let own = |element: &Element| Element { other: element.other + off, ..*element };
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

    /// How many springs, steps over the link and triangles each particle has.
    pub fn degrees(&self, model: &Model) -> Vec<u32> {
        let bodies = 0..model.bodies.len();
        let rows = bodies.flat_map(|index| self.of_body(model, index).0);
        rows.map(|rows| rows.iter().map(|row| row.len() as u32).sum()).collect()
    }

    /// Where each particle's elements lie, and the order in which threads take particles.
    ///
    /// # Errors
    /// A particle with more than 65 535 elements.
    pub fn points(
        &self,
        model: &Model,
        elements: &Incidence<Element>,
        order: &[u32],
    ) -> Result<Vec<Point>> {
        let mut points = Vec::with_capacity(model.positions.len());
        for (index, body) in model.bodies.iter().enumerate() {
            let (rows, _) = self.of_body(model, index);
            for (i, rows) in body.particles.clone().zip(rows) {
                let [springs, links, areas] = rows.map(Vec::len);
                let areas = areas / 2;
                let most = springs.max(links).max(areas);
                if most > 0xffff {
                    let message = format!(
                        "a point of body \"{}\" has {most} elements, at most 65535 are supported",
                        body.name,
                    );
                    return Err(Error::Mesh(message));
                }
                let behind = order[i] + TAKEN_ZERO - i as u32;
                points.push(Point {
                    first: elements.first[i],
                    counts: springs as u32 | (links as u32) << 16,
                    areas: areas as u32 | behind << TAKEN_SHIFT,
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
            let end = Element { other, inverse_rest };
            rows[own as usize].push((end, constants));
        }
    }
    rows
}

/// Each particle's walk over its link. The sign of a tetrahedron's entries is that of its corners in ascending order.
fn link_vertices(model: &Model, own: &[bool]) -> Vec<Row> {
    let mut links: Vec<Vec<LinkTriangle>> = vec![Vec::new(); model.positions.len()];
    let springs = model.bodies.iter().filter(|body| body.loaded == 0);
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
        for (own, vertices) in [(i, [j, k, l]), (j, [i, k, l]), (k, [i, j, l]), (l, [i, j, k])] {
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
                let corner = Element { other, inverse_rest };
                rows[own as usize].push((corner, Element::default()));
            }
        }
    }
    rows
}
