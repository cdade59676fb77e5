// How what moves as a whole follows forces, dx = t + theta x r with r from an origin: sums of CoarsePart, and Newton's step of t and
// theta.
#import shared/eigen

// What rounding leaves of a pivot, as a part of the matrix: one particle has nothing to turn, two in a line not all.
const PIVOT_ROUNDING: f32 = 1e-6;

struct RigidMotion {
    shift: vec3f,
    turn: vec3f,
}

// Adds a force f at r, which falls by H dx.
fn add_force(r: vec3f, f: vec3f, hold: Symmetric, sum: ptr<function, CoarsePart>) {
    let h = symmetric_matrix(hold);
    // The motions by turns about the axes: e_k x r.
    let x = vec3f(0.0, -r.z, r.y);
    let y = vec3f(r.z, 0.0, -r.x);
    let z = vec3f(-r.y, r.x, 0.0);
    let hx = h * x;
    let hy = h * y;
    let hz = h * z;
    (*sum).force += vec4f(f, 0.0);
    (*sum).torque += vec4f(cross(r, f), dot(y, hz));
    (*sum).diagonal += vec4f(hold.d, dot(z, hx));
    (*sum).off += vec4f(hold.o, dot(x, hy));
    (*sum).mixed_x += vec4f(hx, dot(x, hx));
    (*sum).mixed_y += vec4f(hy, dot(y, hy));
    (*sum).mixed_z += vec4f(hz, dot(z, hz));
}

// The block C of turns.
fn turn_block(s: CoarsePart) -> Symmetric {
    return Symmetric(vec3f(s.mixed_x.w, s.mixed_y.w, s.mixed_z.w), vec3f(s.torque.w, s.diagonal.w, s.off.w));
}

// A t + B theta = F, B^T t + C theta = T, t eliminated first.
fn rigid_motion(s: CoarsePart) -> RigidMotion {
    let turn = turn_block(s);
    let least = max(PIVOT_ROUNDING * (s.diagonal.x + s.diagonal.y + s.diagonal.z), 1e-30);
    let pivots = max(symmetric_pivots(s.diagonal.xyz, s.off.xyz, least), vec3f(least));
    // A^-1 B, B^T A^-1 B and A^-1 F.
    let lead = mat3x3f(symmetric_solve(pivots, s.off.xyz, s.mixed_x.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_y.xyz),
                       symmetric_solve(pivots, s.off.xyz, s.mixed_z.xyz));
    let back = transpose(mat3x3f(s.mixed_x.xyz, s.mixed_y.xyz, s.mixed_z.xyz));
    let taken = symmetric_part(back * lead);
    let straight = symmetric_solve(pivots, s.off.xyz, s.force.xyz);
    let d = turn.d - taken.d;
    let o = turn.o - taken.o;
    let least_turn = max(PIVOT_ROUNDING * (turn.d.x + turn.d.y + turn.d.z), 1e-30);
    let turns = max(symmetric_pivots(d, o, least_turn), vec3f(least_turn));
    let theta = symmetric_solve(turns, o, s.torque.xyz - back * straight);
    return RigidMotion(straight - lead * theta, theta);
}
