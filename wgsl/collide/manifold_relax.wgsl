// manifold_relax: one thread per manifold that acts, after the move. An iteration without bias, which takes back the speed that
// pushed the bodies out of each other. The points have moved with the bodies, and normals of round cores have turned. Counts how deep
// what bears was inside; what bears nothing has come past where its plane holds.
// Reads acting, contact_lists, contact_velocities; updates manifolds, manifold_points, manifold_places, wrenches; writes status.
#import shared/common_point
#import shared/manifold_beside
#import shared/manifold_impulses
#import shared/manifold_radii
#import shared/tally

@group(0) @binding(197) var<storage, read_write> manifold_places: array<vec4f>;

// The velocities of both cores where a manifold's point k lies on them; weight: how much of its place is a's.
fn core_velocities(m: Manifold, pair: Pair, at: vec4f, k: u32, weight: f32) -> Places {
    let radii = radii_of(m, k);
    let on_a = at.xyz + ((1.0 - weight) * at.w + radii.x) * m.normal;
    let on_b = at.xyz - (weight * at.w + radii.y) * m.normal;
    return Places(pair.a.velocity + cross(pair.a.spin, on_a - pair.a.position),
                  pair.b.velocity + cross(pair.b.spin, on_b - pair.b.position));
}

// Of round cores the normal is that of where the move has taken them: what is taken back or rebounds along another would turn what has
// no friction. What rebounds brings as much less energy as what goes on across the new normal has more.
fn turn_on(c: u32, manifold: Manifold, pair: Pair, weight: f32) {
    let radii = radii_of(manifold, 0u);
    let first = manifold_places[MANIFOLD * c];
    let apart = first.w + radii.x + radii.y;
    if manifold.turns == TURNS_NOT || manifold.turns >= TURNS_AS_A || apart <= 0.0 {
        return;
    }
    let cores = core_velocities(manifold, pair, first, 0u, weight);
    let u = cores.a - cores.b;
    let way = apart * manifold.normal + sim.step * (u - dot(u, manifold.line) * manifold.line);
    let n = way / max(length(way), 1e-30);
    manifolds[c].normal = n;
    for (var k = 0u; k < manifold.count; k++) {
        let at = MANIFOLD * c + k;
        let place = manifold_places[at];
        let own = radii_of(manifold, k);
        let out = (1.0 - weight) * own.y - weight * own.x;
        // Where the point goes beside what the bodies' centres do.
        let on = core_velocities(manifold, pair, place, k, weight);
        let core = beside(manifold, on);
        let more = weight * (core.a - pair.a.velocity) + (1.0 - weight) * (core.b - pair.b.velocity);
        manifold_places[at] = place + vec4f(out * (n - manifold.normal) + sim.step * more, 0.0);
        let approach = manifold_points[at].approach;
        let v = on.a - on.b;
        let before = dot(v, manifold.normal);
        let after = dot(v, n);
        let left = sqrt(max(approach * approach + after * after - before * before, 0.0));
        // What has not just landed must not seem to.
        manifold_points[at].approach = select(0.0, left, approach > 0.0);
    }
}

// The points are where the bodies' move has taken them, not with what turns.
fn move_on(c: u32) {
    let manifold = manifolds[c];
    let pair = Pair(pose_state(manifold.dofs.x), pose_state(manifold.dofs.y));
    let weight = weight_of_a(pair.a.inverse_mass, pair.b.inverse_mass, manifold);
    turn_on(c, manifold, pair, weight);
    let v = weight * pair.a.velocity + (1.0 - weight) * pair.b.velocity;
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
