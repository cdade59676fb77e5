// project: one thread per particle. Takes a share of what is left inside back: e = min(beta max(0, g), v_cap h),
// lambda = e / sum_k w_k^2 c_k/m_k over the contact's participants, c_k the number of contacts of each;
// x += w lambda r/m [Mueller et al. 2007, eq. 9-11, split by c]. The velocity starts from the last step's impulses:
// u += w (lambda_n r + lambda_t)/m. Brings the particle's list of contacts in order first.
// Reads contacts, impulses_warm; updates particles_out, rows.
#import shared/rows

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read_write> rows: array<u32>;
@group(0) @binding(39) var<storage, read> impulses_warm: array<Impulse>;

// Insertion sort of a particle's list.
fn sort_row(i: u32) {
    var sorted = NONE;
    var node = rows[row_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let next = rows[row_next(node)];
        if sorted == NONE || node < sorted {
            rows[row_next(node)] = sorted;
            sorted = node;
        } else {
            var before = sorted;
            for (var l = 0u; l < MAX_LIST; l++) {
                let after = rows[row_next(before)];
                if after == NONE || node < after {
                    rows[row_next(node)] = after;
                    rows[row_next(before)] = node;
                    break;
                }
                before = after;
            }
        }
        node = next;
    }
    rows[row_head(i)] = sorted;
    rows[row_counts(i)] |= ROW_SORTED;
}

fn projection(contact: Contact) -> f32 {
    let e = min(PROJECTION_SHARE * contact.gap, PROJECTION_SPEED * sim.step);
    var sum = 0.0;
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let w = participant_weight(contact, k);
            sum += w * w * f32(rows[row_counts(i)] & ~ROW_SORTED) * particles_out[i].inverse_mass;
        }
    }
    return select(0.0, e / sum, sum > 0.0);
}

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if rows[row_head(i)] == NONE {
        return;
    }
    if rows[row_counts(i)] < ROW_SORTED {
        sort_row(i);
    }
    var moved = vec3f();
    var pushed = vec3f();
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
        let impulse = impulses_warm[node >> 3u];
        pushed += w * (impulse.normal * contact.normal + impulse.tangent);
        node = rows[row_next(node)];
    }
    let inverse_mass = particles_out[i].inverse_mass;
    particles_out[i].position += inverse_mass * moved;
    particles_out[i].velocity += inverse_mass * pushed;
}
