// half_back: one thread per particle. The start of the methods that keep their velocity at half steps:
// v(-h/2) = v - h/2 a(x, v), h/2 = `stage_step`. Verlet keeps it as its velocity, leapfrog beside it. Where the step's
// length changes to h', Verlet's velocity takes the way from -h/2 to -h'/2, leapfrog's starts anew.
// Reads particles_in and the model; writes half_velocity.
#import shared/force

@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn half_back(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_in[i];
    let point = points[i];
    let force = particle_force(i, p, point, bodies[point.body]);
    half_velocity[i] = vec4f(p.velocity - sim.stage_step * force.acceleration, 0.0);
}
