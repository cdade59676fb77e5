// newton_contacts: one thread per record, in each iteration of conjugate gradients. How the force of a contact follows the
// direction z: delta = k (r r^T + s (1 - r r^T)) sum_k w_k z_k, s what the cone leaves of the tangential part [shared/press].
// Reads directions, contacts, contact_lists, augmented; updates rows.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;

@compute @workgroup_size(64)
fn newton_contacts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let count = participants(contact);
    var z = vec3f();
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        z += part.weight * directions[part.i].velocity;
    }
    let hold = augmented[c];
    let n = hold.normal;
    let along = dot(z, n) * n;
    rows[c].delta = hold.stiffness * (along + hold.share * (z - along));
}
