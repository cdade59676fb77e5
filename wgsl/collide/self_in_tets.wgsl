// self_in_tets: one thread per tetrahedron. Tests the surface points of its own body where that is folded,
// but not those that are its corners or are joined to one of them by an edge.
// Reads particles_in, points, elements, tested, grid, tets; writes hits, counts.
#import shared/hits
#import shared/visit

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(4) var<storage, read> points: array<Point>;
@group(0) @binding(5) var<storage, read> elements: array<Element>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;

// A point is in the tetrahedron that it is deepest in.
fn hit_worth(i: u32, tet: u32) -> f32 {
    return least_share(inside_begin(tets[tet]), tested[i].position);
}

fn joined(i: u32, corners: vec4u) -> bool {
    if any(corners == vec4u(i)) {
        return true;
    }
    let point = points[i];
    let count = point.counts & 0xffffu;
    for (var e = 0u; e < count; e++) {
        if any(corners == vec4u(elements[point.first + e * SLICE].other)) {
            return true;
        }
    }
    return false;
}

@compute @workgroup_size(64)
fn self_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let corners = tet.corners;
    let b = tested[corners.x].body;
    let fold = grid_fold(b);
    let fold_low = bitcast<vec3f>(vec3u(grid[fold], grid[fold + 1u], grid[fold + 2u]));
    let fold_high = bitcast<vec3f>(vec3u(grid[fold + 3u], grid[fold + 4u], grid[fold + 5u]));
    if any(fold_low > fold_high) {
        return;
    }
    let inside = inside_begin(tet);
    if !inside.valid {
        return;
    }
    let reach = RIM_SLACK * collide.margin;
    let low = max(inside.low - reach, fold_low);
    let high = min(inside.high + reach, fold_high);
    if any(low > high) {
        return;
    }
    let visit = visit_begin(low, high);
    for (var cz = 0u; cz < visit.size.z; cz++) {
        for (var cy = 0u; cy < visit.size.y; cy++) {
            for (var cx = 0u; cx < visit.size.x; cx++) {
                let cell = visit.first + vec3i(vec3u(cx, cy, cz));
                var i = grid[grid_slot(cell, visit.level, grid_owner(b))];
                for (var k = 0u; k < MAX_LIST; k++) {
                    if i == NONE {
                        break;
                    }
                    let point = tested[i];
                    let q = point.position;
                    let may = any(abs(point.normal) > vec3f()) && all(q >= fold_low) && all(q <= fold_high);
                    if point.body == b && may && inside_holds(inside, point) && !joined(i, corners) {
                        hit_enter(i, t);
                    }
                    i = grid[grid_next(visit.level, i)];
                }
            }
        }
    }
}
