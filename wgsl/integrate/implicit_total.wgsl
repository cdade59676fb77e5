// implicit_total: one workgroup per body of more than FEW_PARTS chunks, after implicit_momentum and pose_momentum. The sums of
// what its chunks have, in fixed order.
// Reads part_ranges; updates momenta.
#import shared/sim
#import shared/part_ranges
#import shared/momentum_rows

@group(0) @binding(106) var<storage, read_write> momenta: array<MomentumPart>;

@compute @workgroup_size(64)
fn implicit_total(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let long = group_index(group);
    if long >= arrayLength(&part_ranges) - sim.body_count {
        return;
    }
    let range = part_ranges[sim.body_count + long];
    let origin = momenta[range.x].origin.xyz;
    var sum = no_momentum(origin);
    var held = false;
    let count = range.y;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let part = momenta[range.x + lane + WORKGROUP * turn];
        held = held || is_held(part);
        sum = add_momentum(sum, part);
    }
    if lane < threads {
        leave_momentum(lane, sum, held);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        momenta[sim.chunk_count + long] = joined_momentum(threads, origin);
    }
}
