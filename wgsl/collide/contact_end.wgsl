// contact_end: one thread per record, where there are poses, after the move. What the last iteration changed has acted, and does not
// act again when manifolds are relaxed.
// Reads contact_lists; updates rows.
#import shared/collide

@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

@compute @workgroup_size(64)
fn contact_end(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < min(contact_lists[LIST_MANIFOLDS], collide.capacity) {
        rows[c].delta = vec3f();
    }
}
