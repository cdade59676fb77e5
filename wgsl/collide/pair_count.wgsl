// pair_count: one thread per collider that is no obstacle. Counts the pairs that it finds in the grid of what may touch, each for
// its lower collider.
// Reads placed_colliders, collider_first, cell_colliders, collider_levels; updates counts; writes contact_lists.
#import shared/collider_look
#import shared/pair_counted

@compute @workgroup_size(64)
fn pair_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < collide.first_obstacle {
        look_around(c);
    }
}
