// damping_rate: one thread per particle. sigma at the present positions, before the first step has left one.
// Reads particles_in and the model; writes damping_rate of particles_out.
#import shared/rate

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;

@compute @workgroup_size(64)
fn damping_rate(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let point = points[i];
    particles_out[i].damping_rate = rate_gather(particles_in[i], point, bodies[point.body]);
}
