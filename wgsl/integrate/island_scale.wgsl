// island_scale: one thread per body. The largest numbers of each kind of what the bodies of its island lack; whether the island is
// held or in doubt.
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
    let word = ISLAND_WORDS * island_label(i);
    let own = island_momentum(i);
    if is_held(own) || islands_next[tie_group(i)] == 0u {
        atomicOr(&island_sums[word + ISLAND_HEAD - 1u], 1u);
        return;
    }
    for (var k = 0u; k < ISLAND_NUMBERS; k++) {
        atomicMax(&island_sums[word + momentum_kind(k)], bitcast<u32>(abs(momentum_number(own, k))));
    }
}
