// narrow_sat: one thread per manifold. As narrow_gjk, but of boxes, triangles and hulls of few faces the normal is the best of all
// axes along which two of them can be apart: the normals of the faces of both and what is square to an edge of each
// [Gottschalk, Lin and Manocha 1996].
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last, record_first; updates manifolds; writes manifold_points.
#import shared/hull_axes

@compute @workgroup_size(64)
fn narrow_sat(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if !is_manifold(i) {
        return;
    }
    let search = search_of(i);
    let pair = search.pair;
    var first = first_direction(search);
    var shallow = shallow_of(pair);
    if has_axes(pair.a) && has_axes(pair.b) && shallow > -1e38 {
        first = hull_direction(pair);
        shallow = -3e38;
    }
    touch(i, search, first, shallow);
}
