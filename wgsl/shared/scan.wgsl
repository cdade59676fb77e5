// What each of a workgroup's 64 threads has added up.
#import consts
#import shared/threads

var<workgroup> lane_sums: array<u32, 64>;
// The sums of eight threads each.
var<workgroup> eight_sums: array<u32, 8>;

// Puts in each sum's place those ahead of it among its eight. Between two barriers; a tree of two branches would take six.
fn lane_sums_scan(lane: u32) {
    if lane >= 8u {
        return;
    }
    var sum = 0u;
    for (var k = 8u * lane; k < 8u * lane + 8u; k++) {
        let lane_sum = lane_sums[k];
        lane_sums[k] = sum;
        sum += lane_sum;
    }
    eight_sums[lane] = sum;
}

fn eights_before(end: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < end; k++) {
        sum += eight_sums[k];
    }
    return sum;
}

// The sum of what the threads before have added up, behind the second barrier.
fn lanes_before(lane: u32) -> u32 {
    return eights_before(lane / 8u) + lane_sums[lane];
}
