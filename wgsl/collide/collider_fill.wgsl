// collider_fill: one thread per collider. Puts it into its list of cells, in whatever order, and leaves none to be counted.
// Reads placed_colliders, collider_first; updates collider_counts; writes cell_colliders.
#import shared/collide

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;
@group(0) @binding(201) var<storage, read_write> collider_counts: array<atomic<u32>>;
@group(0) @binding(202) var<storage, read> collider_first: array<u32>;
@group(0) @binding(203) var<storage, read_write> cell_colliders: array<PlacedCollider>;

@compute @workgroup_size(64)
fn collider_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= collide.collider_count {
        return;
    }
    let placed = placed_colliders[c];
    if placed.collider == NONE || c >= collide.first_obstacle {
        return;
    }
    let left = atomicSub(&collider_counts[placed.list], 1u);
    cell_colliders[collider_first[placed.list] + left - 1u] = placed;
}
