// Where on a body's surface the distance to a sphere's centre has a local minimum.
#import shared/sphere_surface

// The point of a triangle that is nearest to x.
fn near_point(t: u32, w: vec3f) -> vec3f {
    let triangle = triangles[2u * t];
    return w.x * particles_in[triangle.x].position + w.y * particles_in[triangle.y].position
        + w.z * particles_in[triangle.z].position;
}

fn leads(d: vec3f, c: vec3f, particle: u32) -> bool {
    let side = particles_in[particle].position - c;
    return dot(d, side) > TOWARDS * length(d) * length(side);
}

// Whether no other triangle around the nearest point of triangle t leads from it towards x.
fn is_local(x: vec3f, t: u32, near: Near) -> bool {
    let corners = triangles[2u * t].xyz;
    let c = near_point(t, near.weights);
    let d = x - c;
    let on = near.weights > vec3f();
    if all(on) {
        return true;
    }
    // Around a corner all triangles, across a side one more.
    let count = u32(on.x) + u32(on.y) + u32(on.z);
    let ahead_of = select(select(corners.z, corners.y, on.y), corners.x, on.x);
    let start = select(ahead_of, corners.z, on.z && on.x && count == 2u);
    var now = t;
    for (var k = 0u; k < MAX_WALK; k++) {
        // From here the side from `start` to the corner after it is crossed.
        let here = triangles[2u * now];
        let across = triangles[2u * now + 1u];
        now = turned(here.xyz, across.xyz, start).z;
        if now == NONE || now == t {
            break;
        }
        let there = triangles[2u * now];
        if leads(d, c, turned(there.xyz, there.xyz, start).y) {
            return false;
        }
        if count == 2u {
            break;
        }
    }
    return true;
}
