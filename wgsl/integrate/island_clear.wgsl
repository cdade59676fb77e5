// island_clear: one thread per label. Nothing is added up yet.
// Writes island_sums.
#import shared/sim

@group(0) @binding(185) var<storage, read_write> island_sums: array<u32>;

@compute @workgroup_size(64)
fn island_clear(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    for (var k = 0u; k < ISLAND_WORDS; k++) {
        island_sums[ISLAND_WORDS * i + k] = 0u;
    }
}
