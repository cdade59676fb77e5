//! What the contact stages start from: constants, and arrays of the meshes.

use crate::extreme;
use std::collections::HashMap;

use glam::UVec4;

use super::Capacity;
use crate::gpu::types::{Collide, Edge, MAX_VISIT, NONE, SPHERE_STRIDE, Tested, Tet};
use crate::mesh::topology::across;
use crate::model::{BodyRanges, Model};
use crate::setup::MARGIN;

/// Lists in the grid per point that enters it.
const LISTS_PER_POINT: usize = 2;
/// Width of the grid's finest cells, in the smallest mean edge.
const CELL: f64 = 1.0;
/// How far particles may move between searches, in the least margin: two bodies close in by twice that.
const STALE: f64 = 0.4;
/// How much longer than at rest an edge may be and still be found.
const EDGE_STRETCH: f64 = 2.0;
/// Least distance that weights are taken of, in the smallest mean edge.
const FLOOR: f64 = 1e-4;
/// Widths of the grid's cells at the most, each twice the one before: beyond, f32 tells no such edges apart.
const MAX_LEVELS: u32 = 31;

/// Width of the finest cells of the spheres' grid, in the least size of a sphere: a little more than two that touch reach.
const SPHERE_CELL: f64 = 2.5;

/// Constants of the grids of points and of edges, and of those of spheres.
pub fn constants(model: &Model, edges: &[Edge], capacity: Capacity) -> Collide {
    let means = model.bodies.iter().map(|body| body.edge);
    let least = means.clone().fold(f64::INFINITY, extreme::least);
    let widest = means.fold(0.0, extreme::greatest);
    let longest = model.springs.iter().map(|spring| spring.rest).fold(0.0, extreme::greatest);
    let points = model.positions.len() * LISTS_PER_POINT;
    let mut levels = 1;
    while levels < MAX_LEVELS
        && longest > f64::from(MAX_VISIT) * CELL * least * 2.0_f64.powi(levels as i32 - 1)
    {
        levels += 1;
    }
    // The widest cells are as wide as the longest edge may become.
    let mut edge_levels = levels;
    while edge_levels < MAX_LEVELS
        && EDGE_STRETCH * longest > CELL * least * 2.0_f64.powi(edge_levels as i32 - 1)
    {
        edge_levels += 1;
    }
    Collide {
        inverse_cell: (1.0 / (CELL * least)) as f32,
        floor: (FLOOR * least) as f32,
        margin_scale: 1.0,
        margin: (MARGIN * widest) as f32,
        // What poses carry is watched by these.
        stale: if model.deforms() { (STALE * MARGIN * least) as f32 } else { f32::MAX },
        table: points.next_power_of_two().max(64) as u32,
        levels,
        tet_count: model.tets.len() as u32,
        feature_count: (model.positions.len() + edges.len() + model.first_obstacle) as u32,
        edge_count: edges.len() as u32,
        edge_table: (8 * edges.len()).next_power_of_two().max(64) as u32,
        edge_levels,
        capacity: capacity.records as u32,
        replica_size: model.replica_size as u32,
        ..spheres(model)
    }
}

/// Whether a body's points touch as spheres.
fn is_round(body: &BodyRanges) -> bool {
    body.radius > 0.0
}

/// The surface triangles of the bodies of tetrahedra, body by body: corners, body.
pub fn solid_triangles(model: &Model) -> Vec<UVec4> {
    if !model.bodies.iter().any(is_round) {
        return Vec::new();
    }
    let bodies = model.bodies.iter().enumerate();
    let triangles = bodies.filter(|(_, body)| !is_round(body)).flat_map(|(b, body)| {
        let own = model.triangles[body.triangles.clone()].iter();
        own.map(move |[i, j, k]| UVec4::new(*i, *j, *k, b as u32))
    });
    triangles.collect()
}

/// Each triangle, then those across its sides: opposite to each corner. Where more than two share an edge, any one of them.
pub fn with_neighbours(triangles: &[UVec4]) -> Vec<UVec4> {
    let sides = |t: &UVec4| [[t.y, t.z], [t.z, t.x], [t.x, t.y]];
    let all = (0..).zip(triangles);
    let of_side: HashMap<[u32; 2], u32> =
        all.flat_map(|(index, t)| sides(t).map(|side| (side, index))).collect();
    let across = |[a, b]: [u32; 2]| of_side.get(&[b, a]).copied().unwrap_or(NONE);
    let neighbours = |t: &UVec4| {
        let [x, y, z] = sides(t).map(across);
        UVec4::new(x, y, z, NONE)
    };
    triangles.iter().flat_map(|t| [*t, neighbours(t)]).collect()
}

/// Constants of the spheres' grid. Its levels are as many as the largest sphere and the longest triangle need.
fn spheres(model: &Model) -> Collide {
    let sizes = || {
        let round = model.bodies.iter().filter(|body| is_round(body));
        // As the kernels have it.
        round.map(|body| (body.radius as f32).max(0.5 * body.edge as f32))
    };
    let size = sizes().fold(f32::INFINITY, extreme::least);
    if size.is_infinite() {
        return Collide::default();
    }
    let cell = SPHERE_CELL * f64::from(size);
    let flat = model.bodies.iter().filter(|body| !is_round(body));
    let longest = flat
        .flat_map(|body| &model.springs[body.springs.clone()])
        .map(|spring| spring.rest)
        .fold(0.0, extreme::greatest);
    let widest = f64::from(sizes().fold(0.0, extreme::greatest));
    let triangles = solid_triangles(model).len();
    let mut levels = 1;
    while levels < MAX_LEVELS {
        let scale = 2.0_f64.powi(levels as i32 - 1);
        if EDGE_STRETCH * longest <= cell * scale && widest <= f64::from(size) * scale {
            break;
        }
        levels += 1;
    }
    let round = model.bodies.iter().filter(|body| is_round(body));
    let lists = round.map(|body| body.particles.len()).sum::<usize>() + 4 * triangles;
    Collide {
        inverse_sphere_cell: (1.0 / cell) as f32,
        sphere_size: size,
        sphere_table: (2 * lists).next_power_of_two().max(64) as u32,
        sphere_levels: levels,
        triangle_count: triangles as u32,
        ..Collide::default()
    }
}

/// Tested points before the first search: only the bodies are known.
pub fn tested(model: &Model) -> Vec<Tested> {
    let bodies = model.bodies.iter().enumerate();
    let points = bodies.flat_map(|(index, body)| body.particles.clone().map(move |i| (i, index)));
    points
        .map(|(i, index)| Tested {
            position: model.positions[i].as_vec3(),
            body: index as u32,
            ..Tested::default()
        })
        .collect()
}

/// Corners, and what is behind the faces: found once for all bodies of one make.
pub fn tets(model: &Model) -> Vec<Tet> {
    let mut known = HashMap::new();
    let mut tets = Vec::with_capacity(model.tets.len());
    for (index, body) in model.bodies.iter().enumerate() {
        let own = &model.tets[body.tets.clone()];
        let find = || across(&own.iter().map(|tet| tet.corners).collect::<Vec<_>>());
        // A body without a make is like no other.
        let like = body.archetype.ok_or(index);
        let first = body.tets.start as u32;
        let moved = |t: u32| if t == NONE { NONE } else { t + first };
        let behind: &mut Vec<[u32; 4]> = known.entry(like).or_insert_with(find);
        tets.extend(own.iter().zip(behind).map(|(tet, behind)| Tet {
            corners: UVec4::from(tet.corners),
            across: UVec4::from(behind.map(moved)),
        }));
    }
    tets
}

/// Words of the spheres' grid, and of their lists of partners.
pub fn sphere_words(constants: &Collide, particles: usize, triangles: usize) -> [usize; 2] {
    if constants.sphere_size <= 0.0 {
        return [0; 2];
    }
    // The last two tell which levels have something.
    let grid = constants.sphere_table as usize + particles + 8 * triangles + 2;
    [grid, SPHERE_STRIDE as usize * particles]
}

/// Lists of cells without particles, boxes of bodies that no fold is in, and no fast points.
pub fn empty_grid(constants: &Collide, particles: usize, bodies: usize) -> Vec<u32> {
    let (table, levels) = (constants.table as usize, constants.levels as usize);
    let mut grid = vec![NONE; levels * table];
    grid.resize(levels * 2 * table, 0);
    grid.resize(levels * (2 * table + particles), NONE);
    let unfolded = [3e38_f32, -3e38].map(|x| [x.to_bits(); 3]).concat();
    grid.extend(unfolded.repeat(bodies));
    grid.resize(grid.len() + 3 + particles, 0);
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Scene};

    #[test]
    fn bodies_of_one_make_have_the_neighbours_of_their_own() {
        let [small, large] =
            [[2, 1, 1], [2, 3, 2]].map(|cells| Body::lattice("block", cells, [1.0; 3]));
        let mut scene = Scene {
            bodies: vec![small.clone(), large.clone(), small, large.clone(), large],
            ..Scene::default()
        };
        for (k, body) in scene.bodies.iter_mut().enumerate() {
            body.name = format!("block {k}");
            body.position = [3.0 * k as f64, 0.0, 0.0];
        }
        let model = Model::new(&scene, "", u64::MAX).unwrap();
        let corners: Vec<_> = model.tets.iter().map(|tet| tet.corners).collect();
        let wanted = across(&corners);
        let got = tets(&model);
        assert_eq!(got.len(), corners.len());
        for (t, got) in got.iter().enumerate() {
            assert_eq!(
                (got.corners.to_array(), got.across.to_array()),
                (corners[t], wanted[t]),
                "{t}"
            );
        }
    }
}
