// Of a workgroup's block of items: how many of each digit each of its threads has. A pass of a sort goes by one digit of the keys
// [radix sort from the least digit on; Satish, Harris and Garland 2009].
#import consts
#import shared/threads

// Keys in x.
@group(0) @binding(220) var<storage, read> items_in: array<vec2u>;
// How many bits of the keys are done.
@group(0) @binding(222) var<storage, read> sort_shift: array<u32>;

// Rows of one more than there are threads: what one thread each goes through of them lies in different banks.
var<workgroup> digit_counts: array<u32, 65u * SORT_DIGITS>;

fn digit_of(item: vec2u) -> u32 {
    return (item.x >> sort_shift[0]) & (SORT_DIGITS - 1u);
}

// The place of a thread's count of a digit: those of one digit stand in a row.
fn digit_place(digit: u32, lane: u32) -> u32 {
    return 65u * digit + lane;
}

// The first item of a thread, and the end of its items.
fn items_of(block: u32, lane: u32) -> vec2u {
    let count = arrayLength(&items_in);
    let first = min(block * SORT_BLOCK + lane * SORT_ITEMS, count);
    return vec2u(first, min(first + SORT_ITEMS, count));
}

// Fills the thread's part of `digit_counts`.
fn count_digits(own: vec2u, lane: u32) {
    for (var digit = 0u; digit < SORT_DIGITS; digit++) {
        digit_counts[digit_place(digit, lane)] = 0u;
    }
    for (var i = own.x; i < own.y; i++) {
        digit_counts[digit_place(digit_of(items_in[i]), lane)] += 1u;
    }
}

fn block_count() -> u32 {
    return (arrayLength(&items_in) + (SORT_BLOCK - 1u)) / SORT_BLOCK;
}
