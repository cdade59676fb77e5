// The index of the present workgroup, and of the present thread among all.
#import consts

// Workgroups beyond 65 535 lie in rows of a constant length: the builtin num_workgroups is 0 on DX12 where a dispatch is
// indirect and not validated.
fn group_index(group: vec3u) -> u32 {
    return group.y * GROUP_ROW + group.x;
}

fn thread_index(group: vec3u, lane: u32, size: u32) -> u32 {
    return group_index(group) * size + lane;
}
