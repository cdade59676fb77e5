// pose_kick: one thread per pose. v += h (g - drag (v - wind)); omega = I^-1 L stays.
// Reads and updates poses.
#import shared/sim

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

@compute @workgroup_size(64)
fn pose_kick(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count || poses[p].inverse_mass == 0.0 {
        return;
    }
    let v = poses[p].velocity;
    poses[p].velocity = v + sim.step * (sim.gravity - sim.drag * (v - sim.wind));
}
