// What a body lacks of its momentum in an implicit step, and its mass; w is below 0 where something holds it.
#import shared/part_ranges

@group(0) @binding(106) var<storage, read_write> momenta: array<vec4f>;

fn body_momentum(i: u32) -> vec4f {
    let range = part_ranges[i];
    var sum = vec4f();
    var free = range.y > 0u;
    for (var k = 0u; k < range.y; k++) {
        let part = momenta[range.x + k];
        free = free && part.w > 0.0;
        sum += part;
    }
    return select(vec4f(0.0, 0.0, 0.0, -1.0), sum, free);
}
