// fem_gather: one thread per particle. Sum of its elements' forces on it, in a fixed order, over its mass.
// Reads particles_in, fem_rows, corner_forces; writes loads, of particles in finite elements only.
#import shared/topology

@group(0) @binding(60) var<storage, read_write> loads: array<vec4f>;
@group(0) @binding(66) var<storage, read> corner_forces: array<vec4f>;
@group(0) @binding(67) var<storage, read> fem_rows: array<vec2u>;

@compute @workgroup_size(64)
fn fem_gather(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let row = fem_rows[i];
    if row.y == 0u {
        return;
    }
    var sum = vec3f();
    for (var e = 0u; e < row.y; e++) {
        sum += corner_forces[row.x + e * SLICE].xyz;
    }
    loads[i] = vec4f(particles_in[i].inverse_mass * sum, 0.0);
}
