// body_pairs: one thread per body. A body touches another where their boxes, each widened by its contact margin, overlap
// and their groups let them; `overlaps` has the box around all that it shares with others.
// Reads boxes of this step and empties those of the next; updates bodies; writes overlaps, status.
#import shared/collide

@group(0) @binding(7) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(24) var<storage, read_write> boxes: array<atomic<u32>>;
@group(0) @binding(25) var<storage, read_write> overlaps: array<Box>;

fn widened(b: u32) -> Box {
    let word = 6u * ((sim.step_index & 1u) * sim.body_count + b);
    let low = vec3f(unordered(atomicLoad(&boxes[word])), unordered(atomicLoad(&boxes[word + 1u])),
                    unordered(atomicLoad(&boxes[word + 2u])));
    let high = -vec3f(unordered(atomicLoad(&boxes[word + 3u])), unordered(atomicLoad(&boxes[word + 4u])),
                      unordered(atomicLoad(&boxes[word + 5u])));
    return Box(low - bodies[b].margin, 0u, high + bodies[b].margin, 0u);
}

@compute @workgroup_size(64)
fn body_pairs(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
              @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, groups, lane, 64u);
    if b >= sim.body_count {
        return;
    }
    for (var k = 0u; k < 6u; k++) {
        atomicStore(&boxes[6u * ((1u - (sim.step_index & 1u)) * sim.body_count + b) + k], NONE);
    }
    let body = bodies[b];
    let own = widened(b);
    var shared_box = Box(vec3f(3e38), 0u, vec3f(-3e38), 0u);
    var touching = 0u;
    if body.self_contact != 0u {
        shared_box = own;
        touching = 1u;
    }
    for (var o = 0u; o < sim.body_count; o++) {
        if o == b || !bodies_meet(body, bodies[o]) {
            continue;
        }
        let other = widened(o);
        let low = max(own.low, other.low);
        let high = min(own.high, other.high);
        if all(low <= high) {
            shared_box = Box(min(shared_box.low, low), 0u, max(shared_box.high, high), 0u);
            touching = 1u;
        }
    }
    overlaps[b] = shared_box;
    bodies[b].touching = touching;
    if touching != 0u {
        atomicMax(&status[tally_submission() + TALLY_TOUCHING], 1u);
    }
}
