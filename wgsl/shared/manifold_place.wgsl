// Where the surfaces of the two sides of a manifold are at one of its points.
#import shared/manifold_beside
#import shared/manifold_radii
#import shared/pose

// From the axis of a cylinder to the point of its side or rim that is foremost along d; `rim`: its axis times its radius.
fn foremost(rim: vec3f, d: vec3f) -> vec3f {
    let square = dot(rim, rim);
    let out = d - (dot(d, rim) / max(square, 1e-30)) * rim;
    return (sqrt(square) / max(length(out), 1e-30)) * out;
}

// From the axes of both sides' cylinders to the points that are foremost; 0 of what has no point that rolls.
fn rims_of(m: Manifold, a: Pose, b: Pose) -> Places {
    var rims = Places();
    if m.rolls != 0u {
        rims.a = foremost(rotate(a.rotation, m.rim_a), -m.normal);
        rims.b = foremost(rotate(b.rotation, m.rim_b), m.normal);
    }
    return rims;
}

fn places_of(m: Manifold, k: u32, point: ManifoldPoint, a: Pose, b: Pose, rims: Places) -> Places {
    let n = m.normal;
    let rim_a = select(vec3f(), rims.a, (m.rolls & (1u << k)) != 0u);
    let rim_b = select(vec3f(), rims.b, (m.rolls & (16u << k)) != 0u);
    return Places(rotate(a.rotation, point.a) + rim_a - m.radii.x * n,
                  (b.position - a.position) + rotate(b.rotation, point.b) + rim_b + m.radii.y * n);
}

// Part of the radii below which cores are too near each other to tell a normal.
const TURN_LEAST: f32 = 0.25;

// A manifold whose normal turns, with that as its bodies are now, by its first point: where cores pass each other it stays square to
// their line, and with a face it is the face's.
fn turned(given: Manifold, point: ManifoldPoint, a: Pose, b: Pose) -> Manifold {
    var m = given;
    let is_b = m.turns == TURNS_WITH_B || m.turns == TURNS_AS_B;
    m.line = rotate(select(a.rotation, b.rotation, is_b), m.along);
    if m.turns >= TURNS_AS_A {
        m.normal = m.line;
        return m;
    }
    var way = rotate(a.rotation, point.a) - rotate(b.rotation, point.b) - (b.position - a.position);
    way -= dot(way, m.line) * m.line;
    let radii = radii_of(m, 0u);
    let l = length(way);
    m.normal = select(m.normal, way / max(l, 1e-30), l > TURN_LEAST * (radii.x + radii.y));
    return m;
}
