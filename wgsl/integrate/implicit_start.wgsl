// implicit_start: one thread per particle, before the first step: it may fall freely.
// Reads particles_in; writes half_velocity.
#import shared/sim

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn implicit_start(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    half_velocity[i] = vec4f(particles_in[i].velocity, 1.0);
}
