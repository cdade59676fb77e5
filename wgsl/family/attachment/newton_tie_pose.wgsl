// newton_tie_pose: one thread per pose that is tied, after newton_pose_apply and newton_tie. Adds the part of its ties to the matrix of
// its equations times the direction: -sum w f' and -sum r x w f', f' the change of the tie's force.
// Reads directions, poses (the iterate), tie_changes, tie_points, tie_pose_rows, tie_pose_ends; updates products.
#import shared/tie_arm
#import shared/pose_motion

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(92) var<storage, read> directions: array<Particle>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;
@group(0) @binding(165) var<storage, read> tie_changes: array<vec4f>;
@group(0) @binding(228) var<storage, read> tie_pose_rows: array<TieRow>;
@group(0) @binding(229) var<storage, read> tie_pose_ends: array<TieEnd>;
@group(0) @binding(230) var<storage, read> tie_points: array<vec4f>;

@compute @workgroup_size(64)
fn newton_tie_pose(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_pose_rows) {
        return;
    }
    let tied = tie_pose_rows[k];
    let pose = poses[tied.dof];
    if as_met(pose).inverse_mass == 0.0 {
        return;
    }
    let row = pose_row(tied.dof);
    var sum = products[row].xyz;
    var turn = products[row + 1u].xyz;
    for (var e = tied.first; e < tied.end; e++) {
        let end = tie_pose_ends[e];
        let change = end.weight * tie_changes[end.tie].xyz;
        sum -= change;
        turn -= cross(tie_arm(pose, tie_points[end.tie].xyz), change);
    }
    products[row] = vec4f(sum, dot(sum, directions[row].velocity));
    products[row + 1u] = vec4f(turn, dot(turn, directions[row + 1u].velocity));
}
