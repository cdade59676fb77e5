// newton_pose_residual: one thread per pose, beside newton_residual. What is left of its two equations at the iterate
// [shared/pose_motion], and its parts of the sums: F^2/m and T.I^-1 T, and what they are measured by, m (|v_0 - v|^2/h^2 + g^2) and
// (omega_0 - omega).I (omega_0 - omega)/h^2; g counts where anything holds it.
// Reads poses (the iterate), contact_velocities, pose_holds; writes products, conjugates.
#import shared/pose_motion

@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;
@group(0) @binding(61) var<storage, read> poses: array<Pose>;
@group(0) @binding(91) var<storage, read_write> conjugates: array<Conjugate>;
@group(0) @binding(93) var<storage, read_write> products: array<vec4f>;
@group(0) @binding(225) var<storage, read> pose_holds: array<CoarsePart>;

@compute @workgroup_size(64)
fn newton_pose_residual(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    let pose = as_met(poses[p]);
    let row = pose_row(p);
    if pose.inverse_mass == 0.0 {
        for (var k = 0u; k < 2u; k++) {
            conjugates[row + k] = Conjugate();
            products[row + k] = vec4f();
        }
        return;
    }
    let word = velocity_word(sim.particle_count + p);
    let start = contact_velocities[word + 5u].xyz;
    let start_spin = contact_velocities[word + 6u].xyz;
    let hold = pose_holds[p];
    let left = pose_motion(pose, start, start_spin, hold);
    // What nothing holds is where it should be. Others are not measured by it: in steps where nothing meets nobody looks at it.
    let weight = select(0.0, dot(sim.gravity, sim.gravity), any(abs(hold.diagonal.xyz) + abs(hold.force.xyz) > vec3f()));
    let r = left.force.xyz;
    let t = left.torque.xyz;
    let fallen = (start - pose.velocity) / sim.step;
    let turned = (start_spin - pose.spin) / sim.step;
    conjugates[row] = Conjugate(r, vec3f(), vec3f(), vec3f());
    conjugates[row + 1u] = Conjugate(t, vec3f(), vec3f(), vec3f());
    products[row] = vec4f((dot(fallen, fallen) + weight) / pose.inverse_mass, 0.0, 0.0,
                          dot(r, r) * pose.inverse_mass);
    products[row + 1u] = vec4f(dot(turned, inertia_times(pose, turned)), 0.0, 0.0, dot(t, inverse_inertia_times(pose, t)));
}
