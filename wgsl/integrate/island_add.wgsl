// island_add: one thread per body. Adds its momentum and its mass to those of its island, in whole parts.
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
    let word = island_word(i);
    let own = body_momentum(i);
    if own.w < 0.0 {
        return;
    }
    let exponents = vec2i(exponent_above(atomicLoad(&island_sums[word])),
                          exponent_above(atomicLoad(&island_sums[word + 1u])));
    let to_parts = vec4f(vec3f(power_of_two(30 - exponents.x)), power_of_two(30 - exponents.y));
    let parts = vec4i(round(own * to_parts));
    for (var k = 0u; k < 4u; k++) {
        let part = parts[k];
        atomicAdd(&island_sums[word + 3u + 3u * k], u32(part) & 0x7ffu);
        atomicAdd(&island_sums[word + 4u + 3u * k], u32(part >> 11u) & 0x7ffu);
        atomicAdd(&island_sums[word + 5u + 3u * k], u32(part >> 22u));
    }
}
