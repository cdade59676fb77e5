// How the kernel of an explicit step ends: with the move, or where contacts follow with the velocity v that forces lead to,
// which contact_move takes on.
#import shared/move
#import content

// Where the velocity that the step ends with moves particles.
fn finish(i: u32, p: Particle, b: u32, body: Body, v: vec3f, damping_rate: f32) -> Particle {
    let free = Particle(p.position, p.inverse_mass, v, damping_rate);
    if HAS_CONTACT {
        status_jump(body, v - p.velocity);
        return free;
    }
    let u = pushed(i, free, body, v);
    status_jump(body, u - p.velocity);
    return moved(free, b, body, u, u);
}

// Where the mean velocity does.
fn finish_by_mean(i: u32, p: Particle, b: u32, body: Body, v: vec3f, mean: vec3f, damping_rate: f32) -> Particle {
    let free = Particle(p.position, p.inverse_mass, v, damping_rate);
    if HAS_CONTACT {
        status_jump(body, v - p.velocity);
        return free;
    }
    let u = pushed(i, free, body, v);
    status_jump(body, u - p.velocity);
    return moved(free, b, body, u, pushed_mean(free, body, mean));
}
