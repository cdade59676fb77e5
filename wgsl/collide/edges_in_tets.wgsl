// edges_in_tets: one thread per tetrahedron. Finds the edges of other bodies that pass through it, on every grid from
// that of its own size on. Reads particles_in, tets, overlaps, tested, edges, edge_grid; writes hits, counts.
#import shared/edge_grid
#import shared/visit
#import shared/overlaps
#import shared/segment

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;
@group(0) @binding(55) var<storage, read> edge_grid: array<u32>;

fn passes(edge: Edge, t: u32) -> bool {
    let corners = tets[t].corners;
    let a = particles_in[corners.x].position;
    let b = particles_in[corners.y].position;
    let c = particles_in[corners.z].position;
    let d = particles_in[corners.w].position;
    let part = segment_part(barycentric(tested[edge.ends.x].position, a, b, c, d),
                            barycentric(tested[edge.ends.y].position, a, b, c, d));
    return part.last - part.first > EDGE_PART;
}

@compute @workgroup_size(64)
fn edges_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
                 @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, groups, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let corners = tet.corners;
    let b = tested[corners.x].body;
    if overlap_count(b) == 0u {
        return;
    }
    let inside = inside_begin(tet, particles_in[corners.x].position, particles_in[corners.y].position,
                              particles_in[corners.z].position, particles_in[corners.w].position);
    let part = overlap_clip(b, inside.low, inside.high);
    if !inside.valid || any(part.low > part.high) {
        return;
    }
    let own_level = visit_begin(part.low, part.high).level;
    for (var level = own_level; level < collide.edge_levels; level++) {
        let first = grid_cell(part.low, level);
        let size = min(vec3u(grid_cell(part.high, level) - first) + 1u, vec3u(MAX_CELLS));
        for (var cz = 0u; cz < size.z; cz++) {
            for (var cy = 0u; cy < size.y; cy++) {
                for (var cx = 0u; cx < size.x; cx++) {
                    var node = edge_grid[edge_slot(first + vec3i(vec3u(cx, cy, cz)), level)];
                    for (var k = 0u; k < MAX_LIST; k++) {
                        if node == NONE {
                            break;
                        }
                        let e = (node >> 3u) - level * collide.edge_count;
                        if e < collide.edge_count {
                            let other = tested[edges[e].ends.x].body;
                            if other != b && overlap_meet(b, other) && passes(edges[e], t) {
                                hit_enter(sim.particle_count + e, t);
                            }
                        }
                        node = edge_grid[edge_next(node)];
                    }
                }
            }
        }
    }
}
