// body_boxes: one thread per 16 particles of a body. The least of x, y, z, -x, -y, -z of positions and then of
// velocities over each body, as ordered words, and after the bodies of all velocities.
// Reads particles_in, chunks, points; writes boxes.
#import shared/collide

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(24) var<storage, read_write> boxes: array<atomic<u32>>;

fn box_include(word: u32, x: f32) {
    let key = ordered(x);
    // Most find the box as wide as they need it, and leave it alone.
    if key < atomicLoad(&boxes[word]) {
        atomicMin(&boxes[word], key);
    }
}

fn box_extend(word: u32, low: vec3f, high: vec3f) {
    box_include(word, low.x);
    box_include(word + 1u, low.y);
    box_include(word + 2u, low.z);
    box_include(word + 3u, -high.x);
    box_include(word + 4u, -high.y);
    box_include(word + 5u, -high.z);
}

@compute @workgroup_size(64)
fn body_boxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t / 16u >= sim.chunk_count {
        return;
    }
    let chunk = chunks[t / 16u];
    let first = chunk.first + t % 16u;
    if first >= chunk.end {
        return;
    }
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    var slowest = low;
    var fastest = high;
    for (var k = 0u; k < 16u; k++) {
        let i = first + 16u * k;
        if i < chunk.end {
            let p = particles_in[i];
            low = min(low, p.position);
            high = max(high, p.position);
            slowest = min(slowest, p.velocity);
            fastest = max(fastest, p.velocity);
        }
    }
    let word = BOX_WORDS * points[first].body;
    box_extend(word, low, high);
    box_extend(word + 6u, slowest, fastest);
    box_extend(BOX_WORDS * sim.body_count + 6u, slowest, fastest);
}
