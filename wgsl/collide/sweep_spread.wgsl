// sweep_spread: one workgroup per CHUNK of the colliders that are no obstacles. The box of the middles of their boxes, of those that
// touch anything.
// Reads placed_colliders; writes spread_parts.
#import shared/collide
#import shared/spread_rows

@group(0) @binding(200) var<storage, read> placed_colliders: array<PlacedCollider>;

@compute @workgroup_size(64)
fn sweep_spread(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = CHUNK * group_index(group);
    if first >= collide.first_obstacle {
        return;
    }
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    let count = min(CHUNK, collide.first_obstacle - first);
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let placed = placed_colliders[first + lane + WORKGROUP * turn];
        if placed.collider != NONE {
            let middle = 0.5 * (placed.low + placed.high);
            low = min(low, middle);
            high = max(high, middle);
        }
    }
    if lane < threads {
        leave_spread(lane, low, high);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane < PART_ROWS {
        spread_parts[PART_ROWS * (first / CHUNK) + lane] = joined_row(threads, lane);
    }
}
