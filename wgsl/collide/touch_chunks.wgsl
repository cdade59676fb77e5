// touch_chunks: one workgroup per chunk of one body's particles, after a step. Adds up what the solids did to them, solid by
// solid in ascending order, where they pushed or have particles inside. A contact is where the particle
// is now; of a sphere at its border. What is behind MAX_TOUCHES solids is counted.
// Reads particles_in, points, bodies, chunks, status; writes chunk_touches, chunk_counts.
#import shared/solids
#import shared/touch_rounds

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(8) var<storage, read> status: array<u32>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(167) var<storage, read_write> chunk_touches: array<TouchSum>;
// Sums of each chunk, and contacts that are in none.
@group(0) @binding(168) var<storage, read_write> chunk_counts: array<vec2u>;

// The word where push k on particle i begins.
fn push_word(i: u32, k: u32) -> u32 {
    return sim.status_words + PUSH_WORDS * (MAX_TOUCHING * i + k);
}

// The push that begins at this word, on a particle at x after the step.
fn touch_of(word: u32, x: vec3f, body: u32) -> TouchSum {
    let k = status[word] - 1u;
    let solid = externals.solids[k];
    let surface = solid_velocity(solid, x, sim.step);
    let distance = solid_distance(solid, x - sim.step * surface, bodies[body].radius);
    let impulse = vec3f(bitcast<f32>(status[word + 2u]), bitcast<f32>(status[word + 3u]), bitcast<f32>(status[word + 4u]));
    return TouchSum(impulse, bitcast<f32>(status[word + 1u]), x - bodies[body].radius * distance.normal, distance.depth,
                    distance.normal, 1u, body, TOUCH_SOLID | k, 0u, 0u);
}

// Adds the pushes of one solid on particle i to a share; `place` of the first that it has room for. The least solid from `start` on that
// touches it, if that is less than `next`.
fn add_pushes(i: u32, body: u32, solid: u32, start: u32, place: u32, next: u32, share: ptr<function, Share>) -> u32 {
    let p = particles_in[i];
    var least = next;
    // Nothing pushes what is held; what is kept of it is of steps before.
    var more = p.inverse_mass > 0.0;
    for (var k = 0u; k < MAX_TOUCHING; k++) {
        let word = push_word(i, k);
        let number = status[word];
        more = more && number != 0u;
        if !more {
            break;
        }
        if number - 1u != solid && number - 1u < start {
            continue;
        }
        let own = touch_of(word, p.position, body);
        if own.depth <= 0.0 && own.normal_impulse <= 0.0 {
            continue;
        }
        if number - 1u == solid {
            share_add(share, own.impulse, own.normal_impulse, own.depth, place + k, 1u);
        } else {
            least = min(least, number - 1u);
        }
    }
    return least;
}

@compute @workgroup_size(64)
fn touch_chunks(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    let body = points[chunk.first].body;
    let turns = part_turns(chunk.end - chunk.first, lane);
    var count = 0u;
    var dropped = 0u;
    var solid = NONE;
    for (var round = 0u; round < MAX_SOLIDS + 1u; round++) {
        round_begin(lane);
        workgroupBarrier();
        var share = no_share();
        var next = NONE;
        for (var turn = 0u; turn < turns; turn++) {
            let e = lane + WORKGROUP * turn;
            next = add_pushes(chunk.first + e, body, solid, solid + 1u, MAX_TOUCHING * e, next, &share);
        }
        round_leave(lane, share, next);
        workgroupBarrier();
        round_join(lane);
        let last = solid;
        solid = workgroupUniformLoad(&next_other);
        if lane == 0u && last != NONE {
            let whole = whole_share();
            if count < MAX_TOUCHES {
                let e = u32(whole.place);
                let i = chunk.first + e / MAX_TOUCHING;
                let deepest = touch_of(push_word(i, e % MAX_TOUCHING), particles_in[i].position, body);
                chunk_touches[MAX_TOUCHES * c + count] = touch_sum(whole, deepest);
                count++;
            } else {
                dropped += u32(whole.contacts);
            }
        }
        if solid == NONE {
            break;
        }
    }
    if lane == 0u {
        chunk_counts[c] = vec2u(count, dropped);
    }
}
