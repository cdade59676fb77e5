// Walking through a body's tetrahedra along a line, to where it leaves the body.
#import shared/collide

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;

// Barycentric coordinates of q in a tetrahedron.
fn barycentric(tet: u32, q: vec3f) -> vec4f {
    let corners = tets[tet].corners;
    let a = particles_in[corners.x].position;
    let u = particles_in[corners.y].position - a;
    let v = particles_in[corners.z].position - a;
    let w = particles_in[corners.w].position - a;
    let p = q - a;
    let inner = vec3f(dot(p, cross(v, w)), dot(p, cross(w, u)), dot(p, cross(u, v))) / dot(u, cross(v, w));
    return vec4f(1.0 - inner.x - inner.y - inner.z, inner);
}

// The point of a tetrahedron that a line from q begins at: q, or where it is outside within the slack, a point just
// inside.
fn start_inside(tet: u32, q: vec3f) -> vec3f {
    let beta = barycentric(tet, q);
    if all(beta >= vec4f(-INSIDE_SLACK)) {
        return q;
    }
    let clamped = max(beta, vec4f(START_INSIDE));
    let inward = clamped / (clamped.x + clamped.y + clamped.z + clamped.w);
    let corners = tets[tet].corners;
    let a = particles_in[corners.x].position;
    return a + inward.y * (particles_in[corners.y].position - a) + inward.z * (particles_in[corners.z].position - a)
        + inward.w * (particles_in[corners.w].position - a);
}

struct FaceHit {
    found: bool,
    t: f32,               // the line leaves at start + t direction
    corners: vec3u,       // of the surface triangle that it leaves through
    normal: vec3f,        // outward, not of unit length
    tet: u32,             // the last tetrahedron of the line
}

struct Face {
    corners: vec3u,
    normal: vec3f,
    distance: f32,        // along the normal from the start to the face's plane
}

fn march_face(start: vec3f, a: u32, b: u32, c: u32) -> Face {
    let x = particles_in[a].position;
    let normal = cross(particles_in[b].position - x, particles_in[c].position - x);
    return Face(vec3u(a, b, c), normal, dot(x - start, normal));
}

// The face of tetrahedron `tet` opposite its corner `side`, wound outward.
fn tet_face(tet: Tet, side: u32, start: vec3f) -> Face {
    let i = tet.corners;
    var corners = i.yzw;
    if side == 1u {
        corners = i.xwz;
    } else if side == 2u {
        corners = i.xyw;
    } else if side == 3u {
        corners = i.xzy;
    }
    return march_face(start, corners.x, corners.y, corners.z);
}

// The line enters no face through which it came, and leaves by the nearest of the others that it runs out of.
fn march_out(first: u32, start: vec3f, direction: vec3f, t_max: f32) -> FaceHit {
    var at = first;
    var came = NONE;
    for (var step = 0u; step < MAX_WALK; step++) {
        let tet = tets[at];
        var next = NONE;
        var exit = FaceHit(false, 3e38, vec3u(), vec3f(), at);
        for (var side = 0u; side < 4u; side++) {
            let across = tet.across[side];
            let face = tet_face(tet, side, start);
            let speed = dot(face.normal, direction);
            if speed > 0.0 && (across != came || came == NONE) {
                let t = face.distance / speed;
                if t < exit.t {
                    exit = FaceHit(true, t, face.corners, face.normal, at);
                    next = across;
                }
            }
        }
        if !exit.found || exit.t > t_max {
            break;
        }
        if next == NONE {
            return exit;
        }
        came = at;
        at = next;
    }
    return FaceHit(false, 0.0, vec3u(), vec3f(), at);
}

// How far x is behind the plane of the triangle that a line leaves through, along r; negative: in front of it.
fn gap_along(exit: FaceHit, x: vec3f, r: vec3f) -> f32 {
    return dot(particles_in[exit.corners.x].position - x, exit.normal) / dot(exit.normal, r);
}

// Whether a face with unit normal n looks against a particle's or an edge's own surface; every face does against one
// inside its body. One that does not is not what the feature pushes on: at the rim of two aligned cubes, the side faces.
fn looks_against(n: vec3f, outward: vec3f) -> bool {
    return dot(n, outward) <= -FACING * dot(outward, outward);
}

// Barycentric coordinates of a point in the plane of the triangle that a line leaves through.
fn triangle_weights(y: vec3f, exit: FaceHit) -> vec3f {
    let a = particles_in[exit.corners.x].position;
    let b = particles_in[exit.corners.y].position;
    let c = particles_in[exit.corners.z].position;
    let n = exit.normal;
    let area2 = max(dot(n, n), 1e-30);
    return vec3f(dot(cross(c - b, y - b), n), dot(cross(a - c, y - c), n), dot(cross(b - a, y - a), n)) / area2;
}
