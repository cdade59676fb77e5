// The matrix of determinant 1 that is nearest to another in the sum of squares: with A = R V s V^T it is R V t V^T,
// t_i^2 - s_i t_i the same for all i and t_1 t_2 t_3 = 1 [Lagrange]. It is finite where A is flat or inside out, too.
#import shared/rotation
#import shared/eigen

// Of ascending s (z the smallest): the positive t, found by Newton's method between bounds.
fn volume_one(s: vec3f) -> vec3f {
    var low = 0.0;
    var high = 1.0 + max(s.z, 0.0);
    if volume_product(s, s.z / 3.0) > 1.0 {
        high = s.z / 3.0;
    }
    var t = clamp(s.z, 0.01 * high, 0.99 * high);
    for (var k = 0u; k < 24u; k++) {
        let product = volume_product(s, t);
        if abs(product - 1.0) < 2e-7 {
            break;
        }
        low = select(low, t, product < 1.0);
        high = select(t, high, product < 1.0);
        let root = volume_root(s, t);
        let larger = 0.5 * (s.xy + root);
        let slope = larger.x * larger.y + (2.0 * t - s.z) * t * (larger.y / max(root.x, 1e-30) + larger.x / max(root.y, 1e-30));
        let next = t - (product - 1.0) / select(1e-30, slope, slope > 1e-30);
        t = select(0.5 * (low + high), next, next > low && next < high);
    }
    return vec3f(0.5 * (s.xy + volume_root(s, t)), t);
}

fn volume_root(s: vec3f, t: f32) -> vec2f {
    return sqrt(max(s.xy * s.xy + 4.0 * t * (t - s.z), vec2f()));
}

fn volume_product(s: vec3f, t: f32) -> f32 {
    let larger = 0.5 * (s.xy + volume_root(s, max(t, 0.0)));
    return larger.x * larger.y * max(t, 0.0);
}

// q: the rotation that the search for R starts from.
fn nearest_of_volume_one(a: mat3x3f, q: vec4f) -> mat3x3f {
    let r = quaternion_matrix(nearest_rotation(a, q));
    let eigen = symmetric_eigen(symmetric_part(transpose(r) * a));
    var s = eigen.values;
    var v = eigen.vectors;
    if s.x < s.y && s.x < s.z {
        s = s.yzx;
        v = mat3x3f(v[1], v[2], v[0]);
    } else if s.y < s.z {
        s = s.zxy;
        v = mat3x3f(v[2], v[0], v[1]);
    }
    let t = volume_one(s);
    return r * (mat3x3f(v[0] * t.x, v[1] * t.y, v[2] * t.z) * transpose(v));
}
