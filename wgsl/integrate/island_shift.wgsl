// island_shift: one thread per body. What implicit_shift gives a body, from the sums over its island; for worlds of many bodies,
// none of which looks through all the others.
// Reads bodies, part_ranges, momenta, tie_groups, islands, island_sums; writes body_shifts.
#import shared/sim
#import content
#import shared/island_sums

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(107) var<storage, read_write> body_shifts: array<BodyMotion>;
@group(0) @binding(185) var<storage, read> island_sums: array<u32>;

// Number k of what the island whose words begin here lacks.
fn island_number(island: u32, k: u32) -> f32 {
    let word = island + ISLAND_HEAD + 3u * k;
    let exponent = exponent_above(island_sums[island + momentum_kind(k)]);
    let middle = island_sums[word + 1u] + (island_sums[word] >> 11u);
    let high = i32(island_sums[word + 2u]) + i32(middle >> 11u);
    let low = ((middle & 0x7ffu) << 11u) | (island_sums[word] & 0x7ffu);
    return (f32(high) * 4194304.0 + f32(low)) * power_of_two(exponent - 30);
}

fn island_row(island: u32, row: u32) -> vec4f {
    let k = 4u * row;
    return vec4f(island_number(island, k), island_number(island, k + 1u), island_number(island, k + 2u),
                 island_number(island, k + 3u));
}

@compute @workgroup_size(64)
fn island_shift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    var sum = body_momentum(i);
    var free = !is_held(sum);
    if HAS_POSES || bodies[i].touching > 0u || tie_groups[i] != i {
        let label = island_label(i);
        let island = ISLAND_WORDS * label;
        sum = MomentumPart(island_row(island, 0u), island_row(island, 1u), island_row(island, 2u), island_row(island, 3u),
                           island_row(island, 4u), island_row(island, 5u), vec4f(body_origin(label), 0.0));
        free = island_sums[island + ISLAND_HEAD - 1u] == 0u;
    }
    body_shifts[i] = BodyMotion();
    if free {
        body_shifts[i] = momentum_motion(sum);
    }
}
