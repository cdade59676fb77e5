// query_box: one thread per box along the axes. A bit for each body of which a tetrahedron or a sphere has a point in the box,
// borders included. A box and a tetrahedron are apart where an axis parts them: normals of the faces of either, or
// across an edge of each [Gottschalk, Lin, Manocha 1996, "OBBTree", theorem 1].
// Reads query_boxes, query_pieces, query_bounds, query_elements, query_groups (per body), particles_in; writes box_answers.
#import shared/query

@group(0) @binding(143) var<storage, read> query_bounds: array<Box>;
@group(0) @binding(144) var<storage, read> query_groups: array<u32>;
@group(0) @binding(149) var<storage, read> query_boxes: array<Box>;
@group(0) @binding(150) var<storage, read_write> box_answers: array<u32>;

// A tetrahedron seen from the box's middle, and half of the box's edges.
struct Seen {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
    half: vec3f,
}

fn parts(seen: Seen, axis: vec3f) -> bool {
    let t = vec4f(dot(axis, seen.a), dot(axis, seen.b), dot(axis, seen.c), dot(axis, seen.d));
    let reach = dot(abs(axis), seen.half);
    return min(min(t.x, t.y), min(t.z, t.w)) > reach || max(max(t.x, t.y), max(t.z, t.w)) < -reach;
}

// Axes across an edge and each of the box's.
fn edge_parts(seen: Seen, e: vec3f) -> bool {
    return parts(seen, vec3f(0.0, -e.z, e.y)) || parts(seen, vec3f(e.z, 0.0, -e.x)) || parts(seen, vec3f(-e.y, e.x, 0.0));
}

fn tet_meets(seen: Seen) -> bool {
    let low = min(min(seen.a, seen.b), min(seen.c, seen.d));
    let high = max(max(seen.a, seen.b), max(seen.c, seen.d));
    if any(low > seen.half) || any(high < -seen.half) {
        return false;
    }
    let ab = seen.b - seen.a;
    let ac = seen.c - seen.a;
    let ad = seen.d - seen.a;
    let bc = seen.c - seen.b;
    let bd = seen.d - seen.b;
    if parts(seen, cross(ab, ac)) || parts(seen, cross(ac, ad)) || parts(seen, cross(ad, ab)) || parts(seen, cross(bc, bd)) {
        return false;
    }
    return !(edge_parts(seen, ab) || edge_parts(seen, ac) || edge_parts(seen, ad) || edge_parts(seen, bc)
        || edge_parts(seen, bd) || edge_parts(seen, seen.d - seen.c));
}

@compute @workgroup_size(64)
fn query_box(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= query.count {
        return;
    }
    let own = query_boxes[i];
    let middle = 0.5 * (own.low + own.high);
    let half = 0.5 * (own.high - own.low);
    for (var w = 0u; w < query.words; w++) {
        box_answers[query.words * i + w] = 0u;
    }
    for (var k = 0u; k < query.piece_count; k++) {
        let piece = query_pieces[k];
        let word = query.words * i + (piece.body >> 5u);
        let bit = 1u << (piece.body & 31u);
        let bounds = query_bounds[k];
        let apart = any(bounds.low > own.high) || any(bounds.high < own.low);
        if apart || (query_groups[piece.body] & query.mask) == 0u || (box_answers[word] & bit) != 0u {
            continue;
        }
        for (var e = piece.first; e < piece.end; e++) {
            var meets = false;
            if piece.radius > 0.0 {
                let beyond = max(abs(particles_in[e].position - middle) - half, vec3f());
                meets = dot(beyond, beyond) <= piece.radius * piece.radius;
            } else {
                let a = corner(e, 0u) - middle;
                meets = tet_meets(Seen(a, corner(e, 1u) - middle, corner(e, 2u) - middle, corner(e, 3u) - middle, half));
            }
            if meets {
                box_answers[word] |= bit;
                break;
            }
        }
    }
}
