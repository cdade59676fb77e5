// One thread after the other on words of a buffer and on workgroup memory.
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> signed: array<atomic<i32>>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> here: atomic<u32>;
var<workgroup> lists: array<atomic<i32>, 2>;

@compute @workgroup_size(64)
fn atomics(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    atomicAdd(&words[0], lane);
    atomicSub(&words[1], 1u);
    atomicMin(&words[2], lane + 3u);
    atomicMax(&words[3], lane);
    atomicAnd(&words[4], ~(1u << (lane % 32u)));
    atomicOr(&words[5], 1u << (lane % 8u));
    atomicXor(&words[6], lane);
    let before = atomicExchange(&words[7], lane + 1u);
    if lane == 40u {
        out[0] = before;
    }
    atomicMin(&signed[0], -i32(lane));
    atomicMax(&signed[1], -i32(lane) - 5);
    // Past the end: nothing.
    out[1] += atomicAdd(&words[100], 1u);
    if atomicCompareExchangeWeak(&words[8], lane, lane + 1u).exchanged {
        out[2] += 1u;
    }
    atomicAdd(&here, 2u);
    atomicAdd(&lists[lane % 3u], 1);
    workgroupBarrier();
    if lane == 0u {
        out[3] = atomicLoad(&here);
        out[4] = u32(atomicLoad(&lists[0]) * 100 + atomicLoad(&lists[1]));
        let swap = atomicCompareExchangeWeak(&here, 1u, 2u);
        out[5] = swap.old_value + u32(swap.exchanged);
    }
}
