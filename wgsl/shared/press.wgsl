// The augmented Lagrangian of a contact: impulses J that keep a relative velocity v at v.r >= v* and hold v_t within
// Coulomb's cone, J_n' = max(0, J_n + g (v* - v.r)), J_t' = J_t - g_t v_t with |J_t'| <= mu J_n', g = h^2 k
// [Simo & Laursen 1992].

struct PressTarget {
    velocity: vec3f,      // [m/s]
    target_speed: f32,    // [m/s]
    gain: f32,            // [kg]
    slide_gain: f32,      // [kg], of the tangential part
    friction: f32,
}

struct PressNext {
    impulse: vec3f,       // [kg m/s]
    acts: bool,
    share: f32,           // of the tangential part that the cone leaves
}

// J' with friction within the cone of the smaller one of J_n' and `load`.
fn press_within(last: vec3f, normal: vec3f, off: PressTarget, load: f32) -> PressNext {
    let along = dot(off.velocity, normal);
    let last_along = dot(last, normal);
    let size = max(0.0, last_along + off.gain * (off.target_speed - along));
    let wanted = last - last_along * normal - off.slide_gain * (off.velocity - along * normal);
    let share = min(1.0, off.friction * min(size, load) / max(length(wanted), 1e-30));
    return PressNext(size * normal + share * wanted, size > 0.0, share);
}

// J', which becomes the multiplier.
fn press_next(last: vec3f, normal: vec3f, off: PressTarget) -> PressNext {
    return press_within(last, normal, off, 3e38);
}

// What an iteration feels of J': no more friction than J bears. What J' has beyond J is, before the iterate is near the step's
// solution, how far it is from it.
fn press_felt(last: vec3f, normal: vec3f, off: PressTarget) -> PressNext {
    return press_within(last, normal, off, max(0.0, dot(last, normal)));
}
