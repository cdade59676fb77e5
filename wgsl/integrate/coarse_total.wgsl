// coarse_total: PART_LANES threads per body of more than COARSE_FEW chunks, after coarse_sum. The sums of its chunks' parts, in
// fixed order, as a part behind those of all chunks.
// Reads coarse_ranges; updates coarse_parts.
#import shared/sim
#import shared/part_sums

@group(0) @binding(108) var<storage, read_write> coarse_parts: array<vec4f>;
// Per body the parts that make up its sum, its first and how many: chunks, or what this kernel leaves. Behind them the chunks of
// bodies that have many.
@group(0) @binding(186) var<storage, read> coarse_ranges: array<vec2u>;

const PART_ROWS: u32 = COARSE_ROWS;

@compute @workgroup_size(64)
fn coarse_total(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let long = thread_index(group, lane, 64u) / PART_LANES;
    let k = lane % PART_LANES;
    let count = arrayLength(&coarse_ranges) - sim.body_count;
    var range = vec2u();
    if long < count {
        range = coarse_ranges[sim.body_count + long];
    }
    let turns = part_turns(range.y, k);
    for (var row = 0u; row < COARSE_ROWS; row++) {
        var sum = vec4f();
        for (var turn = 0u; turn < turns; turn++) {
            sum += coarse_parts[COARSE_ROWS * (range.x + k + PART_LANES * turn) + row];
        }
        leave_row(lane, row, sum);
    }
    workgroupBarrier();
    if long < count && k < COARSE_ROWS {
        coarse_parts[COARSE_ROWS * (sim.chunk_count + long) + k] = sum_row(lane / PART_LANES, k, PART_LANES);
    }
}
