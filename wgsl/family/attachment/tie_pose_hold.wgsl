// tie_pose_hold: one thread per pose that is tied, after pose_hold. Adds what its ties do to it as it moves [shared/rigid_motion]:
// f = sum w f_t where they act, and H = w^2 B, B the tie's block [shared/tie]; in sweeps, in which all ends move at once without
// knowing of each other, |w| W B as in tie_hold.
// Reads poses (the iterate), ties, tie_forces, tie_points, tie_pose_rows, tie_pose_ends; updates pose_holds.
#import shared/tie
#import shared/tie_arm
#import shared/rigid_motion

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(158) var<storage, read> ties: array<Tie>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(225) var<storage, read_write> pose_holds: array<CoarsePart>;
@group(0) @binding(228) var<storage, read> tie_pose_rows: array<TieRow>;
@group(0) @binding(229) var<storage, read> tie_pose_ends: array<TieEnd>;
@group(0) @binding(230) var<storage, read> tie_points: array<vec4f>;

@compute @workgroup_size(64)
fn tie_pose_hold(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_pose_rows) {
        return;
    }
    let row = tie_pose_rows[k];
    let pose = poses[row.dof];
    var sum = pose_holds[row.dof];
    for (var e = row.first; e < row.end; e++) {
        let end = tie_pose_ends[e];
        let tie = ties[end.tie];
        let force = tie_forces[end.tie];
        let block = tie_block(tie, force);
        let ends = tie_ends_weight(tie);
        let share = abs(end.weight) * select(ends, abs(end.weight), sim.implicit == IMPLICIT_STEP);
        add_force(tie_arm(pose, tie_points[end.tie].xyz), end.weight * force.xyz, Symmetric(share * block.d, share * block.o), &sum);
    }
    pose_holds[row.dof] = sum;
}
