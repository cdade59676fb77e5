// A pair is counted for its lower collider.
#import shared/collide

@group(0) @binding(37) var<storage, read_write> contact_lists: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> counts: array<atomic<u32>>;

fn note_pair(a: u32, b: u32) {
    atomicAdd(&counts[sim.particle_count + collide.edge_count + a], 1u);
    atomicStore(&contact_lists[LIST_TOUCHING], 1u);
}
