// project_half: one thread per particle. Each side of a contact goes half of the way: x += s/2 with s = (sum over
// features |w| d - sum over corners |w| d) / sum |w|, d = contact_push r, the mean way of the particle's contacts that
// are pushed apart [Spillmann & Teschner 2005, section 5; Kratochvil 2007, ch. 6]. Brings the particle's list of contacts
// in order first.
// Reads contacts; updates particles_out, contact_lists; writes shifts, status.
#import shared/sort_list
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(53) var<storage, read_write> shifts: array<Shift>;

@compute @workgroup_size(64)
fn project_half(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    sort_list(i);
    var sum = vec3f();
    var weight = 0.0;
    var node = contact_lists[list_head(i)];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let contact = contacts[node >> 3u];
        let w = participant_weight(contact, node & 7u);
        let push = contact_push(contact, contact.gap);
        if push > 0.0 {
            let share = abs(w);
            sum += (select(share, -share, is_corner(node)) * push) * contact.normal;
            weight += share;
        }
        node = contact_lists[list_next(node)];
    }
    let inverse_mass = particles_out[i].inverse_mass;
    if weight == 0.0 {
        if shifts[i].takes_part != 0u {
            shifts[i] = Shift(vec3f(), 0u, vec3f(), 0.0);
        }
        return;
    }
    let way = select(sum / max(weight, 1e-30), vec3f(), inverse_mass == 0.0);
    shifts[i] = Shift(0.25 * way, 1u, vec3f(), 0.0);
    particles_out[i].position += 0.5 * way;
    status_way(STATUS_SHIFT, way);
}
