// tie_kick: one thread per pose that is tied, before pose_kick. What its ties do to its velocities in a time t, with the forces at the
// start of the step: v += t/m sum w f, omega += t I^-1 sum (y - x) x w f over its ties in order, y where the tie acts. What is tied
// does not fall asleep; an island with it that was put to sleep is disturbed.
// Reads tie_forces, tie_points, tie_pose_rows, tie_pose_ends; updates poses; writes disturbed.
#import shared/sim
#import shared/pose
#import shared/sleep

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(159) var<storage, read> tie_forces: array<vec4f>;
@group(0) @binding(211) var<storage, read_write> disturbed: array<atomic<u32>>;
@group(0) @binding(228) var<storage, read> tie_pose_rows: array<TieRow>;
@group(0) @binding(229) var<storage, read> tie_pose_ends: array<TieEnd>;
@group(0) @binding(230) var<storage, read> tie_points: array<vec4f>;

@compute @workgroup_size(64)
fn tie_kick(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= arrayLength(&tie_pose_rows) {
        return;
    }
    let row = tie_pose_rows[k];
    let pose = poses[row.dof];
    if is_asleep(pose) {
        atomicStore(&disturbed[pose.island - 1u], 1u);
        return;
    }
    var force = vec3f();
    var torque = vec3f();
    for (var e = row.first; e < row.end; e++) {
        let end = tie_pose_ends[e];
        let f = end.weight * tie_forces[end.tie].xyz;
        force += f;
        torque += cross(tie_points[end.tie].xyz - pose.position, f);
    }
    poses[row.dof].velocity = pose.velocity + (sim.kick * pose.inverse_mass) * force;
    poses[row.dof].spin = pose.spin + inverse_inertia_times(pose, sim.kick * torque);
    poses[row.dof].still = 0.0;
}
