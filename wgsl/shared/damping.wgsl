// Damping of springs that does not set the step.
// A spring's c = d_C/l0^2 acts with the factor phi = min(1, limit/(sigma_i + sigma_j)), limit = theta r/h, which keeps
// h M^-1 C <= theta r for every d_C, r = 1 for one gather, s^2 for the sweeps of s gathers; sigma is the largest
// eigenvalue of G/m, G = sum of c n n^T over a particle's springs.
#import shared/sim

// theta: what of the integrator's stability bound stiffness leaves for damping; drag takes its part of it. The present
// estimate falls short while its vector follows a body that turns or rings, by how much is chance: the one that the body
// began with counts, whose margin is there for what deformation adds, unless the present one comes near the end of that.
fn damping_theta(body: Body) -> f32 {
    let h = sim.step;
    let stiffness_rate = max(body.start_rate, body.stiffness_rate / PROBE_MARGIN);
    let left = sim.theta_scale * (1.0 - 0.25 * h * h * stiffness_rate);
    return max(0.0, min(1.0, left) - h * sim.drag);
}

// s^2: how many times as much as one gather the sweeps bear.
fn damping_reach() -> f32 {
    let s = f32(sim.damping_stages);
    return s * s;
}

// Whether the sweeps of exact damping have a body's springs in their care.
fn damping_swept(body: Body) -> bool {
    return body.damping_mode == DAMPING_EXACT && sim.damping_stages > 1u;
}

// phi of one spring; limit = theta r/h [1/s], rates = sigma_i + sigma_j.
fn damping_share(limit: f32, rates: f32) -> f32 {
    return min(1.0, limit / max(rates, 1e-30));
}

// A bound of the largest eigenvalue of a symmetric matrix given by its diagonal and (yz, zx, xy):
// the closed solution of the characteristic cubic has it at most q + 2p.
fn largest_eigenvalue(diagonal: vec3f, off: vec3f) -> f32 {
    let q = (diagonal.x + diagonal.y + diagonal.z) / 3.0;
    let d = diagonal - vec3f(q);
    let p = sqrt((dot(d, d) + 2.0 * dot(off, off)) / 6.0);
    return q + 2.0 * p;
}
