// newton_residual: one thread per particle. What is left of the step's equation at the iterate, contacts included, and
// its parts of three sums: r^2/m, what it is measured by: m (|v* - v|^2/h^2 + g^2), and what rounding of the positions
// makes of it: (k |x| 2^-24)^2/m, k the particle's own stiffness.
// Reads particles_out, base, loads, contact_blocks; writes products, conjugates.
#import shared/newton

@group(0) @binding(91) var<storage, read_write> conjugates: array<Conjugate>;

@compute @workgroup_size(64)
fn newton_residual(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        conjugates[i] = Conjugate();
        products[i] = vec4f();
        return;
    }
    let press = contact_blocks[i];
    let r = newton_imbalance(i, p) + press.force;
    conjugates[i] = Conjugate(r, vec3f(), vec3f(), vec3f());
    let start = (base[i].velocity - p.velocity) / sim.step;
    let most = abs(p.position);
    let rounding = press.stiffness * (max(most.x, max(most.y, most.z)) * NEWTON_ROUNDING);
    products[i] = vec4f((dot(start, start) + dot(sim.gravity, sim.gravity)) / p.inverse_mass,
                        rounding * rounding * p.inverse_mass, 0.0, dot(r, r) * p.inverse_mass);
}
