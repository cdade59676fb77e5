// touch_list: one thread per body, after a submission's steps. Copies its sums behind those of the bodies before it, as
// far as there is room in the list of all. Steps of the next submission are numbered anew, and so are others than the last
// one that each has.
// Reads touch_counts, offsets; updates touch_lists; writes touches.
#import shared/sim

@group(0) @binding(41) var<storage, read> offsets: array<u32>;
@group(0) @binding(154) var<storage, read_write> touch_lists: array<TouchSum>;
@group(0) @binding(155) var<storage, read> touch_counts: array<u32>;
@group(0) @binding(157) var<storage, read_write> touches: array<TouchSum>;

@compute @workgroup_size(64)
fn touch_list(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let body = thread_index(group, lane, 64u);
    if body >= sim.body_count {
        return;
    }
    let room = arrayLength(&touches);
    let count = touch_counts[body];
    for (var k = 0u; k < count; k++) {
        touch_lists[MAX_TOUCHES * body + k].last = 0u;
        if offsets[body] + k < room {
            touches[offsets[body] + k] = touch_lists[MAX_TOUCHES * body + k];
        }
    }
}
