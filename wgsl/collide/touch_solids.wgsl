// touch_solids: one thread per body, after touch_chunks. Adds the sums of its chunks to those of the submission, in the list of
// what it touches.
// Reads bodies, chunk_touches, chunk_counts; updates touch_lists, touch_counts, touch_dropped.
#import shared/touch_lists

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(167) var<storage, read> chunk_touches: array<TouchSum>;
@group(0) @binding(168) var<storage, read> chunk_counts: array<vec2u>;

@compute @workgroup_size(64)
fn touch_solids(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let body = thread_index(group, lane, 64u);
    if body >= sim.body_count {
        return;
    }
    let first = bodies[body].chunk_first;
    let end = first + bodies[body].chunk_count;
    for (var c = first; c < end; c++) {
        let counts = chunk_counts[c];
        for (var k = 0u; k < counts.x; k++) {
            touch_enter(body, chunk_touches[MAX_TOUCHES * c + k]);
        }
        touch_dropped[body] += counts.y;
    }
}
