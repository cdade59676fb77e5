// touch_bodies: one workgroup per body, after touch_slices. Adds the sums of its particles', its edges' and its colliders' records,
// body by body in ascending order, to those of the submission, in a list of the bodies that it touches; contacts with more
// bodies than there is room for are counted. A slice that two sorts lie in is added once.
// Reads record_first, touch_parts, slice_counts, touch_ranges; updates touch_lists, touch_counts, touch_dropped.
#import shared/collide
#import shared/touch_lists
#import shared/touch_rounds

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(151) var<storage, read> touch_parts: array<TouchSum>;
@group(0) @binding(152) var<storage, read> slice_counts: array<u32>;
// The features of each body from x to before y: its particles, its edges, its colliders.
@group(0) @binding(153) var<storage, read> touch_ranges: array<vec2u>;

// The slices of some features' records, as far as they have records.
fn slices(first: u32, end: u32) -> vec2u {
    let records = vec2u(record_first[first], min(record_first[end], collide.capacity));
    if records.x >= records.y {
        return vec2u();
    }
    return vec2u(records.x / SLICE, (records.y - 1u) / SLICE + 1u);
}

fn slices_of(body: u32, sort: u32) -> vec2u {
    let range = touch_ranges[3u * body + sort];
    return slices(range.x, range.y);
}

// Adds the thread's part of what a body has with another to a share: each eighth sum of each eighth slice. The least other from
// `start` on, or NONE.
fn add_slices(body: u32, lane: u32, other: u32, start: u32, share: ptr<function, Share>) -> u32 {
    var least = NONE;
    var seen = 0u;
    for (var sort = 0u; sort < 3u; sort++) {
        let those = slices_of(body, sort);
        let first = max(those.x, seen);
        let turns = eighth_turns(max(those.y, first) - first, lane / 8u);
        for (var turn = 0u; turn < turns; turn++) {
            let s = first + lane / 8u + 8u * turn;
            let own_turns = eighth_turns(slice_counts[s], lane % 8u);
            for (var own = 0u; own < own_turns; own++) {
                let k = lane % 8u + 8u * own;
                let part = touch_parts[SLICE * s + k];
                if part.body == body && part.other == other {
                    share_add(share, part.impulse, part.normal_impulse, part.depth, SLICE * s + k, part.contacts);
                } else if part.body == body && part.other >= start {
                    least = min(least, part.other);
                }
            }
        }
        seen = max(seen, those.y);
    }
    return least;
}

@compute @workgroup_size(64)
fn touch_bodies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let body = group_index(group);
    if body >= sim.body_count {
        return;
    }
    let end = max(slices_of(body, 0u).y, max(slices_of(body, 1u).y, slices_of(body, 2u).y));
    // Most bodies touch no other.
    if end == 0u {
        return;
    }
    // Each round but the first adds up a sum at least.
    let most = SLICE * end + 1u;
    var other = NONE;
    for (var round = 0u; round < most; round++) {
        round_begin(lane);
        workgroupBarrier();
        var share = no_share();
        let next = add_slices(body, lane, other, other + 1u, &share);
        round_leave(lane, share, next);
        workgroupBarrier();
        round_join(lane);
        let last = other;
        other = workgroupUniformLoad(&next_other);
        if lane == 0u && last != NONE {
            let whole = whole_share();
            touch_enter(body, touch_sum(whole, touch_parts[u32(whole.place)]));
        }
        if other == NONE {
            break;
        }
    }
}
