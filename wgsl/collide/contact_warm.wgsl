// contact_warm: one thread per particle, after the forces. u += sum w (lambda_n r + lambda_t)/m of the impulses that the
// step starts with: forces, damping above all, act on velocities without them. Where the integrator has moved the
// particle, it takes its share of the way, as in contact_move.
// Reads contacts, rows, impulses_warm_start; updates particles_out; writes status.
#import shared/rows
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(35) var<storage, read> contacts: array<Contact>;
@group(0) @binding(37) var<storage, read> rows: array<u32>;
@group(0) @binding(39) var<storage, read> impulses_warm_start: array<Impulse>;

@compute @workgroup_size(64)
fn contact_warm(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    var node = rows[row_head(i)];
    if node == NONE {
        return;
    }
    var pushed = vec3f();
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        let c = node >> 3u;
        let impulse = impulses_warm_start[c];
        pushed += participant_weight(contacts[c], node & 7u) * (impulse.normal * contacts[c].normal + impulse.tangent);
        node = rows[row_next(node)];
    }
    let change = particles_out[i].inverse_mass * pushed;
    particles_out[i].velocity += change;
    if collide.moved != 0u {
        let way = (collide.share * sim.step) * change;
        particles_out[i].position += way;
        status_way(STATUS_SHIFT, way);
    }
}
