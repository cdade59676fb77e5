// island_shift: one thread per body. What implicit_shift gives a body, from the sums over its island; for worlds of many bodies,
// none of which looks through all the others.
// Reads bodies, part_ranges, momenta, tie_groups, islands, island_sums; writes body_shifts.
#import shared/sim
#import content
#import shared/island_sums

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(107) var<storage, read_write> body_shifts: array<vec4f>;
@group(0) @binding(185) var<storage, read> island_sums: array<u32>;

// The sum whose three words begin here, in parts of 2^-30 of a power of two.
fn sum_at(word: u32, exponent: i32) -> f32 {
    let middle = island_sums[word + 1u] + (island_sums[word] >> 11u);
    let high = i32(island_sums[word + 2u]) + i32(middle >> 11u);
    let low = ((middle & 0x7ffu) << 11u) | (island_sums[word] & 0x7ffu);
    return (f32(high) * 4194304.0 + f32(low)) * power_of_two(exponent - 30);
}

@compute @workgroup_size(64)
fn island_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    var sum = body_momentum(i);
    var free = sum.w > 0.0;
    if HAS_POSES || bodies[i].touching > 0u || tie_groups[i] != i {
        let word = island_word(i);
        let exponents = vec2i(exponent_above(island_sums[word]), exponent_above(island_sums[word + 1u]));
        for (var k = 0u; k < 4u; k++) {
            sum[k] = sum_at(word + 3u + 3u * k, select(exponents.x, exponents.y, k == 3u));
        }
        free = island_sums[word + 2u] == 0u;
    }
    let change = sum.xyz / (max(sum.w, 1e-30) * (1.0 + sim.step * sim.drag));
    body_shifts[i] = select(vec4f(), vec4f(change, 1.0), free);
}
