// Along which direction two cores are farthest apart, or in each other least deep: in closed form where their shapes allow it, else by
// distance and depth.
#import shared/epa

// How far two distances along normals are off by rounding, as a part of the size.
const NARROW_ROUNDING: f32 = 2e-6;
// Steps towards the surface at the most, and one; most pairs take a few.
const NARROW_STEPS: u32 = 32u;

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
