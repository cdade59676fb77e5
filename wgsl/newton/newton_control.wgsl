// newton_control: one thread per few ways through gates, one workgroup. Adds the chunks' sums up in fixed order, and
// decides what the following passes do by opening and closing the gates that they are dispatched through. The stage that `sim` names acts only when the solve has come to it:
// test: has Newton's change gone too far, back to where the secant of r.d vanishes, else on;
// open: is the residual small, are the iterations used up, or is the state one no more, then done, else to conjugate gradients; where there are
// contacts and it is small enough for that, their multipliers follow the iterate first;
// conjugate: alpha and beta of the next iteration, or to the move and the test;
// end: of the step: counts it in status, and begins anew.
// Reads sums, gate_plan (groups and gate of each way to dispatch); updates newton, status; writes gates.
#import shared/sim
#import shared/sum_rows

@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(90) var<storage, read_write> newton: array<Newton>;
@group(0) @binding(95) var<storage, read> sums: array<vec4f>;
@group(0) @binding(98) var<storage, read> gate_plan: array<vec4u>;
@group(0) @binding(99) var<storage, read_write> gates: array<u32>;

// The change has gone too far where the slope along it is minus this part of the one at its start.
const OVERSHOOT: f32 = 0.5;
// Multipliers follow where the residual is below this part of its scale: before that, contacts come and go.
const FOLLOW: f32 = 0.3;
// How often it is taken back at the most.
const BACK_MOST: u32 = 3u;
// Conjugate gradients end where the square of the residual, over the blocks, has come down to this part, or so often.
const FORCING: f32 = 1e-3;
const CONJUGATE_MOST: u32 = 200u;

const PART_ROWS: u32 = 1u;

var<workgroup> opened: u32;

fn test_stage(before: Newton, slope: f32) -> Newton {
    var n = before;
    n.phase = NEWTON_OPEN;
    n.gates = 1u << GATE_OPEN;
    if n.iterations > 0u && n.tries < BACK_MOST && n.slope > 0.0 && -slope > OVERSHOOT * n.slope {
        let taken = max(0.1, n.slope / (n.slope - slope)) * n.taken;
        n.share = taken - n.taken;
        n.taken = taken;
        n.tries += 1u;
        n.phase = NEWTON_TEST;
        n.gates = (1u << GATE_MOVE) | (1u << GATE_TEST);
    }
    return n;
}

fn open_stage(before: Newton, sum: vec4f) -> Newton {
    var n = before;
    // What rounding leaves may have a direction at first: it would add up over the steps.
    let rounding = select(sqrt(sum.w) / sim.tolerance, 0.0, n.iterations == 0u);
    let scale = sqrt(sum.z) + rounding;
    n.residual = sqrt(sum.y) / max(scale, 1e-30);
    n.phase = NEWTON_DONE;
    n.gates = 0u;
    let follows = sim.stage == NEWTON_OPEN && sim.first_stage != 0u;
    let more = n.iterations < sim.iterations;
    if atomicLoad(&status[STATUS_FAULT]) != NONE {
        return n;
    }
    if follows && (!more || sqrt(sum.y) <= max(FOLLOW * sqrt(sum.z), sim.tolerance * scale)) {
        n.phase = NEWTON_FOLLOWED;
        n.gates = 1u << GATE_FOLLOW;
    } else if more && n.residual > sim.tolerance {
        let part = 0.5 * sim.tolerance / n.residual;
        n.phase = NEWTON_CONJUGATE;
        n.gates = (1u << GATE_LINEAR) | (1u << GATE_CONJUGATE);
        n.goal = max(FORCING, part * part);
        n.conjugate = 0u;
        n.slope = 0.0;
    }
    return n;
}

fn conjugate_stage(before: Newton, gamma: f32, delta: f32) -> Newton {
    var n = before;
    let first = n.conjugate == 0u;
    n.goal *= select(1.0, gamma, first);
    n.beta = select(gamma / max(n.gamma, 1e-37), 0.0, first);
    let curvature = delta - select(n.beta * gamma / max(n.alpha, 1e-37), 0.0, first);
    let arrived = !first && gamma <= n.goal;
    n.gates = 1u << GATE_CONJUGATE;
    if gamma > 0.0 && curvature > 0.0 && !arrived && n.conjugate < CONJUGATE_MOST {
        n.alpha = gamma / curvature;
        n.gamma = gamma;
        n.slope += n.alpha * gamma;
        n.conjugate += 1u;
        n.conjugate_sum += 1u;
        return n;
    }
    n.iterations += 1u;
    n.tries = 0u;
    n.taken = 1.0;
    n.share = 1.0;
    n.phase = select(NEWTON_TEST, NEWTON_DONE, first);
    n.gates = select((1u << GATE_MOVE) | (1u << GATE_TEST), 0u, first);
    return n;
}

fn end_stage(n: Newton) -> Newton {
    if n.phase != NEWTON_DONE {
        atomicMax(&status[NEWTON_SHORT], 1u);
    }
    atomicMax(&status[NEWTON_ROUNDS], n.rounds);
    atomicAdd(&status[NEWTON_SUM], n.iterations);
    atomicMax(&status[NEWTON_LARGEST], n.iterations);
    atomicAdd(&status[NEWTON_CONJUGATE_SUM], n.conjugate_sum);
    atomicMax(&status[NEWTON_CONJUGATE_LARGEST], n.conjugate_sum);
    atomicMax(&status[NEWTON_RESIDUAL], bitcast<u32>(max(n.residual, 0.0)));
    if n.residual > sim.tolerance {
        atomicAdd(&status[NEWTON_UNCONVERGED], 1u);
    }
    var next: Newton;
    next.gates = 1u << GATE_TEST;
    return next;
}

@compute @workgroup_size(64)
fn newton_control(@builtin(local_invocation_index) lane: u32) {
    var sum = vec4f();
    let count = (sim.unknown_count + CHUNK - 1u) / CHUNK;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        sum += sums[lane + WORKGROUP * turn];
    }
    if lane < threads {
        leave_row(lane, 0u, sum);
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane == 0u {
        let total = joined_row(threads, 0u);
        var n = newton[0];
        if sim.stage == NEWTON_TEST && n.phase != NEWTON_DONE {
            n.rounds += 1u;
        }
        if sim.stage == NEWTON_END {
            n = end_stage(n);
        } else if sim.stage == n.phase {
            if n.phase == NEWTON_TEST {
                n = test_stage(n, total.y);
            } else if n.phase == NEWTON_OPEN || n.phase == NEWTON_FOLLOWED {
                n = open_stage(n, total);
            } else {
                n = conjugate_stage(n, total.x, total.y);
            }
        }
        newton[0] = n;
        opened = n.gates;
    }
    workgroupBarrier();
    let ways = arrayLength(&gate_plan);
    let each = (ways + 63u) / 64u;
    let last = min(lane * each + each, ways);
    for (var e = lane * each; e < last; e++) {
        let way = gate_plan[e];
        let open = ((opened >> way.w) & 1u) != 0u;
        gates[3u * e] = select(0u, way.x, open);
        gates[3u * e + 1u] = select(0u, way.y, open);
        gates[3u * e + 2u] = select(0u, way.z, open);
    }
}
