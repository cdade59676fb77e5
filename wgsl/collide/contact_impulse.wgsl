// contact_impulse: one thread per record. The first iteration, from velocities in which the impulses of the last step
// act. Where a velocity changes much, further ones are let run.
// Reads particles_in, points, bodies, contacts, rows, impulses_warm_start; writes impulses, rounds.
#import shared/impulse

@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm_start: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rounds: array<atomic<u32>>;

@compute @workgroup_size(64)
fn contact_impulse(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(rows[row_records()], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    let start = impulses_warm_start[c];
    if contact.particles.x == NONE {
        impulses[c] = start;
        return;
    }
    let impulse = impulse_next(contact, start);
    impulses[c] = impulse;
    let change = abs(impulse.normal - start.normal) * particles_in[contact.particles.x].inverse_mass;
    if change > AGAIN_SPEED && atomicLoad(&rounds[0]) == 0u {
        atomicStore(&rounds[0], collide.particle_groups.x);
        atomicStore(&rounds[1], collide.particle_groups.y);
        atomicStore(&rounds[2], 1u);
        atomicStore(&rounds[3], collide.record_groups.x);
        atomicStore(&rounds[4], collide.record_groups.y);
        atomicStore(&rounds[5], 1u);
    }
}
