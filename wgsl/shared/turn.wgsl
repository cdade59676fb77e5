// What unit quaternions (x, y, z, w) do.

// A vector turned by one.
fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// The product of quaternions (x, y, z, w): first q, then p.
fn quaternion_product(p: vec4f, q: vec4f) -> vec4f {
    return vec4f(p.w * q.xyz + q.w * p.xyz + cross(p.xyz, q.xyz), p.w * q.w - dot(p.xyz, q.xyz));
}

// The columns of the rotation of a unit quaternion.
fn quaternion_matrix(q: vec4f) -> mat3x3f {
    let d = 2.0 * q.xyz * q.xyz;
    let o = 2.0 * q.xyz * q.yzx;
    let w = 2.0 * q.w * q.xyz;
    return mat3x3f(1.0 - d.y - d.z, o.x + w.z, o.z - w.y, o.x - w.z, 1.0 - d.x - d.z, o.y + w.x, o.z + w.y, o.y - w.x,
                   1.0 - d.x - d.y);
}
