// touch_solids: one workgroup per body, after touch_chunks. Adds the sums of its chunks, solid by solid in ascending order, to those
// of the submission, in the list of what it touches.
// Reads bodies, chunk_touches, chunk_counts; updates touch_lists, touch_counts, touch_dropped.
#import shared/touch_lists
#import shared/touch_rounds

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(167) var<storage, read> chunk_touches: array<TouchSum>;
@group(0) @binding(168) var<storage, read> chunk_counts: array<vec2u>;

// Adds what a chunk has of one solid to a share. The least of its solids from `start` on, if that is less than `next`.
fn add_chunk(c: u32, first: u32, solid: u32, start: u32, next: u32, share: ptr<function, Share>) -> u32 {
    var least = next;
    let counts = chunk_counts[c];
    for (var k = 0u; k < counts.x; k++) {
        let place = MAX_TOUCHES * c + k;
        let part = chunk_touches[place];
        if part.other == solid {
            share_add(share, part.impulse, part.normal_impulse, part.depth, place - MAX_TOUCHES * first, part.contacts);
        } else if part.other >= start {
            least = min(least, part.other);
        }
    }
    return least;
}

@compute @workgroup_size(64)
fn touch_solids(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let body = group_index(group);
    if body >= sim.body_count {
        return;
    }
    let first = bodies[body].chunk_first;
    let turns = part_turns(bodies[body].chunk_count, lane);
    var solid = NONE;
    for (var round = 0u; round < MAX_SOLIDS + 1u; round++) {
        round_begin(lane);
        workgroupBarrier();
        var share = no_share();
        var next = NONE;
        for (var turn = 0u; turn < turns; turn++) {
            let c = first + lane + WORKGROUP * turn;
            next = add_chunk(c, first, solid, solid + 1u, next, &share);
            if solid == NONE {
                share.dropped += f32(chunk_counts[c].y);
            }
        }
        round_leave(lane, share, next);
        workgroupBarrier();
        round_join(lane);
        let last = solid;
        solid = workgroupUniformLoad(&next_other);
        if lane == 0u {
            let whole = whole_share();
            if last == NONE {
                touch_dropped[body] += u32(whole.dropped);
            } else {
                touch_enter(body, touch_sum(whole, chunk_touches[MAX_TOUCHES * first + u32(whole.place)]));
            }
        }
        if solid == NONE {
            break;
        }
    }
}
