// probe_start: one thread per particle. A start vector for the power iteration that is no eigenvector: hashed numbers
// in (-1, 1), 0 where the particle is held. Writes probe_out. [hash: PCG, O'Neill 2014]
#import shared/topology

@group(0) @binding(15) var<storage, read_write> probe_out: array<vec4f>;

fn probe_hash(seed: u32) -> f32 {
    let state = seed * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) / 8388608.0 - 1.0;
}

@compute @workgroup_size(64)
fn probe_start(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let free = f32(particles_in[i].inverse_mass > 0.0);
    probe_out[i] = vec4f(probe_hash(3u * i), probe_hash(3u * i + 1u), probe_hash(3u * i + 2u), 0.0) * free;
}
