// Shape matching: sums over a cluster's members, and the goals that follow from them
// [Mueller, Heidelberger, Teschner, Gross 2005; quadratic terms centred, so that momentum is kept].
// Rest positions q are from the cluster's rest centre, positions d from the member in its middle, the anchor: far from
// the origin they would cost the sums their last digits. The mean of q as it is rounded is not quite 0, nor are those of
// its squares what they should be; goals less what these give keep momentum to the rounding of each step, not more. Quadratic clusters use whitened coordinates s = Z q, in which
// sum w s s^T/W = I; what can be fitted is the same, and nothing is lost where a cluster is long or thin.
// Weights are relative to a body's mean mass.
#import shared/sim
#import shared/volume
#import shared/plastic

@group(0) @binding(7) var<storage, read> bodies: array<Body>;
@group(0) @binding(73) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(74) var<storage, read> fits: array<vec4f>;
@group(0) @binding(75) var<storage, read_write> cluster_states: array<ClusterState>;
@group(0) @binding(76) var<storage, read_write> goals: array<vec4f>;

// sum w d (s, s^2 - mean, s_x s_y - mean ...)^T, and what gives the members' motion as a rigid body.
struct Moments {
    linear: mat3x3f,
    squares: mat3x3f,
    products: mat3x3f,
    shift: vec3f,         // sum w d
    velocity: vec3f,      // sum w u, u the velocity beside the anchor's
    spin: vec3f,          // sum w d x u
    spread: Symmetric,    // sum w d d^T
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

fn outer_product(a: vec3f, b: vec3f) -> mat3x3f {
    return mat3x3f(a * b.x, a * b.y, a * b.z);
}

// Column k of the coefficients of the quadratic fit: the moments times column k of their inverse covariance.
fn fit_column(m: Moments, first: u32, k: u32) -> vec3f {
    let at = first + 3u * k;
    return m.linear * fits[at].xyz + m.squares * fits[at + 1u].xyz + m.products * fits[at + 2u].xyz;
}

// The velocity of a rigid body with the members' momentum and angular momentum: at the centre, beside the anchor's, and
// the angular velocity. m: per unit of weight.
fn cluster_motion(m: Moments, row: u32) {
    // Inertia tr(S) I - S about the centre; a pivot that is none is as large as the rest.
    let d = m.spread.d - m.shift * m.shift;
    let o = m.spread.o - m.shift.yzx * m.shift.zxy;
    let spin = m.spin - cross(m.shift, m.velocity);
    let h = d.yzx + d.zxy;
    let least = 1e-6 * (d.x + d.y + d.z) + 1e-30;
    let a = max(h.x, least);
    let l = -o.z / a;
    let n = -o.y / a;
    let b = max(h.y + l * o.z, least);
    let r = (l * o.y - o.x) / b;
    let c = max(h.z + n * o.y - r * r * b, least);
    let y = spin.y - l * spin.x;
    let z = (spin.z - n * spin.x - r * y) / c;
    let wy = y / b - r * z;
    goals[row + 13u] = vec4f(m.velocity, 0.0);
    goals[row + 14u] = vec4f(spin.x / a - l * wy - n * z, wy, z, 0.0);
}

// Turns the moments into the polynomial of the goals: goal - anchor = c + C q + D (q_x^2 ..., q_x q_y ...), written to
// `goals`; in the pass that says so, what is kept for the next step, too. anchor: its position; pace: its velocity.
fn cluster_solve(k: u32, cluster: Cluster, sums: Moments, anchor: vec3f, pace: vec3f) {
    let w = cluster.inverse_mass;
    var m = Moments(w * sums.linear, w * sums.squares, w * sums.products, w * sums.shift, w * sums.velocity,
                    w * sums.spin, Symmetric(w * sums.spread.d, w * sums.spread.o));
    let body = bodies[cluster.body];
    let state = cluster_states[k];
    let mode = cluster_mode(cluster);
    let flat = (cluster.flags & SHAPE_FLAT) != 0u;
    let root = cluster_root(cluster);
    let whiten = cluster_whiten(cluster);
    let kept = Symmetric(state.plastic_diagonal, state.plastic_off);
    let plastic = symmetric_matrix(kept);
    var white = m.linear;
    var matching = m.linear;
    if mode == SHAPE_QUADRATIC {
        m.linear -= outer_product(m.shift, whiten * cluster.offset);
        white = m.linear;
        matching = white * root;
    } else {
        matching -= outer_product(m.shift, cluster.offset);
        white = matching * whiten;
    }
    let q = nearest_rotation(matching * plastic, state.rotation);
    let turn = quaternion_matrix(q);
    let rigid = turn * plastic;
    // The fit, from q to d; what q does not span turns with the rest.
    var linear = white * whiten;
    if flat {
        let spanned = root * whiten;
        linear += rigid - rigid * spanned;
    }
    if sim.flow == 1u {
        cluster_flow(k, body, q, kept, symmetric_part(transpose(turn) * linear * matrix_inverse(plastic)));
    }
    let row = k * GOAL_ROWS;
    let share = select(body.beta, 0.0, mode == SHAPE_RIGID);
    var shift = m.shift;
    var image = linear;
    if mode == SHAPE_LINEAR && share > 0.0 && !flat {
        let size = cluster.size * cube_root(determinant(plastic));
        image = nearest_of_volume_one(white * (1.0 / size), q) * whiten * size;
    } else if mode == SHAPE_QUADRATIC {
        let a = mat3x3f(fit_column(m, cluster.fit, 0u), fit_column(m, cluster.fit, 1u), fit_column(m, cluster.fit, 2u));
        let b = mat3x3f(fit_column(m, cluster.fit, 3u), fit_column(m, cluster.fit, 4u), fit_column(m, cluster.fit, 5u));
        let c = mat3x3f(fit_column(m, cluster.fit, 6u), fit_column(m, cluster.fit, 7u), fit_column(m, cluster.fit, 8u));
        image = a * whiten;
        let x = whiten[0];
        let y = whiten[1];
        let z = whiten[2];
        let squares = share * mat3x3f(b * (x * x) + c * (x * x.yzx), b * (y * y) + c * (y * y.yzx),
                                      b * (z * z) + c * (z * z.yzx));
        let products = share * mat3x3f(2.0 * b * (x * y) + c * (x * y.yzx + y * x.yzx),
                                       2.0 * b * (y * z) + c * (y * z.yzx + z * y.yzx),
                                       2.0 * b * (z * x) + c * (z * x.yzx + x * z.yzx));
        shift -= squares * cluster.square_diagonal + products * cluster.square_off;
        goals[row + 6u] = vec4f(squares[0], 0.0);
        goals[row + 7u] = vec4f(squares[1], 0.0);
        goals[row + 8u] = vec4f(squares[2], 0.0);
        goals[row + 9u] = vec4f(products[0], 0.0);
        goals[row + 10u] = vec4f(products[1], 0.0);
        goals[row + 11u] = vec4f(products[2], 0.0);
    }
    let map = share * image + (1.0 - share) * rigid;
    shift -= map * cluster.offset;
    goals[row] = vec4f(cluster.centre, f32(mode));
    goals[row + 1u] = vec4f(anchor, 0.0);
    goals[row + 2u] = vec4f(shift, 0.0);
    goals[row + 3u] = vec4f(map[0], m.shift.x);
    goals[row + 4u] = vec4f(map[1], m.shift.y);
    goals[row + 5u] = vec4f(map[2], m.shift.z);
    if body.relaxation > 0.0 {
        goals[row + 12u] = vec4f(pace, 0.0);
        cluster_motion(m, row);
    }
}

// Keeps the rotation, and lets the rest shape flow where the stretch S = R^T A is beyond the yield.
fn cluster_flow(k: u32, body: Body, q: vec4f, kept: Symmetric, stretch: Symmetric) {
    var plastic = kept;
    if body.yield_strain < 1e30 {
        let strain = Symmetric(stretch.d - 1.0, stretch.o);
        if symmetric_norm(strain) > body.yield_strain {
            plastic = plastic_flow(kept, strain, min(1.0, sim.step * body.creep), body.plastic_most);
        }
    }
    cluster_states[k] = ClusterState(q, plastic.d, 0.0, plastic.o, 0.0);
}
