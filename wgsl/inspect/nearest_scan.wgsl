// nearest_scan: one thread per 64 particles of one body. The one that is nearest to the ray, or to its origin where it has
// no direction or the particle lies behind; of several at one distance the one of the lowest index.
// Reads particles_in, beam; writes candidates.
#import shared/beam

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;

@compute @workgroup_size(64)
fn nearest_scan(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, groups, lane, 64u);
    if k >= beam.count {
        return;
    }
    let first = beam.first + k * SLICE;
    let end = min(first + SLICE, beam.end);
    var least = FAR;
    var index = NONE;
    var place = vec3f();
    for (var i = first; i < end; i++) {
        let x = particles_in[i].position;
        let r = x - beam.origin;
        let view = beam_view(x);
        let square = select(dot(r, r), dot(view.xy, view.xy), view.z > 0.0);
        if square < least {
            least = square;
            index = i;
            place = x;
        }
    }
    candidates[k] = Candidate(place, select(sqrt(least), FAR, index == NONE), index, beam.body);
}
