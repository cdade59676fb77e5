// What a body shares with those that it touches.
#import shared/collide

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(25) var<storage, read> overlaps: array<Box>;

// Whether a point of body b may be inside another.
fn overlap_holds(b: u32, q: vec3f) -> bool {
    let count = min(bodies[b].touching, MAX_OVERLAPS);
    for (var k = 0u; k < count; k++) {
        let box = overlaps[OVERLAP_STRIDE * b + k];
        if all(q >= box.low) && all(q <= box.high) {
            return true;
        }
    }
    return false;
}

// The part of a box of body b where points of others may be; low > high where there is none.
fn overlap_clip(b: u32, low: vec3f, high: vec3f) -> Box {
    var clipped = Box(vec3f(3e38), 0u, vec3f(-3e38), 0u);
    let count = min(bodies[b].touching, MAX_OVERLAPS);
    for (var k = 0u; k < count; k++) {
        let box = overlaps[OVERLAP_STRIDE * b + k];
        let part_low = max(low, box.low);
        let part_high = min(high, box.high);
        if all(part_low <= part_high) {
            clipped = Box(min(clipped.low, part_low), 0u, max(clipped.high, part_high), 0u);
        }
    }
    return clipped;
}

// The middle of the velocities of those that body b touches [m/s].
fn overlap_velocity(b: u32) -> vec3f {
    let others = overlaps[OVERLAP_STRIDE * b + MAX_OVERLAPS];
    return 0.5 * (others.low + others.high);
}
