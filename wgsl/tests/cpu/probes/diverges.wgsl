// A mistake: half of a workgroup comes to the barrier.
var<workgroup> sums: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn diverges(@builtin(local_invocation_index) lane: u32) {
    sums[lane] = lane;
    if lane < 32u {
        workgroupBarrier();
    }
    out[lane] = sums[63u - lane];
}
