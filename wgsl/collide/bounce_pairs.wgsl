// bounce_pairs: one thread per body. Adds what its impacts with others do to its motion as a whole.
// Reads particles_in, record_first, contacts, edges, bounce_motions, bounce_counts; updates bodies, bounce_changes.
#import shared/bounce_pair

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(172) var<storage, read_write> bounce_changes: array<BounceChange>;
@group(0) @binding(173) var<storage, read> bounce_counts: array<vec2u>;

@compute @workgroup_size(64)
fn bounce_pairs(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, groups, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let own = bounce_motions[i];
    let counts = bounce_counts[i];
    if own.inverse_mass == 0.0 {
        return;
    }
    if counts.y > 0u {
        bodies[i].impact |= IMPACT_BODIES;
    }
    if counts.x == 0u {
        return;
    }
    var change = bounce_changes[i];
    for (var k = 0u; k < sim.body_count; k++) {
        if k == i || bounce_motions[k].meets == 0u || bounce_counts[k].x == 0u {
            continue;
        }
        let first = min(i, k);
        let second = max(i, k);
        let meeting = meeting_of(first, second);
        let low = meeting_motion(first, meeting.low);
        let high = meeting_motion(second, meeting.high);
        let approach = meeting_approach(meeting, low, high);
        if approach > sim.restitution_speed && approach <= min(low.stiff_speed, high.stiff_speed) {
            let shares = vec2f(f32(bounce_counts[first].x), f32(bounce_counts[second].x));
            let impulse = select(-1.0, 1.0, i == first) * bounce_impulse(low, high, meeting.at, shares);
            change.velocity += own.inverse_mass * impulse;
            change.spin += bounce_spun(own, cross(meeting.at.place - own.centre, impulse));
            change.bounces = 1.0;
        }
    }
    change.centre = own.centre;
    bounce_changes[i] = change;
}
