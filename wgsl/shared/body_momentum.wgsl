// What a body lacks of its momenta in an implicit step.
#import shared/part_ranges
#import shared/momentum_part

@group(0) @binding(106) var<storage, read_write> momenta: array<MomentumPart>;

fn body_momentum(i: u32) -> MomentumPart {
    let range = part_ranges[i];
    if range.y == 0u {
        return held_momentum(vec3f());
    }
    var sum = momenta[range.x];
    var free = !is_held(sum);
    for (var k = 1u; k < range.y; k++) {
        let part = momenta[range.x + k];
        free = free && !is_held(part);
        sum = add_momentum(sum, part);
    }
    sum.linear.w = select(-1.0, sum.linear.w, free);
    return sum;
}

// Where the r of a body's sums begin.
fn body_origin(i: u32) -> vec3f {
    return momenta[part_ranges[i].x].origin.xyz;
}
