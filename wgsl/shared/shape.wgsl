// Shape matching: sums over a cluster's members, and the goals that follow from them
// [Mueller, Heidelberger, Teschner, Gross 2005; quadratic terms centred, so that momentum is kept]. Rest positions q
// and positions d are both from the member in the middle, the anchor; p = q - c are from the centre. Only what members
// are off the rigid goal of the last step, e = d - G q with G = R S_p, and off the motion of the last step as a rigid
// body is summed, fitted and pulled: sums and goals are rounded by a part of the deformation, not of the body, and
// keep momentum and angular momentum as well as that. (From any other point of the rest shape e would have a common
// part as large as the cluster, and its rounding, the same in every step, would push a body at rest.) Quadratic terms
// are those of whitened coordinates s = Z p, in which sum w s s^T/W = I: what can be fitted is the same, and nothing
// is lost where a cluster is long or thin. Weights are relative to a body's mean mass.
#import shared/sim
#import shared/volume
#import shared/plastic
#import shared/matrix

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(73) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(74) var<storage, read> fits: array<vec4f>;
@group(0) @binding(75) var<storage, read_write> cluster_states: array<ClusterState>;
@group(0) @binding(76) var<storage, read_write> goals: array<Goal>;

// sum w e (q, s^2 - mean, s_x s_y - mean ...)^T (p, once it is solved), and what gives the members' motion as a rigid body.
struct Moments {
    linear: mat3x3f,
    squares: mat3x3f,
    products: mat3x3f,
    shift: vec3f,         // sum w e
    velocity: vec3f,      // sum w u, u the velocity beside that of the last step's motion
    turn: mat3x3f,        // sum w u d^T
    spread: Symmetric,    // sum w d d^T
}

fn no_moments() -> Moments {
    let none = mat3x3f(vec3f(), vec3f(), vec3f());
    return Moments(none, none, none, vec3f(), vec3f(), none, Symmetric(vec3f(), vec3f()));
}

fn cluster_mode(cluster: Cluster) -> u32 {
    return cluster.flags & SHAPE_MODES;
}

fn cluster_root(cluster: Cluster) -> mat3x3f {
    return symmetric_matrix(Symmetric(cluster.root_diagonal, cluster.root_off));
}

fn cluster_whiten(cluster: Cluster) -> mat3x3f {
    return symmetric_matrix(Symmetric(cluster.whiten_diagonal, cluster.whiten_off));
}

// The means of s_x^2 ... and s_x s_y ...: of the projection onto what the rest shape spans.
fn cluster_means(cluster: Cluster) -> Symmetric {
    if (cluster.flags & SHAPE_FLAT) == 0u {
        return Symmetric(vec3f(1.0), vec3f());
    }
    let means = symmetric_part(cluster_root(cluster) * cluster_whiten(cluster));
    return Symmetric(means.d, means.o.zxy);
}

// G = R S_p, from rest positions to the rigid goals of the last step.
fn cluster_frame(state: ClusterState) -> mat3x3f {
    return quaternion_matrix(state.rotation) * plastic_stretch(Symmetric(state.plastic_diagonal, state.plastic_off));
}

// Whether its members' motion as a rigid body is asked for.
fn cluster_moving(body: Body) -> bool {
    return body.relaxation > 0.0 || sim.implicit == IMPLICIT_CHANGE;
}

// The angular velocity of the last step; of the change of an implicit step, which is another's, none.
fn cluster_spin(state: ClusterState) -> vec3f {
    return select(state.spin, vec3f(), sim.implicit == IMPLICIT_CHANGE);
}

// sum w p p^T/W of the rest shape.
fn cluster_square(cluster: Cluster) -> mat3x3f {
    return symmetric_matrix(Symmetric(cluster.square_diagonal, cluster.square_off.yzx));
}

// What rounding takes off it: by that part of a turn a rigid body would be turned on in every step.
fn cluster_square_low(cluster: Cluster) -> mat3x3f {
    return symmetric_matrix(Symmetric(cluster.square_diagonal_low, cluster.square_off_low.yzx));
}

// Columns 3 k ... of the coefficients of the quadratic fit: the moments, `linear` with s, times their inverse covariance.
fn fit_columns(m: Moments, linear: mat3x3f, first: u32, k: u32) -> mat3x3f {
    return mat3x3f(fit_column(m, linear, first + 9u * k), fit_column(m, linear, first + 9u * k + 3u),
                   fit_column(m, linear, first + 9u * k + 6u));
}

fn fit_column(m: Moments, linear: mat3x3f, at: u32) -> vec3f {
    return linear * fits[at].xyz + m.squares * fits[at + 1u].xyz + m.products * fits[at + 2u].xyz;
}

// The angular velocity of a rigid body with the members' angular momentum sum w d x u, beside the last step's. What damping
// measures by is that motion; in an implicit step, whose velocities are chords, it is the one that takes the members as near as can
// be from where they were to where they are, d - h v to d: the velocity of a member is then T (d - h v), T = (R - 1)/h, which no
// turn, however large, leaves anything beside. What rounding leaves of its momenta is a velocity and a spin beside that.
// m: per unit of weight; middle: of the members from the anchor; last: the angular velocity that u is beside; pace: the anchor's
// velocity.
fn cluster_motion(m: Moments, middle: vec3f, last: vec3f, pace: vec3f, k: u32) -> vec3f {
    // Inertia tr(S) I - S about the middle; a pivot that is none is as large as the rest.
    let d = m.spread.d - middle * middle;
    let o = m.spread.o - middle.yzx * middle.zxy;
    let least = 1e-6 * (d.x + d.y + d.z) + 1e-30;
    let pivots = max(symmetric_pivots(d.yzx + d.zxy, -o, least), vec3f(least));
    let beside = m.turn - matrix_outer(m.velocity, middle);
    let more = symmetric_solve(pivots, -o, rotation_axial(beside));
    var motion = GoalMotion(vec4f(pace, 0.0), vec4f(m.velocity, 0.0), vec4f(more, 0.0),
                            columns_beside(cross_matrix(last), vec3f()));
    if sim.implicit == IMPLICIT_STEP {
        let spread = symmetric_matrix(Symmetric(d, o));
        let rates = beside + cross_matrix(last) * spread;
        let way = spread - sim.step * transpose(rates);
        let q = nearest_rotation(way, vec4f(0.0, 0.0, 0.0, 1.0));
        let axis = cross_matrix(q.xyz);
        let turn = (2.0 / sim.step) * (q.w * axis + axis * axis);
        let mean = m.velocity + cross(last, middle);
        let spin = symmetric_solve(pivots, -o, rotation_axial(rates - turn * transpose(way)));
        motion.velocity = vec4f(mean - turn * (middle - sim.step * mean), 0.0);
        motion.spin = vec4f(spin, 0.0);
        motion.turn = columns_beside(turn, vec3f());
    }
    goals[k].motion = motion;
    return more;
}

// The matrix of a x.
fn cross_matrix(a: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(0.0, a.z, -a.y), vec3f(-a.z, 0.0, a.x), vec3f(a.y, -a.x, 0.0));
}

// The map from rest positions to goals, beside the last rigid one, `frame`, turned so that the pulls towards them have no
// torque: what is left of R's search is a part of R, which would turn a body by and by. map: that, before;
// generator: what it is turned with; matching: of positions and e, to rest positions.
fn torque_free(map: mat3x3f, frame: mat3x3f, generator: mat3x3f, matching: mat3x3f, e: mat3x3f,
               low: mat3x3f) -> mat3x3f {
    let torque = rotation_axial(frame * transpose(e) + map * transpose(matching) + map * transpose(low));
    let s = symmetric_part(generator * transpose(matching));
    let least = ROTATION_LEAST * (abs(s.d.x) + abs(s.d.y) + abs(s.d.z)) + 1e-30;
    let pivots = max(symmetric_pivots(s.d.yzx + s.d.zxy, -s.o, least), vec3f(least));
    let turn = symmetric_solve(pivots, -s.o, -torque);
    return map + mat3x3f(cross(turn, generator[0]), cross(turn, generator[1]), cross(turn, generator[2]));
}

fn moments_scaled(w: f32, sums: Moments) -> Moments {
    return Moments(w * sums.linear, w * sums.squares, w * sums.products, w * sums.shift, w * sums.velocity,
                   w * sums.turn, Symmetric(w * sums.spread.d, w * sums.spread.o));
}

// The nearest linear map that keeps the volume of the rest shape as it has flowed; of what is flat the fit.
fn cluster_image(cluster: Cluster, fit: mat3x3f, white: mat3x3f, whiten: mat3x3f, plastic: mat3x3f,
                 q: vec4f) -> mat3x3f {
    if (cluster.flags & SHAPE_FLAT) != 0u {
        return fit;
    }
    let size = cluster.size * cube_root(determinant(plastic));
    return nearest_of_volume_one(white * (1.0 / size), q) * whiten * size;
}

// The quadratic part of a fit, in terms of p_x^2, p_y^2, p_z^2 and p_x p_y, p_y p_z, p_z p_x.
struct Bending {
    squares: mat3x3f,
    products: mat3x3f,
}

// Columns b and c of the fit, from whitened terms back to those of p.
fn cluster_bending(m: Moments, l: mat3x3f, fit: u32, whiten: mat3x3f, share: f32) -> Bending {
    let b = fit_columns(m, l, fit, 1u);
    let c = fit_columns(m, l, fit, 2u);
    let x = whiten[0];
    let y = whiten[1];
    let z = whiten[2];
    let squares = share * mat3x3f(b * (x * x) + c * (x * x.yzx), b * (y * y) + c * (y * y.yzx),
                                  b * (z * z) + c * (z * z.yzx));
    let products = share * mat3x3f(2.0 * b * (x * y) + c * (x * y.yzx + y * x.yzx),
                                   2.0 * b * (y * z) + c * (y * z.yzx + z * y.yzx),
                                   2.0 * b * (z * x) + c * (z * x.yzx + x * z.yzx));
    return Bending(squares, products);
}

// Columns of a matrix, and beside them the components of a vector.
fn columns_beside(columns: mat3x3f, beside: vec3f) -> array<vec4f, 3> {
    return array(vec4f(columns[0], beside.x), vec4f(columns[1], beside.y), vec4f(columns[2], beside.z));
}

// Turns the moments into the polynomial of the goals: goal - anchor - G q = c + C q + D (p_x^2 ..., p_x p_y ...), written
// to `goals`; in the pass that says so, what is kept for the next step, too. anchor: its position; pace: its velocity.
fn cluster_solve(k: u32, cluster: Cluster, sums: Moments, anchor: vec3f, pace: vec3f) {
    var m = moments_scaled(cluster.inverse_mass, sums);
    let body = bodies[cluster.body];
    let state = cluster_states[k];
    let mode = cluster_mode(cluster);
    let whiten = cluster_whiten(cluster);
    let frame = cluster_frame(state);
    let kept = Symmetric(state.plastic_diagonal, state.plastic_off);
    let plastic = plastic_stretch(kept);
    // Of e and of d with p, and of d with s.
    m.linear -= matrix_outer(m.shift, cluster.centre);
    let matching = m.linear + frame * cluster_square(cluster);
    let low = frame * cluster_square_low(cluster);
    let white = matching * whiten;
    let q = nearest_rotation(matching * plastic, state.rotation);
    let turn = quaternion_matrix(q);
    let rigid = turn * plastic;
    // The fit, from p to d; what p does not span turns with the rest.
    var linear = white * whiten;
    if (cluster.flags & SHAPE_FLAT) != 0u {
        linear += rigid - rigid * (cluster_root(cluster) * whiten);
    }
    let middle = frame * cluster.centre + m.shift;
    let last = cluster_spin(state);
    var spin = last;
    if cluster_moving(body) {
        spin += cluster_motion(m, middle, last, pace, k);
    }
    if sim.flow == 1u {
        cluster_flow(k, body, q, kept, symmetric_part(transpose(turn) * linear * matrix_inverse(plastic)), spin);
    }
    let share = select(body.beta, 0.0, mode == SHAPE_RIGID);
    var shift = m.shift;
    var map = rigid - frame;
    if mode == SHAPE_QUADRATIC {
        let l = m.linear * whiten;
        let a = fit_columns(m, l, cluster.fit, 0u);
        let bending = cluster_bending(m, l, cluster.fit, whiten, share);
        shift -= bending.squares * cluster.square_diagonal + bending.products * cluster.square_off;
        goals[k].bent = BentGoal(columns_beside(bending.squares, cluster.centre), columns_beside(bending.products, vec3f()));
        // A fit has no torque: what it leaves is at right angles to p.
        map = share * (a * whiten) + (1.0 - share) * torque_free(map, frame, rigid, matching, m.linear, low);
    } else {
        if mode == SHAPE_LINEAR && share > 0.0 {
            let image = cluster_image(cluster, linear, white, whiten, plastic, q);
            map = share * (image - frame) + (1.0 - share) * map;
        }
        map = torque_free(map, frame, rigid, matching, m.linear, low);
    }
    shift -= map * cluster.centre;
    goals[k].linear = LinearGoal(vec4f(cluster.origin, f32(mode)), vec4f(anchor, 0.0), vec4f(shift, 0.0),
                                 columns_beside(map, middle), columns_beside(frame, vec3f()));
}

// Keeps the rotation and the angular velocity, and lets the rest shape flow where the stretch S = R^T A is beyond the
// yield.
fn cluster_flow(k: u32, body: Body, q: vec4f, kept: Symmetric, stretch: Symmetric, spin: vec3f) {
    var plastic = kept;
    if body.yield_strain < 1e30 {
        let strain = Symmetric(stretch.d - 1.0, stretch.o);
        if symmetric_norm(strain) > body.yield_strain {
            plastic = plastic_flow(kept, strain, min(1.0, sim.step * body.creep), body.plastic_most);
        }
    }
    cluster_states[k] = ClusterState(q, plastic.d, plastic.o, spin);
}
