// body_boxes: one workgroup per chunk of a body's particles. The least of x, y, z, -x, -y, -z of positions and then of velocities
// over each body, as ordered words, and after the bodies of all velocities.
// Reads particles_in, chunks, points; writes boxes.
#import shared/collide
#import shared/least_rows

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(16) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(24) var<storage, read_write> boxes: array<atomic<u32>>;

// The least of positions, of what is opposite to them, and of velocities likewise.
const PART_ROWS: u32 = 4u;

fn box_include(word: u32, key: u32) {
    // Most find the box as wide as they need it, and leave it alone.
    if key < atomicLoad(&boxes[word]) {
        atomicMin(&boxes[word], key);
    }
}

@compute @workgroup_size(64)
fn body_boxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = group_index(group);
    if c >= sim.chunk_count {
        return;
    }
    let chunk = chunks[c];
    var low = vec3f(3e38);
    var high = vec3f(-3e38);
    var slowest = low;
    var fastest = high;
    let count = chunk.end - chunk.first;
    let threads = part_threads(count);
    let turns = part_turns(count, lane);
    for (var turn = 0u; turn < turns; turn++) {
        let p = particles_in[chunk.first + lane + WORKGROUP * turn];
        low = min(low, p.position);
        high = max(high, p.position);
        slowest = min(slowest, p.velocity);
        fastest = max(fastest, p.velocity);
    }
    if lane < threads {
        leave_row(lane, 0u, vec4f(low, 0.0));
        leave_row(lane, 1u, vec4f(-high, 0.0));
        leave_row(lane, 2u, vec4f(slowest, 0.0));
        leave_row(lane, 3u, vec4f(-fastest, 0.0));
    }
    workgroupBarrier();
    join_eights(lane, threads);
    workgroupBarrier();
    if lane < BOX_WORDS {
        let least = joined_row(threads, lane / 3u);
        let key = ordered(least[lane % 3u]);
        box_include(BOX_WORDS * points[chunk.first].body + lane, key);
        if lane >= BOX_WORDS / 2u {
            box_include(BOX_WORDS * sim.body_count + lane, key);
        }
    }
}
