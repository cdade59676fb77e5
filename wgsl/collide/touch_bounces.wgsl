// touch_bounces: one thread per body, after a step. Adds the impacts in which it bounced as a whole to the sums of the submission,
// in the list of what it touches.
// Reads bounce_changes, bounce_touches; updates touch_lists, touch_counts, touch_dropped.
#import shared/touch_lists

@group(0) @binding(172) var<storage, read> bounce_changes: array<BounceChange>;
@group(0) @binding(173) var<storage, read> bounce_touches: array<TouchSum>;

@compute @workgroup_size(64)
fn touch_bounces(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let body = thread_index(group, groups, lane, 64u);
    if body >= sim.body_count {
        return;
    }
    let count = bounce_changes[body].touches;
    for (var k = 0u; k < count; k++) {
        touch_enter(body, bounce_touches[BOUNCE_TOUCHES * body + k]);
    }
}
