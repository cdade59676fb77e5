// manifold_solve: one thread per manifold that acts. One iteration of its impulses [shared/manifold_impulses], what is inside
// being parted. Where what lands has a coefficient of restitution, the passes that make it rebound are let run.
// Reads acting, contact_lists, contact_velocities, manifold_places; updates manifolds, manifold_points, wrenches; writes dispatches.
#import shared/manifold_impulses

@group(0) @binding(52) var<storage, read_write> dispatches: array<atomic<u32>>;
@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

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
    _ = solve_manifold(c, SOLVE);
    if rebounds(c) && atomicLoad(&dispatches[REBOUND_WORD]) == 0u {
        atomicStore(&dispatches[REBOUND_WORD], collide.particle_groups.x);
        atomicStore(&dispatches[REBOUND_WORD + 1u], collide.particle_groups.y);
        atomicStore(&dispatches[REBOUND_WORD + 2u], 1u);
        atomicStore(&dispatches[REBOUND_WORD + 3u], collide.record_groups.x);
        atomicStore(&dispatches[REBOUND_WORD + 4u], collide.record_groups.y);
        atomicStore(&dispatches[REBOUND_WORD + 5u], 1u);
    }
}
