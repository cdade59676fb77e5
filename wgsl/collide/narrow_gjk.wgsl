// narrow_gjk: one thread per manifold. The normal n out of b into a along which the surfaces are nearest, or in each other least
// deep, and up to four points with gaps n (x_a - x_b) - r_a - r_b <= reach: by the distance algorithm of Gilbert, Johnson and
// Keerthi and the expanding polytope [van den Bergen 2003]. It begins with the direction of the search before: where the faces
// along that, of two boxes those along their separating axis [Gottschalk et al. 1996], are as near as they are apart along their
// normal, no cores are nearer.
// Reads colliders, hull_vertices, hull_faces, poses, manifold_points_last, record_first; updates manifolds; writes manifold_points.
#import shared/narrow

@compute @workgroup_size(64)
fn narrow_gjk(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let i = thread_index(group, lane, 64u);
    if !is_manifold(i) {
        return;
    }
    let search = search_of(i);
    touch(i, search, first_direction(search), shallow_of(search.pair));
}
