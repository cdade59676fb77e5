// narrow_triangles: one thread per manifold. As narrow_gjk, but two hulls, boxes or triangles without radius touch only where
// their surfaces meet, each triangle of one tested against each of the other [Moeller 1997], or where one is inside the other.
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last, record_first; updates manifolds; writes manifold_points.
#import shared/triangles

@compute @workgroup_size(64)
fn narrow_triangles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if !is_manifold(i) {
        return;
    }
    touch_triangles(i, search_of(i));
}
