// sort_count: one thread per 16 items, one workgroup per block of 1024. How many items of each block have each value of the keys'
// digit; the counts of one value stand together, so that their sums are places in the order [Satish, Harris and Garland 2009].
// Reads items_in, sort_shift; writes counts.
#import shared/sort

@group(0) @binding(40) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(64)
fn sort_count(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let block = group_index(group);
    if block >= block_count() {
        return;
    }
    count_digits(items_of(block, lane), lane);
    workgroupBarrier();
    if lane < SORT_DIGITS {
        var sum = 0u;
        for (var k = 0u; k < 64u; k++) {
            sum += digit_counts[digit_place(lane, k)];
        }
        counts[lane * block_count() + block] = sum;
    }
}
