// A mistake where the count is no multiple of 64: some of a workgroup end before the barrier.
var<workgroup> sums: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn leaves_early(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    if id.x >= arrayLength(&out) {
        return;
    }
    sums[lane] = lane;
    workgroupBarrier();
    out[id.x] = sums[63u - lane];
}
