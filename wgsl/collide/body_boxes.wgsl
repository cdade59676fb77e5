// body_boxes: PART_LANES threads per chunk of a body's particles, which bring what they have found together. The least of x, y,
// z, -x, -y, -z of positions and then of velocities over each body, as ordered words, and after the bodies of all velocities.
// Reads particles_in, chunks, points; writes boxes.
#import shared/collide

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(24) var<storage, read_write> boxes: array<atomic<u32>>;

// What each thread has found, word by word.
var<workgroup> least: array<f32, 64u * BOX_WORDS>;

fn leave(place: u32, x: vec3f) {
    least[place] = x.x;
    least[place + 1u] = x.y;
    least[place + 2u] = x.z;
}

fn box_include(word: u32, key: u32) {
    // Most find the box as wide as they need it, and leave it alone.
    if key < atomicLoad(&boxes[word]) {
        atomicMin(&boxes[word], key);
    }
}

@compute @workgroup_size(64)
fn body_boxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u) / PART_LANES;
    let k = lane % PART_LANES;
    var chunk = Chunk(0u, 0u);
    if c < sim.chunk_count {
        chunk = chunks[c];
    }
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    var slowest = low;
    var fastest = high;
    let turns = part_turns(chunk.end - chunk.first, k);
    for (var turn = 0u; turn < turns; turn++) {
        let p = particles_in[chunk.first + k + PART_LANES * turn];
        low = min(low, p.position);
        high = max(high, p.position);
        slowest = min(slowest, p.velocity);
        fastest = max(fastest, p.velocity);
    }
    leave(BOX_WORDS * lane, low);
    leave(BOX_WORDS * lane + 3u, -high);
    leave(BOX_WORDS * lane + 6u, slowest);
    leave(BOX_WORDS * lane + 9u, -fastest);
    workgroupBarrier();
    let count = min(chunk.end - chunk.first, PART_LANES);
    if count == 0u {
        return;
    }
    let body = points[chunk.first].body;
    let words = part_turns(BOX_WORDS, k);
    for (var turn = 0u; turn < words; turn++) {
        let word = k + PART_LANES * turn;
        let first = BOX_WORDS * (lane - k) + word;
        var x = least[first];
        for (var e = 1u; e < count; e++) {
            x = min(x, least[first + BOX_WORDS * e]);
        }
        let key = ordered(x);
        box_include(BOX_WORDS * body + word, key);
        if word >= BOX_WORDS / 2u {
            box_include(BOX_WORDS * sim.body_count + word, key);
        }
    }
}
