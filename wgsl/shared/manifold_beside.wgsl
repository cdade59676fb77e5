// Where a line turns past a single point of the other side of a manifold: the point on the line is the one beside that.
#import types

// On both: places from the centre of a, so that nothing is lost far from the origin, or velocities.
struct Places {
    a: vec3f,
    b: vec3f,
}

// With that of the line on its way along the line as far as the other.
fn beside(m: Manifold, given: Places) -> Places {
    var on = given;
    let along = dot(on.a - on.b, m.line) * m.line;
    if m.count == 1u && m.turns == TURNS_WITH_A {
        on.a -= along;
    }
    if m.count == 1u && m.turns == TURNS_WITH_B {
        on.b += along;
    }
    return on;
}
