// Small matrices.

// a b^T
fn matrix_outer(a: vec3f, b: vec3f) -> mat3x3f {
    return mat3x3f(a * b.x, a * b.y, a * b.z);
}

fn matrix_diagonal(a: f32) -> mat3x3f {
    return mat3x3f(a, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, a);
}

// A : B, the sum of A_ij B_ij.
fn matrix_contract(a: mat3x3f, b: mat3x3f) -> f32 {
    return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

fn matrix_trace(a: mat3x3f) -> f32 {
    return a[0].x + a[1].y + a[2].z;
}

// (A + A^T)/2
fn matrix_symmetric(a: mat3x3f) -> mat3x3f {
    return 0.5 * (a + transpose(a));
}

// The derivative of det A.
fn matrix_cofactor(a: mat3x3f) -> mat3x3f {
    return mat3x3f(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
}

// The change of the cofactors along dA, to first order.
fn matrix_cofactor_change(a: mat3x3f, d: mat3x3f) -> mat3x3f {
    return mat3x3f(cross(d[1], a[2]) + cross(a[1], d[2]), cross(d[2], a[0]) + cross(a[2], d[0]),
                   cross(d[0], a[1]) + cross(a[0], d[1]));
}

// The cube root of a positive number.
fn cube_root(x: f32) -> f32 {
    let near = pow(x, 1.0 / 3.0);
    return near - (near * near * near - x) / (3.0 * near * near);
}

// 1/cbrt(1 + growth) - 1, however small that is: by what a matrix of determinant 1 + growth grows to have 1.
fn volume_factor(growth: f32) -> f32 {
    let u = cube_root(max(1.0 + growth, 1e-6));
    return -growth / (u * (u * u + u + 1.0));
}
