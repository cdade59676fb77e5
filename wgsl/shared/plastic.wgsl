// What stays of a deformation: the rest shape takes on a share of the strain beyond a yield, and keeps its volume
// [Mueller et al. 2005, section 4.5; errata of Wehrberger 2012: the cap is on S_p, the volume factor 1/det^(1/3)].
#import shared/eigen

// S_p within `most` of I.
fn plastic_capped(plastic: Symmetric, most: f32) -> Symmetric {
    let norm = symmetric_norm(Symmetric(plastic.d - 1.0, plastic.o));
    let share = select(1.0, most / max(norm, 1e-30), norm > most);
    return Symmetric(1.0 + share * (plastic.d - 1.0), share * plastic.o);
}

// S_p after h with the strain S - I: the symmetric part of (I + h c (S - I)) S_p, capped, of volume 1, and capped again.
fn plastic_flow(plastic: Symmetric, strain: Symmetric, share: f32, most: f32) -> Symmetric {
    let grown = symmetric_matrix(Symmetric(1.0 + share * strain.d, share * strain.o)) * symmetric_matrix(plastic);
    let capped = plastic_capped(symmetric_part(grown), most);
    let volume = determinant(symmetric_matrix(capped));
    // Inside out, or flat: no rest shape.
    if volume < 1e-3 {
        return plastic;
    }
    let size = 1.0 / cube_root(volume);
    return plastic_capped(Symmetric(size * capped.d, size * capped.o), most);
}
