// Numbers of contacts with something rigid: what is inside is parted by a spring of frequency f and damping ratio z, which are the
// same for all steps where f is given by them. With w = 2 pi f and a = 2 z + h w: b = -min(w g/a, RIGID_SPEED),
// kappa = h w a/(1 + h w a) [the soft contacts of Catto 2011].

// h w of a contact; one side may be held.
fn soft_turn(one_is_held: bool) -> f32 {
    return 2.0 * PI * RIGID_FREQUENCY * select(1.0, 2.0, one_is_held);
}

// b of a contact that is `depth` deep [m/s].
fn soft_bias(turn: f32, depth: f32, step: f32) -> f32 {
    return -min(turn / ((2.0 * RIGID_DAMPING + turn) * step) * depth, RIGID_SPEED);
}

fn soft_kappa(turn: f32) -> f32 {
    let b = turn * (2.0 * RIGID_DAMPING + turn);
    return b / (1.0 + b);
}
