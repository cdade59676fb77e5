// contact_match: one thread per feature. Begins its records: one for each body that holds the particle or that the
// edge passes through. A record that was a contact in the last search starts from the penetration vector that it had then: a
// particle's from the normal of its triangle as it is now, an edge's from the contact's own. Direction 0: it was none,
// or the source's response is used, which remembers nothing. Tetrahedron NONE: a sphere's, which sphere_contacts sees to.
// Reads particles_in, tested, tets, hits, record_first, record_first_last, contacts; writes penetrations_out.
#import shared/held

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(34) var<storage, read_write> penetrations_out: array<Penetration>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(45) var<storage, read> record_first_last: array<u32>;

fn recall(begun: Penetration, last: Contact) -> Penetration {
    var record = begun;
    record.direction = last.normal;
    record.depth = max(last.gap, 0.0);
    // Of something rigid the normal turns with it, little between two searches.
    if record.feature < sim.particle_count && last.b.dofs.x < sim.particle_count {
        let a = particles_in[last.b.dofs.x].position;
        let b = particles_in[last.b.dofs.y].position;
        let c = particles_in[last.b.dofs.z].position;
        record.direction = unit(cross(b - a, c - a));
        record.depth = max(dot(a - particles_in[record.feature].position, record.direction), 0.0);
    }
    return record;
}

@compute @workgroup_size(64)
fn contact_match(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let feature = thread_index(group, lane, 64u);
    if feature >= collide.feature_count {
        return;
    }
    let first = record_first[feature];
    let end = min(record_first[feature + 1u], collide.capacity);
    let last_first = record_first_last[feature];
    let last_end = min(record_first_last[feature + 1u], collide.capacity);
    for (var r = first; r < end; r++) {
        var tet = NONE;
        if r - first < MAX_HITS {
            tet = hits[HIT_STRIDE * feature + r - first];
        }
        if tet == NONE {
            penetrations_out[r] = Penetration(vec3f(), 0.0, feature, NONE, NONE, 0u);
            continue;
        }
        var record = Penetration(vec3f(), 0.0, feature, tet, body_of_tet(tet), 0u);
        for (var s = last_first; s < last_end; s++) {
            let last = contacts[s];
            if collide.source == 0u && last.bodies.y == record.body && last.a.dofs.x != NONE {
                record = recall(record, last);
            }
        }
        penetrations_out[r] = record;
    }
}
