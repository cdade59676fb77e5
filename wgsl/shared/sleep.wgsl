// Poses that sleep: an island of them, joined by manifolds that bear, is left out of steps until something disturbs it. What is
// slow, and for how long, goes by gravity g and the pose's bound r, so that a copy of another size, with the times that Froude's
// number asks for, falls asleep when the first does. Without gravity nothing does.
#import shared/sim

fn is_asleep(pose: Pose) -> bool {
    return pose.island > 0u;
}

// Whether it moves, or can be moved.
fn is_awake(pose: Pose) -> bool {
    return !is_asleep(pose) && (pose.inverse_mass > 0.0 || any(abs(pose.velocity) + abs(pose.spin) > vec3f()));
}

fn is_slow(pose: Pose) -> bool {
    let g = length(sim.gravity);
    let v2 = dot(pose.velocity, pose.velocity);
    let spin2 = dot(pose.spin, pose.spin);
    return v2 < SLEEP_SPEED * SLEEP_SPEED * g * pose.bound && spin2 * pose.bound < SLEEP_SPIN * SLEEP_SPIN * g;
}

fn has_settled(pose: Pose) -> bool {
    // Obstacles have no bound.
    return pose.still > 0.0 && pose.still * pose.still * length(sim.gravity) >= SLEEP_TIME * SLEEP_TIME * pose.bound;
}

// As contacts find it: nothing pushes what sleeps.
fn as_met(pose: Pose) -> Pose {
    var met = pose;
    if is_asleep(pose) {
        met.inverse_mass = 0.0;
        met.inverse_inertia = vec3f();
    }
    return met;
}
