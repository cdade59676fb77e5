// probe_sum: one thread per chunk of one body's particles. Sum of m |A w|^2, in the particles' order.
// Reads probe_out (A w), particles_in, chunks; writes partials.
#import shared/topology

@group(0) @binding(15) var<storage, read_write> probe_out: array<vec4f>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(17) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(64)
fn probe_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.chunk_count {
        return;
    }
    let chunk = chunks[i];
    var sum = 0.0;
    for (var k = chunk.first; k < chunk.end; k++) {
        let inverse_mass = particles_in[k].inverse_mass;
        if inverse_mass > 0.0 {
            let aw = probe_out[k].xyz;
            sum += dot(aw, aw) / inverse_mass;
        }
    }
    partials[i] = sum;
}
