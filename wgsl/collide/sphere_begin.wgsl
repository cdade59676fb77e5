// sphere_begin: one thread per list of the grid of spheres. Empties the grid. Writes sphere_grid.
#import shared/sphere

@group(0) @binding(80) var<storage, read_write> sphere_grid: array<u32>;

@compute @workgroup_size(64)
fn sphere_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t < collide.sphere_table {
        sphere_grid[t] = NONE;
    }
    if t < 2u {
        sphere_grid[sphere_levels_word(t)] = 0u;
    }
}
