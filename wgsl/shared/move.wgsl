// The move that ends an explicit step.
#import shared/pushes

// A particle with the velocity v that forces and contacts lead to, as the solids leave it.
fn pushed(i: u32, p: Particle, body: Body, v: vec3f) -> vec3f {
    // Before the call, which takes longer than what it would find.
    if !HAS_SOLIDS {
        return v;
    }
    return solids_push(i, p, p.position, v, body, false);
}

// The same of the mean velocity of a step, where that moves particles (Runge-Kutta methods, Euler): one impulse cannot serve
// both, as under gravity g they differ by h g/2, and a resting point would creep.
fn pushed_mean(p: Particle, body: Body, mean: vec3f) -> vec3f {
    if !HAS_SOLIDS {
        return mean;
    }
    return solids_impulse(p, p.position, mean, body);
}

// The particle with velocity u after the move from x_n by h w; a held one stays.
fn moved(p: Particle, b: u32, body: Body, u: vec3f, w: vec3f) -> Particle {
    let x = solids_project(p, p.position + sim.step * w, body);
    status_check(b, x, u);
    status_way(STATUS_TRAVEL, x - p.position);
    return Particle(x, p.inverse_mass, u, p.damping_rate);
}
