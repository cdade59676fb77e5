// manifold_solve: one thread per manifold that acts. One iteration of its impulses [shared/manifold_impulses], what is inside
// being parted.
// Reads acting, contact_lists, contact_velocities, manifold_places; updates manifolds, manifold_points, wrenches.
#import shared/manifold_impulses

@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

@compute @workgroup_size(64)
fn manifold_solve(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c != NONE {
        _ = solve_manifold(c, SOLVE);
    }
}
