// project: one thread per particle. Takes a share of what is left inside back: with e the push of each contact,
// x += w lambda r/m, lambda = e/W [Mueller et al. 2007, eq. 9-11, split by the load].
// Reads contacts, list_first, entries, rows; updates particles_out; writes status.
#import shared/gather
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count || !has_contacts(i) {
        return;
    }
    var moved = vec3f();
    let list = gathered(i);
    for (var k = 0u; k < list.count; k++) {
        let term = term(list, k);
        let row = rows[term.row];
        if list.is_long {
            moved += row.point;
        } else if row.gap > 0.0 && row.inverse_mass > 0.0 {
            moved += (term.weight * (row.push / row.inverse_mass)) * contacts[term.row].normal;
        }
    }
    let inverse_mass = particles_out[i].inverse_mass;
    particles_out[i].position += inverse_mass * moved;
    status_way(STATUS_SHIFT, inverse_mass * moved);
}
