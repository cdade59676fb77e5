// sweep_count: one thread per collider that is no obstacle. As pair_count, but of the pairs that it finds in the order of the sweep.
// Reads placed_colliders, cell_colliders, sweep_along; updates counts; writes contact_lists.
#import shared/sweep_look
#import shared/pair_counted

@compute @workgroup_size(64)
fn sweep_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k < collide.first_obstacle {
        sweep_from(k);
    }
}
