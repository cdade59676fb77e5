// verlet: one thread per particle. u += h a(x, u); x += h u, u the last increment over h
// [Störmer's method; Verlet 1967, eq. 4]. Symplectic Euler is the same pass with u = v.
// A body that touches another is left where it is: contact_move takes it on.
// Reads particles_in and the model; writes particles_out, status.
#import shared/force
#import shared/pushes

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn verlet(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_in[i];
    let point = points[i];
    let body = bodies[point.body];
    let force = particle_force(i, p, point, body);
    status_stiffness(body, force.stiffness);
    let free = p.velocity + sim.step * force.acceleration;
    if body.touching != 0u {
        particles_out[i] = Particle(p.position, p.inverse_mass, free, force.damping_rate);
        return;
    }
    let u = solids_push(i, p, p.position, 0.0, free, body, false);
    let x = solids_project(p, p.position + sim.step * u, body);
    particles_out[i] = Particle(x, p.inverse_mass, u, force.damping_rate);
    status_check(point.body, x, u);
    status_jump(body, u - p.velocity);
    status_way(STATUS_TRAVEL, x - p.position);
}
