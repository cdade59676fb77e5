// verlet: one thread per particle. u += h a(x, u); x += h u, u the last increment over h
// [Störmer's method; Verlet 1967, eq. 4]. Symplectic Euler is the same pass with u = v.
// Reads particles_in and the model; writes particles_out, status.
#import shared/force
#import shared/finish
#import shared/taken

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn verlet(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
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
    let u = p.velocity + sim.step * force.acceleration;
    particles_out[i] = finish(i, p, point.body, body, u, force.damping_rate);
}
