// manifold_relax: one thread per manifold that acts, after the move. An iteration without bias, which takes back the speed that
// pushed the bodies out of each other. The points have moved with the bodies, and normals of balls have turned. Counts how deep what bears was inside; what bears
// nothing has come past where its plane holds.
// Reads acting, contact_lists, contact_velocities; updates manifolds, manifold_points, manifold_places, wrenches; writes status.
#import shared/common_point
#import shared/manifold_impulses
#import shared/tally

@group(0) @binding(197) var<storage, read_write> manifold_places: array<vec4f>;

// Between two points of round cores the normal is that of where the move has taken them: what is taken back or rebounds along another
// would turn balls that have no friction. What rebounds brings as much less energy as what goes on across the new normal has more.
// u: the velocity of one against the other; weight: how much of the place is a's.
fn turn_on(c: u32, manifold: Manifold, u: vec3f, weight: f32) {
    let first = MANIFOLD * c;
    let apart = manifold_places[first].w + manifold.radii.x + manifold.radii.y;
    if manifold.turns == TURNS_NOT || dot(manifold.along, manifold.along) > 0.5 || apart <= 0.0 {
        return;
    }
    let way = apart * manifold.normal + sim.step * u;
    let n = way / max(length(way), 1e-30);
    manifolds[c].normal = n;
    let out = (1.0 - weight) * manifold.radii.y - weight * manifold.radii.x;
    manifold_places[first] += vec4f(out * (n - manifold.normal), 0.0);
    let approach = manifold_points[first].approach;
    let before = dot(u, manifold.normal);
    let after = dot(u, n);
    let left = sqrt(max(approach * approach + after * after - before * before, 0.0));
    // What has not just landed must not seem to.
    manifold_points[first].approach = select(0.0, left, approach > 0.0);
}

// The points are where the bodies' move has taken them, not with what turns.
fn move_on(c: u32) {
    let manifold = manifolds[c];
    let a = pose_state(manifold.dofs.x);
    let b = pose_state(manifold.dofs.y);
    let weight = weight_of_a(a.inverse_mass, b.inverse_mass, manifold);
    turn_on(c, manifold, a.velocity - b.velocity, weight);
    let v = weight * a.velocity + (1.0 - weight) * b.velocity;
    for (var k = 0u; k < manifold.count; k++) {
        manifold_places[MANIFOLD * c + k] += vec4f(sim.step * v, 0.0);
    }
}

@compute @workgroup_size(64)
fn manifold_relax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    tally_begin(lane);
    workgroupBarrier();
    if c != NONE {
        move_on(c);
        let solved = solve_manifold(c, RELAX);
        tally_depth(select(0.0, -solved.gap, solved.bearing > 0.0), manifolds[c].size);
    }
    workgroupBarrier();
    tally_end(lane);
}
