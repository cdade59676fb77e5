// sweep_sorted: one thread per collider that is no obstacle. The boxes in the order of the sweep, and no list of cells with any.
// Reads placed_colliders, sweep_items; writes cell_colliders, collider_counts.
#import shared/collide

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;
@group(0) @binding(201) var<storage, read_write> collider_counts: array<atomic<u32>>;
@group(0) @binding(203) var<storage, read_write> cell_colliders: array<PlacedCollider>;
@group(0) @binding(223) var<storage, read> sweep_items: array<vec2u>;

@compute @workgroup_size(64)
fn sweep_sorted(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= collide.first_obstacle {
        return;
    }
    let placed = placed_colliders[sweep_items[k].y];
    cell_colliders[k] = placed;
    if placed.collider != NONE {
        atomicStore(&collider_counts[placed.list], 0u);
    }
}
