// newton_update: one thread per particle. One iteration of conjugate gradients with a single reduction: p = z + beta p,
// s = H z + beta s = H p, d += alpha p, r -= alpha s, z = r over the particle's own block [Chronopoulos & Gear 1989].
// Reads newton (alpha, beta), products (H z), blocks; updates conjugates, directions.
#import shared/sim
#import shared/eigen

@group(0) @binding(90) var<storage, read> newton: array<Newton>;
@group(0) @binding(91) var<storage, read_write> conjugates: array<Conjugate>;
@group(0) @binding(92) var<storage, read_write> directions: array<Particle>;
@group(0) @binding(93) var<storage, read> products: array<vec4f>;
@group(0) @binding(94) var<storage, read> blocks: array<Block>;

@compute @workgroup_size(64)
fn newton_update(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.particle_count {
        return;
    }
    if directions[i].inverse_mass == 0.0 {
        return;
    }
    let alpha = newton[0].alpha;
    let beta = newton[0].beta;
    let c = conjugates[i];
    let search = directions[i].velocity + beta * c.search;
    let image = products[i].xyz + beta * c.image;
    let r = c.residual - alpha * image;
    let z = symmetric_solve(blocks[i].diagonal, blocks[i].off, r);
    conjugates[i] = Conjugate(r, c.change + alpha * search, search, image);
    directions[i].velocity = z;
    directions[i].damping_rate = dot(r, z);
}
