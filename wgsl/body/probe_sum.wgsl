// probe_sum: one workgroup per chunk of one body's particles. Sum of m |A w|^2, in fixed order.
// Reads probe_out (A w), particles_in, chunks; writes partials.
#import shared/topology
#import shared/sum_rows

@group(0) @binding(15) var<storage, read_write> probe_out: array<vec4f>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(17) var<storage, read_write> partials: array<f32>;

const PART_ROWS: u32 = 1u;

@compute @workgroup_size(64)
fn probe_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    var sum = 0.0;
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let k = chunk.first + lane + WORKGROUP * turn;
        let inverse_mass = particles_in[k].inverse_mass;
        if inverse_mass > 0.0 {
            let aw = probe_out[k].xyz;
            sum += dot(aw, aw) / inverse_mass;
        }
    }
    if lane < threads {
        leave_row(lane, 0u, vec4f(sum, 0.0, 0.0, 0.0));
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        partials[c] = joined_row(threads, 0u).x;
    }
}
