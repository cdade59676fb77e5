// Coulomb friction of a contact with something rigid, whose velocity across the normal does not follow an impulse along it:
// with K the matrix of the two directions t and u across n, the impulse lambda - K^-1 v_t that stops the contact where that is
// in the cone, |lambda_t| <= mu lambda_n; else one against v_t on its border, lambda - v_t/k with k the larger eigenvalue of
// K. K^-1 v_t clipped is not against v_t: a box that slides on its four corners would be braked by 0.9 mu g.
// [projected gradient of the maximum dissipation, Moreau 1988]
#import shared/pose_state

// A unit vector across n.
fn across(n: vec3f) -> vec3f {
    let a = abs(n);
    let is_z = a.z < a.x && a.z < a.y;
    let axis = select(select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), a.y < a.x), vec3f(0.0, 0.0, 1.0), is_z);
    return normalize(cross(n, axis));
}

// What a pose has of K's entries of t and t, u and u, t and u, at an arm [1/kg].
fn slide_masses(pose: PoseState, arm: vec3f, n: vec3f) -> vec3f {
    let t = across(n);
    let u = cross(n, t);
    let both = dot(turned_by(pose, cross(arm, t)), cross(arm, u));
    return vec3f(mobility(pose, arm, t), mobility(pose, arm, u), both);
}

// The next tangent impulse after `before` in the plane of t and u, unit vectors across n, by K's three entries; `most`: mu
// lambda_n.
fn rubbed(t: vec3f, u: vec3f, k: vec3f, v: vec3f, before: vec3f, most: f32) -> vec3f {
    let start = vec2f(dot(before, t), dot(before, u));
    let along = vec2f(dot(v, t), dot(v, u));
    let determinant = max(k.x * k.y - k.z * k.z, 1e-30);
    let stopped = start - (k.yx * along - k.z * along.yx) / determinant;
    let larger = 0.5 * (k.x + k.y) + length(vec2f(0.5 * (k.x - k.y), k.z));
    let slid = start - along / max(larger, 1e-30);
    let held = slid * min(1.0, most / max(length(slid), 1e-30));
    let next = select(held, stopped, length(stopped) <= most);
    return next.x * t + next.y * u;
}
