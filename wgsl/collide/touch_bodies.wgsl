// touch_bodies: one thread per body, after touch_slices. Adds the sums of its particles' records, then of its edges' and of its
// colliders' to those of the submission, slice by slice, in a list of the bodies that it touches; contacts with more bodies than
// there is room for are counted. A slice that two sorts lie in is added once.
// Reads record_first, touch_parts, slice_counts, touch_ranges; updates touch_lists, touch_counts, touch_dropped.
#import shared/collide
#import shared/touch_lists

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

@compute @workgroup_size(64)
fn touch_bodies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let body = thread_index(group, lane, 64u);
    if body >= sim.body_count {
        return;
    }
    var seen = 0u;
    for (var sort = 0u; sort < 3u; sort++) {
        let range = touch_ranges[3u * body + sort];
        let those = slices(range.x, range.y);
        let end = those.y;
        for (var s = max(those.x, seen); s < end; s++) {
            let count = slice_counts[s];
            for (var k = 0u; k < count; k++) {
                let part = touch_parts[SLICE * s + k];
                if part.body == body {
                    touch_enter(body, part);
                }
            }
        }
        seen = end;
    }
}
