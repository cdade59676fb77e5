// project: one thread per particle. Takes a share of what is left inside back: e = contact_push,
// lambda = e / sum_k |w_k| s_k/m_k over the contact's participants, s_k the load of each; x += w lambda r/m
// [Mueller et al. 2007, eq. 9-11, split by the load]. Brings the particle's list of contacts in order first.
// Reads contacts; updates particles_out, rows; writes status.
#import shared/sort_row
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;

fn projection(contact: Contact) -> f32 {
    var sum = 0.0;
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let w = participant_weight(contact, k);
            sum += abs(w) * load_of(rows[row_load(i)]) * particles_out[i].inverse_mass;
        }
    }
    return select(0.0, contact_push(contact) / sum, sum > 0.0);
}

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if rows[row_head(i)] == NONE {
        return;
    }
    sort_row(i);
    var moved = vec3f();
    var node = rows[row_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let contact = contacts[node >> 3u];
        let w = participant_weight(contact, node & 7u);
        if contact.gap > 0.0 {
            moved += (w * projection(contact)) * contact.normal;
        }
        node = rows[row_next(node)];
    }
    let inverse_mass = particles_out[i].inverse_mass;
    particles_out[i].position += inverse_mass * moved;
    status_way(STATUS_SHIFT, inverse_mass * moved);
}
