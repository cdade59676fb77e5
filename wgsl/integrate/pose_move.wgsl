// pose_move: one thread per pose, after the contacts. x += h v; L += I (omega - omega_0) by what contacts changed of the spin;
// q' = omega q/2 with omega = I^-1 L, L constant over the step, by Kutta's method of order 4; omega = omega_0 = I^-1 L.
// Reads and updates poses; writes status.
#import shared/pose
#import shared/status

@group(0) @binding(61) var<storage, read_write> poses: array<Pose>;

// I a in the world's axes; of what nothing turns 0.
fn inertia_times(pose: Pose, a: vec3f) -> vec3f {
    let own = turn_back(pose.rotation, a);
    let inverse = pose.inverse_inertia;
    return rotate(pose.rotation, select(vec3f(), own / max(inverse, vec3f(1e-30)), inverse > vec3f()));
}

// omega q/2 at a rotation that may not be of unit length.
fn rate(pose: Pose, q: vec4f) -> vec4f {
    var at = pose;
    at.rotation = q / length(q);
    let spin = inverse_inertia_times(at, pose.momentum);
    return 0.5 * vec4f(q.w * spin + cross(spin, q.xyz), -dot(spin, q.xyz));
}

@compute @workgroup_size(64)
fn pose_move(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let p = thread_index(group, lane, 64u);
    if p >= sim.pose_count {
        return;
    }
    var pose = poses[p];
    let way = sim.step * pose.velocity;
    pose.momentum += inertia_times(pose, pose.spin - inverse_inertia_times(pose, pose.momentum));
    let h = sim.step;
    let q = pose.rotation;
    let k1 = rate(pose, q);
    let k2 = rate(pose, q + 0.5 * h * k1);
    let k3 = rate(pose, q + 0.5 * h * k2);
    let k4 = rate(pose, q + h * k3);
    let turned = q + (h / 6.0) * (k1 + 2.0 * (k2 + k3) + k4);
    pose.rotation = turned / length(turned);
    pose.spin = inverse_inertia_times(pose, pose.momentum);
    pose.position += way;
    poses[p] = pose;
    status_check(pose.body, pose.position, pose.velocity + pose.spin);
    status_way(STATUS_TRAVEL, way);
}
