// edges_in_tets: one thread per tetrahedron. Finds the edges of other bodies that pass through it, on every grid from
// that of its own size on. An edge's list has of each body the tetrahedron whose part of the edge comes nearest to the
// edge's middle: which of several parts inside a body counts does not depend on how its mesh is numbered.
// Reads particles_in, tets, overlaps, tested, edges, edge_grid; writes hits, counts.
#import shared/edge_grid
#import shared/hits
#import shared/visit
#import shared/overlaps
#import shared/segment

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;
@group(0) @binding(54) var<storage, read> edges: array<Edge>;
@group(0) @binding(55) var<storage, read> edge_grid: array<u32>;

fn part_in(start: vec3f, end: vec3f, inside: Inside) -> Part {
    return segment_part(shares_at(inside, start), shares_at(inside, end));
}

// Less the farther its part is from the edge's middle.
fn hit_worth(feature: u32, tet: u32) -> f32 {
    let edge = edges[feature - sim.particle_count];
    let part = part_in(tested[edge.ends.x].position, tested[edge.ends.y].position, inside_begin(tets[tet]));
    return min(0.0, min(0.5 - part.first, part.last - 0.5));
}

// The finest level on which a box of this size covers few cells.
fn edge_level(size: vec3f) -> u32 {
    let extent = max(size.x, max(size.y, size.z));
    var level = 0u;
    for (var k = 1u; k < collide.edge_levels; k++) {
        if extent * grid_inverse_cell(k - 1u) > MAX_EDGE_VISIT {
            level = k;
        }
    }
    return level;
}

// Tests the edges in a list of one cell. An edge and a tetrahedron that share several cells meet in the first of them.
fn visit_list(t: u32, body: u32, level: u32, first: vec3i, cell: vec3i, slot: u32, inside: Inside) {
    var node = edge_grid[slot];
    for (var k = 0u; k < MAX_LIST; k++) {
        if node == NONE {
            break;
        }
        // Lists of other levels may share the slot.
        let e = (node >> 3u) - level * collide.edge_count;
        if e < collide.edge_count {
            let a = tested[edges[e].ends.x];
            let end = tested[edges[e].ends.y].position;
            let low = min(a.position, end);
            let near = all(max(a.position, end) >= inside.low) && all(low <= inside.high);
            let part = part_in(a.position, end, inside);
            if all(max(first, grid_cell(low, level)) == cell) && a.body != body && overlap_meet(body, a.body)
                && near && part.last - part.first > EDGE_PART {
                hit_enter(sim.particle_count + e, t);
            }
        }
        node = edge_grid[edge_next(node)];
    }
}

// The lists with edges that a box of a level looks into, a bit each: 0 with those of finer levels on its own, then those of each
// level from its own on.
fn lists_from(level: u32) -> u32 {
    let finer = (edge_grid[edge_kinds(1u)] >> level) & 1u;
    return ((edge_grid[edge_kinds(0u)] >> level) << 1u) | finer;
}

// Tests the edges of the bodies with these bits in a cell.
fn visit_bodies(t: u32, body: u32, bodies: u32, list: u32, first: vec3i, cell: vec3i, inside: Inside) {
    var bits = bodies & edge_grid[edge_bits(cell, list, body)];
    for (var k = 0u; k < BODY_BITS; k++) {
        if bits == 0u {
            break;
        }
        let owner = grid_owner_of_bit(body, firstTrailingBit(bits));
        visit_list(t, body, list / 2u, first, cell, edge_slot(cell, list, owner), inside);
        bits &= bits - 1u;
    }
}

@compute @workgroup_size(64)
fn edges_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let b = tested[tet.corners.x].body;
    if overlap_count(b) == 0u {
        return;
    }
    let inside = inside_begin(tet);
    if !inside.valid {
        return;
    }
    // One loop over the cells of all parts and lists, so that threads go on to their next ones by themselves.
    var parts = overlap_parts(b, inside.low, inside.high);
    var part = Box();
    var own_level = 0u;
    var lists = 0u;
    var list = 0u;
    var visit = visit_none();
    for (var k = 0u; k < MAX_LIST; k++) {
        if visit_ended(visit) {
            if lists == 0u {
                if parts == 0u {
                    break;
                }
                part = overlap_part(b, firstTrailingBit(parts), inside.low, inside.high);
                parts &= parts - 1u;
                own_level = edge_level(part.high - part.low);
                lists = lists_from(own_level);
                if lists == 0u {
                    continue;
                }
            }
            let place = firstTrailingBit(lists);
            lists &= lists - 1u;
            list = 2u * own_level + select(2u * (place - 1u), 1u, place == 0u);
            visit = visit_box(part.low, part.high, list / 2u);
        }
        visit_bodies(t, b, part.b, list, visit.first, visit_cell(visit), inside);
        visit = visit_next(visit);
    }
}
