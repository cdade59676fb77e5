// bounce_pairs: one thread per body. Adds what its impacts with others do to its motion as a whole.
// Contact events hear of an impact from the body with the lower number, or from the other one where that is held.
// Reads particles_in, record_first, contacts, edges, bounce_motions; updates bodies, bounce_changes, bounce_touches.
#import shared/bounce_pair

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(172) var<storage, read_write> bounce_changes: array<BounceChange>;
@group(0) @binding(173) var<storage, read_write> bounce_touches: array<TouchSum>;

// Lists an impact of body i, if there is room.
fn list_touch(i: u32, place: u32, at: Impact, impulse: vec3f, other: u32) {
    if place < BOUNCE_TOUCHES {
        bounce_touches[BOUNCE_TOUCHES * i + place] = TouchSum(impulse, dot(impulse, at.normal), at.place, 0.0, at.normal, 1u,
                                                              i, other, 0u, 0u);
    }
}

@compute @workgroup_size(64)
fn bounce_pairs(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let own = bounce_motions[i];
    if own.inverse_mass == 0.0 {
        return;
    }
    if own.fast > 0u {
        bodies[i].impact |= IMPACT_BODIES;
    }
    if own.bounces == 0u {
        return;
    }
    var change = bounce_changes[i];
    for (var k = 0u; k < sim.body_count; k++) {
        if k == i || bounce_motions[k].meets == 0u || bounce_motions[k].bounces == 0u {
            continue;
        }
        let first = min(i, k);
        let second = max(i, k);
        let meeting = meeting_of(first, second);
        let low = meeting_motion(first, meeting.low);
        let high = meeting_motion(second, meeting.high);
        let approach = meeting_approach(meeting, low, high);
        if approach > sim.restitution_speed && approach <= min(low.stiff_speed, high.stiff_speed) {
            let shares = vec2f(f32(low.bounces), f32(high.bounces));
            let impulse = select(-1.0, 1.0, i == first) * bounce_impulse(low, high, meeting.at, shares);
            change.velocity += own.inverse_mass * impulse;
            change.spin += bounce_spun(own, cross(meeting.at.place - own.centre, impulse));
            change.bounces = 1.0;
            if i == first || low.inverse_mass == 0.0 {
                var at = meeting.at;
                at.normal *= select(-1.0, 1.0, i == first);
                list_touch(i, change.touches, at, impulse, k);
                change.touches = min(change.touches + 1u, BOUNCE_TOUCHES);
            }
        }
    }
    change.centre = own.centre;
    bounce_changes[i] = change;
}
