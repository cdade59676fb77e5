// scan_reduce: one thread per 16 items, one workgroup per block of 1024. The sum of each block's counts modulo 2^32, the
// first third of reduce-then-scan [Merrill & Grimshaw 2009, Parallel Scan for Stream Architectures].
// Reads counts; writes block_sums.
#import shared/scan

@group(0) @binding(40) var<storage, read> counts: array<u32>;
@group(0) @binding(41) var<storage, read> offsets: array<u32>;
@group(0) @binding(42) var<storage, read_write> block_sums: array<u32>;

@compute @workgroup_size(64)
fn scan_reduce(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let block = group_index(group);
    if block >= arrayLength(&block_sums) {
        return;
    }
    // The order does not matter to the sum: neighbouring threads read neighbouring items.
    let item_count = arrayLength(&offsets) - 1u;
    var sum = 0u;
    for (var k = 0u; k < SCAN_ITEMS; k++) {
        let i = block * SCAN_BLOCK + k * 64u + lane;
        if i < item_count {
            sum += counts[i];
        }
    }
    lane_sums[lane] = sum;
    workgroupBarrier();
    lane_sums_scan(lane);
    workgroupBarrier();
    if lane == 0u {
        block_sums[block] = eights_before(8u);
    }
}
