// bounce_count: one thread per body. In how many impacts with others it bounces in this step, and whether it meets one faster
// than they are stiff.
// Reads particles_in, record_first, contacts, edges; updates bounce_motions.
#import shared/bounce_pair

@compute @workgroup_size(64)
fn bounce_count(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    var count = vec2u();
    if bounce_motions[i].meets != 0u {
        for (var k = 0u; k < sim.body_count; k++) {
            if k == i || bounce_motions[k].meets == 0u {
                continue;
            }
            let meeting = meeting_of(min(i, k), max(i, k));
            let low = meeting_motion(min(i, k), meeting.low);
            let high = meeting_motion(max(i, k), meeting.high);
            let approach = meeting_approach(meeting, low, high);
            if approach > sim.restitution_speed {
                count += select(vec2u(0u, 1u), vec2u(1u, 0u), approach <= min(low.stiff_speed, high.stiff_speed));
            }
        }
    }
    bounce_motions[i].bounces = count.x;
    bounce_motions[i].fast = count.y;
}
