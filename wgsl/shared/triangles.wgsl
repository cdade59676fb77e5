// Whether the surfaces of two hulls meet: each triangle of one against each of the other.
#import shared/narrow

// Corners this close to a triangle's plane, as a part of its size, lie in it.
const PLANE_ROUNDING: f32 = 1e-6;

// Where a triangle crosses a plane, along a line in that: `along` of its corners, and how far these are from the plane, not all
// on one side [Moeller 1997].
fn crossing(along: vec3f, height: vec3f) -> vec2f {
    var low = 3e38;
    var high = -3e38;
    for (var k = 0u; k < 3u; k++) {
        let next = select(k + 1u, 0u, k == 2u);
        let p = height[k];
        let q = height[next];
        // A corner in the plane is where its edges cross that.
        if p * q < 0.0 || p == 0.0 {
            let at = along[k] + (along[next] - along[k]) * select(p / (p - q), 0.0, p == 0.0);
            low = min(low, at);
            high = max(high, at);
        }
    }
    return vec2f(low, high);
}

// Whether two triangles in one plane with normal n meet: no side of either has the other one beyond it.
fn flat_triangles_meet(p: mat3x3f, q: mat3x3f, n: vec3f, least: f32) -> bool {
    for (var k = 0u; k < 6u; k++) {
        let side = k % 3u;
        let next = select(side + 1u, 0u, side == 2u);
        let start = select(q[side], p[side], k < 3u);
        let end = select(q[next], p[next], k < 3u);
        let rest = select(q[3u - side - next], p[3u - side - next], k < 3u);
        var out = cross(end - start, n);
        out = unit(select(out, -out, dot(out, rest - start) > 0.0));
        let far = select(vec3f(dot(out, p[0] - start), dot(out, p[1] - start), dot(out, p[2] - start)),
                         vec3f(dot(out, q[0] - start), dot(out, q[1] - start), dot(out, q[2] - start)), k < 3u);
        if min(far.x, min(far.y, far.z)) > least {
            return false;
        }
    }
    return true;
}

// Heights of a triangle's corners over another one's plane, 0 where rounding makes them.
fn heights(p: mat3x3f, n: vec3f, at: vec3f, least: f32) -> vec3f {
    let h = vec3f(dot(n, p[0] - at), dot(n, p[1] - at), dot(n, p[2] - at));
    return select(h, vec3f(), abs(h) <= vec3f(least));
}

fn one_sided(h: vec3f) -> bool {
    return all(h > vec3f()) || all(h < vec3f());
}

// Interval test of triangles [Moeller 1997].
fn triangles_meet(p: mat3x3f, q: mat3x3f, size: f32) -> bool {
    let least = PLANE_ROUNDING * size;
    let nq = unit(cross(q[1] - q[0], q[2] - q[0]));
    let over_q = heights(p, nq, q[0], least);
    if one_sided(over_q) {
        return false;
    }
    let np = unit(cross(p[1] - p[0], p[2] - p[0]));
    let over_p = heights(q, np, p[0], least);
    if one_sided(over_p) {
        return false;
    }
    if all(over_q == vec3f()) || all(over_p == vec3f()) {
        return flat_triangles_meet(p, q, nq, least);
    }
    let line = unit(cross(np, nq));
    let of_p = crossing(line * (p - mat3x3f(q[0], q[0], q[0])), over_q);
    let of_q = crossing(line * (q - mat3x3f(q[0], q[0], q[0])), over_p);
    return of_p.x <= of_q.y + least && of_q.x <= of_p.y + least;
}

// Whether a point is in a hull, given in its axes.
fn holds_point(c: Collider, x: vec3f) -> bool {
    let faces = flat_faces(c);
    for (var k = 0u; k < faces; k++) {
        let face = flat_face(c, k);
        if dot(face.normal, x - feature_corner(face, c, 0u)) > 0.0 {
            return false;
        }
    }
    return true;
}

// Whether two hulls' surfaces meet, or one is in the other.
fn hulls_meet(pair: Pair) -> bool {
    let faces_a = flat_faces(pair.a);
    let faces_b = flat_faces(pair.b);
    for (var ka = 0u; ka < faces_a; ka++) {
        let face_a = flat_face(pair.a, ka);
        let count_a = face_a.count;
        for (var ja = 2u; ja < count_a; ja++) {
            let p = mat3x3f(feature_corner(face_a, pair.a, 0u), feature_corner(face_a, pair.a, ja - 1u),
                            feature_corner(face_a, pair.a, ja));
            for (var kb = 0u; kb < faces_b; kb++) {
                let face_b = flat_face(pair.b, kb);
                let count_b = face_b.count;
                for (var jb = 2u; jb < count_b; jb++) {
                    let own = mat3x3f(feature_corner(face_b, pair.b, 0u), feature_corner(face_b, pair.b, jb - 1u),
                                      feature_corner(face_b, pair.b, jb));
                    let o = pair.offset;
                    if triangles_meet(p, pair.axes * own + mat3x3f(o, o, o), pair.size) {
                        return true;
                    }
                }
            }
        }
    }
    let corner_a = feature_corner(flat_face(pair.a, 0u), pair.a, 0u);
    let corner_b = pair.offset + pair.axes * feature_corner(flat_face(pair.b, 0u), pair.b, 0u);
    return holds_point(pair.b, (corner_a - pair.offset) * pair.axes) || holds_point(pair.a, corner_b);
}

// The manifold of a pair, of two hulls without radius only where they meet.
fn touch_triangles(i: u32, search: Search) {
    let pair = search.pair;
    let are_hulls = flat_faces(pair.a) > 0u && flat_faces(pair.b) > 0u && max(search.m.radii.x, search.m.radii.y) <= 0.0;
    let first = first_direction(search);
    if are_hulls && !hulls_meet(pair) {
        touch_nothing(i, search, first.normal);
        return;
    }
    touch(i, search, first, shallow_of(pair));
}
