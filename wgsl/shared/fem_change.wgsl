// How the stress of a finite element changes to first order when F changes by d.
#import shared/fem

// The change of the rotation nearest to F: R W with W skew, its axis w solves (tr(S) I - S) w = axial(R^T d - d^T R),
// S = R^T F. Where two singular values cancel each other R jumps; the determinant divided by is then held away from 0.
fn fem_rotation_change(f: mat3x3f, r: mat3x3f, d: mat3x3f) -> mat3x3f {
    let s = matrix_symmetric(transpose(r) * f);
    let size = matrix_trace(s);
    let m = matrix_diagonal(size) - s;
    let adjugate = matrix_cofactor(m);
    let determinant = max(dot(m[0], adjugate[0]), 1e-4 * abs(size * size * size) + 1e-30);
    let axis = (adjugate * rotation_axial(transpose(r) * d)) / determinant;
    return r * mat3x3f(0.0, axis.z, -axis.y, -axis.z, 0.0, axis.x, axis.y, -axis.x, 0.0);
}

fn fem_stress_change(law: u32, f: mat3x3f, r: mat3x3f, d: mat3x3f, lambda: f32, mu: f32) -> mat3x3f {
    if law == LAW_NEO_HOOKEAN {
        let k = law_stable(lambda, mu);
        let area = matrix_cofactor(f);
        let volume = dot(f[0], area[0]);
        let square = matrix_contract(f, f) + 1.0;
        return (k.y * (1.0 - 1.0 / square)) * d + (2.0 * k.y * matrix_contract(f, d) / (square * square)) * f
             + (k.x * matrix_contract(area, d)) * area + (k.x * (volume - k.z)) * matrix_cofactor_change(f, d);
    }
    if law == LAW_COROTATED {
        let turn = fem_rotation_change(f, r, d);
        let stretch = matrix_contract(r, f) - 3.0;
        return (2.0 * mu) * (d - turn) + (lambda * matrix_contract(r, d)) * r + (lambda * stretch) * turn;
    }
    return d * fem_hooke(fem_green_strain(f), lambda, mu) + f * fem_hooke(matrix_symmetric(transpose(f) * d), lambda, mu);
}
