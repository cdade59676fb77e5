// contact_move: one thread per particle, at the end of an explicit step. u = v* + what the last iteration changed of the
// contacts' impulses, over m; then the solids and the move, as in move_particles.
// Reads points, bodies, list_first, entries, rows, increments; updates particles_out; writes status.
#import shared/gather
#import shared/move

@compute @workgroup_size(64)
fn contact_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i < sim.particle_count {
        move_particle(i, particles_out[i].inverse_mass * contact_impulse(i));
    }
}
