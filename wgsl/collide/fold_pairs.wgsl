// fold_pairs: one thread per patch. A body may touch itself where two patches of it have come closer to each other
// than FOLD_CLOSER of their distance at rest and are within reach of each other, or where one has become as much
// smaller. The body's fold is the box of all of these. Patches that are no closer than at rest touch nothing:
// neighbours are always within reach.
// Reads bodies, boxes, patches, patch_shapes; updates folds, contact_lists: the least way to the next fold.
#import shared/contact_lists

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(24) var<storage, read> boxes: array<u32>;
@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(169) var<storage, read> patches: array<Patch>;
@group(0) @binding(171) var<storage, read> patch_shapes: array<PatchShape>;
@group(0) @binding(172) var<storage, read_write> folds: array<atomic<u32>>;

// How far particles of body b come at each other in this step.
fn way_of(b: u32) -> vec3f {
    let word = BOX_WORDS * b + 6u;
    let slowest = vec3f(unordered(boxes[word]), unordered(boxes[word + 1u]), unordered(boxes[word + 2u]));
    let fastest = -vec3f(unordered(boxes[word + 3u]), unordered(boxes[word + 4u]), unordered(boxes[word + 5u]));
    return sim.step * (fastest - slowest);
}

@compute @workgroup_size(64)
fn fold_pairs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&patches) {
        return;
    }
    let own = patches[k];
    let shape = patch_shapes[k];
    let around = vec3f(RIM_SLACK * collide.margin) + way_of(own.body);
    // Inside the other by up to an edge.
    let reach = around + bodies[own.body].edge;
    var gap = shape.spread - FOLD_CLOSER * own.spread;
    var folded = gap < 0.0;
    var low = shape.low;
    var high = shape.high;
    for (var o = k + 1u; o < own.end; o++) {
        let other = patch_shapes[o];
        let between = max(shape.low, other.low) - min(shape.high, other.high) - reach;
        let apart = max(between.x, max(between.y, between.z));
        let closer = distance(shape.centre, other.centre) - FOLD_CLOSER * distance(own.centre, patches[o].centre);
        let way = max(apart, closer);
        gap = min(gap, way);
        if way < 0.0 {
            folded = true;
            low = min(low, other.low);
            high = max(high, other.high);
        }
    }
    atomicMin(&contact_lists[LIST_GAP], bitcast<u32>(max(gap, 0.0)));
    if !folded {
        return;
    }
    low -= around;
    high += around;
    let word = FOLD_WORDS * own.body;
    atomicMin(&folds[word], ordered(low.x));
    atomicMin(&folds[word + 1u], ordered(low.y));
    atomicMin(&folds[word + 2u], ordered(low.z));
    atomicMin(&folds[word + 3u], ordered(-high.x));
    atomicMin(&folds[word + 4u], ordered(-high.y));
    atomicMin(&folds[word + 5u], ordered(-high.z));
}
