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

// Tests the points in a list.
fn visit_list(t: u32, body: u32, level: u32, slot: u32, inside: Inside) {
    var i = grid[slot];
    for (var k = 0u; k < MAX_LIST; k++) {
        if i == NONE {
            break;
        }
        let point = tested[i];
        if point.body != body && overlap_meet(body, point.body) && inside_holds(inside, point) {
            hit_enter(i, t);
        }
        i = grid[grid_next(level, i)];
    }
}

// Tests the points of the bodies with the part's bits in the cells of this part of a tetrahedron's box.
fn visit_cells(t: u32, body: u32, part: Box, inside: Inside) {
    let visit = visit_begin(part.low, part.high);
    for (var cz = 0u; cz < visit.size.z; cz++) {
        for (var cy = 0u; cy < visit.size.y; cy++) {
            for (var cx = 0u; cx < visit.size.x; cx++) {
                let cell = visit.first + vec3i(vec3u(cx, cy, cz));
                var bits = part.b & grid[grid_bits(cell, visit.level, body)];
                for (var k = 0u; k < BODY_BITS; k++) {
                    if bits == 0u {
                        break;
                    }
                    let owner = grid_owner_of_bit(body, firstTrailingBit(bits));
                    visit_list(t, body, visit.level, grid_slot(cell, visit.level, owner), inside);
                    bits &= bits - 1u;
                }
            }
        }
    }
}

@compute @workgroup_size(64)
fn points_in_tets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let t = thread_index(group, lane, 64u);
    if t >= collide.tet_count {
        return;
    }
    let tet = tets[t];
    let b = tested[tet.corners.x].body;
    let count = overlap_count(b);
    if count == 0u {
        return;
    }
    let inside = inside_begin(tet);
    if !inside.valid {
        return;
    }
    let reach = RIM_SLACK * collide.margin;
    for (var k = 0u; k < count; k++) {
        let part = overlap_part(b, k, inside.low - reach, inside.high + reach);
        if all(part.low <= part.high) {
            visit_cells(t, b, part, inside);
        }
    }
}
