// pose_descend: one thread per pose, in each sweep of vertex block descent. Newton's step of the pose alone, as of one more vertex
// [Giles, Diaz & Yuksel 2025: rigid bodies as blocks of six unknowns; shared/pose_motion]: v += t/h, omega += theta/h.
// Reads pose_holds; updates poses, contact_velocities.
#import shared/pose_motion

@group(0) @binding(57) var<storage, read_write> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(225) var<storage, read> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn pose_descend(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    if pose.inverse_mass == 0.0 {
        return;
    }
    let word = velocity_word(sim.particle_count + p);
    let start = contact_velocities[word + 5u].xyz;
    let motion = rigid_motion(pose_motion(pose, start, contact_velocities[word + 6u].xyz, pose_holds[p]));
    let v = pose.velocity + motion.shift / sim.step;
    let spin = pose.spin + motion.turn / sim.step;
    poses[p].velocity = v;
    poses[p].spin = spin;
    contact_velocities[word] = vec4f(v, pose.inverse_mass);
    contact_velocities[word + 1u] = vec4f(spin, contact_velocities[word + 1u].w);
}
