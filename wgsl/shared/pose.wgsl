// What follows from a pose.
#import shared/turn

fn turn_back(q: vec4f, v: vec3f) -> vec3f {
    return rotate(vec4f(-q.xyz, q.w), v);
}

// How fast what it takes along moves at x.
fn velocity_at(pose: Pose, x: vec3f) -> vec3f {
    return pose.velocity + cross(pose.spin, x - pose.position);
}

// I^-1 a in the world's axes.
fn inverse_inertia_times(pose: Pose, a: vec3f) -> vec3f {
    return rotate(pose.rotation, pose.inverse_inertia * turn_back(pose.rotation, a));
}

// I a in the world's axes; of what nothing turns 0.
fn inertia_times(pose: Pose, a: vec3f) -> vec3f {
    let own = turn_back(pose.rotation, a);
    let inverse = pose.inverse_inertia;
    return rotate(pose.rotation, select(vec3f(), own / max(inverse, vec3f(1e-30)), inverse > vec3f()));
}
