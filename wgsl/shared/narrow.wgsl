// The narrow phase of two colliders: a normal, how far the cores are apart along it, and the points where they touch.
#import shared/collide
#import shared/epa
#import shared/facet
#import shared/manifold
#import shared/turning

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(193) var<storage, read_write> manifolds: array<Manifold>;
@group(0) @binding(194) var<storage, read_write> manifold_points: array<ManifoldPoint>;

// How far two distances along normals are off by rounding, as a part of the size.
const NARROW_ROUNDING: f32 = 2e-6;
// The face that was the nearest in the search before stays that up to this depth, as a part of the smaller core's size.
const NARROW_SHALLOW: f32 = 0.1;
// Steps towards the surface at the most, and one; most pairs take a few.
const NARROW_STEPS: u32 = 32u;
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

// A direction along which two cores are apart, or in each other least deep.
struct Direction {
    normal: vec3f,        // from b to a
    distance: f32,        // of the cores along it
    a: vec3f,             // the point of a's core there
    is_known: bool,       // the direction is one
    has_point: bool,      // the point, too
    is_apart: bool,       // they are farther apart than asked for
    is_level: bool,       // of a mesh: faces over each other count wherever on them the nearest points are
}

fn no_direction() -> Direction {
    return Direction(vec3f(), -3e38, vec3f(), false, false, false, false);
}

// The direction that is given, or from one core's centre to the other's.
fn start_of(pair: Pair, axis: vec3f) -> vec3f {
    let given = select(-pair.offset, axis, dot(axis, axis) > 0.5);
    let l = length(given);
    return select(vec3f(0.0, 1.0, 0.0), given / max(l, 1e-30), l > 1e-6 * pair.size);
}

// Whether a core is a point or lies about an axis, and half of that.
fn has_axis(c: Collider) -> bool {
    return c.kind <= COLLIDER_SEGMENT || c.kind == COLLIDER_CYLINDER;
}

fn half_axis(c: Collider) -> vec3f {
    return vec3f(0.0, c.half.y, 0.0);
}

// Points and segments, or the axes of cylinders, in closed form [Ericson 2005, section 5.1.9].
fn segment_direction(pair: Pair) -> Direction {
    let d = 2.0 * half_axis(pair.a);
    let e = 2.0 * (pair.axes * half_axis(pair.b));
    let p = -0.5 * d;
    let q = pair.offset - 0.5 * e;
    let r = p - q;
    let dd = dot(d, d);
    let ee = dot(e, e);
    let de = dot(d, e);
    let dr = dot(d, r);
    let er = dot(e, r);
    // The square of the area that both span; of parallel ones any point will do.
    let area = dd * ee - de * de;
    var s = select(0.5, clamp((de * er - dr * ee) / max(area, 1e-30), 0.0, 1.0), area > 1e-7 * dd * ee);
    let t = clamp((de * s + er) / max(ee, 1e-30), 0.0, 1.0);
    s = clamp((de * t - dr) / max(dd, 1e-30), 0.0, 1.0);
    let a = p + s * d;
    // What rounding leaves along them would turn a short way.
    var way = a - (q + t * e);
    if t > 0.0 && t < 1.0 {
        way -= (dot(way, e) / max(ee, 1e-30)) * e;
    }
    if s > 0.0 && s < 1.0 {
        way -= (dot(way, d) / max(dd, 1e-30)) * d;
        let side = cross(d, e);
        let square = dot(side, side);
        if t > 0.0 && t < 1.0 && square > 1e-4 * dd * ee {
            way = (dot(way, side) / square) * side;
        }
    }
    let l = length(way);
    if l > GJK_TOUCH * pair.size {
        return Direction(way / l, l, a, true, true, false, false);
    }
    let both = cross(d, e);
    let one = select(d, e, ee > dd);
    let is_crossed = dot(both, both) > 1e-6 * dd * ee;
    let normal = select(select(vec3f(0.0, 1.0, 0.0), square_to(one), dot(one, one) > 0.0), both / max(length(both), 1e-30),
                        is_crossed);
    return Direction(select(normal, -normal, dot(normal, pair.offset) > 0.0), 0.0, a, true, true, false, false);
}

// Of a direction and those of a cylinder's end and side next to the other core the one along which they are farthest apart.
fn round_direction(pair: Pair, given: vec3f) -> Direction {
    var normal = given;
    var most = -3e38;
    for (var k = 0u; k < 5u; k++) {
        var n = given;
        if k < 4u {
            let is_b = k > 1u;
            if select(pair.a.kind, pair.b.kind, is_b) != COLLIDER_CYLINDER {
                continue;
            }
            // Where the other core is, in the cylinder's axes.
            let other = select(pair.offset, -pair.offset * pair.axes, is_b);
            let wide = length(other.xz);
            let side = select(vec3f(1.0, 0.0, 0.0), vec3f(other.x, 0.0, other.z) / max(wide, 1e-30), wide > 0.0);
            let out = select(side, vec3f(0.0, select(-1.0, 1.0, other.y >= 0.0), 0.0), (k & 1u) == 0u);
            n = select(-out, pair.axes * out, is_b);
        }
        let apart = separation_along(pair, n);
        if apart > most {
            most = apart;
            normal = n;
        }
    }
    return Direction(normal, most, support(pair.a, -normal), true, true, false, false);
}

// Cores that lie about axes, where these tell: along the way between them a cylinder reaches farthest where its axis is nearest, or
// hardly farther elsewhere.
fn axis_direction(pair: Pair, most: f32) -> Direction {
    if !has_axis(pair.a) || !has_axis(pair.b) {
        return no_direction();
    }
    var found = segment_direction(pair);
    let radii = vec2f(pair.a.half.x, pair.b.half.x);
    found.distance -= radii.x + radii.y;
    found.a -= radii.x * found.normal;
    found.is_apart = found.distance > most;
    found.is_known = radii.x + radii.y <= 0.0 ||
        separation_along(pair, found.normal) <= found.distance + NARROW_ROUNDING * pair.size;
    return found;
}

// Any two cores, by their distance or their depth.
fn core_direction(pair: Pair, start: vec3f, most: f32) -> Direction {
    let along = axis_direction(pair, most);
    let are_lines = pair.a.kind <= COLLIDER_SEGMENT && pair.b.kind <= COLLIDER_SEGMENT;
    if are_lines || (along.is_known && along.distance > 0.0) {
        return along;
    }
    // A full polytope of round cores is followed by steps towards the nearest point of the surface, from outside.
    var found = no_direction();
    var moved = pair;
    var from_b = start;
    var shift = vec3f();
    for (var k = 0u; k < NARROW_STEPS; k++) {
        let near = gjk(moved, from_b, select(3e38, most, k == 0u));
        let l = length(near.way);
        if k == 0u && near.overlap {
            let inside = epa(pair, near.count);
            found = Direction(-inside.normal, -inside.depth, inside.a, true, true, false, false);
            if along.is_known && along.distance >= found.distance - NARROW_ROUNDING * pair.size {
                return along;
            }
            if !inside.full {
                break;
            }
            found = round_direction(pair, found.normal);
        } else {
            let n = near.way / l;
            let distance = l - dot(shift, n);
            if near.overlap || distance < found.distance - NARROW_ROUNDING * pair.size {
                break;
            }
            found = Direction(n, distance, near.a, true, true, near.apart, false);
            // Where the direction no longer turns, what is nearest of both faces each other.
            if k == 0u || length(shift) * length(n - from_b) <= NARROW_ROUNDING * pair.size {
                break;
            }
        }
        from_b = found.normal;
        shift = (0.1 * min(pair.a.bound, pair.b.bound) - found.distance) * from_b;
        moved.offset = pair.offset - shift;
    }
    return found;
}

// The axis along which two boxes are farthest apart, or in each other least deep: of their faces and of pairs of edges
// [Gottschalk, Lin and Manocha 1996].
fn box_direction(pair: Pair) -> Direction {
    let ha = pair.a.half;
    let hb = pair.b.half;
    let t = pair.offset;
    let r = pair.axes;
    let size = mat3x3f(abs(r[0]), abs(r[1]), abs(r[2]));
    let tb = t * r;
    let of_a = abs(t) - (ha + size * hb);
    let of_b = abs(tb) - (hb + ha * size);
    var found = no_direction();
    found.is_known = true;
    for (var k = 0u; k < 3u; k++) {
        let axis = vec3f(vec3u(k) == vec3u(0u, 1u, 2u));
        if of_a[k] > found.distance {
            found.distance = of_a[k];
            found.normal = axis;
        }
    }
    // Of equally good faces those of a stay, and faces rather than edges.
    let more = NARROW_ROUNDING * pair.size;
    for (var k = 0u; k < 3u; k++) {
        if of_b[k] > found.distance + more {
            found.distance = of_b[k];
            found.normal = r[k];
        }
    }
    for (var k = 0u; k < 9u; k++) {
        let i = k / 3u;
        let l = cross(vec3f(vec3u(i) == vec3u(0u, 1u, 2u)), r[k - 3u * i]);
        let length = length(l);
        let reach = dot(ha, abs(l)) + dot(hb, abs(l * r));
        let distance = (abs(dot(t, l)) - reach) / max(length, 1e-30);
        if length > 1e-3 && distance > found.distance + more {
            found.distance = distance;
            found.normal = l / length;
        }
    }
    found.normal = select(found.normal, -found.normal, dot(found.normal, t) > 0.0);
    return found;
}

// The plane of b is always the nearest.
fn plane_direction(pair: Pair) -> Direction {
    let n = pair.axes[1];
    let a = support(pair.a, -n);
    return Direction(n, dot(n, a - pair.offset), a, true, true, false, false);
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
// comes along does not run into it. Over a level one what lies over the triangle counts, over one that falls away only where the
// deepest point does.
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
        at.is_known = !found.is_behind;
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
            clipped_count = 0u;
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
