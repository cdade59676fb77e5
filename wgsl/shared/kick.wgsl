// What forces make of the velocities of a pose in a step: v += h (g - drag (v - wind)), and by what pulls at its particles v += h
// f/m, omega += h I^-1 r x f; omega = I^-1 L stays else.
#import shared/pull
#import shared/pose

@group(0) @binding(206) var<storage, read> carried: array<vec4f>;

struct Kick {
    velocity: vec3f,
    spin: vec3f,
    // Whether anything pulls at it.
    is_pulled: bool,
}

fn pose_kicked(pose: Pose, p: u32) -> Kick {
    let fallen = pose.velocity + sim.step * (sim.gravity - sim.drag * (pose.velocity - sim.wind));
    var kick = Kick(fallen, pose.spin, false);
    // A bound that is no bare uniform: lavapipe would make the kernel anew at each dispatch, in 1 ms.
    let pulls = select(0u, sim.pull_count, pose.inverse_mass > 0.0);
    for (var k = 0u; k < pulls; k++) {
        let place = carried[externals.pulls[k].particle];
        if bitcast<u32>(place.w) == p {
            let impulse = sim.step * pull_part(k) * externals.pulls[k].force;
            kick.velocity += pose.inverse_mass * impulse;
            kick.spin += inverse_inertia_times(pose, cross(rotate(pose.rotation, place.xyz), impulse));
            kick.is_pulled = kick.is_pulled || any(abs(impulse) > vec3f());
        }
    }
    return kick;
}
