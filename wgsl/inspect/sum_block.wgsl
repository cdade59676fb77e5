// sum_block: one workgroup per range of one body's chunks. The same sums of all of them, moments from the first chunk's origin.
// Reads sum_blocks (ranges of chunks), chunk_sums, sim (their number in place of the chunks'); writes totals.
#import shared/sim
#import shared/chunk_sums

@group(0) @binding(127) var<storage, read> chunk_sums: array<ChunkSums>;
@group(0) @binding(128) var<storage, read> sum_blocks: array<Chunk>;
@group(0) @binding(129) var<storage, read_write> totals: array<ChunkSums>;

@compute @workgroup_size(64)
fn sum_block(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = group_index(group);
    if k >= sim.chunk_count {
        return;
    }
    let block = sum_blocks[k];
    let first = chunk_sums[block.first];
    let origin = first.origin;
    var sums = ChunkSums(origin, 0.0, vec3f(), 0.0, first.low, 0.0, first.high, 0.0, vec3f(), first.least, first.greatest);
    let count = block.end - block.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let next = chunk_sums[block.first + lane + WORKGROUP * turn];
        sums.mass += next.mass;
        sums.moment += next.moment + next.mass * (next.origin - origin);
        sums.kinetic += next.kinetic;
        sums.momentum += next.momentum;
        sums.elastic += next.elastic;
        sums.low = min(sums.low, next.low);
        sums.high = max(sums.high, next.high);
        sums.speed = max(sums.speed, next.speed);
        sums.least = min(sums.least, next.least);
        sums.greatest = max(sums.greatest, next.greatest);
    }
    if lane < threads {
        leave_sums(lane, sums);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        totals[k] = joined_sums(threads, origin);
    }
}
