// How fast an impulse on a at moments about both centres, and its opposite on b, do work.
fn power_of(impulse: vec3f, moment_a: vec3f, moment_b: vec3f, velocity: vec3f, spin_a: vec3f, spin_b: vec3f) -> f32 {
    return dot(impulse, velocity) + dot(moment_a, spin_a) - dot(moment_b, spin_b);
}
