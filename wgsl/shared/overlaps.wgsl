// What a body shares with those that it touches: OVERLAP_STRIDE boxes a body; a box's b has the bits of the other bodies in it,
// none where the body shares it with itself.
// The last one is that of the velocities of the others; beside it stand how many the body touches, and its group, beside the
// first its mask, beside the second whether it is rigid.
#import shared/collide

@group(0) @binding(25) var<storage, read> overlaps: array<Box>;

fn overlap_count(b: u32) -> u32 {
    return min(overlaps[OVERLAP_STRIDE * b + MAX_OVERLAPS].a, MAX_OVERLAPS);
}

// Whether bodies b and o may touch; of two that are rigid their colliders do.
fn overlap_meet(b: u32, o: u32) -> bool {
    let are_rigid = overlaps[OVERLAP_STRIDE * b + 1u].a + overlaps[OVERLAP_STRIDE * o + 1u].a == 2u;
    if replica(b) != replica(o) || are_rigid {
        return false;
    }
    let own = overlaps[OVERLAP_STRIDE * b + MAX_OVERLAPS].b;
    let other = overlaps[OVERLAP_STRIDE * o + MAX_OVERLAPS].b;
    return (own & overlaps[OVERLAP_STRIDE * o].a) != 0u && (other & overlaps[OVERLAP_STRIDE * b].a) != 0u;
}

// Whether a point of body b may be inside another.
fn overlap_holds(b: u32, q: vec3f) -> bool {
    let count = overlap_count(b);
    for (var k = 0u; k < count; k++) {
        let box = overlaps[OVERLAP_STRIDE * b + k];
        if all(q >= box.low) && all(q <= box.high) {
            return true;
        }
    }
    return false;
}

// What a box of body b has in common with the k-th of its shared boxes, with that one's bits; low > high where it has nothing.
fn overlap_part(b: u32, k: u32, low: vec3f, high: vec3f) -> Box {
    let box = overlaps[OVERLAP_STRIDE * b + k];
    return Box(max(low, box.low), 0u, min(high, box.high), box.b);
}

// Which of its shared boxes a box of body b has a part of, a bit each.
fn overlap_parts(b: u32, low: vec3f, high: vec3f) -> u32 {
    var parts = 0u;
    let count = overlap_count(b);
    for (var k = 0u; k < count; k++) {
        let part = overlap_part(b, k, low, high);
        parts |= select(0u, 1u << k, all(part.low <= part.high));
    }
    return parts;
}

// The part of a box of body b where points of other bodies may be; low > high where there is none.
fn overlap_clip(b: u32, low: vec3f, high: vec3f) -> Box {
    var clipped = Box(vec3f(3e38), 0u, vec3f(-3e38), 0u);
    let count = overlap_count(b);
    for (var k = 0u; k < count; k++) {
        let box = overlaps[OVERLAP_STRIDE * b + k];
        let part_low = max(low, box.low);
        let part_high = min(high, box.high);
        if box.b != 0u && all(part_low <= part_high) {
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
