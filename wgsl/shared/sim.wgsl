// The uniform of the present substep, and the index of the present thread.
#import types
#import shared/threads

@group(0) @binding(0) var<uniform> sim: Sim;

// The same in passes that may run over a part of what there is, one body: from its first on.
fn part_index(group: vec3u, lane: u32, size: u32) -> u32 {
    return sim.first_thread + thread_index(group, lane, size);
}
