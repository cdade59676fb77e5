// The points of clouds and shells, which touch as spheres. Their hash grid: lists of spheres in cells as wide as any of
// them reaches, and lists of surface triangles: each stands in the at most 8 cells that its box covers, on the finest
// level whose cells are as wide as the box. Word i of `sphere_grid` behind the lists' first words is the sphere after
// sphere i, word particle_count + 8 t + k the node after triangle t in the k-th of its cells.
#import shared/grid

fn sphere_cell(x: vec3f, level: u32) -> vec3i {
    let inverse_cell = collide.inverse_sphere_cell / f32(1u << level);
    return vec3i(floor(clamp(x * inverse_cell, vec3f(-1e9), vec3f(1e9))));
}

// List 0 has the spheres, list 1 + level the triangles of a level.
fn sphere_slot(cell: vec3i, list: u32) -> u32 {
    return grid_hash(cell, list) & (collide.sphere_table - 1u);
}

fn sphere_next(node: u32) -> u32 {
    return collide.sphere_table + node;
}

// A partner's word is a particle, or a triangle with this bit.
const TRIANGLE_BIT: u32 = 0x80000000u;

fn sphere_hit(i: u32, place: u32) -> u32 {
    return (MAX_SPHERE_HITS + 1u) * i + place;
}
