// contact_link: one thread per record. Gives the contact what its two bodies have in common, enters it in the lists of
// its participants, and takes over the impulse that the same feature and partner had in the last step: its tangent part
// turned into the plane of the new direction and clipped to Coulomb's cone, lambda_n >= 0, |lambda_t| <= mu lambda_n.
// Reads bodies, tested, record_first, record_first_last, impulses; updates contacts; writes rows, impulses_warm.
#import shared/rows
#import shared/warm
#import shared/tested

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm: array<Impulse>;
@group(0) @binding(45) var<storage, read> record_first_last: array<u32>;

// What the last step ended with for the same feature and partner; 0 where they did not touch.
fn last_impulse(contact: Contact) -> Impulse {
    let end = min(record_first_last[contact.feature + 1u], collide.capacity);
    for (var s = record_first_last[contact.feature]; s < end; s++) {
        if impulses[s].partner == contact.partner {
            return impulses[s];
        }
    }
    return Impulse(vec3f(), 0.0, contact.partner, 0.0, 0.0, 0u);
}

@compute @workgroup_size(64)
fn contact_link(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, groups, lane, 64u);
    let records = record_first[collide.feature_count];
    if c == 0u {
        atomicStore(&rows[row_records()], records);
    }
    if c >= min(records, collide.capacity) {
        return;
    }
    var contact = contacts[c];
    var impulse = Impulse(vec3f(), 0.0, contact.partner, 0.0, 0.0, 0u);
    if contact.particles.x != NONE {
        let own = bodies[tested[contact.particles.x].body];
        let other = bodies[contact.body];
        contact.friction = sqrt(own.friction * other.friction);
        contact.restitution = max(own.restitution, other.restitution);
        contact.edge = min(own.edge, other.edge);
        contacts[c] = contact;
        let last = warm(last_impulse(contact));
        let tangent = last.tangent - dot(last.tangent, contact.normal) * contact.normal;
        let most = contact.friction * last.normal;
        impulse.normal = last.normal;
        impulse.tangent = tangent * min(1.0, most / max(length(tangent), 1e-30));
        for (var k = 0u; k < 5u; k++) {
            let i = participant(contact, k);
            if i != NONE {
                atomicAdd(&rows[row_load(i)], u32(ceil(abs(participant_weight(contact, k)) * LOAD_UNIT)));
                atomicStore(&rows[row_next(8u * c + k)], atomicExchange(&rows[row_head(i)], 8u * c + k));
            }
        }
    }
    impulses_warm[c] = impulse;
}
