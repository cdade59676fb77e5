// The prefix sum of each workgroup's numbers [Hillis & Steele 1986]: a loop with barriers in it.
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

var<workgroup> sums: array<u32, 64>;

@compute @workgroup_size(64)
fn tree_scan(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    var sum = numbers[id.x];
    sums[lane] = sum;
    workgroupBarrier();
    for (var step = 1u; step < 64u; step *= 2u) {
        var before = 0u;
        if lane >= step {
            before = sums[lane - step];
        }
        workgroupBarrier();
        sum += before;
        sums[lane] = sum;
        workgroupBarrier();
    }
    numbers[id.x] = sum;
}
