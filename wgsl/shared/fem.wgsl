// Finite elements: stress by the deformation gradient F. Corner c gets the force -V0 P grad N_c, P = dW/dF
// [O'Brien & Hodgins 1999; Sifakis & Barbic 2012, ch. 4].
#import shared/topology
#import shared/matrix
#import shared/rotation
#import shared/law

@group(0) @binding(64) var<storage, read> fem_tets: array<FemTet>;

// The gradient of a field from its differences to the first corner.
fn fem_gradient(tet: FemTet, b: vec3f, c: vec3f, d: vec3f) -> mat3x3f {
    return matrix_outer(b, tet.gradient_b) + matrix_outer(c, tet.gradient_c) + matrix_outer(d, tet.gradient_d);
}

// F = dx/dX
fn fem_deformation(tet: FemTet) -> mat3x3f {
    let x = particles_in[tet.corners.x].position;
    return fem_gradient(tet, particles_in[tet.corners.y].position - x, particles_in[tet.corners.z].position - x,
                        particles_in[tet.corners.w].position - x);
}

// F' = dv/dX
fn fem_velocity_gradient(tet: FemTet) -> mat3x3f {
    let v = particles_in[tet.corners.x].velocity;
    return fem_gradient(tet, particles_in[tet.corners.y].velocity - v, particles_in[tet.corners.z].velocity - v,
                        particles_in[tet.corners.w].velocity - v);
}

// lambda tr(E) I + 2 mu E
fn fem_hooke(strain: mat3x3f, lambda: f32, mu: f32) -> mat3x3f {
    return matrix_diagonal(lambda * matrix_trace(strain)) + (2.0 * mu) * strain;
}

// (F^T F - I)/2
fn fem_green_strain(f: mat3x3f) -> mat3x3f {
    return 0.5 * (transpose(f) * f - matrix_diagonal(1.0));
}

// P without the net moment of its forces, -V0 axial(P F^T), which the inexact R and the rounding of F - R leave: it would slow a
// spinning body down. [w]x R is subtracted, as if R had turned a little further, with (tr(V) I - V) w = axial(P F^T), V = R F^T.
fn fem_torque_free(p: mat3x3f, f: mat3x3f, r: mat3x3f) -> mat3x3f {
    let torque = rotation_axial(p * transpose(f));
    let v = symmetric_part(r * transpose(f));
    let h = v.d.yzx + v.d.zxy;
    // About an axis that nothing holds R is as good as any.
    let least = 1e-2 * (abs(v.d.x) + abs(v.d.y) + abs(v.d.z)) + 1e-30;
    let pivots = symmetric_pivots(h, -v.o, least);
    if min(pivots.x, min(pivots.y, pivots.z)) < least {
        return p;
    }
    let w = symmetric_solve(pivots, -v.o, torque);
    return p - mat3x3f(cross(w, r[0]), cross(w, r[1]), cross(w, r[2]));
}

// P of a law; r is the rotation nearest to F, where the law asks for it.
fn fem_stress(law: u32, f: mat3x3f, r: mat3x3f, lambda: f32, mu: f32) -> mat3x3f {
    if law == LAW_NEO_HOOKEAN {
        let k = law_stable(lambda, mu);
        let area = matrix_cofactor(f);
        let volume = dot(f[0], area[0]);
        let shear = k.y * (1.0 - 1.0 / (matrix_contract(f, f) + 1.0));
        return shear * f + (k.x * (volume - k.z)) * area;
    }
    if law == LAW_COROTATED {
        let stretch = matrix_contract(r, f) - 3.0;
        return fem_torque_free((2.0 * mu) * (f - r) + (lambda * stretch) * r, f, r);
    }
    return f * fem_hooke(fem_green_strain(f), lambda, mu);
}
