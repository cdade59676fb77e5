// fem_damping_first: one thread per tetrahedron. Its viscous forces for the velocities, weakened as fem_damping does:
// what the first sweep of exact damping takes. Reads particles_in, fem_tets, bodies; writes corner_forces.
#import shared/fem_viscosity
#import shared/fem_corners

@compute @workgroup_size(64)
fn fem_damping_first(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let f = fem_deformation(tet);
    let share = fem_damping_share(tet, body, f, damping_reach());
    fem_write(tet, fem_damping_stress(tet, f, fem_velocity_gradient(tet), share));
}
