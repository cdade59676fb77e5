// touch_chunks: one thread per chunk of one body's particles, after a step. Adds up what the solids did to them, solid by
// solid in the order in which they come first, where they pushed or have particles inside. A contact is where the particle
// is now; of a sphere at its border. What is behind MAX_TOUCHES solids is counted.
// Reads particles_in, points, bodies, chunks, status; writes chunk_touches, chunk_counts.
#import shared/solids
#import shared/touches

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(8) var<storage, read> status: array<u32>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(167) var<storage, read_write> chunk_touches: array<TouchSum>;
// Sums of each chunk, and contacts that are in none.
@group(0) @binding(168) var<storage, read_write> chunk_counts: array<vec2u>;

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

@compute @workgroup_size(64)
fn touch_chunks(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    let body = points[chunk.first].body;
    let first = MAX_TOUCHES * c;
    var count = 0u;
    var dropped = 0u;
    for (var i = chunk.first; i < chunk.end; i++) {
        let p = particles_in[i];
        // Nothing pushes what is held; what is kept of it is of steps before.
        var more = p.inverse_mass > 0.0;
        for (var k = 0u; k < MAX_TOUCHING; k++) {
            let word = sim.status_words + PUSH_WORDS * (MAX_TOUCHING * i + k);
            more = more && status[word] != 0u;
            if !more {
                break;
            }
            let own = touch_of(word, p.position, body);
            if own.depth <= 0.0 && own.normal_impulse <= 0.0 {
                continue;
            }
            var place = count;
            for (var j = 0u; j < MAX_TOUCHES; j++) {
                if j >= place {
                    break;
                }
                if chunk_touches[first + j].other == own.other {
                    place = j;
                }
            }
            if place < count {
                chunk_touches[first + place] = touch_add(chunk_touches[first + place], own);
            } else if count < MAX_TOUCHES {
                chunk_touches[first + count] = own;
                count++;
            } else {
                dropped++;
            }
        }
    }
    chunk_counts[c] = vec2u(count, dropped);
}
