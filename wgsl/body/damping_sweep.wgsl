// damping_sweep: one thread per particle. P_(k+1) = 2 B P_k - P_(k-1); P_0 = v [shared/sweep].
// Reads sweep_in (P_k), particles_in and the model; sweep_out holds P_(k-1), but not yet P_0, and takes P_(k+1).
#import shared/sweep_gather
#import shared/taken

@group(0) @binding(13) var<storage, read_write> sweep_out: array<vec4f>;

@compute @workgroup_size(64)
fn damping_sweep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_in[i];
    let point = points[i];
    let next = sweep_gather(i, p, point, bodies[point.body]);
    var before = p.velocity;
    if sim.first_stage == 0u {
        before = sweep_out[i].xyz;
    }
    sweep_out[i] = vec4f(2.0 * next - before, 0.0);
}
