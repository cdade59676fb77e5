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
        if list.is_long {
            let row = rows[list.slices + k];
            sum = wrench_add(sum, Wrench(row.delta, row.share, row.point));
        } else {
            let entry = entries[list.first + k];
            sum = wrench_add(sum, wrench_of(entry.node >> 3u, entry.weight, x, manifolds));
        }
    }
    return sum;
}
