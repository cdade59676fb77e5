// A pose in the iterations of an implicit step, whose unknowns are its velocity and its spin: what is left of its equations, and how
// that falls with a change dx = t + theta x r about its centre.
#import shared/contact_lists
#import shared/rigid_motion
#import shared/pose
#import shared/sleep

// The equations m/h (v_0 - v) + F = 0 and I/h (omega_0 - omega) + T = 0, v_0 and omega_0 with the impulses that the step starts
// from, I as the step starts; F and T, and what contacts add to m/h^2 and I/h^2, from pose_hold.
fn pose_motion(pose: Pose, start: vec3f, start_spin: vec3f, hold: CoarsePart) -> CoarsePart {
    let h = sim.step;
    let mass = 1.0 / pose.inverse_mass;
    let x = inertia_times(pose, vec3f(1.0, 0.0, 0.0)) / (h * h);
    let y = inertia_times(pose, vec3f(0.0, 1.0, 0.0)) / (h * h);
    let z = inertia_times(pose, vec3f(0.0, 0.0, 1.0)) / (h * h);
    var sum = hold;
    sum.force += vec4f((mass / h) * (start - pose.velocity), 0.0);
    sum.torque += vec4f(inertia_times(pose, start_spin - pose.spin) / h, y.z);
    sum.diagonal += vec4f(vec3f(mass / (h * h)), z.x);
    sum.off += vec4f(vec3f(), x.y);
    sum.mixed_x += vec4f(vec3f(), x.x);
    sum.mixed_y += vec4f(vec3f(), y.y);
    sum.mixed_z += vec4f(vec3f(), z.z);
    return sum;
}

// The first of its two rows of unknowns, behind those of the particles.
fn pose_row(p: u32) -> u32 {
    return sim.particle_count + 2u * p;
}
