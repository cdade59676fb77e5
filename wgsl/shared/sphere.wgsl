// The points of clouds and shells, which touch as spheres. Their hash grid has levels: cells of level l are 2^l times as
// wide as those of level 0. A sphere stands in the cell of its centre, on the first level for its size; a triangle in the
// at most 8 cells that its box covers, on the finest level whose cells are as wide as the box. Word i of `sphere_grid`
// behind the lists' first words is the sphere after sphere i, word particle_count + 8 t + k the node after triangle t in
// the k-th of its cells. The last two words have a bit for each level with spheres, and with triangles.
#import shared/grid

fn sphere_cell(x: vec3f, level: u32) -> vec3i {
    let inverse_cell = collide.inverse_sphere_cell / f32(1u << level);
    return vec3i(floor(clamp(x * inverse_cell, vec3f(-1e9), vec3f(1e9))));
}

// Lists of spheres have even numbers, those of triangles odd ones. Several may share a slot.
fn sphere_slot(cell: vec3i, level: u32, of_triangles: u32, replica: u32) -> u32 {
    return grid_hash(cell, 2u * level + of_triangles, replica) & (collide.sphere_table - 1u);
}

fn sphere_next(node: u32) -> u32 {
    return collide.sphere_table + node;
}

fn sphere_levels_word(of_triangles: u32) -> u32 {
    return collide.sphere_table + sim.particle_count + 8u * collide.triangle_count + of_triangles;
}

// The level of a body's spheres. Nothing here is rounded: all kernels have the same.
fn sphere_level(body: Body) -> u32 {
    let size = max(body.radius, 0.5 * body.edge);
    var level = 0u;
    for (var k = 1u; k < collide.sphere_levels; k++) {
        if size > collide.sphere_size * f32(1u << (k - 1u)) {
            level = k;
        }
    }
    return level;
}

// Whether a body's spheres are on this level.
fn is_sphere_level(body: Body, level: u32) -> bool {
    let size = max(body.radius, 0.5 * body.edge);
    let widest = collide.sphere_size * f32(1u << level);
    return size <= widest && (level == 0u || size > 0.5 * widest);
}

// The level of a triangle with this box.
fn triangle_level(low: vec3f, high: vec3f) -> u32 {
    let size = high - low;
    let extent = collide.inverse_sphere_cell * max(size.x, max(size.y, size.z));
    var level = 0u;
    for (var k = 1u; k < collide.sphere_levels; k++) {
        if extent > f32(1u << (k - 1u)) {
            level = k;
        }
    }
    return level;
}

// Whether this is the level of a triangle with this box.
fn is_triangle_level(low: vec3f, high: vec3f, level: u32) -> bool {
    let size = high - low;
    let extent = collide.inverse_sphere_cell * max(size.x, max(size.y, size.z));
    let widest = f32(1u << level);
    return (extent <= widest || level + 1u == collide.sphere_levels) && (level == 0u || extent > 0.5 * widest);
}
