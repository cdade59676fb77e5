// The sum and the greatest of a workgroup's numbers, which all of it then know; private memory lives across barriers. A workgroup
// whose greatest is 0 ends early.
@group(0) @binding(0) var<storage, read> numbers: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> greatest: atomic<u32>;
var<workgroup> shared_greatest: u32;
var<workgroup> halves: array<u32, 64>;
var<private> own: u32;

@compute @workgroup_size(64)
fn reduce(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_id) at: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let lane = at.x;
    own = numbers[64u * group.x + lane];
    halves[lane] = own;
    atomicMax(&greatest, own);
    workgroupBarrier();
    if lane == 0u {
        shared_greatest = atomicLoad(&greatest);
    }
    let all = workgroupUniformLoad(&shared_greatest);
    if all == 0u {
        return;
    }
    var width = 32u;
    loop {
        if width == 0u {
            break;
        }
        if lane < width {
            halves[lane] += halves[lane + width];
        }
        workgroupBarrier();
        width /= 2u;
    }
    out[64u * group.x + lane] = halves[0] + 1000u * all + 1000000u * own * groups.x;
}
