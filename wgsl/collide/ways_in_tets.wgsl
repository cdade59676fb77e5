// ways_in_tets: one thread per tetrahedron, where any points are fast. Finds those of other bodies whose ways it meets. A
// point's list has each body that it comes through, in order, with the tetrahedron that it enters first.
// Reads particles_in, tets, overlaps, tested, grid; writes hits, counts.
#import shared/fast
#import shared/hits
#import shared/visit_points

fn hit_worth(i: u32, tet: u32) -> f32 {
    return -part_of_way(inside_begin(tets[tet]), tested[i], fast_way(i)).first;
}

fn visit_point(i: u32, point: Tested, t: u32, inside: Inside) {
    if is_fast(i) {
        let part = part_of_way(inside, point, fast_way(i));
        if part.first < part.last {
            hit_enter(i, t);
        }
    }
}

@compute @workgroup_size(64)
fn ways_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    let longest = longest_ways();
    if t < collide.tet_count && any(longest > vec3f()) {
        visit_points(t, RIM_SLACK * collide.margin + longest);
    }
}
