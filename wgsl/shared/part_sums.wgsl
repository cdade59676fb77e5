// Sums by a workgroup of 64 threads, PART_LANES of them for each of PARTS parts. Each thread leaves what it has added up itself,
// PART_ROWS rows of four numbers, which who imports this declares; behind one barrier each row of a part is added up by one
// thread, in the order of the threads that left it. A tree would take a barrier for every level, and those are dear on CPUs.
#import consts

// Parts of a workgroup.
const PARTS: u32 = 64u / PART_LANES;

var<workgroup> part_rows: array<vec4f, 64u * PART_ROWS>;

fn leave_row(lane: u32, row: u32, value: vec4f) {
    part_rows[PART_ROWS * lane + row] = value;
}

// The sum of a row over the first `count` threads of a part, of PART_LANES at the most.
fn sum_row(part: u32, row: u32, count: u32) -> vec4f {
    let first = PART_ROWS * PART_LANES * part + row;
    var sum = vec4f();
    for (var k = 0u; k < min(count, PART_LANES); k++) {
        sum += part_rows[first + PART_ROWS * k];
    }
    return sum;
}
