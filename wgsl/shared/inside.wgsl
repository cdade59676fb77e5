// Points inside tetrahedra.
#import shared/grid

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

// The barycentric coordinates of q.
fn shares_at(inside: Inside, q: vec3f) -> vec4f {
    return (q - inside.origin) * inside.gradients + vec4f(1.0, 0.0, 0.0, 0.0);
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
    let beta = shares_at(inside, q);
    return beta.x >= -inside_slack(inside.gradients[0], inside.surface.x, point)
        && beta.y >= -inside_slack(inside.gradients[1], inside.surface.y, point)
        && beta.z >= -inside_slack(inside.gradients[2], inside.surface.z, point)
        && beta.w >= -inside_slack(inside.gradients[3], inside.surface.w, point);
}

// The least barycentric coordinate of a point.
fn least_share(inside: Inside, q: vec3f) -> f32 {
    let beta = shares_at(inside, q);
    return min(min(beta.x, beta.y), min(beta.z, beta.w));
}
