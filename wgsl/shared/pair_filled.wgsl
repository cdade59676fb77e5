// A pair is put down among those of its lower collider, in whatever order, and none is left to be counted.
#import shared/collide

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
