// newton_contacts: one thread per record, in each iteration of conjugate gradients. How the force of a contact follows the
// direction z: way = k (r r^T + s (1 - r r^T)) sum_k w_k z_k, s what the cone leaves of the tangential part [shared/press];
// z of a pose where the impulse acts.
// Reads directions, contacts, contact_lists, rows, contact_velocities; updates augmented.
#import shared/contact_lists

@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;
@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(104) var<storage, read_write> augmented: array<Augmented>;

// How the point of a participant follows the direction.
fn along_direction(i: u32, point: vec3f) -> vec3f {
    if is_pose(i) {
        let row = sim.particle_count + 2u * (i - sim.particle_count);
        let arm = point - contact_velocities[velocity_word(i) + 2u].xyz;
        return directions[row].velocity + cross(directions[row + 1u].velocity, arm);
    }
    return directions[i].velocity;
}

@compute @workgroup_size(64)
fn newton_contacts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    if is_manifold(contact) {
        return;
    }
    let count = participants(contact);
    var z = vec3f();
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        z += part.weight * along_direction(part.i, rows[c].point);
    }
    let hold = augmented[c];
    let n = hold.normal;
    let along = dot(z, n) * n;
    augmented[c].way = hold.stiffness * (along + hold.share * (z - along));
}
