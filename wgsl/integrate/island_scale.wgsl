// island_scale: one thread per body. The largest coordinate of a momentum, and the largest mass, of its island; whether the
// island is held or in doubt.
// Reads part_ranges, momenta, tie_groups, islands, islands_next (0: in doubt); updates island_sums.
#import shared/sim
#import shared/island_sums

@group(0) @binding(111) var<storage, read> islands_next: array<u32>;
@group(0) @binding(185) var<storage, read_write> island_sums: array<atomic<u32>>;

@compute @workgroup_size(64)
fn island_scale(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let word = island_word(i);
    let own = body_momentum(i);
    if own.w < 0.0 || islands_next[tie_group(i)] == 0u {
        atomicOr(&island_sums[word + 2u], 1u);
        return;
    }
    let size = abs(own.xyz);
    atomicMax(&island_sums[word], bitcast<u32>(max(size.x, max(size.y, size.z))));
    atomicMax(&island_sums[word + 1u], bitcast<u32>(own.w));
}
