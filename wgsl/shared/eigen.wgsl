// Symmetric 3x3 matrices: d their diagonal, o = (yz, zx, xy) beside it.

struct Symmetric {
    d: vec3f,
    o: vec3f,
}

// Eigenvalues, and the eigenvectors as columns in the same order.
struct Eigen {
    values: vec3f,
    vectors: mat3x3f,
}

fn symmetric_matrix(a: Symmetric) -> mat3x3f {
    return mat3x3f(a.d.x, a.o.z, a.o.y, a.o.z, a.d.y, a.o.x, a.o.y, a.o.x, a.d.z);
}

// The symmetric part of a matrix.
fn symmetric_part(m: mat3x3f) -> Symmetric {
    return Symmetric(vec3f(m[0].x, m[1].y, m[2].z),
                     0.5 * vec3f(m[1].z + m[2].y, m[2].x + m[0].z, m[0].y + m[1].x));
}

// Rotations of the first two axes until xy vanishes, the axes' names moving on by one after each; 15 are five sweeps, and
// bring the names back [Jacobi 1846].
fn symmetric_eigen(a: Symmetric) -> Eigen {
    var d = a.d;
    var o = a.o;
    var v = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    for (var k = 0u; k < 15u; k++) {
        let gap = d.y - d.x;
        let across = abs(gap) + sqrt(gap * gap + 4.0 * o.z * o.z);
        let t = select(-2.0, 2.0, gap >= 0.0) * o.z / max(across, 1e-30);
        let cosine = 1.0 / sqrt(t * t + 1.0);
        let sine = t * cosine;
        // The next names: y, z, x.
        d = vec3f(d.y + t * o.z, d.z, d.x - t * o.z);
        o = vec3f(cosine * o.y - sine * o.x, 0.0, sine * o.y + cosine * o.x);
        v = mat3x3f(sine * v[0] + cosine * v[1], v[2], cosine * v[0] - sine * v[1]);
    }
    return Eigen(d, v);
}

// The pivots of the symmetric matrix with the diagonal h and, beside it, o = (yz, zx, xy); it divides by the least at least.
fn symmetric_pivots(h: vec3f, o: vec3f, least: f32) -> vec3f {
    let y = h.y - o.z * o.z / max(h.x, least);
    let yz = o.x - o.z * o.y / max(h.x, least);
    let z = h.z - o.y * o.y / max(h.x, least) - yz * yz / max(y, least);
    return vec3f(h.x, y, z);
}

// The solution of what has these pivots, and o beside its diagonal.
fn symmetric_solve(d: vec3f, o: vec3f, right: vec3f) -> vec3f {
    let l = o.z / d.x;
    let n = o.y / d.x;
    let r = (o.x - l * o.y) / d.y;
    let y = right.y - l * right.x;
    let z = (right.z - n * right.x - r * y) / d.z;
    let wy = y / d.y - r * z;
    return vec3f(right.x / d.x - l * wy - n * z, wy, z);
}

// |A|_2
fn symmetric_norm(a: Symmetric) -> f32 {
    let values = abs(symmetric_eigen(a).values);
    return max(values.x, max(values.y, values.z));
}

// The inverse of a matrix that is far from singular.
fn matrix_inverse(m: mat3x3f) -> mat3x3f {
    let x = cross(m[1], m[2]);
    let y = cross(m[2], m[0]);
    let z = cross(m[0], m[1]);
    return transpose(mat3x3f(x, y, z)) * (1.0 / dot(m[0], x));
}
