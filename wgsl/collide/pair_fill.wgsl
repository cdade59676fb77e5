// pair_fill: one thread per collider that is no obstacle. Puts down the pairs that it finds in the grid, each among those of its
// lower collider in whatever order, and leaves none to be counted.
// Reads placed_colliders, collider_first, cell_colliders, collider_levels, record_first; updates counts; writes pairs.
#import shared/collider_look
#import shared/pair_filled

@compute @workgroup_size(64)
fn pair_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < collide.first_obstacle {
        look_around(c);
    }
}
