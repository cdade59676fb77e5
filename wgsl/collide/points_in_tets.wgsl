// points_in_tets: one thread per tetrahedron. Tests the points of other bodies in the cells that it covers: its box,
// then barycentric coordinates [Teschner et al. 2003, section 3.4]. A point's list has each body that holds it, in
// order.
// Reads particles_in, tets, overlaps, tested, grid; writes hits, counts.
#import shared/visit
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;

@compute @workgroup_size(64)
fn points_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                  @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, groups, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let b = tested[tet.corners.x].body;
    if overlap_count(b) == 0u {
        return;
    }
    let inside = inside_begin(tet);
    let reach = RIM_SLACK * collide.margin;
    let part = overlap_clip(b, inside.low - reach, inside.high + reach);
    if !inside.valid || any(part.low > part.high) {
        return;
    }
    let visit = visit_begin(part.low, part.high);
    for (var cz = 0u; cz < visit.size.z; cz++) {
        for (var cy = 0u; cy < visit.size.y; cy++) {
            for (var cx = 0u; cx < visit.size.x; cx++) {
                let cell = visit.first + vec3i(vec3u(cx, cy, cz));
                var i = grid[grid_slot(cell, visit.level, replica(b))];
                for (var k = 0u; k < MAX_LIST; k++) {
                    if i == NONE {
                        break;
                    }
                    let point = tested[i];
                    if point.body != b && overlap_meet(b, point.body) && inside_holds(inside, point) {
                        hit_enter(i, t);
                    }
                    i = grid[grid_next(visit.level, i)];
                }
            }
        }
    }
}
