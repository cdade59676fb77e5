// Reduction by a workgroup of 64 threads. Each has gone through every 64th member of a part and leaves PART_ROWS rows of four
// numbers. Behind a barrier `join_eights` brings together eight threads' rows at a time, behind another `joined_row` those: a tree
// of eight branches, whose loads do not wait for each other, and which takes two barriers where one of two branches takes six. The
// order is that of the members, however many threads run. Who imports this declares PART_ROWS, and what becomes of two rows,
// `fn row_of_two(a: vec4f, b: vec4f, row: u32) -> vec4f`.
#import consts

var<workgroup> part_rows: array<vec4f, WORKGROUP * PART_ROWS>;

// How many of a part's members the thread goes through.
fn part_turns(count: u32, lane: u32) -> u32 {
    return (count + WORKGROUP - 1u - lane) / WORKGROUP;
}

// The same where eight threads do it, of which this is number k.
fn eighth_turns(count: u32, k: u32) -> u32 {
    return (count + 7u - k) / 8u;
}

// Threads that leave rows of a part of so many members: those that have any, and the first.
fn part_threads(count: u32) -> u32 {
    return clamp(count, 1u, WORKGROUP);
}

fn leave_row(lane: u32, row: u32, value: vec4f) {
    part_rows[PART_ROWS * lane + row] = value;
}

// Of eight threads, so far from each other, as far as they come before `end`.
fn row_of_eight(first: u32, apart: u32, end: u32, row: u32) -> vec4f {
    var all = part_rows[PART_ROWS * first + row];
    for (var k = 1u; k < 8u; k++) {
        let lane = first + k * apart;
        all = select(all, row_of_two(all, part_rows[PART_ROWS * lane + row], row), lane < end);
    }
    return all;
}

fn join_eights(lane: u32, threads: u32) {
    join_rows(lane, threads, PART_ROWS);
}

// The same of the first so many rows. Thread 8 r + k takes those eight threads that are the k-th and row r, r + 8 ...
fn join_rows(lane: u32, threads: u32, rows: u32) {
    let first = lane % 8u * 8u;
    if first >= threads {
        return;
    }
    let turns = eighth_turns(rows, lane / 8u);
    for (var turn = 0u; turn < turns; turn++) {
        let row = lane / 8u + 8u * turn;
        part_rows[PART_ROWS * first + row] = row_of_eight(first, 1u, threads, row);
    }
}

fn joined_row(threads: u32, row: u32) -> vec4f {
    return row_of_eight(0u, 8u, threads, row);
}
