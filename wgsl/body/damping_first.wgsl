// damping_first: one thread per particle. The first sweep of exact damping: P_1 = B v [shared/sweep].
// Reads particles_in and the model; writes sweep_out.
#import shared/sweep
#import shared/taken

@group(0) @binding(13) var<storage, read_write> sweep_out: array<vec4f>;

@compute @workgroup_size(64)
fn damping_first(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let sweep = sweep_begin(p, body);
    if !sweep.swept {
        sweep_out[i] = vec4f(p.velocity, 0.0);
        return;
    }
    if (body.loaded & LOADED_CHANGES) != 0u {
        sweep_out[i] = vec4f(sweep_loaded(sweep, i, p.velocity), 0.0);
        return;
    }
    var sum = vec3f();
    let count = spring_count(point);
    for (var e = 0u; e < count; e++) {
        let end = spring_at(point, e);
        let q = particles_in[end.other];
        let damping = spring_constants(point, body, e).y;
        sum += sweep_spring(sweep, p, q, end, damping, q.velocity - p.velocity);
    }
    sweep_out[i] = vec4f(sweep_finish(sweep, p, p.velocity, sum), 0.0);
}
