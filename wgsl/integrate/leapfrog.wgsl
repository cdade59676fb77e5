// leapfrog: one thread per particle. v_half += h a(x, v); x += h v_half; v = (3 v_half - v_half_old)/2, the velocity
// extrapolated to the new instant, which damping and drag use [Hockney & Eastwood 1981].
// After sweeps the velocity in particles_in is damped, and particles_out still holds the one before: their difference
// is what damping does to v_half. Where the step does not end here it leaves v_half for the velocity: leapfrog_end takes it on.
// Reads particles_in and the model; updates half_velocity; writes particles_out, status.
#import shared/force
#import shared/finish
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn leapfrog(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, p, point, body);
    status_stiffness(body, force.stiffness);
    let half_old = half_velocity[i].xyz;
    var half = half_old + sim.step * force.acceleration;
    if sim.damping_stages > 1u {
        half += p.velocity - particles_out[i].velocity;
    }
    let start = Particle(p.position, p.inverse_mass, half_old, p.damping_rate);
    var end = finish(i, start, point.body, body, half, force.damping_rate);
    if !HAS_CONTACT {
        half = end.velocity;
        end.velocity = 1.5 * half - 0.5 * half_old;
        half_velocity[i] = vec4f(half, 0.0);
    }
    particles_out[i] = end;
}
