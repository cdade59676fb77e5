// probe_body: one workgroup per body. |A w/|w|| in the norm of the masses, from its chunks' sums, in fixed order: the estimate of A's largest
// eigenvalue, and the length that the next iteration divides by [von Mises & Pollaczek-Geiringer 1929].
// Reads partials; updates bodies; writes the estimate to status, behind the fault word.
#import shared/sim
#import shared/sum_rows

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(17) var<storage, read_write> partials: array<f32>;

const PART_ROWS: u32 = 1u;

@compute @workgroup_size(64)
fn probe_body(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = group_index(group);
    if i >= sim.body_count {
        return;
    }
    let first = bodies[i].chunk_first;
    var square = 0.0;
    let count = bodies[i].chunk_count;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        square += partials[first + lane + WORKGROUP * turn];
    }
    if lane < threads {
        leave_row(lane, 0u, vec4f(square, 0.0, 0.0, 0.0));
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane > 0u {
        return;
    }
    let norm = sqrt(joined_row(threads, 0u).x);
    // A norm beyond f32 keeps the vector as it is, so that the last norm is beyond f32, too, and the host sees it.
    bodies[i].probe_scale = select(1.0, 1.0 / max(norm, 1e-30), norm > 0.0 && norm < 3e38);
    if sim.probe == PROBE_STIFFNESS {
        bodies[i].stiffness_rate = PROBE_MARGIN * PROBE_MARGIN * norm;
    }
    atomicStore(&status[STATUS_RATES + i], bitcast<u32>(norm));
}
