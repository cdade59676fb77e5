// What all stages of contact between bodies share.
#import shared/sim

@group(0) @binding(23) var<uniform> collide: Collide;

// Floats in the order of unsigned integers, so that atomicMin finds the least.
fn ordered(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u);
}

fn unordered(key: u32) -> f32 {
    return bitcast<f32>(key ^ select(0xffffffffu, 0x80000000u, key >= 0x80000000u));
}

// The vector's direction; 0 stays 0.
fn unit(a: vec3f) -> vec3f {
    return a / max(length(a), 1e-30);
}

// Which copy of a scene a body belongs to, where a world has several. Half a body keeps the quotient away from whole
// numbers by more than it is rounded.
fn replica(b: u32) -> u32 {
    let size = f32(max(collide.replica_size, 1u));
    return select(u32((f32(b) + 0.5) / size), 0u, collide.replica_size == 0u);
}

// What the grids tell bodies apart by.
fn body_bit(b: u32) -> u32 {
    return 1u << (b % BODY_BITS);
}

// Of two bodies: group, mask. Whole bodies are not loaded where others write what they touch.
fn bodies_meet(a: vec2u, b: vec2u) -> bool {
    return (a.x & b.y) != 0u && (b.x & a.y) != 0u;
}

// Where the words of the present step begin in `status`.
fn step_words() -> u32 {
    return STATUS_RATES + sim.body_count + STEP_WORDS * sim.slot;
}
