// Points inside tetrahedra, and the list of those that hold a point.
#import shared/grid

@group(0) @binding(31) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;

// A tetrahedron's first corner, the gradients of its barycentric coordinates, its box, and which of its faces belong to
// the surface.
struct Inside {
    origin: vec3f,
    gradients: mat4x3f,
    low: vec3f,
    high: vec3f,
    surface: vec4<bool>,
    valid: bool,
}

fn inside_begin(tet: Tet) -> Inside {
    let a = particles_in[tet.corners.x].position;
    let b = particles_in[tet.corners.y].position;
    let c = particles_in[tet.corners.z].position;
    let d = particles_in[tet.corners.w].position;
    let u = b - a;
    let v = c - a;
    let w = d - a;
    let volume = dot(u, cross(v, w));
    let low = min(min(a, b), min(c, d));
    let high = max(max(a, b), max(c, d));
    let size = high - low;
    let valid = abs(volume) > 1e-9 * size.x * size.y * size.z && abs(volume) > 0.0;
    let scale = 1.0 / select(1.0, volume, valid);
    let gb = scale * cross(v, w);
    let gc = scale * cross(w, u);
    let gd = scale * cross(u, v);
    return Inside(a, mat4x3f(-(gb + gc + gd), gb, gc, gd), low, high, tet.across == vec4u(NONE), valid);
}

// How far outside a face a point still counts as inside. A face of the surface that does not look against the point's
// own normal has room for the rim of a body that stands flush on this one.
fn inside_slack(gradient: vec3f, surface: bool, point: Tested) -> f32 {
    let slope = length(gradient);
    if surface && dot(gradient, point.normal) < FACING * slope * dot(point.normal, point.normal) {
        return INSIDE_SLACK + RIM_SLACK * point.margin * slope;
    }
    return INSIDE_SLACK;
}

// Whether a tested point is inside or, within the slack, on a face: both tetrahedra of a face may hold it,
// but never none.
fn inside_holds(inside: Inside, point: Tested) -> bool {
    let q = point.position;
    let reach = RIM_SLACK * point.margin;
    if any(q < inside.low - reach) || any(q > inside.high + reach) {
        return false;
    }
    let beta = (q - inside.origin) * inside.gradients + vec4f(1.0, 0.0, 0.0, 0.0);
    return beta.x >= -inside_slack(inside.gradients[0], inside.surface.x, point)
        && beta.y >= -inside_slack(inside.gradients[1], inside.surface.y, point)
        && beta.z >= -inside_slack(inside.gradients[2], inside.surface.z, point)
        && beta.w >= -inside_slack(inside.gradients[3], inside.surface.w, point);
}

fn body_of_tet(tet: u32) -> u32 {
    return tested[tets[tet].corners.x].body;
}

// The least barycentric coordinate of a point.
fn least_share(inside: Inside, q: vec3f) -> f32 {
    let beta = (q - inside.origin) * inside.gradients + vec4f(1.0, 0.0, 0.0, 0.0);
    return min(min(beta.x, beta.y), min(beta.z, beta.w));
}

// Enters a tetrahedron in a feature's list: of each body the one for which `hit_worth` is the largest, of equal ones the lowest; of
// the bodies the first four. Who imports this declares `hit_worth`. Whatever the order of the calls, each place ends with the same:
// it keeps the better of two of one body, of two bodies the lower, and hands the other body's on. A round that changes nothing
// has lost against another thread's that did. The first round looks at the tetrahedron itself: all are judged by the same
// instructions, as two that hold a point on their common face differ by rounding alone.
fn hit_enter(feature: u32, tet: u32) {
    let list = HIT_STRIDE * feature;
    var carried = tet;
    var worth = 0.0;
    var place = 0u;
    for (var k = 0u; k < MAX_LIST; k++) {
        if place == MAX_HITS {
            atomicMin(&hits[list + place], carried);
            return;
        }
        let before = atomicLoad(&hits[list + place]);
        let other = select(before, carried, k == 0u || before == NONE);
        let other_worth = hit_worth(feature, other);
        if k == 0u {
            worth = other_worth;
            continue;
        }
        let own_body = body_of_tet(carried);
        let other_body = body_of_tet(other);
        if other_body < own_body {
            place++;
            continue;
        }
        let same = before != NONE && other_body == own_body;
        if same && (worth < other_worth || (worth == other_worth && carried >= before)) {
            return;
        }
        if !atomicCompareExchangeWeak(&hits[list + place], before, carried).exchanged {
            continue;
        }
        if before == NONE {
            atomicAdd(&counts[feature], 1u);
        }
        if before == NONE || same {
            return;
        }
        carried = before;
        worth = other_worth;
        place++;
    }
}
