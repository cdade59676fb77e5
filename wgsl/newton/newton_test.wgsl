// newton_test: one thread per particle. Its part of r.d, r what is left after a part of Newton's change d, with the
// multipliers of contacts as they were before it: where it is far below 0 the energy rises along d already.
// Reads particles_out, base, loads, contact_blocks, conjugates; writes products.
#import shared/newton

@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;

@compute @workgroup_size(64)
fn newton_test(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        products[i] = vec4f();
        return;
    }
    products[i] = vec4f(0.0, 0.0, 0.0, dot(newton_imbalance(i, p) + contact_blocks[i].force, conjugates[i].change));
}
