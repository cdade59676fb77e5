// How the boxes that a body shares with others are put down; shared/overlaps tells where they stand. Who imports this writes
// overlaps, bodies, contact_lists, grid: where it is folded, status: whether the step is too long.
#import shared/contact_lists
#import shared/grid
#import shared/body_box
#import shared/status

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(25) var<storage, read_write> overlaps: array<Box>;
@group(0) @binding(29) var<storage, read_write> grid: array<u32>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(172) var<storage, read> folds: array<u32>;

// Those that a body touches: the box of their velocities, and how thick the thinnest is [m].
struct Partners {
    speeds: Box,
    thickness: f32,
}

fn nobody() -> Partners {
    return Partners(nothing(), 3e38);
}

fn and_partner(others: Partners, o: u32) -> Partners {
    return Partners(around(others.speeds, velocities(o)), min(others.thickness, bodies[o].thickness));
}

// A step should not carry a body past what it touches by more than half of what both measure: it would come out behind, or tear
// the elements that it hits.
fn status_passing(b: u32, others: Partners) {
    if sim.watch == WATCH_NOTHING || any(others.speeds.low > others.speeds.high) {
        return;
    }
    let own = velocities(b);
    let way = sim.step * max(own.high - others.speeds.low, others.speeds.high - own.low);
    let load = 2.0 * length(way) / (bodies[b].thickness + others.thickness);
    status_load(load * load);
}

fn nothing() -> Box {
    return Box(vec3f(3e38), 0u, vec3f(-3e38), 0u);
}

fn around(a: Box, b: Box) -> Box {
    return Box(min(a.low, b.low), 0u, max(a.high, b.high), a.b | b.b);
}

fn in_common(a: Box, b: Box) -> Box {
    return Box(max(a.low, b.low), 0u, min(a.high, b.high), 0u);
}

fn is_folded(b: u32) -> bool {
    return bodies[b].self_contact != 0u && folds[FOLD_WORDS * b] != NONE;
}

// Where it is folded, which the grid gets to know, too.
fn write_fold(b: u32) -> Box {
    let word = FOLD_WORDS * b;
    let fold = box_of(vec3u(folds[word], folds[word + 1u], folds[word + 2u]),
                      vec3u(folds[word + 3u], folds[word + 4u], folds[word + 5u]));
    for (var k = 0u; k < 3u; k++) {
        grid[grid_fold(b) + k] = bitcast<u32>(fold.low[k]);
        grid[grid_fold(b) + 3u + k] = bitcast<u32>(fold.high[k]);
    }
    return fold;
}

// Puts down what b shares with one that it touches, after `before` others.
fn write_overlap(b: u32, before: u32, both: Box) {
    let place = OVERLAP_STRIDE * b + min(before, MAX_OVERLAPS - 1u);
    if before >= MAX_OVERLAPS {
        overlaps[place] = around(overlaps[place], both);
    } else {
        overlaps[place] = both;
    }
}

// Puts down how many it touches, and the box of their velocities.
fn write_touching(b: u32, touching: u32, others: Partners) {
    let speeds = others.speeds;
    status_passing(b, others);
    overlaps[OVERLAP_STRIDE * b].a = bodies[b].mask;
    overlaps[OVERLAP_STRIDE * b + 1u].a = bodies[b].rigid;
    overlaps[OVERLAP_STRIDE * b + MAX_OVERLAPS] = Box(speeds.low, touching, speeds.high, bodies[b].group);
    bodies[b].touching = touching;
    if touching > 0u {
        atomicStore(&contact_lists[LIST_TOUCHING], 1u);
    }
}
