// edge_insert: one thread per sharp edge. Edges near other bodies enter their grid, from tested end to tested end.
// Reads tested, edges, overlaps; writes edge_grid.
#import shared/edge_grid
#import shared/overlaps

@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;
@group(0) @binding(55) var<storage, read_write> edge_grid: array<atomic<u32>>;

@compute @workgroup_size(64)
fn edge_insert(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let e = thread_index(group, lane, 64u);
    if e >= collide.edge_count {
        return;
    }
    let a = tested[edges[e].ends.x];
    let b = tested[edges[e].ends.y];
    let low = min(a.position, b.position);
    let high = max(a.position, b.position);
    if overlap_count(a.body) == 0u {
        return;
    }
    let part = overlap_clip(a.body, low, high);
    if any(part.low > part.high) {
        return;
    }
    let size = high - low;
    let extent = max(size.x, max(size.y, size.z));
    var wider = 0u;
    for (var level = 0u; level < collide.edge_levels; level++) {
        if extent * grid_inverse_cell(level) <= EDGE_CELL {
            let bit = 1u << level;
            if (atomicLoad(&edge_grid[edge_kinds(wider)]) & bit) == 0u {
                atomicOr(&edge_grid[edge_kinds(wider)], bit);
            }
            let first = grid_cell(low, level);
            let more = grid_cell(high, level) - first;
            for (var k = 0u; k < 8u; k++) {
                let step = vec3i(vec3u(k & 1u, (k >> 1u) & 1u, k >> 2u));
                if all(step <= more) {
                    let node = 8u * (level * collide.edge_count + e) + k;
                    let list = 2u * level + wider;
                    atomicOr(&edge_grid[edge_bits(first + step, list, a.body)], body_bit(a.body));
                    let slot = edge_slot(first + step, list, grid_owner(a.body));
                    let before = atomicExchange(&edge_grid[slot], node);
                    atomicStore(&edge_grid[edge_next(node)], before);
                }
            }
            wider = 1u;
        }
    }
}
