// pose_kick: one thread per pose. What forces make of its velocities [shared/kick]; what is pulled does not fall asleep. An island
// that sleeps is disturbed where anything pulls at it, or the air begins to move otherwise.
// Reads carried; updates poses; writes disturbed.
#import shared/kick
#import shared/sleep

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(211) var<storage, read_write> disturbed: array<atomic<u32>>;

@compute @workgroup_size(64)
fn pose_kick(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].inverse_mass == 0.0 {
        return;
    }
    let pose = poses[p];
    if is_asleep(pose) && sim.pull_count == 0u && sim.gust == 0u {
        return;
    }
    let kick = pose_kicked(pose, p);
    if is_asleep(pose) {
        if kick.is_pulled || sim.gust > 0u {
            atomicStore(&disturbed[pose.island - 1u], 1u);
        }
        return;
    }
    poses[p].velocity = kick.velocity;
    poses[p].spin = kick.spin;
    if kick.is_pulled {
        poses[p].still = 0.0;
    }
}
