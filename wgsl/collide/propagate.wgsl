// propagate: one thread per record. A point that no earlier sweep reached takes depth and direction from the neighbours
// that one did: depth = sum w ((q_j - q).r_j + h_j) / sum w, direction = sum w r_j normalised
// [Heidelberger et al. 2004, eq. 4-5]. `status` learns the last sweep that had something to do.
// Reads points, elements, tested, record_first, penetrations_in; writes penetrations_out, status.
#import shared/collide

@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> elements: array<Element>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(33) var<storage, read> penetrations_in: array<Penetration>;
@group(0) @binding(34) var<storage, read_write> penetrations_out: array<Penetration>;

@compute @workgroup_size(64)
fn propagate(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let r = thread_index(group, lane, 64u);
    if r >= min(record_first[sim.particle_count], collide.capacity) {
        return;
    }
    var own = penetrations_in[r];
    if own.tet == NONE || any(abs(own.direction) > vec3f()) {
        penetrations_out[r] = own;
        return;
    }
    let q = tested[own.feature].position;
    let point = points[own.feature];
    let edge_count = point.counts & 0xffffu;
    var weight = 0.0;
    var depth = 0.0;
    var direction = vec3f();
    var sweep = 0u;
    for (var e = 0u; e < edge_count; e++) {
        let j = elements[point.first + e * SLICE].other;
        let end = min(record_first[j + 1u], collide.capacity);
        for (var s = record_first[j]; s < end; s++) {
            let other = penetrations_in[s];
            if other.body == own.body && any(abs(other.direction) > vec3f()) {
                let d = tested[j].position - q;
                let w = 1.0 / max(dot(d, d), collide.floor * collide.floor);
                weight += w;
                depth += w * (dot(d, other.direction) + other.depth);
                direction += w * other.direction;
                sweep = max(sweep, other.sweep);
            }
        }
    }
    let size = length(direction);
    if weight > 0.0 && size > 1e-6 * weight {
        own.direction = direction / size;
        own.depth = depth / weight;
        own.sweep = sweep + 1u;
        atomicMax(&status[STATUS_SWEEPS], own.sweep);
    }
    penetrations_out[r] = own;
}
