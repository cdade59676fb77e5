// What ties do to the equation of an implicit step.
#import shared/sim
#import shared/eigen

// How fast the force on the tie's point goes back as the point goes on: k + c/h along the tie and k s across it, s the
// share 1 - l/|d| that stands beside the force [tie_force], 0 where the tie is pressed together; without a length k + c/h
// either way.
fn tie_block(tie: Tie, force: vec4f) -> Symmetric {
    let along = tie.stiffness + tie.damping / sim.step;
    let size = length(force.xyz);
    if tie.length <= 0.0 || size <= 0.0 {
        return Symmetric(vec3f(along), vec3f());
    }
    let n = force.xyz / size;
    let across = tie.stiffness * force.w;
    return Symmetric(across + (along - across) * (n * n), (along - across) * (n.yzx * n.zxy));
}

// The sum of |w| over all that a tie's force acts on.
fn tie_ends_weight(tie: Tie) -> f32 {
    return 1.0 + select(0.0, dot(abs(tie.weights), vec4f(1.0)), tie.waypoint == TIE_TO_BODY);
}
