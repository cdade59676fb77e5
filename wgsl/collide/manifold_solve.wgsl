// manifold_solve: one thread per manifold that acts. One iteration of its impulses [shared/manifold_impulses], what is inside
// being parted. Where what lands has a coefficient of restitution, the passes that make it rebound are let run; where anything is deep,
// those that push bodies apart.
// Reads acting, contact_lists, contact_velocities, manifold_places; updates manifolds, manifold_points, wrenches; writes dispatches.
#import shared/manifold_impulses
#import shared/rounds

@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

// Whether anything of it has landed that rebounds.
fn rebounds(c: u32) -> bool {
    var any = false;
    let count = select(0u, manifolds[c].count, manifolds[c].restitution > 0.0);
    for (var k = 0u; k < count; k++) {
        any = any || has_landed(manifold_points[MANIFOLD * c + k]);
    }
    return any;
}

@compute @workgroup_size(64)
fn manifold_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c == NONE {
        return;
    }
    if solve_manifold(c, SOLVE).is_deep {
        _ = let_run(PUSH_WORD);
    }
    if rebounds(c) {
        _ = let_run(REBOUND_WORD);
    }
}
