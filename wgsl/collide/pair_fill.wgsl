// pair_fill: one thread per collider that is no obstacle. Puts down the pairs that it finds, each among those of its lower
// collider in whatever order, and leaves none to be counted.
// Reads placed_colliders, collider_first, cell_colliders, collider_levels, record_first; updates counts; writes pairs.
#import shared/collider_look

@group(0) @binding(32) var<storage, read> record_first: array<u32>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(205) var<storage, read_write> pairs: array<vec2u>;

fn note_pair(a: u32, b: u32) {
    let feature = sim.particle_count + collide.edge_count + a;
    let left = atomicSub(&counts[feature], 1u);
    let place = record_first[feature] + left - 1u;
    if place < collide.capacity {
        pairs[place] = vec2u(a, b);
    }
}

@compute @workgroup_size(64)
fn pair_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = thread_index(group, lane, 64u);
    if c < collide.first_obstacle {
        look_around(c);
    }
}
