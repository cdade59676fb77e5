// sum_pose: one thread per pose. Where its mass is, with which velocity that moves, and its kinetic energy, 1/2 (m v^2 + w.I w),
// I along its own axes, which are the principal ones. What is held has no motion.
// Reads poses; writes pose_sums.
#import shared/sim
#import shared/pose

@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(132) var<storage, read_write> pose_sums: array<PoseSums>;

@compute @workgroup_size(64)
fn sum_pose(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = poses[p];
    var sums = PoseSums(pose.position, 0.0, vec3f());
    if pose.inverse_mass > 0.0 {
        let v = pose.velocity;
        let w = turn_back(pose.rotation, pose.spin);
        let inverse = pose.inverse_inertia;
        let turning = select(vec3f(), w * w / inverse, inverse > vec3f());
        sums.kinetic = 0.5 * (dot(v, v) / pose.inverse_mass + (turning.x + turning.y + turning.z));
        sums.velocity = v;
    }
    pose_sums[p] = sums;
}
