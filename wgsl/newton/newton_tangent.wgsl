// newton_tangent: one thread per tetrahedron. How its stress follows a change of F, made positive: with F = U s V^T a
// change is Y = U^T dF V; in these axes the second derivatives of an isotropic W(s) are a 3x3 matrix W_ij of the
// diagonal and, for each pair beside it, the eigenvalues (W_i + W_j)/(s_i + s_j) of turns and (W_i - W_j)/(s_i - s_j)
// of shears [Smith, de Goes & Kim 2019, section 4; Stomakhin et al. 2012]. Negative ones are left out. Viscosity adds
// C/h. F is that of the plastic rest shape for both. Also the block of each corner: yz, zx, xy behind its diagonal.
// Reads particles_in (the iterate), fem_tets, fem_states, bodies; writes tangents, corner_blocks.
#import shared/fem
#import shared/fem_plastic

@group(0) @binding(65) var<storage, read> fem_states: array<FemState>;
@group(0) @binding(96) var<storage, read_write> tangents: array<FemTangent>;
@group(0) @binding(97) var<storage, read_write> corner_blocks: array<vec4f>;

// The second derivatives W_ij of a law, and its eigenvalues of turns and shears by pairs yz, zx, xy.
struct Curvature {
    stretch: Symmetric,
    turn: vec3f,
    shear: vec3f,
}

fn tangent_curvature(law: u32, s: vec3f, lambda: f32, mu: f32) -> Curvature {
    let pairs = s.yzx * s.zxy;
    let squares = s * s;
    let sum = squares.x + squares.y + squares.z;
    if law == LAW_NEO_HOOKEAN {
        let k = law_stable(lambda, mu);
        let own = k.y * (1.0 - 1.0 / (sum + 1.0));
        let more = 2.0 * k.y / ((sum + 1.0) * (sum + 1.0));
        let pressure = k.x * (s.x * pairs.x - k.z);
        let diagonal = own + more * squares + k.x * pairs * pairs;
        let off = more * pairs + k.x * (pairs.yzx * pairs.zxy) + pressure * s;
        return Curvature(Symmetric(diagonal, off), own + pressure * s, own - pressure * s);
    }
    if law == LAW_COROTATED {
        let stretch = lambda * (s.x + s.y + s.z - 3.0);
        let across = max(s.yzx + s.zxy, vec3f(1e-3));
        let turn = vec3f(2.0 * mu) + (2.0 * stretch - 4.0 * mu) / across;
        return Curvature(Symmetric(vec3f(lambda + 2.0 * mu), vec3f(lambda)), turn, vec3f(2.0 * mu));
    }
    let trace = 0.5 * lambda * (sum - 3.0) - mu;
    let two = trace + mu * (squares.yzx + squares.zxy);
    let diagonal = trace + (lambda + 3.0 * mu) * squares;
    return Curvature(Symmetric(diagonal, lambda * pairs), two - mu * pairs, two + mu * pairs);
}

// The positive part of a symmetric matrix.
fn tangent_positive(a: Symmetric) -> Symmetric {
    let eigen = symmetric_eigen(a);
    let v = eigen.vectors;
    let s = max(eigen.values, vec3f());
    return symmetric_part(mat3x3f(v[0] * s.x, v[1] * s.y, v[2] * s.z) * transpose(v));
}

// The block of a corner with the gradient g in the axes V, turned to the world's.
fn tangent_block(slot: u32, tangent: FemTangent, g: vec3f, u: mat3x3f) {
    let q = g * g;
    let low = vec3f(tangent.low_x, tangent.low_y, tangent.low_z);
    let cross_over = vec3f(tangent.both_x, tangent.both_y, tangent.both_z);
    let up = tangent.up;
    let d = tangent.diagonal * q + vec3f(up.z * q.y + low.y * q.z, up.x * q.z + low.z * q.x, up.y * q.x + low.x * q.y);
    let o = (tangent.off + cross_over) * (g.yzx * g.zxy);
    let block = symmetric_part(u * (symmetric_matrix(Symmetric(d, o)) * transpose(u)));
    corner_blocks[2u * slot] = vec4f(block.d, 0.0);
    corner_blocks[2u * slot + 1u] = vec4f(block.o, 0.0);
}

@compute @workgroup_size(64)
fn newton_tangent(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if i >= sim.fem_count {
        return;
    }
    let tet = fem_tets[i];
    let body = bodies[tet.body];
    let state = fem_states[i];
    let inverse = fem_plastic_inverse(fem_plastic_take(state));
    let f = fem_deformation(tet) * inverse;
    let r = quaternion_matrix(nearest_rotation(f, state.rotation));
    let eigen = symmetric_eigen(symmetric_part(transpose(r) * f));
    let s = eigen.values;
    var v = eigen.vectors;
    v[2] = v[2] * select(-1.0, 1.0, determinant(v) > 0.0);
    let u = r * v;
    let curvature = tangent_curvature(body.law, s, tet.lambda, tet.mu);
    let stretch = tangent_positive(curvature.stretch);
    let turn = max(curvature.turn, vec3f());
    let shear = max(curvature.shear, vec3f());
    let phi = tet.relaxation * tet.lambda / sim.step;
    let psi = tet.relaxation * tet.mu / sim.step;
    let squares = s * s;
    let pairs = s.yzx * s.zxy;
    let w = tet.volume;
    let both = w * (0.5 * (shear - turn) + psi * pairs);
    let low = w * (0.5 * (shear + turn) + psi * squares.zxy);
    let axes = transpose(v) * inverse;
    var tangent: FemTangent;
    tangent.first = u[0];
    tangent.second = u[1];
    tangent.gradient_b = axes * tet.gradient_b;
    tangent.gradient_c = axes * tet.gradient_c;
    tangent.gradient_d = axes * tet.gradient_d;
    tangent.diagonal = w * (stretch.d + (phi + 2.0 * psi) * squares);
    tangent.off = w * (stretch.o + phi * pairs);
    tangent.up = w * (0.5 * (shear + turn) + psi * squares.yzx);
    tangent.low_x = low.x;
    tangent.low_y = low.y;
    tangent.low_z = low.z;
    tangent.both_x = both.x;
    tangent.both_y = both.y;
    tangent.both_z = both.z;
    tangents[i] = tangent;
    let sum = tangent.gradient_b + tangent.gradient_c + tangent.gradient_d;
    tangent_block(tet.slots.x, tangent, -sum, u);
    tangent_block(tet.slots.y, tangent, tangent.gradient_b, u);
    tangent_block(tet.slots.z, tangent, tangent.gradient_c, u);
    tangent_block(tet.slots.w, tangent, tangent.gradient_d, u);
}
