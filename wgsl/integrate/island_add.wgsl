// island_add: one thread per body. Adds what it lacks to what its island does, in whole parts.
// Reads part_ranges, momenta, tie_groups, islands; updates island_sums.
#import shared/sim
#import shared/island_sums

@group(0) @binding(185) var<storage, read_write> island_sums: array<atomic<u32>>;

@compute @workgroup_size(64)
fn island_add(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    let word = ISLAND_WORDS * island_label(i);
    let own = island_momentum(i);
    if is_held(own) {
        return;
    }
    for (var k = 0u; k < ISLAND_NUMBERS; k++) {
        let exponent = exponent_above(atomicLoad(&island_sums[word + momentum_kind(k)]));
        let part = i32(round(momentum_number(own, k) * power_of_two(30 - exponent)));
        let low = word + ISLAND_HEAD + 3u * k;
        atomicAdd(&island_sums[low], u32(part) & 0x7ffu);
        atomicAdd(&island_sums[low + 1u], u32(part >> 11u) & 0x7ffu);
        atomicAdd(&island_sums[low + 2u], u32(part >> 22u));
    }
}
