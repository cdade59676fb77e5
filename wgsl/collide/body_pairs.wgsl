// body_pairs: one thread per body. A body touches another where their boxes, each widened by the reach of contact,
// overlap and their groups let them, and itself where it is folded. `overlaps` has what it shares with each of them; the
// last place holds all that are too many. After these stands the box of the velocities of those that it touches.
// Reads boxes, folds; updates bodies; writes overlaps, contact_lists, grid: where it is folded.
#import shared/contact_lists
#import shared/grid

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(24) var<storage, read> boxes: array<u32>;
@group(0) @binding(25) var<storage, read_write> overlaps: array<Box>;
@group(0) @binding(29) var<storage, read_write> grid: array<u32>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(172) var<storage, read> folds: array<u32>;

fn box_of(low: vec3u, high: vec3u) -> Box {
    return Box(vec3f(unordered(low.x), unordered(low.y), unordered(low.z)), 0u,
               -vec3f(unordered(high.x), unordered(high.y), unordered(high.z)), 0u);
}

fn box_at(word: u32) -> Box {
    return box_of(vec3u(boxes[word], boxes[word + 1u], boxes[word + 2u]),
                  vec3u(boxes[word + 3u], boxes[word + 4u], boxes[word + 5u]));
}

fn fold_at(word: u32) -> Box {
    return box_of(vec3u(folds[word], folds[word + 1u], folds[word + 2u]),
                  vec3u(folds[word + 3u], folds[word + 4u], folds[word + 5u]));
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

@compute @workgroup_size(64)
fn body_pairs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, lane, 64u);
    if b >= sim.body_count {
        return;
    }
    let body = bodies[b];
    let fastest_of_all = fastest(sim.body_count);
    let own = widened(b, body.radius, fastest_of_all);
    var touching = 0u;
    var gap = 3e38;
    var others = Box(vec3f(3e38), 0u, vec3f(-3e38), 0u);
    // Those of its replica.
    let size = select(collide.replica_size, sim.body_count, collide.replica_size == 0u);
    let first = replica(b) * size;
    let end = min(first + size, sim.body_count);
    for (var o = first; o < end; o++) {
        var both = own;
        if o == b {
            if body.self_contact == 0u || folds[FOLD_WORDS * b] == NONE {
                continue;
            }
            both = fold_at(FOLD_WORDS * b);
            for (var k = 0u; k < 3u; k++) {
                grid[grid_fold(b) + k] = bitcast<u32>(both.low[k]);
                grid[grid_fold(b) + 3u + k] = bitcast<u32>(both.high[k]);
            }
        } else if bodies_meet(body, bodies[o]) {
            let other = widened(o, bodies[o].radius, fastest_of_all);
            both = Box(max(own.low, other.low), 0u, min(own.high, other.high), body_bit(o));
        } else {
            continue;
        }
        if any(both.low > both.high) {
            let apart = both.low - both.high;
            gap = min(gap, max(apart.x, max(apart.y, apart.z)));
            continue;
        }
        let place = min(touching, MAX_OVERLAPS - 1u);
        if touching >= MAX_OVERLAPS {
            let held = overlaps[OVERLAP_STRIDE * b + place];
            both = Box(min(held.low, both.low), 0u, max(held.high, both.high), held.b | both.b);
        }
        overlaps[OVERLAP_STRIDE * b + place] = both;
        let speeds = velocities(o);
        others = Box(min(others.low, speeds.low), 0u, max(others.high, speeds.high), 0u);
        touching++;
    }
    overlaps[OVERLAP_STRIDE * b].a = body.mask;
    others.a = touching;
    others.b = body.group;
    overlaps[OVERLAP_STRIDE * b + MAX_OVERLAPS] = others;
    bodies[b].touching = touching;
    if touching > 0u {
        atomicStore(&contact_lists[LIST_TOUCHING], 1u);
    }
    atomicMin(&contact_lists[LIST_GAP], bitcast<u32>(gap));
}
