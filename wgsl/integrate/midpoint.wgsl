// midpoint: one thread per particle. x += h v_m; v += h a(x_m, v_m) [Runge 1895, order 2, second stage].
// Reads particles_in (the state at the midpoint) and the model; updates particles_out in place; writes increments (the way),
// status.
#import shared/force
#import shared/finish
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(11) var<storage, read_write> increments: array<Particle>;

@compute @workgroup_size(64)
fn midpoint(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_out[i];
    let middle = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, middle, point, body);
    status_stiffness(body, force.stiffness);
    let v = p.velocity + sim.step * force.acceleration;
    increments[i].position = sim.step * middle.velocity;
    particles_out[i] = finish_by_mean(i, p, point.body, body, v, middle.velocity, force.damping_rate);
}
