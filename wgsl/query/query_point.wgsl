// query_point: one thread per point. The first body that holds it, and of its tetrahedra the one whose least barycentric
// coordinate there is greatest, which may be INSIDE_SLACK below 0, so that a point on a face that two share is in one of
// them; of its spheres the one that it is deepest in. Of several alike the one of the lowest index.
// Reads query_points, query_pieces, query_bounds, query_elements, query_groups (per body), particles_in; writes
// point_answers.
#import shared/query

@group(0) @binding(143) var<storage, read> query_bounds: array<Box>;
@group(0) @binding(144) var<storage, read> query_groups: array<u32>;
@group(0) @binding(147) var<storage, read> query_points: array<vec4f>;
@group(0) @binding(148) var<storage, read_write> point_answers: array<PointAnswer>;

fn may_hold(bounds: Box, p: vec3f) -> bool {
    let slack = 4.0 * INSIDE_SLACK * length(bounds.high - bounds.low);
    return all(p >= bounds.low - slack) && all(p <= bounds.high + slack);
}

// Barycentric coordinates of a point; of a flat tetrahedron all -1.
fn weights_in(e: u32, p: vec3f) -> vec4f {
    let a = corner(e, 0u);
    let u = corner(e, 1u) - a;
    let v = corner(e, 2u) - a;
    let w = corner(e, 3u) - a;
    let volume = dot(u, cross(v, w));
    if abs(volume) <= FLAT_TETRAHEDRON * length(u) * length(v) * length(w) {
        return vec4f(-1.0);
    }
    let r = p - a;
    let rest = vec3f(dot(r, cross(v, w)), dot(r, cross(w, u)), dot(r, cross(u, v))) / volume;
    return vec4f(1.0 - rest.x - rest.y - rest.z, rest);
}

@compute @workgroup_size(64)
fn query_point(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= query.count {
        return;
    }
    let p = query_points[i].xyz;
    var best = PointAnswer(vec4f(), NONE, NONE, -INSIDE_SLACK);
    for (var k = 0u; k < query.piece_count; k++) {
        let piece = query_pieces[k];
        if best.body != NONE && best.body != piece.body {
            break;
        }
        if (query_groups[piece.body] & query.mask) == 0u || !may_hold(query_bounds[k], p) {
            continue;
        }
        for (var e = piece.first; e < piece.end; e++) {
            var weights = vec4f();
            var inside = -1.0;
            if piece.radius > 0.0 {
                let depth = 1.0 - length(p - particles_in[e].position) / piece.radius;
                inside = select(-1.0, depth, depth >= 0.0);
            } else {
                weights = weights_in(e, p);
                inside = min(min(weights.x, weights.y), min(weights.z, weights.w));
            }
            if inside > best.inside {
                best = PointAnswer(weights, piece.body, e, inside);
            }
        }
    }
    point_answers[i] = best;
}
