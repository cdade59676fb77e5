// newton_pose_move: one thread per pose, beside newton_move. Goes a share of Newton's change (d, delta), or back: v += share d/h, omega
// += share delta/h.
// Reads newton, conjugates; updates poses, contact_velocities.
#import shared/pose_motion

@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(90) var<storage, read> newton: array<Newton>;
@group(0) @binding(91) var<storage, read> conjugates: array<Conjugate>;

@compute @workgroup_size(64)
fn newton_pose_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        return;
    }
    let word = velocity_word(sim.particle_count + p);
    let part = newton[0].share / sim.step;
    let v = pose.velocity + part * conjugates[row].change;
    let spin = pose.spin + part * conjugates[row + 1u].change;
    poses[p].velocity = v;
    poses[p].spin = spin;
    contact_velocities[word] = vec4f(v, pose.inverse_mass);
    contact_velocities[word + 1u] = vec4f(spin, contact_velocities[word + 1u].w);
}
