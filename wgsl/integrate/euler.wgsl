// euler: one thread per particle. x += h v; v += h a(x_old, v_old) [explicit Euler].
// Reads particles_in and the model; writes particles_out, increments (the way), status.
#import shared/force
#import shared/finish
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;

@compute @workgroup_size(64)
fn euler(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
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
    let v = p.velocity + sim.step * force.acceleration;
    increments[i].position = sim.step * p.velocity;
    particles_out[i] = finish_by_mean(i, p, point.body, body, v, p.velocity, force.damping_rate);
}
