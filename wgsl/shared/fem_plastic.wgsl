// Plastic flow of a finite element: strain beyond the yield point moves into the rest shape, which S_p has stretched
// [O'Brien, Bargteil & Hodgins 2002, section 4, by a product in place of a sum]. What is kept is X = S_p - I: slow flow
// would be lost in the rounding of S_p.
#import shared/matrix

// The most that S_p changes in one step, relative to itself.
const FEM_FLOW_MOST: f32 = 0.5;
// Steps towards the cap: each leaves about a fifth of the distance, or less.
const FEM_CAP_STEPS: u32 = 12u;

fn fem_plastic_take(state: FemState) -> mat3x3f {
    let d = state.diagonal;
    let o = state.off;
    return mat3x3f(d.x, o.z, o.y, o.z, d.y, o.x, o.y, o.x, d.z);
}

// (I + X)^-1
fn fem_plastic_inverse(x: mat3x3f) -> mat3x3f {
    let s = x + matrix_diagonal(1.0);
    let cofactor = matrix_cofactor(s);
    return cofactor * (1.0 / max(dot(s[0], cofactor[0]), 1e-30));
}

// X after a step in which `stretch` is the elastic stretch S and `flow` = min(1, h creep). With e = dev(S - I), beyond
// the yield point S_p <- B S_p B, B = I + a e/2, a = flow (1 - yield/|e|), then det 1, |S_p - I| <= most.
fn fem_flow(x: mat3x3f, stretch: mat3x3f, yield_strain: f32, flow: f32, most: f32) -> mat3x3f {
    let strain = stretch - matrix_diagonal(1.0);
    let e = strain - matrix_diagonal(matrix_trace(strain) / 3.0);
    let size = sqrt(matrix_contract(e, e));
    if size <= yield_strain || flow <= 0.0 {
        return x;
    }
    let b = (0.5 * min(flow * (1.0 - yield_strain / size), FEM_FLOW_MOST / size)) * e;
    let bx = b * x;
    let y = x + 2.0 * b + bx + transpose(bx) + (b + bx) * b;
    return fem_plastic_cap(matrix_symmetric(y), most);
}

// (I + t D)/cbrt(det(I + t D)) - I for D = 3 (I + Y)/tr(I + Y) - I, t = 1 or less where that is larger than `most`.
fn fem_plastic_cap(y: mat3x3f, most: f32) -> mat3x3f {
    let trace = matrix_trace(y);
    let d = (3.0 * y - matrix_diagonal(trace)) * (1.0 / (3.0 + trace));
    let square = matrix_contract(d, d);
    let cube = dot(d[0], cross(d[1], d[2]));
    var t = 1.0;
    var k = fem_volume_factor(square, cube, t);
    if fem_stretch_size(square, k, t) > most {
        for (var n = 0u; n < FEM_CAP_STEPS; n++) {
            t *= most / max(fem_stretch_size(square, k, t), 1e-30);
            k = fem_volume_factor(square, cube, t);
        }
    }
    return matrix_diagonal(k) + ((1.0 + k) * t) * d;
}

// |(1 + k)(I + t D) - I|, whose two parts are at right angles, as D has no trace.
fn fem_stretch_size(square: f32, k: f32, t: f32) -> f32 {
    return sqrt(3.0 * k * k + (1.0 + k) * (1.0 + k) * t * t * square);
}

// 1/cbrt(det(I + t D)) - 1, where det(I + t D) = 1 - t^2 |D|^2/2 + t^3 det D.
fn fem_volume_factor(square: f32, cube: f32, t: f32) -> f32 {
    return volume_factor(t * t * (t * cube - 0.5 * square));
}
