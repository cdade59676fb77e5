// narrow_sphere_triangles: one thread per manifold. As narrow_triangles, after a test of balls about both: what these do not meet in, does not touch.
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last, record_first; updates manifolds; writes manifold_points.
#import shared/triangles

@compute @workgroup_size(64)
fn narrow_sphere_triangles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if !is_manifold(i) {
        return;
    }
    let m = manifolds[i];
    let a = colliders[m.colliders.x];
    let b = colliders[m.colliders.y];
    let pair = pair_of(a, b, poses[a.pose], poses[b.pose]);
    let q = collider_rotation(a, poses[a.pose]);
    if b.kind != COLLIDER_PLANE && length(pair.offset) > pair.size + m.reach {
        var none = m;
        none.axis = rotate(q, start_of(pair, vec3f()));
        none.normal = none.axis;
        write_manifold(i, none, pair, basis_of(vec3f(0.0, 1.0, 0.0)), 0u);
        return;
    }
    touch_triangles(i, m, pair, q);
}
