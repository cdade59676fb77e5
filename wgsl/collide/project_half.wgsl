// project_half: one thread per particle. Each side of a contact goes half of the way: x += s/2 with s = (sum over
// features |w| d - sum over corners |w| d) / sum |w|, d = r times the push of each of its
// contacts that are pushed apart [Spillmann & Teschner 2005, section 5; Kratochvil 2007, ch. 6].
// Reads contacts, list_first, entries, rows; updates particles_out; writes shifts, status.
#import shared/gather
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
    var sum = vec3f();
    var weight = 0.0;
    let end = list_first[i + 1u];
    for (var e = list_first[i]; e < end; e++) {
        let entry = entries[e];
        let push = rows[entry.node >> 3u].push;
        if push > 0.0 {
            let share = abs(entry.weight);
            sum += (select(share, -share, is_touched(entry.node)) * push) * contacts[entry.node >> 3u].normal;
            weight += share;
        }
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
