// The narrow phase of two colliders: a normal, how far the cores are apart along it, and the points where they touch.
#import shared/collide
#import shared/core_direction
#import shared/facet
#import shared/manifold
#import shared/turning

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;

// The face that was the nearest in the search before stays that up to this depth, as a part of the smaller core's size.
const NARROW_SHALLOW: f32 = 0.1;
// Of a cylinder the least sine between its axis and what it is foremost along, and how far a point may be from foremost, as a part
// of the radius.
const FOREMOST_WIDE: f32 = 0.05;
const FOREMOST: f32 = 1e-4;
// The same, as a part of the gap: distances tell normals of round cores to a few thousandths.
const FOREMOST_FAR: f32 = 4e-3;
// Cosine between the normals of two searches above which a face is the same.
const NARROW_ALIKE: f32 = 0.7;

// Whether record `i` is a pair of colliders.
fn is_manifold(i: u32) -> bool {
    let first = record_first[sim.particle_count + collide.edge_count];
    return i >= first && i < min(record_first[collide.feature_count], collide.capacity);
}

// What one thread looks at: a manifold as it was, its two colliders, and what turns a's axes into the world's.
struct Search {
    m: Manifold,
    pair: Pair,
    rotation: vec4f,
}

fn search_of(i: u32) -> Search {
    let m = manifolds[i];
    let a = colliders[m.colliders.x];
    let b = colliders[m.colliders.y];
    let pose = poses[a.pose];
    return Search(m, pair_of(a, b, pose, poses[b.pose], sim.gravity), collider_rotation(a, pose));
}

// Whether one of the two is a triangle of a mesh.
fn has_facet(pair: Pair) -> bool {
    return is_facet(pair.a) || is_facet(pair.b);
}

// What the mesh of one of the two says of a normal out of b into a.
fn mesh_normal(pair: Pair, n: vec3f) -> FacetNormal {
    var found: FacetNormal;
    if is_facet(pair.b) {
        found = facet_normal(pair.b, n * pair.axes, -pair.offset * pair.axes);
        found.n = pair.axes * found.n;
    } else {
        found = facet_normal(pair.a, -n, pair.offset);
        found.n = -found.n;
    }
    return found;
}

// The same, or where one of the two is a triangle of a mesh what that makes of it: a normal that is not the mesh's gives way to the
// triangle's own. In front of a mesh that rises around what is nearest the whole plane of the triangle counts, so that what
// comes along does not run into it. Over a level one what lies over the triangle counts; over one that falls away what has met it
// counts only where the deepest point lies over the triangle, too.
fn mesh_direction(pair: Pair, given: Direction) -> Direction {
    if given.is_apart || !has_facet(pair) {
        return given;
    }
    let found = mesh_normal(pair, given.normal);
    var at = given;
    at.normal = found.n;
    at.distance = separation_along(pair, found.n);
    if !found.is_given {
        // What comes to the mesh has its point there, whichever of the two it is.
        at.a = select(support(pair.a, -found.n), support_of_b(pair, found.n) + at.distance * found.n, is_facet(pair.a));
        at.has_point = found.is_low && at.distance >= shallow_of(pair);
        at.is_level = found.is_level;
        at.is_known = !found.is_blind;
    }
    return at;
}

// A direction and the faces of both sides along it.
struct Faces {
    at: Direction,
    a: Feature,
    b: Feature,
    host: u32,            // TURNS_AS_A or TURNS_AS_B: whose the direction is, or TURNS_NOT
}

// Whether a normal may take a direction's place: the points that are nearest along that must be so along the normal, too, and a
// mesh must leave it as it is.
fn is_alike(pair: Pair, given: Direction, n: vec3f) -> bool {
    if has_facet(pair) {
        let found = mesh_normal(pair, n);
        if !found.is_given || distance(found.n, n) > NARROW_ROUNDING {
            return false;
        }
    }
    let off = given.normal - n;
    return dot(n, given.normal) > NARROW_ALIKE &&
        (!given.has_point || abs(given.distance) * length(off) <= NARROW_ROUNDING * pair.size);
}

// The faces that look along a direction, which it becomes the normal of where that serves as well: along that two faces are
// parallel, and it does not turn with rounding.
fn faces_along(pair: Pair, given: Direction) -> Faces {
    var at = given;
    var host = TURNS_NOT;
    var a = feature(pair.a, -at.normal, pair.down);
    var b = feature(pair.b, at.normal * pair.axes, pair.down * pair.axes);
    if pair.b.kind == COLLIDER_PLANE {
        return Faces(at, a, b, TURNS_AS_B);
    }
    let more = NARROW_ROUNDING * pair.size;
    var least = at.distance - more;
    if b.count > 2u {
        let n = pair.axes * b.normal;
        let distance = dot(n, support(pair.a, -n) - (pair.offset + pair.axes * feature_corner(b, pair.b, 0u)));
        if distance > least && is_alike(pair, given, n) {
            at.normal = n;
            at.distance = distance;
            host = TURNS_AS_B;
            least = distance + more;
        }
    }
    if a.count > 2u {
        let n = -a.normal;
        let distance = dot(n, feature_corner(a, pair.a, 0u) - support_of_b(pair, n));
        if distance > least && is_alike(pair, given, n) {
            at.normal = n;
            at.distance = distance;
            host = TURNS_AS_A;
        }
    }
    // Where a cylinder lies on a face follows from the face.
    if host == TURNS_AS_B && pair.a.kind == COLLIDER_CYLINDER {
        a = feature(pair.a, -at.normal, pair.down);
    }
    if host == TURNS_AS_A && pair.b.kind == COLLIDER_CYLINDER {
        b = feature(pair.b, at.normal * pair.axes, pair.down * pair.axes);
    }
    return Faces(at, a, b, host);
}

// Fills `clipped` with the points of both sides over each other, and gives the least distance of two.
fn clip_faces(pair: Pair, faces: Faces, basis: mat3x3f, most: f32) -> f32 {
    let back = transpose(basis);
    let a = footprint_of(faces.a, pair.a, back, vec3f(), 0u, -1.0);
    if pair.b.kind == COLLIDER_PLANE {
        clip_plane(a, dot(faces.at.normal, pair.offset), most);
    } else {
        let b = footprint_of(faces.b, pair.b, back * pair.axes, back * pair.offset, MAX_LOOP, 1.0);
        clip_footprints(a, b, most, pair.size);
    }
    var least = NO_POINT;
    let count = clipped_count;
    for (var k = 0u; k < count; k++) {
        least = min(least, clipped[k].w);
    }
    return least;
}

// Keeps the points that are still apart: a body that rotates may come to lie on them before the next search.
fn keep_in_front() {
    var kept = 0u;
    let count = clipped_count;
    for (var k = 0u; k < count; k++) {
        if clipped[k].w > 0.0 {
            clipped[kept] = clipped[k];
            kept++;
        }
    }
    clipped_count = kept;
}

// What the search before left of the point nearest to this one takes over its impulses: nearest on either of the two, as what slides or
// rolls touches elsewhere on the other. `used`: a bit for each that is taken.
fn take_over(m: Manifold, point: ptr<function, ManifoldPoint>, used: u32) -> u32 {
    if m.last == NONE {
        return used;
    }
    var best = m.same * m.same;
    var taken = MANIFOLD;
    for (var k = 0u; k < MANIFOLD; k++) {
        let old = manifold_points_last[MANIFOLD * m.last + k];
        let on_a = old.a - (*point).a;
        let on_b = old.b - (*point).b;
        let square = min(dot(on_a, on_a), dot(on_b, on_b));
        if old.distance < 1e30 && (used & (1u << k)) == 0u && square <= best {
            best = square;
            taken = k;
        }
    }
    if taken == MANIFOLD {
        return used;
    }
    let old = manifold_points_last[MANIFOLD * m.last + taken];
    let tangent = old.impulse.xyz;
    (*point).impulse = vec4f(tangent - dot(tangent, m.normal) * m.normal, old.impulse.w);
    (*point).approach = old.approach;
    return used | (1u << taken);
}

// Whether a point of a core, all in its axes, is the one of a cylinder's side or rim that is foremost along d. Where d looks along
// the axis none of them is. gap: how far the cores are apart.
fn is_foremost(c: Collider, x: vec3f, d: vec3f, gap: f32) -> bool {
    let wide = length(d.xz);
    let off = distance(x.xz, (c.half.x / max(wide, 1e-30)) * d.xz);
    return c.kind == COLLIDER_CYLINDER && wide > FOREMOST_WIDE && off <= FOREMOST * c.half.x + FOREMOST_FAR * gap;
}

// The manifold `i` of a pair that touches in the points `chosen`, or not at all.
fn write_manifold(i: u32, given: Manifold, pair: Pair, basis: mat3x3f, count: u32, host: u32) {
    var m = given;
    m.count = count;
    m.rolls = 0u;
    m.turns = TURNS_NOT;
    m.along = vec3f();
    var used = 0u;
    let n = basis[2];
    for (var k = 0u; k < MANIFOLD; k++) {
        var point = ManifoldPoint(vec3f(), 0.0, vec3f(), NO_POINT, vec4f());
        if k < count {
            let p = chosen[k];
            var a = basis * p.xyz;
            var b = (a - p.w * n - pair.offset) * pair.axes;
            if pair.b.kind <= COLLIDER_SEGMENT && pair.a.kind > COLLIDER_SEGMENT {
                // A ball's point is its centre, a capsule's on its axis, whatever the other's is off.
                b = clamp(b, -pair.b.half, pair.b.half);
                a = pair.offset + pair.axes * b + p.w * n;
            }
            if is_foremost(pair.a, a, -n, max(p.w, 0.0)) {
                a = vec3f(0.0, a.y, 0.0);
                m.rolls |= 1u << k;
            }
            if is_foremost(pair.b, b, n * pair.axes, max(p.w, 0.0)) {
                b = vec3f(0.0, b.y, 0.0);
                m.rolls |= 16u << k;
            }
            if k == 0u {
                m = turning(m, pair, a, b, n, count, host);
            }
            point.a = pair.a.position + rotate(pair.a.rotation, a);
            point.b = pair.b.position + rotate(pair.b.rotation, b);
            point.distance = p.w - m.radii.x - m.radii.y;
            used = take_over(m, &point, used);
        }
        manifold_points[MANIFOLD * i + k] = point;
    }
    manifolds[i] = m;
}

// Finds where a pair touches and writes its manifold. `first`: a direction to begin with, if any, which is taken where the faces
// along it are as near as they are apart along their normal, as no cores are nearer then; down to `shallow` they may be in each
// other. Else it is looked for.
fn touch(i: u32, search: Search, first: Direction, shallow: f32) {
    var m = search.m;
    let pair = search.pair;
    let most = m.reach + m.radii.x + m.radii.y;
    let more = NARROW_ROUNDING * pair.size;
    let is_plane = pair.b.kind == COLLIDER_PLANE;
    let start = start_of(pair, first.normal);
    var faces: Faces;
    var basis: mat3x3f;
    var least = NO_POINT;
    clipped_count = 0u;
    var is_known = false;
    for (var round = 0u; round < 2u; round++) {
        var at = first;
        if round == 1u {
            at = core_direction(pair, start, most);
        }
        if at.is_known {
            at = mesh_direction(pair, at);
        }
        is_known = at.is_known;
        if !is_known {
            continue;
        }
        faces = faces_along(pair, at);
        basis = basis_of(faces.at.normal);
        if faces.at.distance > most || faces.at.is_apart {
            faces.at.is_apart = true;
            clipped_count = 0u;
            break;
        }
        if faces.at.distance < -1e38 {
            // Nothing looks along it.
            continue;
        }
        least = clip_faces(pair, faces, basis, most);
        if is_plane || (faces.at.distance >= shallow && least <= faces.at.distance + more) {
            break;
        }
    }
    if !is_known {
        touch_nothing(i, search, start);
        return;
    }
    let found = faces.at;
    if !found.is_apart && found.distance < least - 2.0 * more {
        // The nearest points are on none of the faces.
        if found.has_point {
            clipped_count = min(clipped_count, CLIP_POINTS - 1u);
            clipped[clipped_count] = vec4f(found.a * basis, found.distance);
            clipped_count++;
        } else if !found.is_level {
            keep_in_front();
        }
    }
    m.normal = rotate(search.rotation, found.normal);
    // The first of them is foremost downhill.
    let axis = (pair.down * basis).xy + DOWNHILL * CLIP_AXIS;
    write_manifold(i, m, pair, basis, choose(smaller_size(pair), m.last != NONE, axis), faces.host);
}

// Twice the bound of the smaller one, which is as large as what touches: on wide ground all of a small body would be one point.
fn smaller_size(pair: Pair) -> f32 {
    return select(2.0 * min(pair.a.bound, pair.b.bound), pair.size, pair.b.kind == COLLIDER_PLANE);
}

// The manifold `i` of a pair that is apart, about along `axis`.
fn touch_nothing(i: u32, search: Search, axis: vec3f) {
    var m = search.m;
    m.normal = rotate(search.rotation, start_of(search.pair, axis));
    write_manifold(i, m, search.pair, basis_of(vec3f(0.0, 1.0, 0.0)), 0u, TURNS_NOT);
}

// What two colliders' shapes tell at once: of a plane all, of two boxes the axis along which they are farthest apart, else the
// direction of the search before.
fn first_direction(search: Search) -> Direction {
    let pair = search.pair;
    let axis = turn_back(search.rotation, search.m.normal);
    if pair.b.kind == COLLIDER_PLANE {
        return plane_direction(pair);
    }
    if pair.a.kind == COLLIDER_BOX && pair.b.kind == COLLIDER_BOX {
        return box_direction(pair);
    }
    var first = no_direction();
    first.normal = axis;
    first.is_known = dot(axis, axis) > 0.5;
    return first;
}

// How deep cores may be in each other where the direction of the search before, or two boxes' axis, is taken.
fn shallow_of(pair: Pair) -> f32 {
    let are_boxes = pair.a.kind == COLLIDER_BOX && pair.b.kind == COLLIDER_BOX;
    return select(-NARROW_SHALLOW * min(pair.a.bound, pair.b.bound), -3e38, are_boxes);
}
