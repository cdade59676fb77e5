// solid_move: one thread per pose. Moved solids stand where their motions have brought them by the start of the step, and
// have their velocities.
// Reads poses; updates the solids in externals_out.
#import shared/sim

@group(0) @binding(112) var<storage, read_write> externals_out: Externals;
@group(0) @binding(140) var<storage, read> poses: array<Pose>;

@compute @workgroup_size(64)
fn solid_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let k = thread_index(group, lane, 64u);
    if k >= sim.pose_count {
        return;
    }
    let pose = poses[sim.slot * sim.pose_count + k];
    if pose.solid >= MAX_SOLIDS {
        return;
    }
    externals_out.solids[pose.solid].centre = pose.centre;
    externals_out.solids[pose.solid].velocity = pose.velocity;
    externals_out.solids[pose.solid].spin = pose.spin;
    if externals_out.solids[pose.solid].kind == SOLID_PLANE {
        externals_out.solids[pose.solid].extent = pose.rotation.xyz;
    } else {
        externals_out.solids[pose.solid].rotation = pose.rotation;
    }
}
