// What each of a workgroup's 64 threads has added up.
#import consts
#import shared/threads

var<workgroup> lane_sums: array<u32, 64>;

// Puts in each sum's place `before` and the sums ahead of it. Called by one thread, between two barriers: a tree would take
// six, which are dear on CPUs.
fn lane_sums_scan(before: u32) {
    var sum = before;
    for (var k = 0u; k < 64u; k++) {
        let lane_sum = lane_sums[k];
        lane_sums[k] = sum;
        sum += lane_sum;
    }
}
