// Viscosity of finite elements: a stress F (phi tr(E') I + 2 psi E') of the rate of Green's strain, E' = sym(F^T F'),
// with phi, psi = relaxation times lambda, mu [O'Brien & Hodgins 1999, eq. 7]. Implicit steps take (E - E_n)/h for E',
// which is sym(F_m^T F') with F_m of the middle of the step. F' is that of the chord, which a turning body's F at its end would take
// for stretching.
#import shared/fem
#import shared/damping

// A bound [1/s] of the largest eigenvalue of an element's damping matrix over its share of its corners' masses:
// v^T C v = V0 (phi tr(E')^2 + 2 psi |E'|^2) <= V0 (3 phi + 2 psi) |F|_2^2 |F'|^2.
fn fem_damping_rate(tet: FemTet, f: mat3x3f) -> f32 {
    let s = transpose(f) * f;
    let stretch = largest_eigenvalue(vec3f(s[0].x, s[1].y, s[2].z), vec3f(s[1].z, s[2].x, s[0].y));
    return tet.relaxation * max(2.0 * tet.mu, 3.0 * tet.lambda + 2.0 * tet.mu) * stretch * tet.shape_rate;
}

// F (phi tr(E') I + 2 psi E') of F' = `rate`, `share` of it.
fn fem_damping_stress(tet: FemTet, f: mat3x3f, rate: mat3x3f, share: f32) -> mat3x3f {
    let relaxation = share * tet.relaxation;
    let middle = f - select(0.0, 0.5 * sim.step, sim.implicit == IMPLICIT_STEP) * rate;
    return f * fem_hooke(matrix_symmetric(transpose(middle) * rate), relaxation * tet.lambda, relaxation * tet.mu);
}

// phi = min(1, theta r/(h lambda)): the part of an element's viscosity that is borne; `reach` r: 1 for one gather.
fn fem_damping_share(tet: FemTet, body: Body, f: mat3x3f, reach: f32) -> f32 {
    let limit = damping_theta(body) * reach / sim.step;
    return damping_share(limit, fem_damping_rate(tet, f));
}
