// fem_probe: one thread per tetrahedron. The exact change of its elastic forces along w at the present positions, -K w,
// or its viscous forces of velocities w, -C w: what the power iteration takes [shared/fem_change,
// shared/fem_viscosity].
// Reads particles_in, probe_in (w), fem_tets, fem_states, bodies; writes corner_forces.
#import shared/fem_viscosity
#import shared/fem_corners
#import shared/fem_change
#import shared/fem_plastic

@group(0) @binding(14) var<storage, read> probe_in: array<vec4f>;
@group(0) @binding(65) var<storage, read> fem_states: array<FemState>;

@compute @workgroup_size(64)
fn fem_probe(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let f = fem_deformation(tet);
    let w = probe_in[tet.corners.x].xyz;
    let d = fem_gradient(tet, probe_in[tet.corners.y].xyz - w, probe_in[tet.corners.z].xyz - w,
                         probe_in[tet.corners.w].xyz - w);
    if sim.probe == PROBE_DAMPING {
        fem_write(tet, fem_damping_stress(tet, f, d, 1.0));
        return;
    }
    let state = fem_states[i];
    let inverse = fem_plastic_inverse(fem_plastic_take(state));
    let elastic = f * inverse;
    var r = matrix_diagonal(1.0);
    if body.law == LAW_COROTATED {
        r = quaternion_matrix(nearest_rotation(elastic, state.rotation));
    }
    let change = fem_stress_change(body.law, elastic, r, d * inverse, tet.lambda, tet.mu);
    fem_write(tet, change * inverse);
}
