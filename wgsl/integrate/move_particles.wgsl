// move_particles: one thread per particle, at the end of an explicit step where there are solids. u = v* + their impulses, v* the velocity
// that forces lead to; x += h u, and what is inside is taken back in part [shared/solids].
// Reads points, bodies, increments; updates particles_out; writes status.
#import shared/move

@compute @workgroup_size(64)
fn move_particles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i < sim.particle_count {
        move_particle(i, vec3f());
    }
}
