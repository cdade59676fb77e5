// contact_triangles: one thread per record. The ray along the record's direction, from x where the body holds it and
// else from q, leaves the other body through a surface triangle; where the line from x along the same direction meets
// its plane is the contact point, its signed distance the gap g (negative: not yet touching). [Spillmann & Teschner
// 2005, section 4; signed, with a margin] Where it meets none, `missed` says whether the estimate is that x is in front of the
// surface all the same: its margin is behind it, or the surface has been pressed in past x and a tetrahedron turned inside out.
// Reads particles_in, tets, tested, hits, record_first, penetrations_in; writes contacts.
#import shared/march
#import shared/tested
#import shared/contact

@group(0) @binding(31) var<storage, read> hits: array<u32>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(33) var<storage, read> penetrations_in: array<Penetration>;
@group(0) @binding(35) var<storage, read_write> contacts: array<Contact>;

// The contact of a record with a direction, or what it began as.
fn find_contact(record: Penetration, begun: Contact) -> Contact {
    let i = record.feature;
    let x = particles_in[i].position;
    let q = start_inside(record.tet, tested[i].position);
    let to_x = march_out(record.tet, q, x - q, 1.0);
    let start = select(x, q, to_x.found);
    let tet = select(to_x.tet, record.tet, to_x.found);
    var r = record.direction;
    let margin = length(tested[i].position - x);
    let reach = 2.0 * max(record.depth, 0.0) + 3.0 * margin;
    var exit = march_out(tet, start, r, reach);
    if exit.found && dot(unit(exit.normal), r) < GRAZING {
        // The penetration vector grazes a face, which is then the nearer way.
        r = unit(exit.normal);
        exit = march_out(tet, start, r, reach);
        exit.found = exit.found && looks_against(r, tested[i].normal);
    }
    if !exit.found || dot(unit(exit.normal), r) < GRAZING || any(exit.corners == vec3u(i)) {
        return begun;
    }
    let gap = gap_along(exit, x, r);
    if gap < -2.0 * margin || gap > 2.0 * record.depth + margin {
        return begun;
    }
    var contact = begun;
    contact.normal = r;
    contact.gap = select(gap, record.depth, collide.source != 0u);
    contact.a = Side(vec4u(i, NONE, NONE, NONE), vec4f(1.0, 0.0, 0.0, 0.0));
    contact.b = Side(vec4u(exit.corners, NONE), vec4f(-triangle_weights(x + gap * r, exit), 0.0));
    return contact;
}

@compute @workgroup_size(64)
fn contact_triangles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let r = thread_index(group, lane, 64u);
    if r >= min(record_first[sim.particle_count], collide.capacity) {
        return;
    }
    let record = penetrations_in[r];
    if record.tet == NONE {
        return;
    }
    var contact = contact_begun(record.feature, tested[record.feature].body, record.body);
    contact.normal = record.direction;
    if any(abs(record.direction) > vec3f()) {
        contact = find_contact(record, contact);
        if contact.a.dofs.x == NONE && record.depth <= 0.0 {
            contact.missed = IN_FRONT;
        }
    } else {
        contact.missed = UNREACHED;
    }
    contact.missed |= select(0u, 1u, hits[HIT_STRIDE * record.feature + MAX_HITS] != NONE);
    contacts[r] = contact;
}
