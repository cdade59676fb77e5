// How the normal of a manifold turns until the next search.
#import shared/manifold

// Sine of the angle between a normal and an axis of a box or a cylinder above which they are not square to each other.
const EDGE_LEAST: f32 = 1e-2;

// What is nearest on a core, if that is a point or on a line: which way the line goes.
struct CoreLine {
    along: vec3f,         // 0 of a point
    is_one: bool,
}

// Of x on a core where n is the normal, out of it or into it, all in its axes. `several`: it is one of several points of a manifold;
// `rolls`: it stands for the side of a cylinder.
fn core_line(c: Collider, x: vec3f, n: vec3f, several: bool, rolls: bool) -> CoreLine {
    if c.kind == COLLIDER_POINT {
        return CoreLine(vec3f(), true);
    }
    // Faces have the normal along one axis, edges square to one.
    let across = abs(n) > vec3f(EDGE_LEAST);
    if c.kind == COLLIDER_SEGMENT {
        let is_end = !several && (across.y || abs(x.y) >= (1.0 - CLIP_ROUNDING) * abs(c.half.y));
        return CoreLine(select(vec3f(0.0, 1.0, 0.0), vec3f(), is_end), true);
    }
    if c.kind == COLLIDER_BOX {
        let count = u32(across.x) + u32(across.y) + u32(across.z);
        return CoreLine(select(vec3f(1.0), vec3f(), across) * select(0.0, 1.0, count == 2u), count > 1u);
    }
    return CoreLine(vec3f(0.0, 1.0, 0.0), rolls && !across.y);
}

// How the normal of a manifold of a pair turns, where one side is round, from the points a and b on the cores, each in its core's
// axes: between two points it is the way from one to the other, and square to a line that one of them is on. A face that the round
// side lies on takes its own with it: `host`.
fn turning(given: Manifold, pair: Pair, a: vec3f, b: vec3f, n: vec3f, count: u32, host: u32) -> Manifold {
    var m = given;
    m.turns = TURNS_NOT;
    m.along = vec3f();
    if m.radii.x + m.radii.y <= 0.0 && m.rolls == 0u {
        return m;
    }
    if host != TURNS_NOT {
        m.turns = host;
        m.along = select(rotate(pair.a.rotation, n), rotate(pair.b.rotation, n * pair.axes), host == TURNS_AS_B);
        return m;
    }
    let of_a = core_line(pair.a, a, n, count > 1u, (m.rolls & 1u) != 0u);
    let of_b = core_line(pair.b, b, n * pair.axes, count > 1u, (m.rolls & 16u) != 0u);
    let is_line = vec2<bool>(dot(of_a.along, of_a.along) > 0.5, dot(of_b.along, of_b.along) > 0.5);
    // Of two lines that cross the normal is square to both.
    let crosses = all(is_line) && length(cross(of_a.along, pair.axes * of_b.along)) > PARALLEL;
    if !of_a.is_one || !of_b.is_one || crosses {
        return m;
    }
    m.turns = select(TURNS_WITH_A, TURNS_WITH_B, !is_line.x);
    m.along = select(rotate(pair.a.rotation, of_a.along), rotate(pair.b.rotation, of_b.along), !is_line.x);
    return m;
}
