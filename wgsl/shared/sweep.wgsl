// The sweeps of exact damping. They subtract D v from the velocity, D = theta (1 - P_s(B))/2, B = 1 - 2h/(theta s^2) M^-1 C,
// by the recurrence of Chebyshev's polynomials, P_0 = v, P_1 = B v, P_(k+1) = 2 B P_k - P_(k-1): s gathers over springs,
// and passes over finite elements, only. Bodies that are not swept have B = 1, which leaves v as it is.
#import shared/topology
#import shared/damping
#import shared/loads

// What all springs of a particle share.
struct Sweep {
    limit: f32,           // theta s^2/h [1/s]
    swept: bool,
}

fn sweep_begin(p: Particle, body: Body) -> Sweep {
    let limit = damping_theta(body) * damping_reach() / sim.step;
    return Sweep(limit, damping_swept(body) && limit > 0.0 && p.inverse_mass > 0.0);
}

// c phi ((w_j - w_i)·n) n of one spring; damping: its d_C.
fn sweep_spring(sweep: Sweep, p: Particle, q: Particle, end: Element, damping: f32, dw: vec3f) -> vec3f {
    let d = q.position - p.position;
    let n = d / max(length(d), 1e-30);
    let c = damping * end.inverse_rest * end.inverse_rest;
    return (c * damping_share(sweep.limit, p.damping_rate + q.damping_rate) * dot(dw, n)) * n;
}

// B w, from the sum over the springs.
fn sweep_finish(sweep: Sweep, p: Particle, w: vec3f, sum: vec3f) -> vec3f {
    return w + (2.0 * p.inverse_mass / sweep.limit) * sum;
}

// B w of a particle of finite elements, whose passes have left the acceleration by w's viscosity in loads.
fn sweep_loaded(sweep: Sweep, i: u32, w: vec3f) -> vec3f {
    return w + (2.0 / sweep.limit) * loads[i].xyz;
}
