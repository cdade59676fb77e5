// midpoint: one thread per particle. x += h v_m; v += h a(x_m, v_m) [Runge 1895, order 2, second stage].
// Solids acted on v_m, which makes the move, and act on the new v.
// Reads particles_in (the state at the midpoint) and the model; updates particles_out in place; writes status.
#import shared/force
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn midpoint(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    let middle = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, middle, point, body);
    let free = p.velocity + sim.step * force.acceleration;
    let v = solids_push(i, p, p.position, 0.0, free, body, false);
    let x = solids_project(p, p.position + sim.step * middle.velocity, body);
    particles_out[i] = Particle(x, p.inverse_mass, v, force.damping_rate);
    status_check(point.body, x, v);
    status_stiffness(body, force.stiffness);
    status_jump(body, v - p.velocity);
    status_way(STATUS_TRAVEL, x - p.position);
}
