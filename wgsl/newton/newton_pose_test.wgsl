// newton_pose_test: one thread per pose, beside newton_test. Its part of r.d, of both unknowns [shared/pose_motion].
// Reads poses (the iterate), contact_velocities, pose_holds, conjugates; writes products.
#import shared/pose_motion

@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;
@group(0) @binding(225) var<storage, read> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn newton_pose_test(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        products[row] = vec4f();
        products[row + 1u] = vec4f();
        return;
    }
    let word = velocity_word(sim.particle_count + p);
    let start = contact_velocities[word + 5u].xyz;
    let start_spin = contact_velocities[word + 6u].xyz;
    let left = pose_motion(pose, start, start_spin, pose_holds[p]);
    products[row] = vec4f(0.0, 0.0, 0.0, dot(left.force.xyz, conjugates[row].change));
    products[row + 1u] = vec4f(0.0, 0.0, 0.0, dot(left.torque.xyz, conjugates[row + 1u].change));
}
