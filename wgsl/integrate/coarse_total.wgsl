// coarse_total: one workgroup per body of more than FEW_PARTS chunks, after coarse_sum. The sums of its chunks' parts, in
// fixed order.
// Reads part_ranges; updates coarse_parts.
#import shared/sim
#import shared/coarse_parts
#import shared/coarse_rows
#import shared/part_ranges

@compute @workgroup_size(64)
fn coarse_total(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let long = group_index(group);
    if long >= arrayLength(&part_ranges) - sim.body_count {
        return;
    }
    let range = part_ranges[sim.body_count + long];
    var sum = no_part();
    let count = range.y;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        sum = add_part(sum, range.x + lane + WORKGROUP * turn);
    }
    if lane < threads {
        leave_part(lane, sum);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane < COARSE_ROWS {
        coarse_parts[COARSE_ROWS * (sim.chunk_count + long) + lane] = joined_row(threads, lane);
    }
}
