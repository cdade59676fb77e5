// newton_factor: one thread per particle. Where conjugate gradients begin: the pivots of the particle's whole block
// m (1/h^2 + drag/h) + its elements + contacts, and its residual over it, z.
// Reads particles_out, conjugates; updates blocks, contact_blocks (the particle's own stiffness); writes directions.
#import shared/sim
#import shared/eigen

@group(0) @binding(3) var<storage, read_write> particles_out: array<Particle>;
@group(0) @binding(102) var<storage, read_write> contact_blocks: array<ContactBlock>;
@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;
@group(0) @binding(92) var<storage, read_write> directions: array<Particle>;
@group(0) @binding(94) var<storage, read_write> blocks: array<Block>;

@compute @workgroup_size(64)
fn newton_factor(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    let p = particles_out[i];
    if p.inverse_mass == 0.0 {
        directions[i] = Particle(p.position, 0.0, vec3f(), 0.0);
        return;
    }
    let pace = 1.0 / (p.inverse_mass * sim.step);
    let inertia = pace * (1.0 / sim.step + sim.drag);
    let press = contact_blocks[i];
    let own = blocks[i].diagonal + inertia;
    let off = blocks[i].off + press.off;
    let pivots = max(symmetric_pivots(own + press.diagonal, off, inertia), vec3f(inertia));
    let r = conjugates[i].residual;
    let z = symmetric_solve(pivots, off, r);
    blocks[i] = Block(pivots, off);
    contact_blocks[i].stiffness = (own.x + own.y + own.z) / 3.0;
    directions[i] = Particle(p.position, p.inverse_mass, z, dot(r, z));
}
