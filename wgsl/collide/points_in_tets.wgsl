// points_in_tets: one thread per tetrahedron. Tests the points of other bodies in the cells that it covers: its box,
// then barycentric coordinates [Teschner et al. 2003, section 3.4]. A point's list has each body that holds it, in
// order, with the tetrahedron that the point is deepest in.
// Reads particles_in, tets, overlaps, tested, grid; updates hits, counts.
#import shared/hits
#import shared/visit_points

// A point is in the tetrahedron that it is deepest in.
fn hit_worth(i: u32, tet: u32) -> f32 {
    return least_share(inside_begin(tets[tet]), tested[i].position);
}

fn visit_point(i: u32, point: Tested, t: u32, inside: Inside) {
    if inside_holds(inside, point) {
        hit_enter(i, t);
    }
}

@compute @workgroup_size(64)
fn points_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t < collide.tet_count {
        visit_points(t, vec3f(RIM_SLACK * collide.margin));
    }
}
