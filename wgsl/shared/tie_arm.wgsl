// Where a tie acts on a pose within an implicit step.
#import shared/sim

// From where the iterate takes the pose's centre to y, so that both sides of a tie get one moment about any place.
fn tie_arm(pose: Pose, y: vec3f) -> vec3f {
    return y - pose.position - sim.step * pose.velocity;
}
