// fem_damping: one thread per tetrahedron. Its viscous forces for the field w that the sweeps of exact damping carry,
// weakened by phi = min(1, theta s^2/(h lambda)), lambda a bound of its largest damping rate [shared/fem_viscosity,
// shared/sweep].
// Reads particles_in, sweep_in (w), fem_tets, bodies; writes corner_forces.
#import shared/fem_viscosity
#import shared/fem_corners

@group(0) @binding(12) var<storage, read> sweep_in: array<vec4f>;

@compute @workgroup_size(64)
fn fem_damping(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let f = fem_deformation(tet);
    let w = sweep_in[tet.corners.x].xyz;
    let rate = fem_gradient(tet, sweep_in[tet.corners.y].xyz - w, sweep_in[tet.corners.z].xyz - w,
                            sweep_in[tet.corners.w].xyz - w);
    let share = fem_damping_share(tet, body, f, damping_reach());
    fem_write(tet, fem_damping_stress(tet, f, rate, share));
}
