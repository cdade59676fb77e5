// The uniform of the present substep, and the index of the present thread.
#import types

@group(0) @binding(0) var<uniform> sim: Sim;

// Workgroups beyond 65 535 lie in rows of a constant length: the builtin num_workgroups is 0 on DX12 where a dispatch is
// indirect and not validated.
fn group_index(group: vec3u) -> u32 {
    return group.y * GROUP_ROW + group.x;
}

fn thread_index(group: vec3u, lane: u32, size: u32) -> u32 {
    return group_index(group) * size + lane;
}

// The same in passes that may run over a part of what there is, one body: from its first on.
fn part_index(group: vec3u, lane: u32, size: u32) -> u32 {
    return sim.first_thread + thread_index(group, lane, size);
}
