// Workgroup memory, and a buffer that a workgroup shares: what comes before a barrier and what after it. In `which` is how many
// of three barriers are left out, from the first on.
@group(0) @binding(0) var<storage, read> which: u32;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<u32, 64>;
var<workgroup> first: u32;

fn next(lane: u32) -> u32 {
    return sums[(lane + 1u) % 64u];
}

@compute @workgroup_size(64)
fn shares(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let own = 64u * group.x + lane;
    sums[lane] = lane;
    if which != 1u {
        workgroupBarrier();
    }
    out[own] = next(lane);
    if which == 2u {
        workgroupBarrier();
    } else {
        storageBarrier();
    }
    if lane == 0u {
        first = out[64u * group.x + 1u];
    }
    if which != 3u {
        workgroupBarrier();
    }
    out[128u + own] = first;
}
