// contact_hold: one thread per particle, after augment. Adds what its contacts do to it: f = sum w J/h, and D = sum 2 |w|
// k (r r^T + s (1 - r r^T)), s what the cone leaves of the tangential part. The others' sides stay where they are in this
// iteration: the sum of |w| over a contact, 2, makes D at least what all of them moving at once would do to it
// (Gershgorin 1931). Brings the particle's list of contacts in order first.
// Reads contacts, augmented; updates contact_blocks, contact_lists.
#import shared/sort_list

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;

@compute @workgroup_size(64)
fn contact_hold(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if contact_lists[list_head(i)] == NONE {
        return;
    }
    sort_list(i);
    var press = contact_blocks[i];
    var node = contact_lists[list_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let grip = augmented[node >> 3u];
        let w = participant_weight(contacts[node >> 3u], node & 7u);
        let hold = 2.0 * abs(w) * grip.stiffness;
        let n = grip.normal;
        press.force += (w / sim.step) * grip.impulse;
        press.diagonal += hold * (n * n + grip.share * (1.0 - n * n));
        press.off += (hold * (1.0 - grip.share)) * (n.yzx * n.zxy);
        node = contact_lists[list_next(node)];
    }
    contact_blocks[i] = press;
}
