// newton_sum: one thread per slice of 64 particles. Sums of what the passes before left beside the directions and the
// products, in the particles' order.
// Reads directions, products; writes sums.
#import shared/sim

@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read> products: array<vec4f>;
@group(0) @binding(95) var<storage, read_write> sums: array<vec4f>;

@compute @workgroup_size(64)
fn newton_sum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    let first = k * SLICE;
    if first >= sim.particle_count {
        return;
    }
    let end = min(first + SLICE, sim.particle_count);
    var sum = vec4f();
    for (var i = first; i < end; i++) {
        let product = products[i];
        sum += vec4f(directions[i].damping_rate, product.w, product.x, product.y);
    }
    sums[k] = sum;
}
