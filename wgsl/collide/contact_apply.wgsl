// contact_apply: one thread per particle. u += what the last iteration changed of the impulses, over m; where the
// integrator has moved the particle, it takes its share of the way, as in contact_move.
// Reads contacts, rows, impulses, impulses_warm_start; updates particles_out; writes status.
#import shared/impulse_change
#import shared/status

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn contact_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if rows[row_head(i)] != NONE {
        let change = particles_out[i].inverse_mass * impulse_change(i);
        particles_out[i].velocity += change;
        if collide.moved != 0u {
            let way = (collide.share * sim.step) * change;
            particles_out[i].position += way;
            status_way(STATUS_SHIFT, way);
        }
    }
}
