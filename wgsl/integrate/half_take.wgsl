// half_take: one thread per particle. Verlet's start: the velocity becomes that of half a step before.
// Reads half_velocity; writes particles_out.
#import shared/sim

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn half_take(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    particles_out[i].velocity = half_velocity[i].xyz;
}
