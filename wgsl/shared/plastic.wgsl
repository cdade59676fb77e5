// What stays of a deformation: the rest shape takes on a share of the strain beyond a yield, and keeps its volume
// [Mueller et al. 2005, section 4.5; errata of Wehrberger 2012: the cap is on S_p, the volume factor 1/det^(1/3)]. What
// is kept is X = S_p - I: slow flow would be lost in the rounding of S_p.
#import shared/eigen
#import shared/matrix

// S_p = I + X
fn plastic_stretch(x: Symmetric) -> mat3x3f {
    return symmetric_matrix(Symmetric(1.0 + x.d, x.o));
}

// X, or where that is larger than `most` the part of it that is just so large.
fn plastic_capped(x: Symmetric, most: f32) -> Symmetric {
    let norm = symmetric_norm(x);
    let share = select(1.0, most / max(norm, 1e-30), norm > most);
    return Symmetric(share * x.d, share * x.o);
}

// det(I + X) - 1
fn plastic_growth(x: Symmetric) -> f32 {
    let d = x.d;
    let minors = d.x * d.y + d.y * d.z + d.z * d.x - dot(x.o, x.o);
    return d.x + d.y + d.z + (minors + determinant(symmetric_matrix(x)));
}

// X after h with the strain S - I: of the symmetric part of (I + h c (S - I)) S_p, capped, of volume 1, and capped
// again.
fn plastic_flow(x: Symmetric, strain: Symmetric, share: f32, most: f32) -> Symmetric {
    let e = Symmetric(share * strain.d, share * strain.o);
    let more = symmetric_part(symmetric_matrix(e) * symmetric_matrix(x));
    let capped = plastic_capped(Symmetric(x.d + (e.d + more.d), x.o + (e.o + more.o)), most);
    let growth = plastic_growth(capped);
    // Inside out, or flat: no rest shape.
    if growth < 1e-3 - 1.0 {
        return x;
    }
    let k = volume_factor(growth);
    return plastic_capped(Symmetric(k + (1.0 + k) * capped.d, (1.0 + k) * capped.o), most);
}
