// island_jump: one thread per body, after manifold_join. Each takes the label that the body has that gave it its own [Wyllie 1979:
// pointer jumping].
// Reads islands; writes islands_next.
#import shared/sim

@group(0) @binding(110) var<storage, read> islands: array<u32>;
@group(0) @binding(111) var<storage, read_write> islands_next: array<u32>;

@compute @workgroup_size(64)
fn island_jump(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i < sim.body_count {
        islands_next[i] = islands[islands[i] - 1u];
    }
}
