// manifold_rebound: one thread per manifold that acts, where anything has a coefficient of restitution e. What has come to bear on the
// other side in this step leaves it with e times the speed at which it came: v.n = e v^-.
// Reads acting, contact_lists, contact_velocities, manifold_places; updates manifolds, manifold_points, wrenches.
#import shared/manifold_impulses

@group(0) @binding(197) var<storage, read> manifold_places: array<vec4f>;

@compute @workgroup_size(64)
fn manifold_rebound(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = acting_manifold(thread_index(group, lane, 64u));
    if c != NONE {
        _ = solve_manifold(c, REBOUND);
    }
}
