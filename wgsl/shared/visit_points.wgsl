// A tetrahedron looks at the points of other bodies in the cells that it and its reach cover. Who imports this declares
// `visit_point`.
#import shared/visit
#import shared/overlaps

@group(0) @binding(2) var<storage, read> particles_in: array<Particle>;
@group(0) @binding(28) var<storage, read> tested: array<Tested>;
@group(0) @binding(29) var<storage, read> grid: array<u32>;
@group(0) @binding(30) var<storage, read> tets: array<Tet>;

// The points in a list.
fn visit_list(t: u32, body: u32, level: u32, slot: u32, inside: Inside) {
    var i = grid[slot];
    for (var k = 0u; k < MAX_LIST; k++) {
        if i == NONE {
            break;
        }
        let point = tested[i];
        if point.body != body && overlap_meet(body, point.body) {
            visit_point(i, point, t, inside);
        }
        i = grid[grid_next(level, i)];
    }
}

// The points of the bodies with these bits in a cell.
fn visit_bodies(t: u32, body: u32, bodies: u32, level: u32, cell: vec3i, inside: Inside) {
    var bits = bodies & grid[grid_bits(cell, level, body)];
    for (var k = 0u; k < BODY_BITS; k++) {
        if bits == 0u {
            break;
        }
        let owner = grid_owner_of_bit(body, firstTrailingBit(bits));
        visit_list(t, body, level, grid_slot(cell, level, owner), inside);
        bits &= bits - 1u;
    }
}

// All of them.
fn visit_points(t: u32, reach: vec3f) {
    let tet = tets[t];
    let b = tested[tet.corners.x].body;
    if overlap_count(b) == 0u {
        return;
    }
    let inside = inside_begin(tet);
    if !inside.valid {
        return;
    }
    let low = inside.low - reach;
    let high = inside.high + reach;
    // One loop over the cells of all parts, so that threads go on to their next part by themselves.
    var parts = overlap_parts(b, low, high);
    var bodies = 0u;
    var visit = visit_none();
    for (var k = 0u; k < MAX_LIST; k++) {
        if visit_ended(visit) {
            if parts == 0u {
                break;
            }
            let part = overlap_part(b, firstTrailingBit(parts), low, high);
            parts &= parts - 1u;
            bodies = part.b;
            visit = visit_begin(part.low, part.high);
        }
        visit_bodies(t, b, bodies, visit.level, visit_cell(visit), inside);
        visit = visit_next(visit);
    }
}
