// newton_tie: one thread per tie. The change of the force on its point along the direction z, -B sum w_j (z - z_j), B its
// block [shared/tie].
// Reads directions, ties, tie_forces (at the iterate); writes tie_changes.
#import shared/tie

@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(158) var<storage, read> ties: array<Tie>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(165) var<storage, read_write> tie_changes: array<vec4f>;

@compute @workgroup_size(64)
fn newton_tie(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&ties) {
        return;
    }
    let tie = ties[k];
    let z = directions[tie.particle].velocity;
    var apart = z;
    if tie.waypoint == TIE_TO_BODY {
        apart = vec3f();
        for (var j = 0u; j < 4u; j++) {
            apart += tie.weights[j] * (z - directions[tie.corners[j]].velocity);
        }
    }
    let block = tie_block(tie, tie_forces[k]);
    let change = block.d * apart + block.o.yzx * apart.zxy + block.o.zxy * apart.yzx;
    tie_changes[k] = vec4f(-change, 0.0);
}
