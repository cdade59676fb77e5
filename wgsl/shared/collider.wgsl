// The cores of colliders: how far they reach along a direction, and which of their faces look along it.
#import types
#import shared/pose

@group(0) @binding(190) var<storage, read> colliders: array<Collider>;
@group(0) @binding(191) var<storage, read> hull_vertices: array<vec4f>;
@group(0) @binding(192) var<storage, read> hull_faces: array<HullFace>;

// Corners of the polygon that stands for a cylinder's end.
const CAP_CORNERS: u32 = 12u;

// A core's face, edge or corner, in the core's axes. A hull's corners stand in `hull_vertices`; of all others corner i is
// centre + c u + s v, where (c, s) are (1, 1), (-1, 1), (-1, -1), (1, -1) or the cosine and sine of a cap's corner.
struct Feature {
    normal: vec3f,        // of a face, unit, outwards; else 0
    count: u32,           // its corners, anticlockwise seen from outside
    centre: vec3f,
    first: u32,           // its first corner, of hulls
    u: vec3f,
    is_cap: bool,
    v: vec3f,
}

// Two colliders, all in the axes of a's core with their origin in its centre: there is no place so far from the world's
// origin that anything between the two is lost.
struct Pair {
    a: Collider,
    b: Collider,
    axes: mat3x3f,        // turns b's axes into a's
    offset: vec3f,        // of b's core
    size: f32,            // [m], of both
    down: vec3f,          // the direction of gravity, 0 where there is none
}

fn has_corners(c: Collider) -> bool {
    return c.kind == COLLIDER_HULL || c.kind == COLLIDER_TRIANGLE;
}

// The axes of a collider, as a quaternion, in the world.
fn collider_rotation(c: Collider, pose: Pose) -> vec4f {
    return quaternion_product(pose.rotation, c.rotation);
}

fn pair_of(a: Collider, b: Collider, pose_a: Pose, pose_b: Pose, gravity: vec3f) -> Pair {
    let qa = collider_rotation(a, pose_a);
    let back = vec4f(-qa.xyz, qa.w);
    let arm = rotate(pose_b.rotation, b.position) - rotate(pose_a.rotation, a.position);
    let offset = rotate(back, (pose_b.position - pose_a.position) + arm);
    let axes = quaternion_matrix(quaternion_product(back, collider_rotation(b, pose_b)));
    let down = rotate(back, gravity) / max(length(gravity), 1e-30);
    return Pair(a, b, axes, offset, a.bound + b.bound, down);
}

// The corner of a hull that is farthest along d; of equally far ones the first.
fn hull_support(c: Collider, d: vec3f) -> vec3f {
    var found = vec3f();
    var most = -3e38;
    let end = c.first_vertex + c.vertex_count;
    for (var k = c.first_vertex; k < end; k++) {
        let corner = hull_vertices[k].xyz;
        let along = dot(corner, d);
        found = select(found, corner, along > most);
        most = max(most, along);
    }
    return found;
}

// The point of a core that is farthest along d, in the core's axes.
fn support(c: Collider, d: vec3f) -> vec3f {
    if has_corners(c) {
        return hull_support(c, d);
    }
    if c.kind == COLLIDER_CYLINDER {
        let out = c.half.x / max(length(d.xz), 1e-30);
        return vec3f(out * d.x, select(-c.half.y, c.half.y, d.y >= 0.0), out * d.z);
    }
    return select(-c.half, c.half, d >= vec3f());
}

fn support_of_b(pair: Pair, d: vec3f) -> vec3f {
    return pair.offset + pair.axes * support(pair.b, d * pair.axes);
}

// How far the cores are apart along a unit vector n from b to a: no more than they are apart at all.
fn separation_along(pair: Pair, n: vec3f) -> f32 {
    return dot(n, support(pair.a, -n) - support_of_b(pair, n));
}

// The face of a hull that looks most along d; of equal ones the first.
fn hull_feature(c: Collider, d: vec3f) -> Feature {
    var found = Feature(vec3f(), 0u, vec3f(), 0u, vec3f(), false, vec3f());
    var most = -3e38;
    let end = c.first_face + c.face_count;
    for (var k = c.first_face; k < end; k++) {
        let face = hull_faces[k];
        let along = dot(face.normal, d);
        if along > most {
            most = along;
            found.normal = face.normal;
            found.first = face.first;
            found.count = min(face.count, MAX_LOOP);
        }
    }
    return found;
}

// Of ends of cylinders and of points that are equally good the ones that count are downhill, where what is round would fall over between
// two of them; where it is level, along an axis that turns with the core, so that rounding does not choose. How steep it has to be.
const DOWNHILL: f32 = 0.005;

// What of a core looks most along d, in the core's axes, as is `down`.
fn feature(c: Collider, d: vec3f, down: vec3f) -> Feature {
    if has_corners(c) {
        return hull_feature(c, d);
    }
    var found = Feature(vec3f(), 1u, vec3f(), 0u, vec3f(), false, vec3f());
    if c.kind == COLLIDER_SEGMENT {
        found.count = 2u;
        found.u = c.half;
    }
    if c.kind == COLLIDER_BOX {
        let size = abs(d);
        let is_x = size.x >= size.y && size.x >= size.z;
        let is_y = !is_x && size.y >= size.z;
        let axis = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), is_y), vec3f(1.0, 0.0, 0.0), is_x);
        found.normal = select(-axis, axis, dot(axis, d) >= 0.0);
        found.count = 4u;
        found.centre = c.half * found.normal;
        found.u = c.half * axis.zxy;
        found.v = c.half * found.normal.yzx;
    }
    if c.kind == COLLIDER_CYLINDER {
        // Tilted, the end's lowest point is one of the corners; where it stands flat that would turn at random.
        let wide = length(d.xz);
        let along = select(down.xz + vec2f(DOWNHILL, 0.0), d.xz, wide > 0.05 * abs(d.y));
        let l = length(along);
        let out = select(vec2f(1.0, 0.0), along / max(l, 1e-30), l > 1e-6);
        let radial = c.half.x * vec3f(out.x, 0.0, out.y);
        if abs(d.y) > wide {
            let up = select(-1.0, 1.0, d.y >= 0.0);
            found.normal = vec3f(0.0, up, 0.0);
            found.count = CAP_CORNERS;
            found.centre = vec3f(0.0, up * c.half.y, 0.0);
            found.u = radial;
            found.v = cross(found.normal, radial);
            found.is_cap = true;
        } else {
            found.count = 2u;
            found.centre = radial;
            found.u = vec3f(0.0, c.half.y, 0.0);
        }
    }
    return found;
}

// Flat faces of a core: of others than boxes, hulls and triangles none are counted.
fn flat_faces(c: Collider) -> u32 {
    return select(select(0u, 6u, c.kind == COLLIDER_BOX), c.face_count, has_corners(c));
}

// Face k of them.
fn flat_face(c: Collider, k: u32) -> Feature {
    if has_corners(c) {
        let face = hull_faces[c.first_face + k];
        return Feature(face.normal, min(face.count, MAX_LOOP), vec3f(), face.first, vec3f(), false, vec3f());
    }
    let axis = vec3f(vec3u(k >> 1u) == vec3u(0u, 1u, 2u));
    return feature(c, select(-axis, axis, (k & 1u) == 0u), vec3f());
}

fn feature_corner(f: Feature, c: Collider, i: u32) -> vec3f {
    if has_corners(c) {
        return hull_vertices[f.first + i].xyz;
    }
    if f.is_cap {
        let angle = f32(i) * (2.0 * PI / f32(CAP_CORNERS));
        return f.centre + cos(angle) * f.u + sin(angle) * f.v;
    }
    let right = select(-1.0, 1.0, i == 0u || i == 3u);
    return f.centre + right * f.u + select(-1.0, 1.0, i < 2u) * f.v;
}
