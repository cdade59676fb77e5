// contact_carry: one thread per record. A side of a contact that is made of particles of something rigid is a point of its
// pose, at the mean of where they are on it.
// Reads record_first, carried; updates contacts.
#import shared/contact_lists

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(206) var<storage, read> carried: array<vec4f>;

fn carried_side(side: Side) -> Side {
    let first = side.dofs.x;
    if first >= sim.particle_count || bitcast<u32>(carried[first].w) == NONE {
        return side;
    }
    var sum = vec4f();
    for (var k = 0u; k < 4u; k++) {
        if side.dofs[k] != NONE {
            sum += side.weights[k] * vec4f(carried[side.dofs[k]].xyz, 1.0);
        }
    }
    let pose = sim.particle_count + bitcast<u32>(carried[first].w);
    return Side(vec4u(pose, NONE, NONE, NONE), vec4f(sum.xyz / sum.w, 0.0));
}

@compute @workgroup_size(64)
fn contact_carry(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    let end = min(record_first[sim.particle_count + collide.edge_count], collide.capacity);
    if c >= end || !is_contact(contacts[c]) {
        return;
    }
    contacts[c].a = carried_side(contacts[c].a);
    contacts[c].b = carried_side(contacts[c].b);
}
