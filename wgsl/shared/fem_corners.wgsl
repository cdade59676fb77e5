// What an element writes: the forces of a stress P on its corners, -V0 P grad N_c, one slot for each.
#import shared/fem

@group(0) @binding(66) var<storage, read_write> corner_forces: array<vec4f>;

// The first corner gets minus the sum of the others, so that momentum is kept to the rounding of that sum.
fn fem_write(tet: FemTet, stress: mat3x3f) {
    let p = -tet.volume * stress;
    let b = p * tet.gradient_b;
    let c = p * tet.gradient_c;
    let d = p * tet.gradient_d;
    corner_forces[tet.slots.x] = vec4f(-(b + c + d), 0.0);
    corner_forces[tet.slots.y] = vec4f(b, 0.0);
    corner_forces[tet.slots.z] = vec4f(c, 0.0);
    corner_forces[tet.slots.w] = vec4f(d, 0.0);
}
