// narrow_sphere_triangles: one thread per manifold. As narrow_triangles, but colliders whose bounding spheres are apart do not
// touch, and their triangles are not looked at.
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last, record_first; updates manifolds; writes manifold_points.
#import shared/triangles

@compute @workgroup_size(64)
fn narrow_sphere_triangles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if !is_manifold(i) {
        return;
    }
    let search = search_of(i);
    let pair = search.pair;
    if pair.b.kind != COLLIDER_PLANE && length(pair.offset) > pair.size + search.m.reach {
        touch_nothing(i, search, vec3f());
        return;
    }
    touch_triangles(i, search);
}
