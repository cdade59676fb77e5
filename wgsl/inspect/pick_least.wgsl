// pick_least: one thread per part of the candidates, one workgroup. The nearest of all candidates, each lane some of them in order and the lanes in order; of
// several at one distance the first.
// Reads candidates, beam; writes found.
#import shared/beam

@group(0) @binding(119) var<storage, read_write> found: array<Candidate>;

var<workgroup> lane_distance: array<f32, 64>;
var<workgroup> lane_candidate: array<u32, 64>;

@compute @workgroup_size(64)
fn pick_least(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let share = (beam.count + 63u) / 64u;
    let first = min(lane * share, beam.count);
    let end = min(first + share, beam.count);
    var least = FAR;
    var best = NONE;
    for (var k = first; k < end; k++) {
        let distance = candidates[k].distance;
        if distance < least {
            least = distance;
            best = k;
        }
    }
    lane_distance[lane] = least;
    lane_candidate[lane] = best;
    workgroupBarrier();
    if lane > 0u || group.x > 0u {
        return;
    }
    for (var other = 1u; other < 64u; other++) {
        if lane_distance[other] < least {
            least = lane_distance[other];
            best = lane_candidate[other];
        }
    }
    found[0] = Candidate(vec3f(), FAR, NONE, NONE);
    if best < beam.count {
        found[0] = candidates[best];
    }
}
