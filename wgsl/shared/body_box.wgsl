// The boxes of bodies, as far as contact reaches around them.
#import shared/collide

@group(0) @binding(24) var<storage, read> boxes: array<u32>;

fn box_of(low: vec3u, high: vec3u) -> Box {
    return Box(vec3f(unordered(low.x), unordered(low.y), unordered(low.z)), 0u,
               -vec3f(unordered(high.x), unordered(high.y), unordered(high.z)), 0u);
}

fn box_at(word: u32) -> Box {
    return box_of(vec3u(boxes[word], boxes[word + 1u], boxes[word + 2u]),
                  vec3u(boxes[word + 3u], boxes[word + 4u], boxes[word + 5u]));
}

fn velocities(b: u32) -> Box {
    return box_at(BOX_WORDS * b + 6u);
}

fn fastest(b: u32) -> vec3f {
    let speeds = velocities(b);
    return max(abs(speeds.low), abs(speeds.high));
}

// As far as contact reaches, and as tested points of the body go ahead: at most as fast as it comes at the fastest of all.
fn widened(b: u32, radius: f32, fastest_of_all: vec3f) -> Box {
    let box = box_at(BOX_WORDS * b);
    let reach = radius + RIM_SLACK * collide.margin + sim.step * (fastest(b) + fastest_of_all);
    return Box(box.low - reach, 0u, box.high + reach, 0u);
}
