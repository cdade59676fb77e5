// A pose's state as contacts read it.
#import shared/pose_state

@group(0) @binding(57) var<storage, read> contact_velocities: array<vec4f>;

// Of degree of freedom i, which is a pose.
fn pose_state(i: u32) -> PoseState {
    let word = velocity_word(i);
    let v = contact_velocities[word];
    let spin = contact_velocities[word + 1u];
    return PoseState(v.xyz, v.w, spin.xyz, spin.w, contact_velocities[word + 2u].xyz, contact_velocities[word + 3u].xyz,
                     contact_velocities[word + 4u].xyz);
}
