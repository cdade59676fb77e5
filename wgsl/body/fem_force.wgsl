// fem_force: one thread per tetrahedron. Its stress P(F S_p^-1) S_p^-1 and, unless sweeps have it in their care, its
// viscous stress, as forces on the four corners [shared/fem, shared/fem_viscosity]. Once per substep the rotation that
// the next one starts from is kept, and plastic flow advances S_p [shared/fem_plastic].
// A step that is too long for how stiff the element has become is noted [shared/fem_stiffness].
// Reads particles_in, fem_tets, bodies; updates fem_states; writes corner_forces, status.
#import shared/fem_viscosity
#import shared/fem_plastic
#import shared/fem_corners
#import shared/fem_stiffness
#import shared/status

@group(0) @binding(65) var<storage, read_write> fem_states: array<FemState>;

fn note_stiffness(tet: FemTet, body: Body, f: mat3x3f, r: mat3x3f) {
    if sim.watch != WATCH_NOTHING {
        status_stiffness(body, fem_stiffness(tet, body.law, f, r));
    }
}

// The elastic stress; where the substep asks for it, keeps the rotation and lets S_p flow.
fn elastic_stress(i: u32, tet: FemTet, body: Body, f: mat3x3f) -> mat3x3f {
    let plastic = body.yield_strain < YIELD_NONE;
    if !plastic && body.law != LAW_COROTATED {
        note_stiffness(tet, body, f, matrix_diagonal(1.0));
        return fem_stress(body.law, f, matrix_diagonal(1.0), tet.lambda, tet.mu);
    }
    let state = fem_states[i];
    var inverse = matrix_diagonal(1.0);
    var elastic = f;
    if plastic {
        inverse = fem_plastic_inverse(fem_plastic_take(state));
        elastic = f * inverse;
    }
    let q = nearest_rotation(elastic, state.rotation);
    let r = quaternion_matrix(q);
    note_stiffness(tet, body, elastic, r);
    var stress = fem_stress(body.law, elastic, r, tet.lambda, tet.mu);
    if plastic {
        stress = stress * inverse;
    }
    if sim.flow != 0u {
        var x = fem_plastic_take(state);
        if plastic {
            let stretch = matrix_symmetric(transpose(r) * elastic);
            x = fem_flow(x, stretch, body.yield_strain, min(1.0, sim.step * body.creep), body.plastic_most);
        }
        fem_states[i] = FemState(q, vec3f(x[0].x, x[1].y, x[2].z), vec3f(x[1].z, x[2].x, x[0].y));
    }
    return stress;
}

@compute @workgroup_size(64)
fn fem_force(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = part_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let f = fem_deformation(tet);
    var stress = elastic_stress(i, tet, body, f);
    if tet.relaxation > 0.0 && !damping_swept(body) {
        var share = 1.0;
        if body.damping_mode != DAMPING_EXPLICIT {
            share = fem_damping_share(tet, body, f, 1.0);
        }
        stress += fem_damping_stress(tet, f, fem_velocity_gradient(tet), share);
    }
    fem_write(tet, stress);
}
