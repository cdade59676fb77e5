// manifold_relax: one thread per manifold that acts, after the move. An iteration without bias, which takes back the speed that
// pushed the bodies out of each other. The points have moved with the bodies.
// Reads acting, contact_velocities; updates manifolds, manifold_points, manifold_rows, wrenches.
#import shared/manifold_impulses

@group(0) @binding(197) var<storage, read_write> manifold_rows: array<ManifoldRow>;

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
        manifold_rows[MANIFOLD * c + k].place += sim.step * v;
    }
}

@compute @workgroup_size(64)
fn manifold_relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c != NONE {
        move_on(c);
        solve_manifold(c, RELAX);
    }
}
