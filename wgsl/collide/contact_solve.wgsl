// contact_solve: one thread per record. The first iteration, from velocities in which the impulses of the last step
// act. Where a velocity changes much, further ones are let run.
// Reads contacts, contact_lists, contact_velocities, impulses_warm_start; updates rows; writes impulses, dispatches, status.
#import shared/impulse
#import shared/rounds

@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read> impulses_warm_start: array<Impulse>;

@compute @workgroup_size(64)
fn contact_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    if is_manifold(contact) {
        return;
    }
    let start = impulses_warm_start[c];
    if !is_contact(contact) {
        impulses[c] = start;
        return;
    }
    let impulse = impulse_next(c, contact, start);
    impulses[c] = impulse;
    let change = abs(impulse.normal - start.normal) * contact_velocities[velocity_word(contact.a.dofs.x)].w;
    if change > AGAIN_SPEED && let_run(0u) {
        atomicMax(&status[STATUS_ROUNDS], 1u);
    }
}
