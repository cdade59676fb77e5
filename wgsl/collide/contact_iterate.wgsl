// contact_iterate: one thread per record. A further iteration, from velocities in which the impulses of the one before
// act. Reads contacts, contact_lists, contact_velocities; updates impulses, rows.
#import shared/impulse

@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;

@compute @workgroup_size(64)
fn contact_iterate(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    if is_contact(contact) && !is_manifold(contact) {
        impulses[c] = impulse_next(c, contact, impulses[c]);
    }
}
