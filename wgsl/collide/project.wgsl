// project: one thread per particle. Takes a share of what is left inside back: with e = contact_push of each contact,
// x += w lambda r/m, lambda = e/W [Mueller et al. 2007, eq. 9-11, split by the load]. Brings the particle's list of contacts
// in order first.
// Reads contacts, rows; updates particles_out, contact_lists; writes status.
#import shared/sort_list
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(56) var<storage, read> rows: array<Row>;

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if contact_lists[list_head(i)] == NONE {
        return;
    }
    sort_list(i);
    var moved = vec3f();
    var node = contact_lists[list_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let c = node >> 3u;
        let row = rows[c];
        if contacts[c].gap > 0.0 && row.inverse_mass > 0.0 {
            moved += (participant_weight(contacts[c], node & 7u) * (row.push / row.inverse_mass)) * contacts[c].normal;
        }
        node = contact_lists[list_next(node)];
    }
    let inverse_mass = particles_out[i].inverse_mass;
    particles_out[i].position += inverse_mass * moved;
    status_way(STATUS_SHIFT, inverse_mass * moved);
}
