// contact_setup: one thread per record. Gives the contact what its two bodies have in common, counts it for each of its
// participants, and takes over the impulse that the same feature and partner had in the last step: its tangent part
// turned into the plane of the new direction and clipped to Coulomb's cone, lambda_n >= 0, |lambda_t| <= mu lambda_n. A
// sphere that has come from one triangle of a body to another takes the impulse along: the first new one of the body that
// of the first that is left, and so on. Manifolds keep those of their points themselves.
// Reads bodies, record_first, record_first_last, impulses; updates contacts, list_counts; writes contact_lists,
// impulses_warm_start.
#import shared/contact_lists
#import shared/warm

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm_start: array<Impulse>;
@group(0) @binding(58) var<storage, read_write> list_counts: array<atomic<u32>>;
@group(0) @binding(45) var<storage, read> record_first_last: array<u32>;

fn no_impulse(contact: Contact) -> Impulse {
    return Impulse(vec3f(), 0.0, contact.feature_b, 0.0, 0.0, contact.bodies.y);
}

fn is_triangle(partner: u32) -> bool {
    return partner >= sim.body_count + sim.particle_count;
}

// Whether a feature touched a partner in the last step.
fn touched(feature: u32, partner: u32) -> bool {
    let end = min(record_first_last[feature + 1u], collide.capacity);
    for (var s = record_first_last[feature]; s < end; s++) {
        if impulses[s].feature_b == partner {
            return true;
        }
    }
    return false;
}

// Whether it touches it now.
fn touches(feature: u32, partner: u32) -> bool {
    let end = min(record_first[feature + 1u], collide.capacity);
    for (var r = record_first[feature]; r < end; r++) {
        if contacts[r].feature_b == partner {
            return true;
        }
    }
    return false;
}

// What the last step ended with for the same feature and partner, or for a triangle of the same body that is touched no
// more; 0 where they did not touch.
fn last_impulse(c: u32, contact: Contact) -> Impulse {
    let first = record_first_last[contact.feature_a];
    let end = min(record_first_last[contact.feature_a + 1u], collide.capacity);
    for (var s = first; s < end; s++) {
        if impulses[s].feature_b == contact.feature_b {
            return impulses[s];
        }
    }
    if !is_triangle(contact.feature_b) {
        return no_impulse(contact);
    }
    var rank = 0u;
    for (var r = record_first[contact.feature_a]; r < c; r++) {
        let other = contacts[r].feature_b;
        if contacts[r].bodies.y == contact.bodies.y && is_triangle(other) && !touched(contact.feature_a, other) {
            rank++;
        }
    }
    for (var s = first; s < end; s++) {
        let last = impulses[s];
        if last.body == contact.bodies.y && is_triangle(last.feature_b) && !touches(contact.feature_a, last.feature_b) {
            if rank == 0u {
                return last;
            }
            rank--;
        }
    }
    return no_impulse(contact);
}

@compute @workgroup_size(64)
fn contact_setup(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    let records = record_first[collide.feature_count];
    if c == 0u {
        atomicStore(&contact_lists[LIST_RECORDS], records);
    }
    if c >= min(records, collide.capacity) {
        return;
    }
    var contact = contacts[c];
    var impulse = no_impulse(contact);
    if is_contact(contact) {
        let own = bodies[contact.bodies.x];
        // An obstacle is as rough as what meets it.
        let other = bodies[select(contact.bodies.y, contact.bodies.x, contact.bodies.y >= sim.body_count)];
        contact.friction = sqrt(own.friction * other.friction);
        // Other threads read the rest.
        contacts[c].friction = contact.friction;
        contacts[c].size = min(own.edge, other.edge);
        if !is_manifold(contact) {
            let rigid = is_pose(contact.a.dofs.x) || is_pose(contact.b.dofs.x);
            let last = warm(last_impulse(c, contact), rigid);
            let tangent = last.tangent - dot(last.tangent, contact.normal) * contact.normal;
            let most = contact.friction * last.normal;
            impulse.normal = last.normal;
            impulse.tangent = tangent * min(1.0, most / max(length(tangent), 1e-30));
        }
        let count = participants(contact);
        for (var k = 0u; k < count.y; k++) {
            let part = participant(contact, count, k);
            atomicAdd(&contact_lists[list_load(part.i)], u32(ceil(abs(part.weight) * LOAD_UNIT)));
            if atomicAdd(&list_counts[part.i], 1u) == SLICE {
                atomicStore(&contact_lists[LIST_LONG], 1u);
            }
        }
    }
    impulses_warm_start[c] = impulse;
}
