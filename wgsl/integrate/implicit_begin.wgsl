// implicit_begin: one thread per particle. Where an implicit step begins: x_n, and v* = v_n + h (g + f/m) with what does
// not depend on the solution. The first iterate goes on with v_n, and with gravity where nothing held the body in the last
// step [Chen et al. 2024, section 3.7]. coarse_move carries it on from x_n.
// Reads particles_in, half_velocity (w: 1 where nothing held the body, else 0); writes base, particles_out.
#import shared/sim
#import shared/pull

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(9) var<storage, read> half_velocity: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> base: array<Particle>;

@compute @workgroup_size(64)
fn implicit_begin(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_in[i];
    if p.inverse_mass == 0.0 {
        base[i] = p;
        particles_out[i] = p;
        return;
    }
    let outside = sim.gravity + p.inverse_mass * pull_force(i);
    base[i] = Particle(p.position, p.inverse_mass, p.velocity + sim.step * outside, 0.0);
    let v = p.velocity + (half_velocity[i].w * sim.step) * sim.gravity;
    particles_out[i] = Particle(p.position, p.inverse_mass, v, 0.0);
}
