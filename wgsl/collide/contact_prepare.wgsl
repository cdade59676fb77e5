// contact_prepare: one thread per record. A contact keeps its sides and direction until contacts are found anew; its gap
// follows its participants: g = reach - sum_k w_k x_k.r. Its row for the step: that, how far it is to be pushed apart,
// W = sum_k |w_k| s_k/m_k with s_k the load of participant k, the sum of the magnitudes of a row of the matrix that couples
// the contacts, so that all together do not overshoot [Gershgorin 1931; Tonge et al. 2012 for splitting masses], and the
// impulse that it starts from, that of the last step. Counts what there is.
// Reads particles_in, contact_lists, contacts, impulses; writes impulses_warm_start, rows, status.
#import shared/contact_lists
#import shared/warm

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> contact_lists: array<u32>;
@group(0) @binding(38) var<storage, read> impulses: array<Impulse>;
@group(0) @binding(39) var<storage, read_write> impulses_warm_start: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;

// How far a contact's two sides are moved apart in this step [m]: gently, or in the source's mode all of the estimate.
fn contact_push(contact: Contact, gap: f32) -> f32 {
    if collide.source != 0u {
        return max(0.0, contact.gap);
    }
    let depth = max(0.0, gap - SLOP * contact.size);
    return sim.step * min(depth / PROJECTION_TIME, PROJECTION_SPEED);
}

fn tally(word: u32, amount: u32) {
    atomicAdd(&status[step_words() + word], amount);
}

fn begin_step() {
    atomicMax(&status[STATUS_SEARCHES], contact_lists[LIST_SEARCH]);
    atomicMax(&status[STATUS_TOUCHING], contact_lists[LIST_TOUCHING]);
    atomicMax(&status[STATUS_RECORDS], contact_lists[LIST_RECORDS]);
}

@compute @workgroup_size(64)
fn contact_prepare(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c == 0u {
        begin_step();
    }
    if c >= min(contact_lists[LIST_RECORDS], collide.capacity) {
        return;
    }
    let contact = contacts[c];
    var start = impulses_warm_start[c];
    if contact_lists[LIST_AGE] > 0u {
        start = warm(impulses[c]);
        impulses_warm_start[c] = start;
    }
    let is_point = contact.feature_a < sim.particle_count;
    if is_point && (c == 0u || contacts[max(c, 1u) - 1u].feature_a != contact.feature_a) {
        tally(STEP_POINTS, 1u);
        tally(select(STEP_OVERFLOWED, STEP_DROPPED, contact.reach > 0.0), contact.missed & ~UNREACHED);
    }
    if !is_contact(contact) {
        tally(STEP_LOST, select(0u, 1u, is_point));
        atomicMax(&status[STATUS_SWEEPS], select(0u, 1u, (contact.missed & UNREACHED) != 0u));
        return;
    }
    let origin = particles_in[contact.a.dofs.x].position;
    var x = vec3f();
    var inverse_mass = 0.0;
    let count = participants(contact);
    for (var k = 0u; k < count.y; k++) {
        let part = participant(contact, count, k);
        let p = particles_in[part.i];
        x += part.weight * (p.position - origin);
        inverse_mass += abs(part.weight) * load_of(contact_lists[list_load(part.i)]) * p.inverse_mass;
    }
    let gap = contact.reach - dot(x, contact.normal);
    rows[c] = Row(start.normal * contact.normal + start.tangent, inverse_mass, gap, contact_push(contact, gap));
    tally(STEP_CONTACTS, 1u);
    if gap > 0.0 {
        let depth = gap / contact.size;
        tally(STEP_INSIDE, 1u);
        tally(STEP_DEPTH, u32(min(depth, 1e3) * DEPTH_UNIT));
        atomicMax(&status[step_words() + STEP_DEEPEST], bitcast<u32>(depth));
    }
}
