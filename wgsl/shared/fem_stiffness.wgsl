// How stiff a finite element is as it deforms: a bound of the largest eigenvalue of V0 d2W/dF2 over the element's share of
// its corners' masses. |D|^2 of a change D of F is at most shape_rate/V0 times that of the corners' ways, and
// - neo-Hookean: D:dP <= 9/8 k_y |D|^2 + k_x ((cof F:D)^2 + (J - k_z) D:d(cof F)), with |cof F|^2 for the first of the
//   two, for the other 2 |F|_2 where J is beyond k_z, |F|_2 below;
// - corotated: 2 mu + 3 lambda, and lambda tr(S - I) where R turns by |D| 2/(s_2 + s_3);
// - St Venant-Kirchhoff: (3 lambda + 2 mu) |F|_2^2, and the second Piola-Kirchhoff stress.
// [Smith, de Goes, Kim 2018, sec. 4; Sifakis & Barbic 2012, ch. 3]
#import shared/fem
#import shared/damping

// |A|_2^2, or a little more.
fn fem_norm2(a: mat3x3f) -> f32 {
    let s = transpose(a) * a;
    return largest_eigenvalue(vec3f(s[0].x, s[1].y, s[2].z), vec3f(s[1].z, s[2].x, s[0].y));
}

// [1/s^2]; r is the rotation nearest to F, where the law asks for it.
fn fem_stiffness(tet: FemTet, law: u32, f: mat3x3f, r: mat3x3f) -> f32 {
    if law == LAW_NEO_HOOKEAN {
        let k = law_stable(tet.lambda, tet.mu);
        let area = matrix_cofactor(f);
        let beyond = dot(f[0], area[0]) - k.z;
        let pressed = k.x * max(2.0 * beyond, -beyond) * sqrt(fem_norm2(f));
        return tet.shape_rate * (1.125 * k.y + k.x * matrix_contract(area, area) + pressed);
    }
    if law == LAW_COROTATED {
        let s = matrix_symmetric(transpose(r) * f);
        let stretch = matrix_trace(s) - 3.0;
        let largest = largest_eigenvalue(vec3f(s[0].x, s[1].y, s[2].z), vec3f(s[1].z, s[2].x, s[0].y));
        let smaller = max(matrix_trace(s) - largest, 0.05);
        let turned = max(0.0, tet.lambda * stretch) * 2.0 / smaller;
        return tet.shape_rate * (2.0 * tet.mu + 3.0 * tet.lambda + turned);
    }
    let stress = fem_hooke(fem_green_strain(f), tet.lambda, tet.mu);
    return tet.shape_rate * ((3.0 * tet.lambda + 2.0 * tet.mu) * fem_norm2(f) + sqrt(fem_norm2(stress)));
}
