// manifold_relax: one thread per manifold, after the move. An iteration without bias, which takes back the speed that pushed the
// bodies out of each other. The points have moved with the bodies. Leaves the manifold's impulses, as those of one contact, and
// where its deepest point was.
// Reads contact_lists, contact_velocities; updates manifolds, manifold_points, manifold_rows, wrenches; writes impulses, rows.
#import shared/manifold_impulses

@group(0) @binding(38) var<storage, read_write> impulses: array<Impulse>;
@group(0) @binding(56) var<storage, read_write> rows: array<Row>;
@group(0) @binding(197) var<storage, read_write> manifold_rows: array<vec4f>;

// The points are where the bodies' move has taken them: with what moves, what is round, or the mean of both, not with what turns.
fn move_on(c: u32) {
    let manifold = manifolds[c];
    let pair = Pair(pose_state(manifold.dofs.x), pose_state(manifold.dofs.y));
    var v = 0.5 * (pair.a.velocity + pair.b.velocity);
    let round = manifold.radii > vec2f();
    if pair.b.inverse_mass == 0.0 || (pair.a.inverse_mass > 0.0 && round.x && !round.y) {
        v = pair.a.velocity;
    } else if pair.a.inverse_mass == 0.0 || (round.y && !round.x) {
        v = pair.b.velocity;
    }
    for (var k = 0u; k < manifold.count; k++) {
        let row = manifold_rows[MANIFOLD * c + k];
        manifold_rows[MANIFOLD * c + k] = vec4f(row.xyz + sim.step * v, row.w);
    }
}

@compute @workgroup_size(64)
fn manifold_relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = own_manifold(thread_index(group, lane, 64u));
    if c == NONE {
        return;
    }
    move_on(c);
    solve_manifold(c, RELAX);
    let manifold = manifolds[c];
    var sum = Impulse(vec3f(), 0.0, manifold.colliders.y, 0.0, 0.0, NONE);
    var deepest = vec4f(0.0, 0.0, 0.0, 3e38);
    for (var k = 0u; k < manifold.count; k++) {
        let point = manifold_points[MANIFOLD * c + k];
        sum.normal += point.impulse;
        sum.tangent += point.tangent;
        let row = manifold_rows[MANIFOLD * c + k];
        if row.w < deepest.w {
            deepest = row;
        }
    }
    impulses[c] = sum;
    rows[c] = Row(vec3f(), 0.0, deepest.xyz, 0.0, -deepest.w, 0.0, 0.0, 0.0);
}
