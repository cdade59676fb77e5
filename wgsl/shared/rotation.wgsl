// The rotation nearest to a matrix, found from the last one.
// Of all rotations R the nearest to A maximises tr(R^T A), a quadratic form in R's quaternion [Davenport 1968]: a maximum
// that is strict is the only one. In the frame of the last rotation, M = R^T A = S + skew part, Newton's step is
// (tr(S) I - S)^-1 axial(M) [cf. Mueller et al. 2016, who take its direction only]. Where it does not end in a maximum the
// last rotation is projected onto the form's largest eigenvectors, so that of equally near rotations it stays the nearest.
// A may be flat, a line, 0, inverted or a mirror image, and of any size.
#import shared/eigen
#import shared/turn

// Skew part, relative to |A|, below which a rotation has arrived: rounding makes more than half of it.
const ROTATION_ARRIVED: f32 = 4e-7;
// The same where the last rotation is taken as it is: what is left of a slow turn would brake it step by step.
const ROTATION_SAME: f32 = 1e-7;
// Least curvature, relative to |A|, that a step divides by: below it rounding would turn R about an axis that nothing holds.
const ROTATION_LEAST: f32 = 1e-5;
// Newton's steps before and after a projection.
const ROTATION_STEPS: u32 = 12u;
// The form is squared so often: eigenvalues closer than 1e-4 |A| are left together.
const ROTATION_SQUARINGS: u32 = 18u;
// Share of the last rotation in the largest eigenvectors below which it says nothing about which to take.
const ROTATION_SHARE: f32 = 1e-3;

struct RotationSearch {
    q: vec4f,
    done: bool,
}

fn quaternion_unit(q: vec4f) -> vec4f {
    let square = dot(q, q);
    if square < 1e-12 {
        return vec4f(0.0, 0.0, 0.0, 1.0);
    }
    return q / sqrt(square);
}

// Twice the axial vector of the skew part: the derivative of tr(exp(w)^T M) in w.
fn rotation_axial(m: mat3x3f) -> vec3f {
    return vec3f(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x);
}

// Newton's steps from q towards the rotation nearest to A (|A| about 1). `lift` is added to the curvature where q is no
// maximum yet; with 0 the search ends there, not done.
fn rotation_newton(a: mat3x3f, q: vec4f, lift: f32) -> RotationSearch {
    var found = q;
    for (var k = 0u; k < ROTATION_STEPS; k++) {
        let m = transpose(quaternion_matrix(found)) * a;
        let axial = rotation_axial(m);
        let skew = length(axial);
        // L D L^T of tr(S) I - S, with at least the least curvature.
        let least = ROTATION_LEAST;
        var h = vec3f(m[1].y + m[2].z, m[2].z + m[0].x, m[0].x + m[1].y) + least;
        let o = -0.5 * vec3f(m[1].z + m[2].y, m[2].x + m[0].z, m[0].y + m[1].x);
        var d = symmetric_pivots(h, o, least);
        if min(d.x, min(d.y, d.z)) < 0.5 * least {
            if lift < ROTATION_LEAST {
                return RotationSearch(found, false);
            }
            h += lift;
            d = max(symmetric_pivots(h, o, least), vec3f(lift));
        } else if skew < select(ROTATION_ARRIVED, ROTATION_SAME, k == 0u) {
            return RotationSearch(found, true);
        }
        let w = symmetric_solve(d, o, axial);
        let turn = w * min(1.0, 1.0 / max(length(w), 1e-30));
        found = quaternion_unit(quaternion_product(found, vec4f(0.5 * turn, 1.0)));
    }
    return RotationSearch(found, false);
}

// q projected onto the largest eigenvectors of the quadratic form of tr(R^T A) (|A| about 1).
fn rotation_project(a: mat3x3f, q: vec4f) -> vec4f {
    let m = transpose(quaternion_matrix(q)) * a;
    let trace = m[0].x + m[1].y + m[2].z;
    let axial = rotation_axial(m);
    // All eigenvalues are above -3 |A|.
    var p = mat4x4f(vec4f(2.0 * m[0].x - trace + 3.0, m[0].y + m[1].x, m[0].z + m[2].x, axial.x),
                    vec4f(m[0].y + m[1].x, 2.0 * m[1].y - trace + 3.0, m[1].z + m[2].y, axial.y),
                    vec4f(m[0].z + m[2].x, m[1].z + m[2].y, 2.0 * m[2].z - trace + 3.0, axial.z),
                    vec4f(axial, trace + 3.0));
    for (var k = 0u; k < ROTATION_SQUARINGS; k++) {
        p *= 1.0 / (p[0].x + p[1].y + p[2].z + p[3].w);
        p = p * p;
    }
    p *= 1.0 / (p[0].x + p[1].y + p[2].z + p[3].w);
    var best = p[3];
    if dot(best, best) < ROTATION_SHARE * ROTATION_SHARE {
        best = p[0];
        if dot(p[1], p[1]) > dot(best, best) {
            best = p[1];
        }
        if dot(p[2], p[2]) > dot(best, best) {
            best = p[2];
        }
    }
    return quaternion_unit(quaternion_product(q, quaternion_unit(best)));
}

// The unit quaternion (x, y, z, w) of the rotation nearest to A, found from q.
fn nearest_rotation(a: mat3x3f, q: vec4f) -> vec4f {
    let last = quaternion_unit(q);
    let most = max(abs(a[0]), max(abs(a[1]), abs(a[2])));
    let size = max(most.x, max(most.y, most.z));
    if size < 1e-30 {
        return last;
    }
    // Twice, because the sum of squares of the first may not fit.
    let scaled = a * (1.0 / size);
    let square = dot(scaled[0], scaled[0]) + dot(scaled[1], scaled[1]) + dot(scaled[2], scaled[2]);
    let unit = scaled * inverseSqrt(square);
    let near = rotation_newton(unit, last, 0.0);
    if near.done {
        return near.q;
    }
    return rotation_newton(unit, rotation_project(unit, near.q), 1e-4).q;
}
