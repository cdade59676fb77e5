// The hash grid of edges: as that of points, but an edge stands in each of the at most 8 cells that its box covers, on
// every level whose cells are as wide as the box. Node (level n + e) 8 + k is edge e in the k-th of them.
#import shared/grid

fn edge_slot(cell: vec3i, level: u32) -> u32 {
    return grid_hash(cell, level) & (collide.edge_table - 1u);
}

fn edge_next(node: u32) -> u32 {
    return collide.edge_table + node;
}
