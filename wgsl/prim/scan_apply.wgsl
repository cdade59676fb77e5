// scan_apply: one thread per 16 items, one workgroup per block of 1024. offsets[i] is the sum of the counts before item i
// modulo 2^32, the last of them the total; the end of reduce-then-scan [Merrill & Grimshaw 2009].
// Reads counts and block_sums (of all blocks before each); writes offsets.
#import shared/scan

@group(0) @binding(40) var<storage, read> counts: array<u32>;
@group(0) @binding(41) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(42) var<storage, read> block_sums: array<u32>;

@compute @workgroup_size(64)
fn scan_apply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let block = group_index(group);
    if block >= arrayLength(&block_sums) {
        return;
    }
    // Sixteen items in a row are half a cache line or a whole one. Sorting them through workgroup memory, so that
    // neighbouring threads read neighbouring items, takes twice as long on llvmpipe.
    let item_count = arrayLength(&offsets) - 1u;
    let first = min(block * SCAN_BLOCK + lane * SCAN_ITEMS, item_count);
    let end = min(first + SCAN_ITEMS, item_count);
    var sum = 0u;
    for (var i = first; i < end; i++) {
        sum += counts[i];
    }
    lane_sums[lane] = sum;
    workgroupBarrier();
    lane_sums_scan(lane);
    workgroupBarrier();
    var before = block_sums[block] + lanes_before(lane);
    for (var i = first; i < end; i++) {
        before += counts[i];
        offsets[i + 1u] = before;
    }
    if block == 0u && lane == 0u {
        offsets[0] = 0u;
    }
}
