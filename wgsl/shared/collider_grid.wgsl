// The grid of colliders: of their boxes, widened by how far their poses look around [shared/level_grid]. A list is a run of
// `cell_colliders`. `collider_levels` has the length of the longest box of each level, as bits of a float, 0 where it has none; behind
// those of all levels that of what can be moved.
#import shared/level_grid

fn collider_cell(q: vec3f, level: u32) -> vec3i {
    return level_cell(q, level, collide.inverse_collider_cell);
}

fn collider_list(cell: vec3i, level: u32, replica: u32) -> u32 {
    return grid_hash(cell, level, replica) & (collide.collider_table - 1u);
}
