// midpoint_half: one thread per particle. x_m = x + h/2 v; v_m = v + h/2 a(x, v) [Runge 1895, order 2, first stage].
// Solids act on v_m, too: at rest it is 0.
// Reads particles_in and the model; writes particles_out.
#import shared/force
#import shared/solids
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn midpoint_half(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_index(group, lane, 64u);
    if thread >= sim.particle_count {
        return;
    }
    let i = taken_particle(thread);
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, p, point, body);
    let half_step = 0.5 * sim.step;
    let free = p.velocity + half_step * force.acceleration;
    let v = solids_impulse(p, p.position, free, body);
    particles_out[i] = Particle(p.position + half_step * p.velocity, p.inverse_mass, v, force.damping_rate);
}
