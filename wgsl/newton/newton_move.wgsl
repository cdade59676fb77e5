// newton_move: one thread per particle. Goes a share of Newton's change d, or back: v += share d/h, x = x_n + h v.
// Reads newton, conjugates, base; updates particles_out.
#import shared/sim

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(10) var<storage, read> base: array<Particle>;
@group(0) @binding(90) var<storage, read> newton: array<Newton>;
@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;

@compute @workgroup_size(64)
fn newton_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        return;
    }
    let v = p.velocity + (newton[0].share / sim.step) * conjugates[i].change;
    particles_out[i] = Particle(base[i].position + sim.step * v, p.inverse_mass, v, 0.0);
}
