// fem_measure: one thread per tetrahedron of finite elements. How much larger it is than at rest, V - V0, and a quarter of its
// elastic energy V0 W(F S_p^-1), for each of its corners.
// With Green's strain E = (F^T F - I)/2 every energy is a sum of squares: terms of first order, which cancel near rest and
// would leave rounding, are taken out by det F^2 = 1 + 2 tr E + 4 I2(E) + 8 det E. Neo-Hookean [shared/law], x = tr E/2:
// W = 3/4 mu (j^2/2 - 2 I2(E) - 4 det E) + mu/2 (x - ln(1 + x)) + lambda/2 j^2, j = det F - 1.
// Reads particles_in, fem_tets, fem_states, bodies; writes fem_shares.
#import shared/fem
#import shared/fem_plastic

@group(0) @binding(65) var<storage, read> fem_states: array<FemState>;
@group(0) @binding(122) var<storage, read_write> fem_shares: array<vec2f>;

// x - ln(1 + x)
fn log_rest(x: f32) -> f32 {
    let s = x / (2.0 + x);
    let square = s * s;
    // ln(1 + x) = 2 artanh s
    let series = 1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0));
    return select(x - log(max(1.0 + x, 1e-30)), x * s - 2.0 * s * square * series, abs(x) < 0.3);
}

fn neo_hookean_energy(tet: FemTet, e: mat3x3f, growth: f32) -> f32 {
    let k = law_stable(tet.lambda, tet.mu);
    let cofactor = matrix_cofactor(e);
    let second = matrix_trace(cofactor);
    let third = dot(e[0], cofactor[0]);
    let square = growth * growth;
    return 0.75 * k.y * (0.5 * square - 2.0 * second - 4.0 * third) + 0.5 * k.y * log_rest(0.5 * matrix_trace(e))
         + 0.5 * k.x * square;
}

// mu |F - R|^2 + lambda/2 tr(R^T F - I)^2
fn corotated_energy(tet: FemTet, f: mat3x3f, start: vec4f) -> f32 {
    let r = quaternion_matrix(nearest_rotation(f, start));
    let away = f - r;
    let stretch = matrix_contract(r, away);
    return tet.mu * matrix_contract(away, away) + 0.5 * tet.lambda * stretch * stretch;
}

fn fem_energy(tet: FemTet, body: Body, state: FemState, f: mat3x3f) -> f32 {
    if body.law == LAW_COROTATED {
        return corotated_energy(tet, f, state.rotation);
    }
    let e = fem_green_strain(f);
    if body.law == LAW_NEO_HOOKEAN {
        return neo_hookean_energy(tet, e, dot(f[0], cross(f[1], f[2])) - 1.0);
    }
    let trace = matrix_trace(e);
    return 0.5 * tet.lambda * trace * trace + tet.mu * matrix_contract(e, e);
}

@compute @workgroup_size(64)
fn fem_measure(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let f = fem_deformation(tet);
    var elastic = f;
    if body.yield_strain < YIELD_NONE {
        elastic = f * fem_plastic_inverse(fem_plastic_take(fem_states[i]));
    }
    let growth = tet.volume * (dot(f[0], cross(f[1], f[2])) - 1.0);
    let share = vec2f(growth, 0.25 * tet.volume * fem_energy(tet, body, fem_states[i], elastic));
    fem_shares[tet.slots.x] = share;
    fem_shares[tet.slots.y] = share;
    fem_shares[tet.slots.z] = share;
    fem_shares[tet.slots.w] = share;
}
