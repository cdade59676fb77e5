// sweep_axis: one workgroup per world, after sweep_spread. The axis along which the middles of colliders' boxes are spread farthest:
// along it the fewest boxes overlap that do not meet. Of equal ones the first.
// Reads spread_parts; writes sweep_along.
#import shared/collide
#import shared/spread_rows

@group(0) @binding(224) var<storage, read_write> sweep_along: array<u32>;

@compute @workgroup_size(64)
fn sweep_axis(@builtin(local_invocation_index) lane: u32) {
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    let count = (collide.first_obstacle + CHUNK - 1u) / CHUNK;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let row = PART_ROWS * (lane + WORKGROUP * turn);
        low = min(low, spread_parts[row].xyz);
        high = max(high, -spread_parts[row + 1u].xyz);
    }
    if lane < threads {
        leave_spread(lane, low, high);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        let spread = -joined_row(threads, 1u).xyz - joined_row(threads, 0u).xyz;
        let is_x = spread.x >= spread.y && spread.x >= spread.z;
        sweep_along[0] = select(select(2u, 1u, spread.y >= spread.z), 0u, is_x);
    }
}
