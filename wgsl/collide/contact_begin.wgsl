// contact_begin: one thread per feature and one more, per CLEARED lists of points and of edges, and per body. Leaves the lists
// of the last search empty for the next one, and keeps where each feature's records began, whose impulses go on.
// Reads record_first; updates counts, contact_lists; writes grid, edge_grid, hits, boxes, record_first_last.
#import shared/edge_grid
#import shared/contact_lists

@group(0) @binding(24) var<storage, read_write> boxes: array<u32>;
@group(0) @binding(29) var<storage, read_write> grid: array<u32>;
@group(0) @binding(31) var<storage, read_write> hits: array<u32>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<u32>;
@group(0) @binding(55) var<storage, read_write> edge_grid: array<u32>;
@group(0) @binding(40) var<storage, read_write> counts: array<u32>;
@group(0) @binding(45) var<storage, read_write> record_first_last: array<u32>;

@compute @workgroup_size(64)
fn contact_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i <= collide.feature_count {
        record_first_last[i] = record_first[i];
    }
    if i < sim.particle_count + sim.pose_count {
        contact_lists[list_load(i)] = 0u;
    }
    if i == 0u {
        for (var k = 0u; k < 3u; k++) {
            grid[grid_longest() + k] = 0u;
        }
        contact_lists[LIST_TOUCHING] = 0u;
        contact_lists[LIST_GAP] = 0x7f7fffffu;
        contact_lists[LIST_TRAVEL] = 0u;
        contact_lists[LIST_AGE] = 0u;
        contact_lists[LIST_LONG] = 0u;
        edge_grid[edge_kinds(0u)] = 0u;
        edge_grid[edge_kinds(1u)] = 0u;
        for (var k = 0u; k < BOX_WORDS; k++) {
            boxes[BOX_WORDS * sim.body_count + k] = NONE;
        }
    }
    if i < sim.body_count {
        for (var k = 0u; k < FOLD_WORDS; k++) {
            grid[grid_fold(i) + k] = bitcast<u32>(select(-3e38, 3e38, k < 3u));
        }
        for (var k = 0u; k < BOX_WORDS; k++) {
            boxes[BOX_WORDS * i + k] = NONE;
        }
    }
    // Neighbours write neighbouring words.
    let lists = collide.levels * collide.table;
    let row = lists / CLEARED;
    if i < row {
        for (var k = 0u; k < CLEARED; k++) {
            grid[i + k * row] = NONE;
            grid[lists + i + k * row] = 0u;
        }
    }
    let edge_row = collide.edge_table / CLEARED;
    if i < edge_row {
        for (var k = 0u; k < CLEARED; k++) {
            edge_grid[i + k * edge_row] = NONE;
            edge_grid[collide.edge_table + i + k * edge_row] = 0u;
        }
    }
    if i < sim.particle_count + collide.edge_count && counts[i] > 0u {
        for (var k = 0u; k < HIT_STRIDE; k++) {
            hits[HIT_STRIDE * i + k] = NONE;
        }
        counts[i] = 0u;
    } else if i < collide.feature_count {
        counts[i] = 0u;
    }
}
