// cell_fill: one thread per body. Puts it into its list of cells, in whatever order, and leaves no list with bodies to be counted.
// Reads bodies_placed, cell_first; updates cell_counts; writes cell_bodies.
#import shared/sim

@group(0) @binding(180) var<storage, read> bodies_placed: array<BodyCell>;
@group(0) @binding(181) var<storage, read_write> cell_counts: array<atomic<u32>>;
@group(0) @binding(182) var<storage, read> cell_first: array<u32>;
@group(0) @binding(183) var<storage, read_write> cell_bodies: array<BodyCell>;

@compute @workgroup_size(64)
fn cell_fill(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let b = thread_index(group, lane, 64u);
    if b >= sim.body_count {
        return;
    }
    let placed = bodies_placed[b];
    if placed.body == NONE {
        return;
    }
    let left = atomicSub(&cell_counts[placed.list], 1u);
    cell_bodies[cell_first[placed.list] + left - 1u] = placed;
}
