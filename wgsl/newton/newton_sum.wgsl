// newton_sum: PART_LANES threads per slice of 64 rows of unknowns. Sums of what the passes before left beside the directions and the
// products, in fixed order.
// Reads directions, products; writes sums.
#import shared/sim
#import shared/part_sums

@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read> products: array<vec4f>;
@group(0) @binding(95) var<storage, read_write> sums: array<vec4f>;

const PART_ROWS: u32 = 1u;

@compute @workgroup_size(64)
fn newton_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let slice = thread_index(group, lane, 64u) / PART_LANES;
    let first = slice * SLICE;
    let end = min(first + SLICE, sim.unknown_count);
    var sum = vec4f();
    let turns = part_turns(end - min(first, end), lane % PART_LANES);
    for (var turn = 0u; turn < turns; turn++) {
        let i = first + lane % PART_LANES + PART_LANES * turn;
        let product = products[i];
        sum += vec4f(directions[i].damping_rate, product.w, product.x, product.y);
    }
    leave_row(lane, 0u, sum);
    workgroupBarrier();
    if lane % PART_LANES == 0u && first < sim.unknown_count {
        sums[slice] = sum_row(lane / PART_LANES, 0u, PART_LANES);
    }
}
