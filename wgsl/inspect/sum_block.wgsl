// sum_block: one thread per range of one body's chunks. The same sums of all of them, moments from the first chunk's origin.
// Reads sum_blocks (ranges of chunks), chunk_sums, sim (their number in place of the chunks'); writes totals.
#import shared/sim

@group(0) @binding(127) var<storage, read> chunk_sums: array<ChunkSums>;
@group(0) @binding(128) var<storage, read> sum_blocks: array<Chunk>;
@group(0) @binding(129) var<storage, read_write> totals: array<ChunkSums>;

@compute @workgroup_size(64)
fn sum_block(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.chunk_count {
        return;
    }
    let block = sum_blocks[k];
    var sums = chunk_sums[block.first];
    for (var c = block.first + 1u; c < block.end; c++) {
        let next = chunk_sums[c];
        sums.mass += next.mass;
        sums.moment += next.moment + next.mass * (next.origin - sums.origin);
        sums.kinetic += next.kinetic;
        sums.momentum += next.momentum;
        sums.elastic += next.elastic;
        sums.low = min(sums.low, next.low);
        sums.high = max(sums.high, next.high);
        sums.speed = max(sums.speed, next.speed);
        sums.least = min(sums.least, next.least);
        sums.greatest = max(sums.greatest, next.greatest);
    }
    totals[k] = sums;
}
