// sort_scatter: one thread per 16 items, one workgroup per block of 1024. Puts items in the order of the keys' digit, those of one
// value in the order in which they were: behind those of other blocks, of the block's threads before and of its own before.
// Reads items_in, sort_shift, offsets (of the counts of sort_count); writes items_out.
#import shared/sort

@group(0) @binding(41) var<storage, read> offsets: array<u32>;
@group(0) @binding(221) var<storage, read_write> items_out: array<vec2u>;

@compute @workgroup_size(64)
fn sort_scatter(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let block = group_index(group);
    if block >= block_count() {
        return;
    }
    let own = items_of(block, lane);
    count_digits(own, lane);
    workgroupBarrier();
    if lane < SORT_DIGITS {
        var place = offsets[lane * block_count() + block];
        for (var k = 0u; k < 64u; k++) {
            let at = digit_place(lane, k);
            let count = digit_counts[at];
            digit_counts[at] = place;
            place += count;
        }
    }
    workgroupBarrier();
    for (var i = own.x; i < own.y; i++) {
        let item = items_in[i];
        let at = digit_place(digit_of(item), lane);
        items_out[digit_counts[at]] = item;
        digit_counts[at] += 1u;
    }
}
