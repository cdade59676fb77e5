// The hash grid of edges: as that of points, but an edge stands in each of the at most 8 cells that its box covers, on
// every level whose cells are as wide as the box: in the lists `2 level` on the finest of these, its own, and in the lists
// `2 level + 1` on wider ones. So a tetrahedron meets each edge on the wider of their two levels only.
// First a table with the first node of each list, then one with the bits of the bodies in each cell, then the levels that have
// edges in lists of either kind, a bit each, then the nodes.
// Node (level n + e) 8 + k is edge e in the k-th of its cells on a level.
#import shared/grid

fn edge_slot(cell: vec3i, list: u32, owner: u32) -> u32 {
    return grid_hash(cell, list, owner) & (collide.edge_table - 1u);
}

// The word with the bits of what is in a cell's lists of this kind.
fn edge_bits(cell: vec3i, list: u32, b: u32) -> u32 {
    return collide.edge_table + (grid_hash(cell, list, replica(b)) & (collide.edge_table - 1u));
}

// The word with the levels that have edges in lists of a kind: 0, of those whose own level it is; 1, of the others.
fn edge_kinds(kind: u32) -> u32 {
    return 2u * collide.edge_table + kind;
}

fn edge_next(node: u32) -> u32 {
    return 2u * collide.edge_table + 2u + node;
}
