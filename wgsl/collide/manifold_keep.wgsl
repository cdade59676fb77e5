// manifold_keep: one thread per record, at the start of a search. Keeps the manifolds of the last one, whose impulses go on.
// Reads contact_lists, manifolds, manifold_points; writes manifolds_last, manifold_points_last.
#import shared/contact_lists

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(193) var<storage, read> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read> manifold_points: array<ManifoldPoint>;
@group(0) @binding(195) var<storage, read_write> manifold_points_last: array<ManifoldPoint>;
@group(0) @binding(196) var<storage, read_write> manifolds_last: array<Manifold>;

@compute @workgroup_size(64)
fn manifold_keep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < contact_lists[LIST_MANIFOLDS] || c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    manifolds_last[c] = manifolds[c];
    for (var k = 0u; k < MANIFOLD; k++) {
        manifold_points_last[MANIFOLD * c + k] = manifold_points[MANIFOLD * c + k];
    }
}
