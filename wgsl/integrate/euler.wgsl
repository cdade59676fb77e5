// euler: one thread per particle. x += h v; v += h a(x_old, v_old) [explicit Euler].
// Solids act on the new v at the new x, because that v makes the next move.
// Reads particles_in and the model; writes particles_out, status.
#import shared/force
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn euler(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, p, point, body);
    let x = solids_project(p, p.position + sim.step * p.velocity, body);
    let free = p.velocity + sim.step * force.acceleration;
    let v = solids_push(i, p, x, sim.step, free, body, false);
    particles_out[i] = Particle(x, p.inverse_mass, v, force.damping_rate);
    status_check(point.body, x, v);
    status_stiffness(body, force.stiffness);
    status_jump(body, v - p.velocity);
    status_way(STATUS_TRAVEL, x - p.position);
}
