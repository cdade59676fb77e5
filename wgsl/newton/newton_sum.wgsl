// newton_sum: one workgroup per CHUNK rows of unknowns. Sums of what the passes before left beside the directions and the products,
// in fixed order.
// Reads directions, products; writes sums.
#import shared/sim
#import shared/sum_rows

@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read> products: array<vec4f>;
@group(0) @binding(95) var<storage, read_write> sums: array<vec4f>;

const PART_ROWS: u32 = 1u;

@compute @workgroup_size(64)
fn newton_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = CHUNK * group_index(group);
    if first >= sim.unknown_count {
        return;
    }
    var sum = vec4f();
    let count = min(CHUNK, sim.unknown_count - first);
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let i = first + lane + WORKGROUP * turn;
        let product = products[i];
        sum += vec4f(directions[i].damping_rate, product.w, product.x, product.y);
    }
    if lane < threads {
        leave_row(lane, 0u, sum);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        sums[first / CHUNK] = joined_row(threads, 0u);
    }
}
