// contact_hold: one thread per particle, after augment. Adds what its contacts do to it: f = sum w J/h, and D = sum c k
// (r r^T + s (1 - r r^T)), s what the cone leaves of the tangential part. In Newton's method c = w^2: newton_coupling has
// the rest. In sweeps the others' sides stay where they are, and c = 2 |w|: the sum of |w| over a contact, 2, makes D at
// least what all of them moving at once would do to it (Gershgorin 1931).
// Reads list_first, entries, augmented; updates contact_blocks.
#import shared/collide

@group(0) @binding(59) var<storage, read> list_first: array<u32>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(104) var<storage, read> augmented: array<Augmented>;
@group(0) @binding(173) var<storage, read> entries: array<Entry>;

@compute @workgroup_size(64)
fn contact_hold(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let first = list_first[i];
    let end = list_first[i + 1u];
    if first == end {
        return;
    }
    let together = sim.implicit == IMPLICIT_STEP;
    var press = contact_blocks[i];
    for (var e = first; e < end; e++) {
        let w = entries[e].weight;
        let grip = augmented[entries[e].node >> 3u];
        let hold = select(2.0 * abs(w), w * w, together) * grip.stiffness;
        let n = grip.normal;
        press.force += (w / sim.step) * grip.impulse;
        press.diagonal += hold * (n * n + grip.share * (1.0 - n * n));
        press.off += (hold * (1.0 - grip.share)) * (n.yzx * n.zxy);
    }
    contact_blocks[i] = press;
}
