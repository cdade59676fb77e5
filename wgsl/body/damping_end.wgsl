// damping_end: one thread per particle. The last sweep, P_s = 2 B P_(s-1) - P_(s-2), and v - theta/2 (v - P_s)
// [shared/sweep]; the springs' present sigma.
// Reads sweep_in (P_(s-1)), sweep_out (P_(s-2), where that is not v), particles_in and the model; writes particles_out.
#import shared/sweep_gather
#import shared/rate
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(13) var<storage, read_write> sweep_out: array<vec4f>;

@compute @workgroup_size(64)
fn damping_end(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    var p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    if damping_swept(body) && p.inverse_mass > 0.0 {
        var before = p.velocity;
        if sim.first_stage == 0u {
            before = sweep_out[i].xyz;
        }
        let last = 2.0 * sweep_gather(i, p, point, body) - before;
        p.velocity -= 0.5 * damping_theta(body) * (p.velocity - last);
        p.damping_rate = rate_gather(p, point, body);
    }
    particles_out[i] = p;
}
