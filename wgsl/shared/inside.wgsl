// Points inside tetrahedra, and the list of those that hold a point.
#import shared/grid

@group(0) @binding(31) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;

// A tetrahedron's first corner, the rows of its barycentric coordinates of the other three, and its box.
struct Inside {
    origin: vec3f,
    rows: mat3x3f,
    low: vec3f,
    high: vec3f,
    valid: bool,
}

fn inside_begin(a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> Inside {
    let u = b - a;
    let v = c - a;
    let w = d - a;
    let volume = dot(u, cross(v, w));
    let low = min(min(a, b), min(c, d));
    let high = max(max(a, b), max(c, d));
    let size = high - low;
    let valid = abs(volume) > 1e-9 * size.x * size.y * size.z && volume != 0.0;
    let scale = 1.0 / select(1.0, volume, valid);
    return Inside(a, mat3x3f(scale * cross(v, w), scale * cross(w, u), scale * cross(u, v)), low, high, valid);
}

// Whether q is inside or, within rounding, on a face: both tetrahedra of a face may hold it, but never none.
fn inside_holds(inside: Inside, q: vec3f) -> bool {
    if any(q < inside.low) || any(q > inside.high) {
        return false;
    }
    let beta = (q - inside.origin) * inside.rows;
    return all(beta >= vec3f(-INSIDE_SLACK)) && beta.x + beta.y + beta.z <= 1.0 + INSIDE_SLACK;
}

// Enters a tetrahedron in a point's list: of each body the lowest, of the bodies the first four. Whatever the order of
// the calls, each place ends with the same: it keeps the lower of two and hands the other on, unless both are one body's.
fn hit_enter(i: u32, tet: u32, body_first: u32, body_end: u32) {
    var carried = tet;
    var first = body_first;
    var end = body_end;
    for (var place = 0u; place < MAX_HITS; place++) {
        let before = atomicMin(&hits[HIT_STRIDE * i + place], carried);
        if before == NONE {
            atomicAdd(&counts[i], 1u);
            return;
        }
        if before >= first && before < end {
            return;
        }
        if before > carried {
            carried = before;
            let body = bodies[bitcast<u32>(tested[tets[carried].corners.x].w)];
            first = body.tet_first;
            end = body.tet_first + body.tet_count;
        }
    }
    atomicMin(&hits[HIT_STRIDE * i + MAX_HITS], carried);
}
