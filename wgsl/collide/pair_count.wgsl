// pair_count: one thread per collider that is no obstacle. Counts the pairs that it finds of what may touch, each for its lower
// collider.
// Reads placed_colliders, collider_first, cell_colliders, collider_levels; updates counts; writes contact_lists.
#import shared/collider_look

@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;

fn note_pair(a: u32, b: u32) {
    atomicAdd(&counts[sim.particle_count + collide.edge_count + a], 1u);
    atomicStore(&contact_lists[LIST_TOUCHING], 1u);
}

@compute @workgroup_size(64)
fn pair_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < collide.first_obstacle {
        look_around(c);
    }
}
