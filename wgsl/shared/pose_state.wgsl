// What contacts are solved by of a pose, POSE_ROWS of `contact_velocities`: its velocity and 1/m; its spin, and what its contacts
// share its mass by; its position; 1 over its inertia in the world's axes, the diagonal, then what is beside it (yz, zx, xy); its
// velocity and its spin with the impulses that the step starts from; its spin after the kick, before these. Its velocity then has
// a coordinate each behind the position and the inertia.
#import shared/contact_lists
#import shared/pose

struct PoseState {
    velocity: vec3f,
    inverse_mass: f32,
    spin: vec3f,
    // Sum of the shares of all its contacts that act [kg].
    shared_mass: f32,
    position: vec3f,
    diagonal: vec3f,
    off: vec3f,
}

// A contact splits off a part of the pose: so many times as much moves what is split off [Tonge et al. 2012].
fn split(state: PoseState, share: f32) -> f32 {
    return state.shared_mass / share;
}

fn turned_by(state: PoseState, torque: vec3f) -> vec3f {
    return state.diagonal * torque + state.off.zxy * torque.yzx + state.off.yzx * torque.zxy;
}

// How the velocity at an arm along d follows an impulse along it there [1/kg].
fn mobility(state: PoseState, arm: vec3f, d: vec3f) -> f32 {
    let turn = cross(arm, d);
    return state.inverse_mass + dot(turn, turned_by(state, turn));
}
