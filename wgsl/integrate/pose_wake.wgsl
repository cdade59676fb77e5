// pose_wake: one thread per pose, while anything sleeps. What sleeps in an island that has been disturbed is awake again, from rest,
// with the kick that it has not had.
// Reads carried, disturbed; updates poses.
#import shared/kick
#import shared/sleep

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(211) var<storage, read> disturbed: array<u32>;

@compute @workgroup_size(64)
fn pose_wake(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = poses[p];
    if !is_asleep(pose) || disturbed[pose.island - 1u] == 0u {
        return;
    }
    let kick = pose_kicked(pose, p);
    poses[p].velocity = kick.velocity;
    poses[p].spin = kick.spin;
    poses[p].island = 0u;
    poses[p].still = 0.0;
}
