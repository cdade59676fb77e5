// newton_pose_factor: one thread per pose, beside newton_factor. Where conjugate gradients begin: its residual over its block of both
// unknowns together [shared/rigid_motion], z.
// Reads poses (the iterate), contact_velocities, pose_holds; writes directions.
#import shared/pose_motion

@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(92) var<storage, read_write> directions: array<Particle>;
@group(0) @binding(225) var<storage, read> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn newton_pose_factor(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        directions[row] = Particle(vec3f(), 0.0, vec3f(), 0.0);
        directions[row + 1u] = Particle(vec3f(), 0.0, vec3f(), 0.0);
        return;
    }
    let word = velocity_word(sim.particle_count + p);
    let start = contact_velocities[word + 5u].xyz;
    let start_spin = contact_velocities[word + 6u].xyz;
    let left = pose_motion(pose, start, start_spin, pose_holds[p]);
    let z = rigid_motion(left);
    directions[row] = Particle(vec3f(), pose.inverse_mass, z.shift, dot(left.force.xyz, z.shift));
    directions[row + 1u] = Particle(vec3f(), pose.inverse_mass, z.turn, dot(left.torque.xyz, z.turn));
}
