// The impact of two bodies that move as wholes: Newton's law of restitution at one point and Coulomb's law, u.n' = -e u.n of
// their relative velocity u there. With the velocity that a unit impulse j at r gives each of them there,
// W j = j/m + (I^-1 (r x j)) x r, the impulse along n takes (1 - e^2) (u.n)^2/(2 n.W n) of the energy; what friction then
// does against the slip takes more [Brach 1991, Mechanical Impact Dynamics, ch. 6]. A body that takes part in several
// impacts of a step does so with an equal part of its mass in each: their mean velocity has no more energy than they have
// [Tonge et al. 2012].
#import shared/sim
#import shared/eigen

struct Impact {
    place: vec3f,         // [m]
    restitution: f32,
    normal: vec3f,        // towards the first body
    friction: f32,
}

fn bounce_spun(m: BounceMotion, torque: vec3f) -> vec3f {
    return symmetric_matrix(Symmetric(m.inverse_inertia, m.inverse_inertia_off)) * torque;
}

// The velocity of the body's material at x.
fn bounce_velocity(m: BounceMotion, x: vec3f) -> vec3f {
    return m.velocity + cross(m.spin, x - m.centre);
}

// W j
fn bounce_given(m: BounceMotion, x: vec3f, impulse: vec3f) -> vec3f {
    let r = x - m.centre;
    return m.inverse_mass * impulse + cross(bounce_spun(m, cross(r, impulse)), r);
}

// The impulse that the first body gets and the second one gives, each taking part in as many impacts as `shares` says.
fn bounce_impulse(a: BounceMotion, b: BounceMotion, at: Impact, shares: vec2f) -> vec3f {
    let x = at.place;
    let n = at.normal;
    let u = bounce_velocity(a, x) - bounce_velocity(b, x);
    let from_normal = shares.x * bounce_given(a, x, n) + shares.y * bounce_given(b, x, n);
    let mobility = dot(n, from_normal);
    if mobility <= 0.0 {
        return vec3f();
    }
    let size = max(0.0, -(1.0 + at.restitution) * dot(u, n) / mobility);
    let after = u + size * from_normal;
    let slip = after - dot(after, n) * n;
    let speed = length(slip);
    let t = slip / max(speed, 1e-30);
    let along = dot(t, shares.x * bounce_given(a, x, t) + shares.y * bounce_given(b, x, t));
    let brake = min(at.friction * size, speed / max(along, 1e-30));
    return size * n - brake * t;
}
