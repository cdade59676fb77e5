// scan_blocks: one thread per 64th of the blocks, one workgroup in all. In place of each block's sum the sum of the blocks
// before it modulo 2^32, the middle of reduce-then-scan [Merrill & Grimshaw 2009].
// Reads and writes block_sums.
#import shared/scan

@group(0) @binding(42) var<storage, read_write> block_sums: array<u32>;

@compute @workgroup_size(64)
fn scan_blocks(@builtin(local_invocation_index) lane: u32) {
    let block_count = arrayLength(&block_sums);
    let share = (block_count + 63u) / 64u;
    let first = min(lane * share, block_count);
    let end = min(first + share, block_count);
    var sum = 0u;
    for (var i = first; i < end; i++) {
        sum += block_sums[i];
    }
    lane_sums[lane] = sum;
    workgroupBarrier();
    lane_sums_scan(lane);
    workgroupBarrier();
    var before = lanes_before(lane);
    for (var i = first; i < end; i++) {
        let block_sum = block_sums[i];
        block_sums[i] = before;
        before += block_sum;
    }
}
