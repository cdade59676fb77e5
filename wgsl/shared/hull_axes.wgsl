// The axes along which two hulls can be apart: the normals of their faces, and what is square to an edge of each.
#import shared/narrow

// Faces of a hull at the most, and edges: with more of them the search takes too long.
const AXES_FACES: u32 = 48u;
const AXES_EDGES: u32 = 72u;
// How far edges may be turned out of the range in which they are in front.
const AXES_SLACK: f32 = 1e-4;

// Of each edge of b that is taken, the way into the face beyond it, square to both, in a's axes.
var<private> ways_in: array<vec3f, AXES_EDGES>;

fn has_axes(c: Collider) -> bool {
    let count = flat_faces(c);
    return count > 0u && count <= AXES_FACES;
}

// The normal of the face on the other side of an edge of face `own`: of all others the one whose plane is nearest to its ends.
fn normal_beyond(c: Collider, own: u32, p: vec3f, q: vec3f) -> vec3f {
    var found = vec3f();
    var most = -3e38;
    let faces = flat_faces(c);
    for (var k = 0u; k < faces; k++) {
        let face = flat_face(c, k);
        let corner = feature_corner(face, c, 0u);
        let height = dot(face.normal, p - corner) + dot(face.normal, q - corner);
        if k != own && height > most {
            most = height;
            found = face.normal;
        }
    }
    return found;
}

// Whether an edge is taken: each is one of two faces, which have it in either direction.
fn is_taken(p: vec3f, q: vec3f) -> bool {
    return p.x < q.x || (p.x == q.x && (p.y < q.y || (p.y == q.y && p.z < q.z)));
}

// Fills `ways_in`.
fn find_ways_in(pair: Pair) {
    var edge = 0u;
    let faces = flat_faces(pair.b);
    for (var k = 0u; k < faces; k++) {
        let face = flat_face(pair.b, k);
        let count = face.count;
        for (var j = 0u; j < count; j++) {
            let p = feature_corner(face, pair.b, j);
            let q = feature_corner(face, pair.b, select(j + 1u, 0u, j + 1u == count));
            if is_taken(p, q) && edge < AXES_EDGES {
                ways_in[edge] = pair.axes * cross(q - p, normal_beyond(pair.b, k, p, q));
                edge++;
            }
        }
    }
}

// The axis along which two hulls are farthest apart, or in each other least deep. Of pairs of edges those count that are in front
// of each other along the axis [cf. Gregorius 2013].
fn hull_direction(pair: Pair) -> Direction {
    var found = no_direction();
    found.is_known = true;
    let more = NARROW_ROUNDING * pair.size;
    let faces_a = flat_faces(pair.a);
    let faces_b = flat_faces(pair.b);
    for (var k = 0u; k < faces_a; k++) {
        let face = flat_face(pair.a, k);
        let distance = dot(-face.normal, feature_corner(face, pair.a, 0u) - support_of_b(pair, -face.normal));
        if distance > found.distance {
            found.distance = distance;
            found.normal = -face.normal;
        }
    }
    for (var k = 0u; k < faces_b; k++) {
        let face = flat_face(pair.b, k);
        let n = pair.axes * face.normal;
        let distance = dot(n, support(pair.a, -n) - pair.offset - pair.axes * feature_corner(face, pair.b, 0u));
        if distance > found.distance + more {
            found.distance = distance;
            found.normal = n;
        }
    }
    find_ways_in(pair);
    for (var ka = 0u; ka < faces_a; ka++) {
        let face_a = flat_face(pair.a, ka);
        let count_a = face_a.count;
        for (var ja = 0u; ja < count_a; ja++) {
            let pa = feature_corner(face_a, pair.a, ja);
            let qa = feature_corner(face_a, pair.a, select(ja + 1u, 0u, ja + 1u == count_a));
            if !is_taken(pa, qa) {
                continue;
            }
            let ea = qa - pa;
            let in_one = cross(face_a.normal, ea);
            let in_other = cross(ea, normal_beyond(pair.a, ka, pa, qa));
            var edge = 0u;
            for (var kb = 0u; kb < faces_b; kb++) {
                let face_b = flat_face(pair.b, kb);
                let normal_b = pair.axes * face_b.normal;
                let count_b = face_b.count;
                for (var jb = 0u; jb < count_b; jb++) {
                    let own_p = feature_corner(face_b, pair.b, jb);
                    let own_q = feature_corner(face_b, pair.b, select(jb + 1u, 0u, jb + 1u == count_b));
                    if !is_taken(own_p, own_q) {
                        continue;
                    }
                    let way_in = ways_in[min(edge, AXES_EDGES - 1u)];
                    edge++;
                    let eb = pair.axes * (own_q - own_p);
                    let axis = cross(ea, eb);
                    let square = dot(axis, axis);
                    if square <= 1e-6 * dot(ea, ea) * dot(eb, eb) {
                        continue;
                    }
                    // Along n the faces of a are in front of its edge, those of b behind its own.
                    let into_a = vec2f(dot(axis, in_one), dot(axis, in_other));
                    let into_b = vec2f(dot(axis, cross(normal_b, eb)), dot(axis, way_in));
                    let is_up = all(into_a >= vec2f(-AXES_SLACK * square)) && all(into_b <= vec2f(AXES_SLACK * square));
                    let is_down = all(into_a <= vec2f(AXES_SLACK * square)) && all(into_b >= vec2f(-AXES_SLACK * square));
                    if !is_up && !is_down {
                        continue;
                    }
                    let n = select(-axis, axis, is_up) / sqrt(square);
                    let pb = pair.offset + pair.axes * own_p;
                    if dot(n, pa - pb) <= found.distance + more {
                        continue;
                    }
                    let distance = separation_along(pair, n);
                    if distance > found.distance + more {
                        found.distance = distance;
                        found.normal = n;
                    }
                }
            }
        }
    }
    return found;
}
