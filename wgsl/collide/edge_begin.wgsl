// edge_begin: one thread per list of the grid of edges, which are more than edges. Empties the grid and what the last
// search found of edges. Writes edge_grid, hits, counts.
#import shared/collide

@group(0) @binding(31) var<storage, read_write> hits: array<u32>;
@group(0) @binding(40) var<storage, read_write> counts: array<u32>;
@group(0) @binding(55) var<storage, read_write> edge_grid: array<u32>;

@compute @workgroup_size(64)
fn edge_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= collide.edge_table {
        return;
    }
    edge_grid[t] = NONE;
    edge_grid[collide.edge_table + t] = 0u;
    if t < collide.edge_count {
        let f = sim.particle_count + t;
        counts[f] = 0u;
        for (var k = 0u; k < HIT_STRIDE; k++) {
            hits[HIT_STRIDE * f + k] = NONE;
        }
    }
}
