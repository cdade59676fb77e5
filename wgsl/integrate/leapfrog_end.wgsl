// leapfrog_end: one thread per particle. After contact_move, whose velocity is the new v_half:
// v = (3 v_half - v_half_old)/2. Held ones keep theirs.
// Reads and updates particles_out, half_velocity.
#import shared/sim

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(9) var<storage, read_write> half_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn leapfrog_end(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if particles_out[i].inverse_mass == 0.0 {
        return;
    }
    let half = particles_out[i].velocity;
    particles_out[i].velocity = 1.5 * half - 0.5 * half_velocity[i].xyz;
    half_velocity[i] = vec4f(half, 0.0);
}
