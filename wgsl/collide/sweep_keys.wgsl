// sweep_keys: one thread per collider that is no obstacle. What it is sorted by: where its box begins along the axis of the sweep.
// Those that touch nothing come last.
// Reads placed_colliders, sweep_along; writes sweep_items.
#import shared/sweep_along

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;
@group(0) @binding(223) var<storage, read_write> sweep_items: array<vec2u>;

@compute @workgroup_size(64)
fn sweep_keys(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= collide.first_obstacle {
        return;
    }
    let placed = placed_colliders[c];
    let start = ordered(along_sweep(placed.low, sweep_along[0]));
    sweep_items[c] = vec2u(select(start, NONE, placed.collider == NONE), c);
}
