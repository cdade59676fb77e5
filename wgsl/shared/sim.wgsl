// The uniform of the present substep, and the index of the present thread.
#import types

@group(0) @binding(0) var<uniform> sim: Sim;

// Threads run over x first, so that more than 65 535 groups fit in two dimensions.
fn thread_index(group: vec3u, groups: vec3u, lane: u32, size: u32) -> u32 {
    return (group.y * groups.x + group.x) * size + lane;
}

// The same in passes that may run over a part of what there is, one body: from its first on.
fn part_index(group: vec3u, groups: vec3u, lane: u32, size: u32) -> u32 {
    return sim.first_thread + thread_index(group, lane, size);
}
