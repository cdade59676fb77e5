// Coulomb friction of a contact with something rigid, whose velocity across the normal does not follow an impulse along it:
// with K the matrix of the two directions t and u across n, the impulse lambda - K^-1 v_t that stops the contact where that is
// in the cone, |lambda_t| <= mu lambda_n; else one against v_t on its border, lambda - v_t/k with k the larger eigenvalue of
// K. K^-1 v_t clipped is not against v_t: a box that slides on its four corners would be braked by 0.9 mu g.
// [projected gradient of the maximum dissipation, Moreau 1988]

// A unit vector across n.
fn across(n: vec3f) -> vec3f {
    let a = abs(n);
    let is_z = a.z < a.x && a.z < a.y;
    let axis = select(select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), a.y < a.x), vec3f(0.0, 0.0, 1.0), is_z);
    return normalize(cross(n, axis));
}

// The next tangent impulse after `before`. `k`: K's entries of t and t, u and u, t and u [1/kg]; `most`: mu lambda_n.
fn rubbed(n: vec3f, t: vec3f, k: vec3f, v: vec3f, before: vec3f, most: f32) -> vec3f {
    let u = cross(n, t);
    let start = before - dot(before, n) * n;
    let along = vec2f(dot(v, t), dot(v, u));
    let determinant = max(k.x * k.y - k.z * k.z, 1e-30);
    let stop = vec2f(k.y * along.x - k.z * along.y, k.x * along.y - k.z * along.x) / determinant;
    let stopped = start - stop.x * t - stop.y * u;
    if length(stopped) <= most {
        return stopped;
    }
    let larger = 0.5 * (k.x + k.y) + length(vec2f(0.5 * (k.x - k.y), k.z));
    let slid = start - (along.x * t + along.y * u) / max(larger, 1e-30);
    return slid * min(1.0, most / max(length(slid), 1e-30));
}
