// project: one thread per particle. Brings the particle's list of contacts in order, and takes a share of what is left
// inside back: e = min(beta max(0, g), v_cap h), lambda = e / sum_k w_k^2 c_k/m_k over the contact's participants, c_k the
// number of contacts with e > 0 of each; x += w lambda r/m [Mueller et al. 2007, eq. 9-11, split by c]. Empties the grid and the
// lists of hits for the next step.
// Reads contacts, tested; updates particles, rows, grid, hits, counts; writes status.
#import shared/rows
#import shared/grid

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(28) var<storage, read> tested: array<vec4f>;
@group(0) @binding(29) var<storage, read_write> grid: array<u32>;
@group(0) @binding(31) var<storage, read_write> hits: array<u32>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read_write> rows: array<u32>;
@group(0) @binding(40) var<storage, read_write> counts: array<u32>;

// Insertion sort of a particle's list; returns its new head.
fn sort_row(i: u32) -> u32 {
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
    return sorted;
}

fn projection(contact: Contact) -> f32 {
    let e = min(PROJECTION_SHARE * contact.gap, PROJECTION_SPEED * sim.step);
    var sum = 0.0;
    for (var k = 0u; k < 5u; k++) {
        let i = participant(contact, k);
        if i != NONE {
            let w = participant_weight(contact, k);
            sum += w * w * f32(rows[row_counts(i)] >> 16u) * particles_out[i].inverse_mass;
        }
    }
    return select(0.0, e / sum, sum > 0.0);
}

fn clear_point(i: u32) {
    let q = tested[i].xyz;
    for (var level = 0u; level < collide.levels; level++) {
        grid[grid_slot(grid_cell(q, level), level)] = NONE;
        grid[grid_next(level, i)] = UNUSED;
    }
    if counts[i] > 0u {
        if hits[HIT_STRIDE * i + MAX_HITS] != NONE {
            atomicAdd(&status[tally_step() + TALLY_CROWDED], 1u);
        }
        for (var k = 0u; k < HIT_STRIDE; k++) {
            hits[HIT_STRIDE * i + k] = NONE;
        }
        counts[i] = 0u;
    }
}

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if grid[grid_next(0u, i)] != UNUSED {
        clear_point(i);
    }
    if rows[row_head(i)] == NONE {
        return;
    }
    var node = sort_row(i);
    let inverse_mass = particles_out[i].inverse_mass;
    if rows[row_counts(i)] < 0x10000u || inverse_mass == 0.0 {
        return;
    }
    var moved = vec3f();
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let contact = contacts[node >> 3u];
        if contact.gap > 0.0 {
            moved += (participant_weight(contact, node & 7u) * projection(contact)) * contact.normal;
        }
        node = rows[row_next(node)];
    }
    particles_out[i].position += inverse_mass * moved;
}
