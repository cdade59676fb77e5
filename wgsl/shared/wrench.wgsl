// What the contacts of a pose do to it. A list longer than SLICE has been added up by slices [shared/gather].
#import shared/gather
#import shared/pose_state
#import shared/wrench_of

// The sum over the list of degree of freedom i, a pose at x, in its order.
fn wrench_sum(i: u32, x: vec3f) -> Wrench {
    var sum = Wrench();
    let list = gathered(i);
    let manifolds = contact_lists[LIST_MANIFOLDS];
    for (var k = 0u; k < list.count; k++) {
        let entry = entries[list.first + k];
        let c = entry.node >> 3u;
        if list.is_long || c < manifolds {
            // One place where rows are read, of a slice or of a contact.
            let row = rows[select(c, list.slices + k, list.is_long)];
            if list.is_long {
                sum = wrench_add(sum, Wrench(row.delta, row.share, row.point));
            } else {
                sum = wrench_add(sum, wrench_of_row(row, entry.weight, x));
            }
        } else {
            sum = wrench_add(sum, wrench_of_manifold(c, entry.weight));
        }
    }
    return sum;
}

// A pose, degree of freedom i, with what its contacts give it: v += sum w J/m, omega += I^-1 sum w M.
fn acted_on(pose: Pose, i: u32) -> Pose {
    let sum = wrench_sum(i, pose.position);
    var after = pose;
    after.velocity += pose.inverse_mass * sum.impulse;
    after.spin += inverse_inertia_times(pose, sum.moment);
    return after;
}
