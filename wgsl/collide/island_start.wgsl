// island_start: one thread per body, at the end of an implicit step. An island is what hangs together by contacts that press
// and by ties; its label is the least number of its bodies, from 1. Each body begins as one of its own.
// Writes islands, islands_next.
#import shared/sim

@group(0) @binding(110) var<storage, read_write> islands: array<u32>;
@group(0) @binding(111) var<storage, read_write> islands_next: array<u32>;

@compute @workgroup_size(64)
fn island_start(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.body_count {
        return;
    }
    islands[i] = i + 1u;
    islands_next[i] = i + 1u;
}
