// contact_again: one thread per record. A further iteration, from velocities in which the impulses of the one before
// act.
// Reads particles_in, points, bodies, contacts, rows; updates impulses; writes impulses_warm_start, what they were before.
#import shared/impulse

@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm_start: array<Impulse>;

@compute @workgroup_size(64)
fn contact_again(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(rows[row_records()], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let start = impulses[c];
    impulses_warm_start[c] = start;
    if contact.particles.x != NONE {
        impulses[c] = impulse_next(contact, start);
    }
}
